/** A scored reply with its place in a grid of lengths and depths; `scoreRecords` gives them. */
export interface DepthReply {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The score, in [0, 1]; `null` where there is none. */
  readonly value: number | null;
  /** Whether the call failed. */
  readonly failed: boolean;
  /** Whether the reply was empty; it scores 0. */
  readonly noAnswer: boolean;
  /** What was asked. */
  readonly record: {
    /** Where the needle was asked for, as a share of the context in [0, 1]; replies without it are left out. */
    readonly depth?: number;
  };
}

/** The mean score of one length and depth. */
export interface DepthCell {
  /** Context length in tokens. */
  readonly length: number;
  /** Where the needle was asked for, in percent of the context, in [0, 100]. */
  readonly depth: number;
  /** The mean score in percent, in [0, 100]; `null` where there is none. */
  readonly score: number | null;
  /** Scores behind it; `null` where that is not known. */
  readonly n: number | null;
  /** Calls that failed; they are in no score. */
  readonly failed: number;
  /** Replies that were empty; they score 0. */
  readonly noAnswer: number;
}

/**
 * Averages scored replies over each length and depth, for a heatmap.
 *
 * @param replies The replies of one task, in any order.
 * @returns A cell for each length and depth that was asked, lengths rising and depths in each.
 * @throws {RangeError} If the replies are of more than one task.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (value: number) =>
 *   ({ task: "cdme_zh", length: 1000, value, failed: false, noAnswer: false, record: { depth: 0.21 } });
 * deepEqual(depthCells([of(1), of(0.5)]), [{ length: 1000, depth: 21, score: 75, n: 2, failed: 0, noAnswer: 0 }]);
 * ```
 */
export function depthCells(replies: readonly DepthReply[]): readonly DepthCell[] {
  const tasks = new Set(replies.map(({ task }) => task));
  if (tasks.size > 1) {
    throw new RangeError(
      `Cannot average over depths as the replies must be of one task: current value is ${[...tasks].join(", ")}`,
    );
  }
  const cells = new Map<string, { length: number; depth: number; of: DepthReply[] }>();
  for (const reply of replies) {
    if (reply.record.depth === undefined) continue;
    // To three decimals, as sigmoid depths have them: 0.21 × 100 is not 21 in binary.
    const [length, depth] = [reply.length, Math.round(reply.record.depth * 1e5) / 1e3];
    const key = `${length}/${depth}`;
    const cell = cells.get(key) ?? { length, depth, of: [] };
    cells.set(key, cell);
    cell.of.push(reply);
  }
  return [...cells.values()].map(({ length, depth, of }) => ({ length, depth, ...average(of) }))
    .toSorted((left, right) => left.length - right.length || left.depth - right.depth);
}

function average(replies: readonly DepthReply[]): Omit<DepthCell, "length" | "depth"> {
  const values = replies.flatMap(({ failed, noAnswer, value }) =>
    failed || value === null ? [] : [noAnswer ? 0 : value]
  );
  const sum = values.toSorted((left, right) => left - right).reduce((total, value) => total + value, 0);
  return {
    score: values.length === 0 ? null : 100 * sum / values.length,
    n: values.length,
    failed: replies.filter(({ failed }) => failed).length,
    noAnswer: replies.filter(({ failed, noAnswer }) => noAnswer && !failed).length,
  };
}
