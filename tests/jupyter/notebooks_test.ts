import { deepEqual, ok } from "node:assert/strict";
import { checkFormat, checkNotebook, checkTypes } from "@/lib/jupyter/check_notebook.ts";
import { listNotebooks } from "@/lib/jupyter/lab.ts";
import { parseNotebook } from "@/lib/jupyter/notebook.ts";

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
const names = await listNotebooks(ROOT);

Deno.test("there is a notebook to check", () => ok(names.length > 0));

for (const name of names) {
  Deno.test(`notebooks/${name} is in good form and format, and its types hold`, async () => {
    const notebook = parseNotebook(await Deno.readTextFile(`${ROOT}/notebooks/${name}.ipynb`));
    const format = await checkFormat(notebook, ROOT);
    deepEqual([...checkNotebook(notebook), ...format, ...await checkTypes(notebook, ROOT)], []);
  });
}
