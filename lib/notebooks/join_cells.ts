import type { Notebook } from "./notebook.ts";

/** The code of a notebook as one program. */
export interface JoinedCells {
  /** The program: every code cell, top to bottom. */
  readonly program: string;
  /** For each line of the program, the cell it came from, counted from 1 over all cells; `0` for a line of no cell. */
  readonly cellOfLine: readonly number[];
  /** For each line of the program, its line in the cell, from 1; `0` for a line of no cell. */
  readonly lineInCell: readonly number[];
}

/**
 * Joins the code cells of a notebook into one TypeScript module, so that its types can be checked.
 *
 * A kernel checks no types and lets a `const` be bound again in a later cell; one module allows neither.
 *
 * @param notebook The notebook.
 * @returns The program, and where each of its lines stands in the notebook.
 *
 * @example Two cells make one program
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const fields = { kind: "code", metadata: {}, executionCount: null, outputs: [] } as const;
 * const cells = [{ ...fields, id: "a", source: "const a = 1;" }, { ...fields, id: "b", source: "a + 1" }];
 * equal(joinCells({ cells, metadata: {} }).program, "const a = 1;\n;\na + 1\n;\nexport {};\n");
 * ```
 */
export function joinCells(notebook: Notebook): JoinedCells {
  const lines: string[] = [];
  const cellOfLine: number[] = [];
  const lineInCell: number[] = [];
  const add = (line: string, cell: number, place: number): void => {
    lines.push(line);
    cellOfLine.push(cell);
    lineInCell.push(place);
  };
  for (const [index, cell] of notebook.cells.entries()) {
    if (cell.kind !== "code") continue;
    cell.source.split("\n").forEach((line, place) => add(line, index + 1, place + 1));
    // A last expression may lack its semicolon, and the next cell may open with a bracket.
    add(";", 0, 0);
  }
  add("export {};", 0, 0);
  return { program: lines.join("\n") + "\n", cellOfLine, lineInCell };
}
