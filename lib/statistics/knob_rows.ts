import type { GridCell } from "./context_limit.ts";
import { type ScoredRecord, summarise, type SummaryRow } from "./summarise.ts";

/** The knobs of a task, by name. */
export type KnobValues = Readonly<Record<string, string | number>>;

/** The tasks of a run with their knobs, as its manifest lists them. */
export type TaskKnobs = Readonly<Record<string, { readonly options: KnobValues }>>;

/** A summary with the knobs of its task. */
export interface KnobRow extends SummaryRow {
  /** The knobs of the task. */
  readonly knobs: KnobValues;
}

/**
 * Averages scored replies for each task and length, with the task's knobs beside the score.
 *
 * @param replies Scored replies.
 * @param tasks The run's tasks, from its manifest.
 * @returns A row for each task and length.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const replies = [{ task: "steps=5", length: 4096, value: 1, failed: false, noAnswer: false }];
 * const [row] = knobRows(replies, { "steps=5": { options: { steps: 5 } } });
 * deepEqual([row!.score, row!.knobs], [100, { steps: 5 }]);
 * ```
 */
export function knobRows(replies: readonly ScoredRecord[], tasks: TaskKnobs): readonly KnobRow[] {
  return summarise(replies).map((row) => ({ ...row, knobs: tasks[row.task]?.options ?? {} }));
}

/** A scored reply with the depth it was asked at, if any. */
export interface KnobReply extends ScoredRecord {
  /** What was asked. */
  readonly record: { readonly depth?: number };
}

/** Options for {@linkcode knobCells}. */
export interface KnobCellsOptions {
  /** The run's tasks, from its manifest. */
  readonly tasks: TaskKnobs;
  /** The knob that makes the task harder, a number in each task; `depth` is that of each sample where the task has none. */
  readonly knob: string;
  /**
   * What one token counts for in the unit of sizes, such as characters.
   *
   * @default {1}
   */
  readonly unit?: number;
}

/**
 * Sorts scored replies into a grid of sizes and a knob's values, from which context limits are read.
 *
 * @param replies Scored replies; those of tasks without the knob, and those without a score, are left out.
 * @param options The tasks, the knob, and the unit of sizes.
 * @returns The cells, sizes and difficulties rising.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const reply = { task: "a", length: 1000, value: 1, failed: false, noAnswer: false, record: {} };
 * const tasks = { a: { options: { needles: 5 } } };
 * deepEqual(knobCells([reply], { tasks, knob: "needles" }), [{ size: 1000, difficulty: 5, scores: [1] }]);
 * ```
 */
export function knobCells(replies: readonly KnobReply[], options: KnobCellsOptions): readonly GridCell[] {
  const { tasks, knob, unit = 1 } = options;
  const asked = replies.flatMap(({ task, length, value, record: { depth } }) => {
    const set = tasks[task]?.options[knob] ?? (knob === "depth" ? depth : undefined);
    return typeof set === "number" ? [{ record: { size: length * unit, difficulty: set }, value }] : [];
  });
  return gridCells(asked, { size: ({ size }) => size, difficulty: ({ difficulty }) => difficulty });
}

/** What a grid needs of a scored reply. */
export interface GriddedReply<Asked> {
  /** What was asked. */
  readonly record: Asked;
  /** Its score, in [0, 1]; `null` where there is none. */
  readonly value: number | null;
}

/** Where in a grid a reply belongs. */
interface GridAxes<Asked> {
  /** The size of the context, in tokens or characters. */
  size(asked: Asked): number;
  /** How hard the task was: a number of needles, of steps, of threads, or a depth. */
  difficulty(asked: Asked): number;
}

/** Sorts scored replies into the cells of a grid; replies without a score are left out. */
export function gridCells<Asked>(
  replies: readonly GriddedReply<Asked>[],
  axes: GridAxes<Asked>,
): readonly GridCell[] {
  const cells = new Map<string, { size: number; difficulty: number; scores: number[] }>();
  for (const { record, value } of replies) {
    if (value === null) continue;
    const [size, difficulty] = [axes.size(record), axes.difficulty(record)];
    const key = JSON.stringify([size, difficulty]);
    const cell = cells.get(key) ?? { size, difficulty, scores: [] };
    cell.scores.push(value);
    cells.set(key, cell);
  }
  return [...cells.values()].toSorted((left, right) => left.size - right.size || left.difficulty - right.difficulty);
}
