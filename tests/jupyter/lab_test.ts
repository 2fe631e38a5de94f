import { deepEqual, equal, rejects } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { copyNotebooks, listNotebooks } from "@/lib/jupyter/lab.ts";
import { listReportSources } from "@/lib/jupyter/report.ts";

const NAMES = ["10-last", "02-second", "01-first", "draft"];
const FILES = Object.fromEntries(NAMES.map((name) => [`notebooks/${name}.ipynb`, "{}"]));

Deno.test("listNotebooks() lists numbered notebooks in order, chooses by number or name, and refuses other names", async () => {
  await withFolder({ ...FILES, "notebooks/.ipynb_checkpoints/03-old.ipynb": "{}" }, async (folder) => {
    deepEqual(await listNotebooks(folder), ["01-first", "02-second", "10-last"]);
    deepEqual(await listNotebooks(folder, ["10", "02-second.ipynb"]), ["02-second", "10-last"]);
    const message =
      'Cannot choose a notebook as its name must be one of 01-first, 02-second, 10-last: current value is "1"';
    await rejects(listNotebooks(folder, ["1"]), { name: "RangeError", message });
  });
});

Deno.test("copyNotebooks() copies a notebook once, and never replaces a copy", async () => {
  await withFolder(FILES, async (folder) => {
    await copyNotebooks(folder);
    const copy = `${folder}/own/01-first.ipynb`;
    equal(await Deno.readTextFile(copy), "{}");
    await Deno.writeTextFile(copy, "edited");
    await copyNotebooks(folder);
    equal(await Deno.readTextFile(copy), "edited");
    deepEqual(await listNotebooks(folder, ["own/01-first.ipynb", "10"]), ["10-last", "own/01-first"]);
    await rejects(listNotebooks(folder, ["own/draft"]), /its name must be one of .*: current value is "own\/draft"$/);
    deepEqual(await listReportSources(folder, ["own/01-first"]), [
      { name: "own/01-first", base: "01-first.own", file: copy },
    ]);
  });
});
