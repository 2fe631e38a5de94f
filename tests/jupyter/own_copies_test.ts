import { deepEqual, equal } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { code, notebook, prose } from "./_cells.ts";
import { formatNotebook } from "@/lib/jupyter/notebook.ts";
import { copyNotebooks } from "@/lib/jupyter/lab.ts";
import { listReportSources } from "@/lib/jupyter/report.ts";

const FIRST = formatNotebook(notebook(prose("# T"), code("const samples = 3;"), code("samples;")));

Deno.test("copyNotebooks() copies a notebook once, and names copies that differ from theirs", async () => {
  await withFolder({ "notebooks/01-first.ipynb": FIRST }, async (folder) => {
    const copy = `${folder}/own/01-first.ipynb`;
    deepEqual(await copyNotebooks(folder), []);
    equal(await Deno.readTextFile(copy), FIRST);
    // A run is no edit.
    await Deno.writeTextFile(copy, FIRST.replace('"execution_count": null', '"execution_count": 1'));
    deepEqual(await copyNotebooks(folder), []);
    for (const edited of [FIRST.replace("samples = 3", "samples = 5"), "no notebook"]) {
      await Deno.writeTextFile(copy, edited);
      deepEqual(await copyNotebooks(folder), ["01-first"]);
      equal(await Deno.readTextFile(copy), edited);
    }
    deepEqual(await listReportSources(folder, ["own/01-first"]), [
      { name: "01-first", base: "01-first.own", file: copy },
    ]);
  });
});
