import type { GridCell } from "./context_limit.ts";
import { meanOfRepeats, type ScoredRecord } from "./repeats.ts";
import { summarise, type SummaryRow } from "./summarise.ts";

/** The knobs of a task, by name. */
export type KnobValues = Readonly<Record<string, string | number>>;

/** The tasks of a run with their knobs, as its manifest lists them. */
export type TaskKnobs = Readonly<Record<string, { readonly options: KnobValues }>>;

/** A summary with the knobs of its task. */
export interface KnobRow extends SummaryRow {
  readonly knobs: KnobValues;
}

/**
 * Averages scored replies for each task and length, with the task's knobs beside the score.
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
  /** A numeric knob that makes the task harder; `depth` is that of each sample if the task sets none. */
  readonly knob: string;
  /**
   * How many units of size a token counts for, such as characters.
   *
   * @default {1}
   */
  readonly unit?: number;
}

/**
 * Sorts scored replies into a grid of sizes and values of a knob, for {@linkcode contextLimits}. Tasks without the knob and
 * replies without a score are left out.
 *
 * @returns The cells, sizes and difficulties rising.
 */
export function knobCells(replies: readonly KnobReply[], options: KnobCellsOptions): readonly GridCell[] {
  const { tasks, knob, unit = 1 } = options;
  const cells = new Map<string, { size: number; difficulty: number; scores: number[] }>();
  for (const { task, length, value, record: { depth } } of meanOfRepeats(replies)) {
    const difficulty = tasks[task]?.options[knob] ?? (knob === "depth" ? depth : undefined);
    if (typeof difficulty !== "number" || value === null) continue;
    const size = length * unit;
    const key = `${size} ${difficulty}`;
    const cell = cells.get(key) ?? { size, difficulty, scores: [] };
    cell.scores.push(value);
    cells.set(key, cell);
  }
  return [...cells.values()].toSorted((left, right) => left.size - right.size || left.difficulty - right.difficulty);
}
