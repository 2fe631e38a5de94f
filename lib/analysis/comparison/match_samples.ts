import type { ScoredRecord } from "../summarise.ts";

/** A scored record with what names its sample; `scoreRecords` gives them. */
export interface ComparedRecord extends ScoredRecord {
  /** The sample's own names. */
  readonly record: {
    /** The number of the sample in its task and length. */
    readonly index: number;
    /** The seed it was made from; samples of other seeds are other samples. */
    readonly seed: string;
  };
}

/** What two models scored on one task at one length, put together sample by sample. */
export interface MatchedSamples {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The samples that both have a score for, by index. */
  readonly pairs: readonly { readonly first: number; readonly second: number }[];
  /** All scores of the first model, matched or not. */
  readonly first: readonly number[];
  /** All scores of the second model, matched or not. */
  readonly second: readonly number[];
  /** Samples that both were asked and at least one has no score for: the call failed, or there was nothing to score. */
  readonly dropped: number;
  /** Samples that only one of them was asked. */
  readonly unmatched: number;
}

/**
 * Puts the scores of two models together by task, length and index of the sample.
 *
 * A failed call is no answer, right or wrong: its pair is dropped and counted. An empty reply scores 0.
 *
 * @param first The scored records of one model, in any order.
 * @param second Those of the other.
 * @returns An entry for each task and length that either was asked, tasks in order of first appearance, lengths rising.
 * @throws {RangeError} If a model has two records of one sample.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const asked = { task: "vt", length: 4096, failed: false, noAnswer: false };
 * const of = (index: number, value: number) => ({ ...asked, value, record: { index, seed: "42" } });
 * const [vt] = matchSamples([of(0, 1), of(1, 0.5)], [of(1, 1), of(2, 1)]);
 * deepEqual(vt?.pairs, [{ first: 0.5, second: 1 }]);
 * deepEqual(vt?.unmatched, 2);
 * ```
 */
export function matchSamples(
  first: readonly ComparedRecord[],
  second: readonly ComparedRecord[],
): readonly MatchedSamples[] {
  const tasks = new Set([...first, ...second].map(({ task }) => task));
  const cells = Map.groupBy([...first, ...second], ({ task, length }) => cellName(task, length));
  const [left, right] = [index(first), index(second)];
  return [...tasks].flatMap((task) => {
    const ofTask = [...cells.values()].filter(([record]) => record!.task === task).map(([record]) => record!.length);
    return ofTask.sort((one, other) => one - other).map((length) => {
      const name = cellName(task, length);
      return { task, length, ...matchCell(left.get(name) ?? new Map(), right.get(name) ?? new Map()) };
    });
  });
}

type Cell = ReadonlyMap<string, { readonly index: number; readonly value: number | null }>;

function matchCell(first: Cell, second: Cell): Omit<MatchedSamples, "task" | "length"> {
  const common = [...first].filter(([name]) => second.has(name)).sort(([, left], [, right]) =>
    left.index - right.index
  );
  const pairs = common.flatMap(([name, { value }]) => {
    const other = second.get(name)!.value;
    return value === null || other === null ? [] : [{ first: value, second: other }];
  });
  const scores = (cell: Cell): number[] => [...cell.values()].flatMap(({ value }) => value === null ? [] : [value]);
  return {
    pairs,
    first: scores(first),
    second: scores(second),
    dropped: common.length - pairs.length,
    unmatched: first.size + second.size - 2 * common.length,
  };
}

/** The values of each task and length by the sample's name. */
function index(records: readonly ComparedRecord[]): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Map<string, { readonly index: number; readonly value: number | null }>>();
  for (const { task, length, value, failed, noAnswer, record } of records) {
    const cell = cells.get(cellName(task, length)) ?? new Map();
    cells.set(cellName(task, length), cell);
    const name = `${record.index} ${record.seed}`;
    if (cell.has(name)) {
      throw new RangeError(
        `Cannot match samples as each must stand once for a model: current value is ${task}, ${length} tokens, number ${record.index} twice`,
      );
    }
    cell.set(name, { index: record.index, value: failed ? null : noAnswer ? 0 : value });
  }
  return cells;
}

function cellName(task: string, length: number): string {
  return `${length} ${task}`;
}
