import { type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import { addResent, type FailureKind, type Resent, type RunRecord } from "@/lib/models/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** A reason why questions of a run were sent again. */
export interface RetryReason {
  readonly failure: FailureKind;
  /** The error message; the first of several that differ only in numbers. */
  readonly message: string;
  /** How often a question was sent again for it. */
  readonly times: number;
  /** How long they waited, added up, in seconds; questions that waited at the same time each count. */
  readonly waitedSeconds: number;
}

/**
 * Lists why questions were sent again, the most frequent reason first; records from before reasons were kept have none.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { readRun } from "@/lib/records/mod.ts";
 *
 * deepEqual(retryReasons((await readRun("measured/gemma-3-270m/ruler")).records), []);
 * ```
 */
export function retryReasons(records: readonly Pick<RunRecord, "reply">[]): readonly RetryReason[] {
  const all = records.flatMap(({ reply }) => reply.resent ?? [])
    .reduce((reasons: readonly Resent[], one) => addResent(reasons, one), []);
  return all.toSorted((left, right) => right.times - left.times)
    .map(({ waitedMs, ...reason }) => ({ ...reason, waitedSeconds: waitedMs / 1000 }));
}

/** Returns a table of the reasons for retries; `null` if there are none. */
export function retryTable(
  reasons: readonly RetryReason[],
  { model, ...drawn }: Pick<FigureOptions, "origin" | "warning"> & { readonly model: string },
): Table | null {
  if (reasons.length === 0) return null;
  const times = reasons.reduce((sum, reason) => sum + reason.times, 0);
  return table(reasons, {
    title: `${model}: why questions were sent again`,
    caption:
      "What the server or the network said, the first of those that differ in numbers alone; waits are added up.",
    ...drawn,
    n: `${times} ${plural(times, "retry")}`,
    columns: [
      { field: "failure", label: "Reason" },
      { field: "times", label: "Times" },
      { field: "waitedSeconds", label: "Waited (s)", digits: 1 },
      { field: "message", label: "Said" },
    ],
  });
}
