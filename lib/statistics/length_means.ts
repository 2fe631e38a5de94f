import { meanOfMeans } from "./mean_interval.ts";
import type { SummaryRow } from "./summarise.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Tasks whose scores are averaged with equal weight. */
export interface TaskGroup {
  /** What the mean is called. */
  readonly name: string;
  /** Their names. */
  readonly tasks: readonly string[];
}

/**
 * Averages the tasks of each group at each length, with equal weight, as in RULER's Tables 3 and 12 to 16. If a task of the
 * group has no score, neither has the group, and the row says which are missing.
 *
 * @param rows Rows of single tasks, from {@linkcode summarise}.
 * @returns Groups in the order given and lengths rising, `task` being the group's name; groups without rows are left out.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { summarise } from "@/lib/statistics/mod.ts";
 *
 * const asked = { length: 4096, failed: false, noAnswer: false };
 * const rows = summarise([{ task: "cwe", value: 1, ...asked }, { task: "fwe", value: 0.5, ...asked }]);
 * const [mean] = lengthMeans(rows, { groups: [{ name: "aggregation", tasks: ["cwe", "fwe"] }] });
 * equal(mean?.score, 75);
 * ```
 */
export function lengthMeans(
  rows: readonly SummaryRow[],
  options: { readonly groups: readonly TaskGroup[] },
): readonly SummaryRow[] {
  return options.groups.flatMap((group) => {
    const ofGroup = rows.filter((row) => group.tasks.includes(row.task));
    const lengths = [...new Set(ofGroup.map((row) => row.length))].sort((left, right) => left - right);
    return lengths.map((length) => {
      const ofLength = group.tasks.map((task) => ofGroup.find((row) => row.task === task && row.length === length));
      return averageRows(ofLength.filter((row) => row !== undefined), { group, length });
    });
  });
}

function averageRows(
  rows: readonly SummaryRow[],
  { group, length }: { readonly group: TaskGroup; readonly length: number },
): SummaryRow {
  const add = (count: (row: SummaryRow) => number): number => rows.reduce((sum, row) => sum + count(row), 0);
  const row = {
    task: group.name,
    length,
    n: add(({ n }) => n),
    failed: add(({ failed }) => failed),
    noAnswer: add(({ noAnswer }) => noAnswer),
    unscored: add(({ unscored }) => unscored),
  };
  const scored = rows.flatMap(({ task, n, score, low, high, effectiveSize }) =>
    score === null || low === null || high === null
      ? []
      : [{ task, n, mean: score / 100, low: low / 100, high: high / 100, effectiveSize }]
  );
  const missing = group.tasks.filter((task) => !scored.some((row) => row.task === task));
  if (missing.length > 0) {
    const reason = `${missing.length} of ${group.tasks.length} tasks have no score at ${lengthText(length)}: ${
      missing.join(", ")
    }`;
    return { ...row, score: null, low: null, high: null, effectiveSize: 0, reason };
  }
  const { mean, low, high, effectiveSize } = meanOfMeans(scored);
  return { ...row, score: 100 * mean, low: 100 * low, high: 100 * high, effectiveSize, reason: null };
}
