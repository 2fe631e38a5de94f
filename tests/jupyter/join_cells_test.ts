import { deepEqual, equal } from "node:assert/strict";
import { code, notebook, prose } from "./_cells.ts";
import { joinCells } from "@/lib/jupyter/check_notebook.ts";

Deno.test("joinCells() leaves prose out and says where each line comes from", () => {
  const { program, cellOfLine, lineInCell } = joinCells(notebook(prose("# T"), code("a\nb"), prose("x"), code("c")));
  const lines = program.split("\n");
  const places = ["a", "b", "c"].map((line) => [cellOfLine[lines.indexOf(line)], lineInCell[lines.indexOf(line)]]);
  deepEqual(places, [[2, 1], [2, 2], [4, 1]]);
});

Deno.test("joinCells() keeps a last expression apart from a cell that opens with a bracket", () => {
  const { program } = joinCells(notebook(code("const list = [1]"), code("[2].length")));
  equal(/\]\s*\[2\]/.test(program), false);
});
