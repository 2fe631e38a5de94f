import type { Sample, Task } from "@/lib/generators/mod.ts";
import { type Model, type Reply, replyOrigin } from "@/lib/models/mod.ts";
import { keepRecords } from "./_keep_records.ts";
import { startTally } from "./_tally.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";
import type { RunRecord } from "./record.ts";
import type { RunProgress } from "./run_progress.ts";
import type { RunSummary } from "./run_summary.ts";
import { placeOf, type RunStore } from "./store.ts";
import { FATHOM_VERSION } from "./version.ts";

/** Options for {@linkcode runPlan}. */
export interface RunOptions {
  /** Who is asked. */
  readonly model: Model;
  /** Where records go, and what was asked before. */
  readonly store: RunStore;
  /**
   * Calls under way at a time. Range: 1 to 256.
   *
   * @default {8}
   */
  readonly concurrency?: number;
  /** Ends the run in peace: no call is begun any more, those under way are waited for. */
  readonly stop?: AbortSignal;
  /** Ends the run at once: calls under way are ended, and their samples count as not asked. */
  readonly signal?: AbortSignal;
  /**
   * Whether samples whose call failed in an earlier session are asked again. Answers never are.
   *
   * @default {true}
   */
  readonly retryFailures?: boolean;
  /** Told at the start, after each reply and at the end. */
  readonly onProgress?: (progress: RunProgress) => void;
}

/**
 * Asks what a plan has left to ask, and records every reply as it comes.
 *
 * Samples are made one by one, just before they are asked. Whatever ends a session, the next goes on where it stopped.
 *
 * @param plan What to ask.
 * @param options Whom to ask, where to keep the records, how many calls at a time.
 * @returns What was done.
 * @throws {RangeError} If the concurrency is outside its range, or the endpoint cannot be asked: the first 3 calls of the
 *   session failed for want of a connection, a valid key or a known model. Nothing is recorded then.
 * @throws {Error} If 10 calls in a row failed so later, or a record could not be written. What came before is recorded.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { niahTask } from "@/lib/generators/mod.ts";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { openMaterials, planRun, type RunRecord, type RunStore } from "@/lib/runs/mod.ts";
 *
 * const tasks = [niahTask({ haystack: "noise" })];
 * const plan = planRun({ tasks, lengths: [512], samples: 2, seed: "42" }, await openMaterials());
 * const records: RunRecord[] = [];
 * const append = (record: RunRecord) => Promise.resolve(void records.push(record));
 * const store = { append, outcome: () => undefined } as unknown as RunStore;
 * const summary = await runPlan(plan, { model: simulatedModel("ideal"), store, concurrency: 1 });
 * equal(summary.answered, 2);
 * deepEqual(records.map(({ index }) => index), [0, 1]);
 * ```
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunSummary> {
  const { model, store, concurrency = 8, stop, signal, retryFailures = true, onProgress } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    throw new RangeError(
      `Cannot run the plan as concurrency must be a whole number from 1 to 256: current value is ${concurrency}`,
    );
  }
  const isLeft = (planned: PlannedSample): boolean => {
    const outcome = store.outcome(placeOf(planned));
    return outcome === undefined || (outcome === "failure" && retryFailures);
  };
  const tally = startTally(plan, { store, isLeft, now: () => performance.now() });
  const samples = filter(listSamples(plan), isLeft);
  const keep = keepRecords(model, store);
  const ending = new AbortController();
  const ends = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const isEnding = (): boolean => ends.aborted || (stop?.aborted ?? false);
  const askNext = async (planned: PlannedSample): Promise<void> => {
    const sample = makeSample(plan, planned);
    if (sample instanceof RangeError) return tally.noteNotMade(planned, sample.message);
    const reply = await askUnlessEnded(model, { sample, ends });
    if (reply === undefined) return;
    await keep.add(toRecord(sample, { plan, task: planned.task, model, reply }));
    tally.note(planned, sample.promptTokens, reply);
    onProgress?.(tally.progress(false));
  };
  const errors: unknown[] = [];
  const askOneByOne = async (): Promise<void> => {
    try {
      for (let next = samples.next(); !next.done && !isEnding(); next = samples.next()) await askNext(next.value);
    } catch (error) {
      errors.push(error);
      ending.abort();
    }
  };
  onProgress?.(tally.progress(false));
  await Promise.all(Array.from({ length: concurrency }, askOneByOne));
  if (errors.length > 0) throw errors[0];
  await keep.finish({ isStopped: isEnding() });
  onProgress?.(tally.progress(true));
  return tally.summary(isEnding());
}

function* filter<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Generator<T> {
  for (const item of items) if (isWanted(item)) yield item;
}

/** Makes a sample, or gives the error where a rare one does not fit its length. */
function makeSample(plan: Plan, { task, length, index }: PlannedSample): Sample | RangeError {
  const { seed, frame, materials } = plan;
  try {
    return task.sample({ length, index, seed, frame, materials });
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}

/** Asks a model; a call that was ended from here says nothing about the model, and is as if it had not been made. */
async function askUnlessEnded(
  model: Model,
  { sample, ends }: { readonly sample: Sample; readonly ends: AbortSignal },
): Promise<Reply | undefined> {
  try {
    const reply = await model.ask(sample, ends);
    return reply.kind === "failure" && ends.aborted ? undefined : reply;
  } catch (error) {
    if (ends.aborted) return undefined;
    throw error;
  }
}

function toRecord(
  sample: Sample,
  { plan, task, model, reply }: {
    readonly plan: Plan;
    readonly task: Task;
    readonly model: Model;
    readonly reply: Reply;
  },
): RunRecord {
  const { id, sha256, suite, length, index, promptTokens, references, distractors, paths, depth } = sample;
  return {
    sample: id,
    sha256,
    suite,
    task: task.name,
    length,
    index,
    seed: plan.seed,
    promptTokens,
    references,
    ...(distractors === undefined ? {} : { distractors }),
    ...(paths === undefined ? {} : { paths }),
    ...(depth === undefined ? {} : { depth }),
    scoring: task.scoring,
    model: model.name,
    origin: replyOrigin(model, reply),
    settings: model.settings,
    reply,
    fathom: FATHOM_VERSION,
    time: new Date().toISOString(),
  };
}
