import { modelName, type ScoredRun } from "@/lib/records/mod.ts";
import { drawnFrom } from "./native_lengths.ts";
import { pairCharactersPerToken, type TaskLimit, taskLimitTable } from "@/lib/papers/needle_threading/mod.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/mod.ts";
import type { Table } from "@/lib/figures/mod.ts";
import { contextLimits, meanOfRepeats } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Options for {@linkcode runLimits}. */
export interface RunLimitsOptions {
  /**
   * The effective accuracy, in (0, 1]. 0.75 is the paper's.
   *
   * @default {0.75}
   */
  readonly level?: number;
}

/**
 * Returns the effective context limit of each task of a run, as Needle Threading defines it: the length at which the interpolated
 * score falls below a level. Lengths are in the study's tokens; those of Needle Threading's tasks also in characters, as in the paper.
 * If the model's entry has a window, a limit is also a share of it. Tasks without a score are omitted.
 *
 * @throws {RangeError} If the level is outside its range.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { openMeasured } from "@/lib/records/mod.ts";
 *
 * const [run] = await openMeasured({ benchmark: "needle_threading" });
 * ok(runLimits(run!, { level: 0.8 }).every(({ limit, tested }) => limit <= tested));
 * ```
 */
export function runLimits(
  { replies, manifest }: Pick<ScoredRun, "replies"> & Partial<Pick<ScoredRun, "manifest">>,
  { level = 0.75 }: RunLimitsOptions = {},
): TaskLimit[] {
  const tasks = Map.groupBy(meanOfRepeats(replies).filter(({ value }) => value !== null), ({ task }) => task);
  return Array.from(tasks, ([task, ofTask]) => {
    const lengths = Map.groupBy(ofTask, ({ length }) => length);
    const cells = Array.from(lengths, ([size, same]) => ({
      size,
      difficulty: 0,
      scores: same.map(({ value }) => value!),
    }));
    const [limit] = contextLimits(cells, { level, seed: task });
    const tested = Math.max(...lengths.keys());
    const window = manifest?.claimedWindow;
    const isThreading = manifest?.tasks[task]?.suite === THREADING.suite;
    const characters = isThreading ? pairCharactersPerToken(manifest!.materials.tokenizer) : null;
    return {
      ...limit!,
      ...{ task, at: "", tested, percent: 100 * limit!.limit / tested },
      ...(window === undefined ? {} : { ofWindow: 100 * limit!.limit / window }),
      ...(characters === null ? {} : { thousandCharacters: limit!.limit * characters / 1000 }),
    };
  });
}

/** Returns {@linkcode runLimits} as a table; `null` if nothing has a score. */
export function runLimitTable(run: ScoredRun, { level = 0.75 }: RunLimitsOptions = {}): Table | null {
  const limits = runLimits(run, { level });
  if (limits.length === 0) return null;
  const { manifest, replies } = run;
  const percent = Number((100 * level).toFixed(2));
  return taskLimitTable(limits, {
    ...drawnFrom(run),
    title: `${modelName(manifest)}: effective context limits at ${percent}%`,
    n: `${replies.length} ${plural(replies.length, "sample")}`,
    level: percent,
    unit: `tokens of ${manifest.materials.tokenizer}`,
  });
}
