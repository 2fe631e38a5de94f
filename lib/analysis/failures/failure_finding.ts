import type { FailureClass } from "./failure_class.ts";
import type { FailureRow } from "./failure_rows.ts";

/**
 * Says in a sentence how many replies failed and in which ways most of them did.
 *
 * @param rows Rows of any tasks and lengths.
 * @returns The sentence, without its full stop; fit for the title of a figure.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const cell = { task: "vt", length: 4096, n: 20, failures: 0, unexplained: 0, classes: [] };
 * equal(failureFinding([cell]), "None of 20 replies failed");
 * ```
 */
export function failureFinding(rows: readonly FailureRow[]): string {
  const sum = (part: (row: FailureRow) => number): number => rows.reduce((total, row) => total + part(row), 0);
  const [n, failures] = [sum((row) => row.n), sum((row) => row.failures)];
  if (failures === 0) return `None of ${n} replies failed`;
  const counts = new Map<FailureClass, number>();
  for (const { class: name, count } of rows.flatMap(({ classes }) => classes)) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const most = [...counts].filter(([, count]) => count > 0).sort(([, left], [, right]) => right - left).slice(0, 2);
  const ways = most.map(([name, count]) => `${name} (${count})`).join(" and ");
  return `${failures} of ${n} replies failed wholly or in part${ways === "" ? "" : `, most of them by ${ways}`}`;
}
