import { deepEqual } from "node:assert/strict";
import { code, notebook, prose } from "./_cells.ts";
import { checkTypes } from "@/lib/jupyter/check_notebook.ts";

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

Deno.test("checkTypes() finds nothing in last expressions, awaits and displays", async () => {
  const sound = notebook(
    code('import { ok } from "node:assert/strict";'),
    code("const values: readonly number[] = await Promise.resolve([1, 2]);\nvalues"),
    code("[values.length]"),
    code('await Deno.jupyter.display(Deno.jupyter.md`# ${values}`, { display_id: "a", update: false });'),
    code("ok(values.length === 2);"),
  );
  deepEqual(await checkTypes(sound, ROOT), []);
});

Deno.test("checkTypes() finds a wrong type, in its cell and line", async () => {
  const wrong = notebook(prose("# T"), code('const name = "a";\nconst count: number = name;'));
  const message = "line 2: Type 'string' is not assignable to type 'number'.";
  deepEqual(await checkTypes(wrong, ROOT), [{ cell: 2, message }]);
});

Deno.test("checkTypes() finds a name bound in two cells, which a kernel would let pass", async () => {
  const bound = notebook(code("const a = 1;"), code("const a = 2;"));
  const message = "line 1: Cannot redeclare block-scoped variable 'a'.";
  deepEqual(await checkTypes(bound, ROOT), [{ cell: 1, message }, { cell: 2, message }]);
});
