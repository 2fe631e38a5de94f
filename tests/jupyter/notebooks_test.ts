import { deepEqual, ok } from "node:assert/strict";
import { checkFormat, checkNotebook, checkTypes } from "../notebooks/check_notebook.ts";
import { listNotebooks } from "@/lib/jupyter/lab.ts";
import { type Notebook, parseNotebook } from "@/lib/jupyter/notebook.ts";

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
const names = await listNotebooks(ROOT);

Deno.test("there is a notebook to check", () => ok(names.length > 0));

async function readNotebook(name: string): Promise<Notebook> {
  return parseNotebook(await Deno.readTextFile(`${ROOT}/notebooks/${name}.ipynb`));
}

/** Problems by the notebook that has them: only those that have any. */
function named<Problem>(problems: readonly (readonly Problem[])[]): object {
  return Object.fromEntries(
    names.flatMap((name, index) => problems[index]!.length === 0 ? [] : [[name, problems[index]]]),
  );
}

for (const name of names) {
  Deno.test(`notebooks/${name} is in good form`, async () => {
    deepEqual(checkNotebook(await readNotebook(name)), []);
  });
}

Deno.test("the cells of all notebooks are as deno fmt writes them", async () => {
  deepEqual(named(await checkFormat(await Promise.all(names.map(readNotebook)), ROOT)), {});
});

// Without types `deno task test` starts at once; the compiler runs beside the tests, once for everything.
Deno.test("the types of lib, its examples, the tests and all notebooks hold", { timeout: 600_000 }, async () => {
  const also = ["--doc", "lib", "tests", "README.md"];
  deepEqual(named(await checkTypes(await Promise.all(names.map(readNotebook)), ROOT, also)), {});
});
