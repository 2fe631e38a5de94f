import { mean } from "simple-statistics";

/** A reply scored twice: as it is, and after a model rewrote it. */
export interface TwiceScored {
  /** The task's name. */
  readonly task: string;
  /** Its score, in [0, 1]; `null` where there is none. */
  readonly value: number | null;
  /** Why it was not rewritten; `null` where it was. */
  readonly unparsed?: string | null;
}

/** What rewriting changes in the replies to a task. */
export interface ParsedRow {
  /** The task's name, or `all`. */
  readonly task: string;
  /** Replies with both scores. */
  readonly replies: number;
  /** Those that could not be rewritten; they count as they are. */
  readonly unparsed: number;
  /** The mean score read by rule, in percent; `null` without replies. */
  readonly byRule: number | null;
  /** The mean score of the replies rewritten, in percent. */
  readonly byModel: number | null;
  /** Replies whose score is another, in percent. */
  readonly changed: number | null;
}

/**
 * Compares scores of replies read by rule with those of the same replies rewritten by a model, as Needle Threading's are.
 *
 * @param byRule The replies, scored as they are.
 * @param byModel The same replies in the same order, scored after they were rewritten.
 * @returns A row for each task in order of first appearance, then one for all.
 * @throws {RangeError} If the lists are not of the same replies.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const [row] = parsedRows([{ task: "a", value: 0 }], [{ task: "a", value: 1, unparsed: null }]);
 * equal(row?.changed, 100);
 * ```
 */
export function parsedRows(byRule: readonly TwiceScored[], byModel: readonly TwiceScored[]): ParsedRow[] {
  if (byRule.length !== byModel.length || byRule.some(({ task }, at) => task !== byModel[at]!.task)) {
    throw new RangeError(
      `Cannot compare the two readings as both must be of the same replies: current value is ${byRule.length} and ${byModel.length}`,
    );
  }
  const pairs = byRule.flatMap(({ task, value }, at): Pair[] => {
    const { value: rewritten, unparsed } = byModel[at]!;
    return value === null || rewritten === null ? [] : [{ task, value, rewritten, isUnparsed: Boolean(unparsed) }];
  });
  const tasks = Map.groupBy(pairs, ({ task }) => task);
  return [...tasks, ["all", pairs] as const].map(([task, ofTask]) => rowOf(task, ofTask));
}

interface Pair {
  readonly task: string;
  readonly value: number;
  readonly rewritten: number;
  readonly isUnparsed: boolean;
}

function rowOf(task: string, pairs: readonly Pair[]): ParsedRow {
  const percent = (valueOf: (pair: Pair) => number): number | null =>
    pairs.length === 0 ? null : 100 * mean(pairs.map(valueOf));
  return {
    task,
    replies: pairs.length,
    unparsed: pairs.filter(({ isUnparsed }) => isUnparsed).length,
    byRule: percent(({ value }) => value),
    byModel: percent(({ rewritten }) => rewritten),
    changed: percent(({ value, rewritten }) => value === rewritten ? 0 : 1),
  };
}
