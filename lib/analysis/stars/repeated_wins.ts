import { neededWins } from "./_wins.ts";
import type { StarPanel } from "./star_panel.ts";

/**
 * Counts the pairs of lengths in which the longer context is better beyond chance in every one of several matrices.
 *
 * @param panels Repeats of one matrix, of the same lengths and as many stars.
 * @param level What a pair's own test may give at most, in (0, 1).
 * @returns How many pairs there are in any of the matrices, and how many in all.
 * @throws {RangeError} If the matrices have other lengths.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const [low, high] = [[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]];
 * const panel = (cells: number[][]) => ({ model: "m", columns: cells.map((of, at) => ({ length: at + 1, cells: of })) });
 * deepEqual(repeatedWins([panel([low!, high!]), panel([high!, high!])]), { any: 1, all: 0 });
 * ```
 */
export function repeatedWins(
  panels: readonly StarPanel[],
  level = 0.05,
): { readonly any: number; readonly all: number } {
  const lengthsOf = ({ columns }: StarPanel): string => columns.map(({ length }) => length).join(", ");
  const wanted = panels[0] ? lengthsOf(panels[0]) : "";
  const other = panels.find((panel) => lengthsOf(panel) !== wanted);
  if (other) {
    throw new RangeError(
      `Cannot compare repeats as all must have the lengths ${wanted}: current value is ${lengthsOf(other)}`,
    );
  }
  const wins = panels.map((panel) => new Set(listSureWins(panel, level)));
  const any = wins.reduce((union, next) => union.union(next), new Set<string>());
  const all = [...any].filter((pair) => wins.every((win) => win.has(pair)));
  return { any: any.size, all: all.length };
}

function listSureWins({ columns }: StarPanel, level: number): string[] {
  const needed = neededWins(columns[0]?.cells.length ?? 0, level);
  return columns.flatMap((late, at) =>
    columns.slice(0, at).flatMap((early) => {
      const changes = late.cells.map((cell, star) => cell - early.cells[star]!);
      const up = changes.filter((change) => change > 0).length;
      const down = changes.filter((change) => change < 0).length;
      return up >= needed[up + down]! ? [`${early.length} ${late.length}`] : [];
    })
  );
}
