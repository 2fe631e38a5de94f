import type { RunProgress } from "./run_progress.ts";
import { pickSamples, type SampleName } from "./pick_samples.ts";
import type { Plan } from "./plan.ts";
import type { RunRecord } from "./record.ts";
import { type RunOptions, runPlan } from "./run_plan.ts";
import type { RunSummary } from "./run_summary.ts";
import { scoreRecords } from "./score_records.ts";
import type { RunStore } from "./store.ts";

/** A sample that was asked, for whoever chooses the next ones. */
export interface AskedSample extends SampleName {
  /** Its score in [0, 1]; `null` where the call failed in this session or there was nothing to score. */
  readonly value: number | null;
}

/** Chooses what to ask next from what was asked so far; none ends the run. */
export type ChooseSamples = (asked: readonly AskedSample[], plan: Plan) => readonly SampleName[];

/** Options for {@linkcode runChosen}. */
export interface RunChosenOptions extends RunOptions {
  /** Chooses the next samples each time the last ones are done. */
  readonly choose: ChooseSamples;
  /** The records that the run has already. */
  readonly records: readonly RunRecord[];
}

/**
 * Asks samples of a plan step by step, each step chosen by the scores of those before.
 *
 * Nothing but the records is needed to go on: the same choice is made again from them. A sample whose call failed in an
 * earlier session is as if it had not been asked.
 *
 * @param plan All the samples among which to choose.
 * @param options Who chooses, whom to ask, where to keep the records.
 * @returns What was done; `total` counts the samples that were chosen.
 * @throws {RangeError} If a sample is chosen that the plan does not have, or the endpoint cannot be asked.
 * @throws {Error} If too many calls failed, or a record could not be written. What came before is recorded.
 *
 * @example Two samples, then one more where both were right
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { niahTask } from "@/lib/generators/mod.ts";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { openMaterials, planRun, type RunStore } from "@/lib/runs/mod.ts";
 *
 * const tasks = [niahTask({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [512], samples: 9, seed: "42" }, await openMaterials());
 * const store = { append: () => Promise.resolve(), outcome: () => undefined } as unknown as RunStore;
 * const sample = (index: number) => ({ task: "niah", length: 512, index });
 * const { answered } = await runChosen(plan, {
 *   model: simulatedModel("ideal"),
 *   store,
 *   records: [],
 *   choose: (asked) => asked.length === 0 ? [0, 1].map(sample) : asked.length === 2 ? [sample(2)] : [],
 * });
 * equal(answered, 3);
 * ```
 */
export async function runChosen(plan: Plan, options: RunChosenOptions): Promise<RunSummary> {
  const { choose, records, onProgress, ...asking } = options;
  const asked = new Map<string, AskedSample>();
  const note = (record: RunRecord): void => {
    const { task, length, index } = record;
    const value = scoreRecords([record])[0]!.value;
    asked.set(nameOf(record), { task, length, index, value });
  };
  for (const record of records) if (record.reply.kind === "answer") note(record);
  const store: RunStore = {
    ...asking.store,
    append: async (record) => {
      await asking.store.append(record);
      note(record);
    },
  };
  let total = noneOf(asked);
  let last: RunProgress | undefined;
  for (;;) {
    const names = choose([...asked.values()], plan).filter((name) => !asked.has(nameOf(name)));
    if (names.length === 0 || total.isStopped) break;
    const [before, elapsedMs] = [total, last?.elapsedMs ?? 0];
    const step = await runPlan(pickSamples(plan, names), {
      ...asking,
      store,
      onProgress: (progress) => onProgress?.(last = addProgress(progress, { before, elapsedMs })),
    });
    total = add(total, step);
    // Subtle: a sample that could not be made has no record, and would be chosen for ever.
    for (const name of names) if (!asked.has(nameOf(name))) asked.set(nameOf(name), { ...name, value: null });
  }
  if (last !== undefined) onProgress?.({ ...last, isOver: true });
  return total;
}

function nameOf({ task, length, index }: SampleName): string {
  return `${length}/${index}/${task}`;
}

/** The summary of a session that has found earlier answers and asked nothing yet. */
function noneOf({ size }: { readonly size: number }): RunSummary {
  return { total: size, answered: size, failed: 0, asked: 0, promptTokens: 0, isStopped: false, notMade: [] };
}

function add(left: RunSummary, right: RunSummary): RunSummary {
  return {
    total: left.total + right.total,
    answered: left.answered + right.answered,
    failed: left.failed + right.failed,
    asked: left.asked + right.asked,
    promptTokens: left.promptTokens + right.promptTokens,
    isStopped: right.isStopped,
    notMade: [...left.notMade, ...right.notMade],
  };
}

function addProgress(
  progress: RunProgress,
  { before, elapsedMs }: { readonly before: RunSummary; readonly elapsedMs: number },
): RunProgress {
  return {
    ...progress,
    done: progress.done + before.answered + before.failed + before.notMade.length,
    total: progress.total + before.total,
    failed: progress.failed + before.failed,
    asked: progress.asked + before.asked,
    tokens: progress.tokens + before.promptTokens,
    elapsedMs: progress.elapsedMs + elapsedMs,
    isOver: false,
  };
}
