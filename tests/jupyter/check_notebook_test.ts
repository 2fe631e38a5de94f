import { deepEqual, match } from "node:assert/strict";
import { code, notebook, prose, tagged } from "./_cells.ts";
import { checkFormat, checkNotebook, checkTypes } from "../notebooks/check_notebook.ts";
import type { NotebookCell } from "@/lib/jupyter/notebook.ts";

const title = prose("# Does recall fall with depth?");
const parameters = tagged("parameters", "const samples = 50;", { executionCount: 1 });
const stream = (text: string) => ({ "output_type": "stream", name: "stdout", text });
/** The title, the parameters and one more cell. */
const withCell = (source: string, executionCount: number | null = 2, ...outputs: readonly object[]): NotebookCell[] => [
  ...[title, parameters, code(source, { executionCount, outputs } as Parameters<typeof code>[1])],
];

Deno.test("checkNotebook() finds nothing in a notebook in good form", () => {
  const plain = code('if (a !== b && !c) f([...d, { ...e }], "g! ...{ as const"); // h!', { executionCount: 3 });
  const outputs = [stream("recall 0.5 at 4,096 tokens; see results/figures/a.svg and http://www.w3.org/2000/svg\n")];
  deepEqual(checkNotebook(notebook(title, parameters, code("samples", { executionCount: 2, outputs }), plain)), []);
});

Deno.test.each([
  ["a missing title", [prose("Text"), parameters], 0, /title/],
  ["no parameters", [title, code("1", { executionCount: 1 })], 0, /one cell tagged "parameters": current value is 0/],
  ["41 cells", [title, parameters, ...Array(39).fill(title)], 0, /at most 40 cells: current value is 41/],
  ["a long cell", withCell("1;\n".repeat(30) + "1"), 3, /at most 30 lines: current value is 31/],
  ["a spread literal", withCell("f({\n  ...{ a: 1 },\n});"), 3, /must not spread a literal, .* is \.\.\.\{ a: 1 \},/],
  ["a spread list", withCell("[...[1, 2], 3]"), 3, /must not spread a literal/],
  ["cells run out of order", withCell("1", 3), 3, /must be number 2, current value is 3/],
  ["a cell that was not run", withCell("1", null), 3, /must be number 2, current value is null/],
  ["a path", withCell("1", 2, stream("in /home/ann/run")), 3, /absolute path/],
  ["a file address", withCell("1", 2, stream("file:///a")), 3, /absolute path/],
  ["a key", withCell("1", 2, stream(`sk-${"a1".repeat(12)}`)), 3, /a key/],
  ["a time", withCell("1", 2, stream("2030-01-02T03:04:05Z")), 3, /a time/],
  ["an error", withCell("1", 2, { "output_type": "error" }), 3, /not be an error/],
] as [string, NotebookCell[], number, RegExp][])("checkNotebook() refuses %s", (_name, cells, cell, message) => {
  const problems = checkNotebook(notebook(...cells));
  deepEqual(problems.map((problem) => problem.cell), [cell]);
  match(problems[0]?.message ?? "", message);
});

Deno.test("checkNotebook() refuses a notebook that names no language", () => {
  const [problem] = checkNotebook({ ...notebook(title, parameters), metadata: {} });
  match(problem?.message ?? "", /language_info\.name/);
});

const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

Deno.test("checkFormat() finds nothing in formatted cells, with and without a line feed at their end", async () => {
  const tidy = notebook(prose("# T\n\nText."), code("const a = 1;"), code('const b = "b";\n'), code(""));
  deepEqual(await checkFormat([tidy], ROOT), [[]]);
});

Deno.test("checkFormat() names each cell that deno fmt would change, code and text", async () => {
  const message = "must be formatted by deno fmt";
  const untidy = notebook(prose("# T\n* item"), code("const a = 1;"), code("const b = 'b'"));
  const tidy = notebook(prose("# T"), code("const a = 1;"));
  const found = [{ cell: 1, message }, { cell: 3, message }];
  deepEqual(await checkFormat([untidy, tidy, untidy], ROOT), [found, [], found]);
});

// One compiler looks at all of these: it takes a second to start.
Deno.test("checkTypes() finds a wrong type, and a name bound twice, in its notebook, cell and line, and nothing in sound ones", async () => {
  // Last expressions, awaits, displays, and cells that open with a bracket.
  const sound = notebook(
    code('import { ok } from "node:assert/strict";'),
    code("const values: readonly number[] = await Promise.resolve([1, 2]);\nvalues"),
    code("[values.length]"),
    code('await Deno.jupyter.display(Deno.jupyter.md`# ${values}`, { display_id: "a", update: false });'),
    code("ok(values.length === 2);"),
  );
  const bracket = notebook(code("const list = [1]"), code("[2].length"));
  const wrong = notebook(
    prose("# T"),
    code("const first = 1;"),
    prose("x"),
    code('const name = "a";\nconst count: number = name;'),
  );
  const bound = notebook(code("const a = 1;"), code("const a = 2;"));
  const twice = "line 1: Cannot redeclare block-scoped variable 'a'.";
  const own = notebook(code("const name = 1;"));
  deepEqual(await checkTypes([wrong, sound, bound, bracket, own], ROOT), [
    [{ cell: 4, message: "line 2: Type 'string' is not assignable to type 'number'." }],
    [],
    [{ cell: 1, message: twice }, { cell: 2, message: twice }],
    [],
    [],
  ]);
});
