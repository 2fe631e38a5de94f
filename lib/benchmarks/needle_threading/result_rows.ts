/**
 * Gives a row of Needle Threading's own results the names that prediction files have: `Output`, what the model wrote, becomes
 * `pred`; `values` of its data set, or `Answer` of its result table, one value or a list, becomes `outputs`. Other rows stay.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const { pred, outputs } = threadingRowFields({ Output: "4d27-11", values: ["4d27-11"], "num_kv_pairs": 25 });
 * deepEqual([pred, outputs], ["4d27-11", ["4d27-11"]]);
 * ```
 */
export function threadingRowFields(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { Output: output, values = row["Answer"] } = row;
  if (output === undefined || values === undefined) return row;
  return { ...row, pred: output, outputs: Array.isArray(values) ? values : [values] };
}
