import { deepEqual } from "node:assert/strict";
import { code, notebook, prose } from "./_cells.ts";
import { checkFormat } from "@/lib/jupyter/check_notebook.ts";

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

Deno.test("checkFormat() finds nothing in formatted cells, with and without a line feed at their end", async () => {
  const tidy = notebook(prose("# T\n\nText."), code("const a = 1;"), code('const b = "b";\n'), code(""));
  deepEqual(await checkFormat(tidy, ROOT), []);
});

Deno.test("checkFormat() names each cell that deno fmt would change, code and text", async () => {
  const message = "must be as deno fmt writes it";
  const untidy = notebook(prose("# T\n* item"), code("const a = 1;"), code("const b = 'b'"));
  deepEqual(await checkFormat(untidy, ROOT), [{ cell: 1, message }, { cell: 3, message }]);
});
