import type { RunEvidence } from "./claims.ts";
import type { GridCell } from "./context_limit.ts";
import { meanOfRepeats, type ScoredRecord } from "./repeats.ts";

/** Options for {@linkcode knobCells}. */
export interface KnobCellsOptions {
  /** The run's tasks, from its manifest. */
  readonly tasks: RunEvidence["tasks"];
  /** A numeric knob that makes the task harder; `depth` is that of each sample if the task sets none. */
  readonly knob: string;
  /**
   * The units of size in a token, such as characters.
   *
   * @default {1}
   */
  readonly unit?: number;
}

/**
 * Sorts scored replies into a grid of sizes and values of a knob, for {@linkcode contextLimits}. Tasks without the knob and
 * replies without a score are skipped.
 *
 * @returns The cells, sizes and difficulties rising.
 */
export function knobCells(replies: readonly ScoredRecord[], options: KnobCellsOptions): readonly GridCell[] {
  const { tasks, knob, unit = 1 } = options;
  const cells = new Map<string, { size: number; difficulty: number; scores: number[] }>();
  for (const { task, length, value, record } of meanOfRepeats(replies)) {
    const difficulty = tasks[task]?.options[knob] ?? (knob === "depth" ? record?.depth : undefined);
    if (typeof difficulty !== "number" || value === null) continue;
    const size = length * unit;
    const key = `${size} ${difficulty}`;
    const cell = cells.get(key) ?? { size, difficulty, scores: [] };
    cell.scores.push(value);
    cells.set(key, cell);
  }
  return [...cells.values()].toSorted((left, right) => left.size - right.size || left.difficulty - right.difficulty);
}
