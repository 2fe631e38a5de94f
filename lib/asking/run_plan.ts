import { defined } from "@/lib/base/mod.ts";
import { askEach, checkConcurrency, DEFAULT_CONCURRENCY } from "./pool.ts";
import type { Spending } from "./spending.ts";
import { type RunSummary, startTally, type Tally } from "./tally.ts";
import { fitSample, makeSample } from "./make_sample.ts";
import { ModelNotAskable, type Watch, watchEndpoint } from "./watch.ts";
import { rightAnswers } from "@/lib/benchmarks/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { type FailureKind, type Model, replyOrigin } from "@/lib/models/mod.ts";
import { placeOf, type RunRecord, type RunStore, targetDepth } from "@/lib/records/mod.ts";
import { FATHOM_VERSION, listSamples, type Plan, type PlannedSample, type RunProgress } from "@/lib/studies/mod.ts";

/** How {@linkcode runPlan} asks. */
export interface RunOptions {
  readonly model: Model;
  readonly store: RunStore;
  /** Calls in flight at a time. Range: 1 to 256. Default: 8. */
  readonly concurrency?: number;
  /** Stops the run: no more calls begin, and calls in flight are awaited. */
  readonly stop?: AbortSignal;
  /** Aborts the run: calls in flight are aborted, and their samples count as not asked. */
  readonly signal?: AbortSignal;
  /**
   * The most calls that may fail before the run stops: a count, or a share of the questions below 1. Samples that are too long
   * for the model's window do not count. Default: 0.2, and at least 20 calls.
   */
  readonly maxFailures?: number;
  /** The spending limit; the run stops before a call that could exceed it. */
  readonly spending?: Spending | undefined;
  /** Called before the first call, if any sample is pending; it may throw to cancel the run. Its argument reports why questions wait. */
  readonly onBegin?: (onWait: (reason: string) => void) => Promise<void>;
  /** Called at the start, after each reply and at the end. */
  readonly onProgress?: (progress: RunProgress) => void;
}

/**
 * Asks the pending samples of a plan, including failed calls of earlier sessions, and records every reply when it comes.
 *
 * If too many calls fail, in a row or in total, the run stops and the summary has the reason.
 *
 * @param options `tally`: the counts of a session that asks several plans one after another, which expects these samples.
 * @throws {RangeError} If the concurrency is outside its range, or the endpoint cannot be asked: the first 3 calls of the
 *   session failed for lack of a connection, a valid key or a known model. Nothing is recorded then.
 * @throws {Error} If a record could not be written. Earlier records are kept.
 */
export async function runPlan(
  plan: Plan,
  options: RunOptions & { readonly tally?: Tally },
): Promise<RunSummary> {
  const { model, store, stop, signal, spending, onProgress, concurrency = DEFAULT_CONCURRENCY } = options;
  checkConcurrency("run the plan", concurrency);
  const isLeft = (planned: PlannedSample): boolean => isPending(planned, { store });
  if (listSamples(plan).some(isLeft)) {
    const { progress } = options.tally ?? startTally(listSamples(plan), isLeft);
    await options.onBegin?.((waiting) => onProgress?.({ ...progress(false), waiting }));
  }
  const tally = options.tally ?? startTally(listSamples(plan), isLeft);
  const samples = listSamples(plan).filter(isLeft);
  const { maxFailures } = options;
  const watch = watchEndpoint(model.name, { concurrency, maxFailures, questions: plan.questions });
  const keep = holdRecords(store, watch);
  const ending = new AbortController();
  const ends = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const isEnding = (): boolean => ends.aborted || (stop?.aborted ?? false) || spending?.trouble() !== undefined;
  // Calls that wait for a rate limit would delay the end.
  stop?.addEventListener("abort", () => model.endWaits?.(), { once: true });
  let trouble: string | undefined;
  const report = (isOver: boolean, waits: Pick<RunProgress, "waiting"> = {}): void => {
    const atOnce = model.mostAtOnce?.();
    onProgress?.({ ...tally.progress(isOver), ...waits, ...defined({ atOnce }) });
  };
  const askNext = async (planned: PlannedSample): Promise<void> => {
    const made = plan.fitsServer ? await fitSample(planned, { plan, model, ends }) : makeSample(plan, planned);
    if (made === undefined) return;
    if (made instanceof RangeError) return tally.noteNotMade(planned, made.message);
    const { sample, nominal = undefined } = "nominal" in made ? made : { sample: made };
    const answers = plan.measure === undefined ? [] : rightAnswers(sample, planned.task.scorer);
    const call = { promptTokens: (1 + answers.length) * sample.promptTokens, answerRoom: sample.answerRoom };
    if (await spending?.reserve(call) === false) return;
    const onWait = (waiting: string): void => report(false, { waiting });
    let record: RunRecord | undefined;
    try {
      const reply = await unlessEnded(model.ask(sample, ends, onWait), { ends, isEnding });
      // The server may have the prompt of the reply in its cache.
      const weighing = reply?.kind === "answer" && answers.length > 0
        ? model.weigh?.(sample, answers, ends)
        : undefined;
      const likelihood = weighing && await unlessEnded(weighing, { ends, isEnding });
      // A sample whose measure was not finished is asked again.
      if (reply !== undefined && (weighing === undefined || likelihood !== undefined)) {
        const asked = describeAsked(sample, { plan, planned, model, nominal });
        const isFailed = likelihood?.kind === "failure" && !OF_SAMPLE.includes(likelihood.failure);
        record = isFailed
          ? completeRecord(asked, { model, reply: likelihood })
          : completeRecord({ ...asked, ...defined({ likelihood }) }, { model, reply });
      }
    } finally {
      spending?.settle(call, record);
    }
    if (record === undefined) return;
    const found = await keep(watch.note(record.reply, `${record.task} at ${record.length}`), record);
    tally.note(planned, sample.promptTokens, record.reply);
    report(false);
    if (found === undefined) return;
    trouble ??= found;
    ending.abort();
  };
  report(false);
  await askEach(samples, askNext, { concurrency, isEnding, onError: () => ending.abort() });
  trouble ??= await keep(isEnding() ? undefined : watch.atEnd()) ?? spending?.trouble();
  report(true);
  return { ...tally.summary(isEnding()), ...defined({ trouble }) };
}

/** Failures of a measure that are those of its sample, which keeps its reply; after any other, the whole call failed and is repeated. */
const OF_SAMPLE: readonly FailureKind[] = ["bad_request", "bad_reply", "context_length"];

/** Whether a sample has no answer yet. */
export function isPending(planned: PlannedSample, { store }: Pick<RunOptions, "store">): boolean {
  return store.outcome(placeOf(planned)) !== "answer";
}

/** Returns the reply of a call; `undefined` if the run ended it. */
async function unlessEnded<Got extends { readonly kind: string }>(
  call: Promise<Got>,
  { ends, isEnding }: { readonly ends: AbortSignal; readonly isEnding: () => boolean },
): Promise<Got | undefined> {
  try {
    const reply = await call;
    return reply.kind === "failure" && ends.aborted ? undefined : reply;
  } catch (error) {
    // Also a call that waits.
    if (isEnding()) return undefined;
    throw error;
  }
}

/** A record without its reply. */
export type AskedRecord = Omit<RunRecord, "origin" | "reply" | "batch" | "time">;

/** Completes a record with its reply and time; now by default. */
export function completeRecord(
  { settings, fathom, likelihood, ...asked }: AskedRecord,
  { model, reply, batch, time = new Date().toISOString() }:
    & { readonly model: Model }
    & Pick<RunRecord, "reply" | "batch">
    & { readonly time?: string | undefined },
): RunRecord {
  const origin = replyOrigin(model, reply);
  return { ...asked, origin, settings, reply, ...defined({ likelihood, batch }), fathom, time };
}

/** Returns the record of a sample without its reply; `nominal` is the length that it was made at, if it is another. */
export function describeAsked(
  sample: Sample,
  { plan, planned, model, nominal }: {
    readonly plan: Plan;
    readonly planned: PlannedSample;
    readonly model: Model;
    readonly nominal?: number | undefined;
  },
): AskedRecord {
  const { task, repeat } = planned;
  const { id, sha256, suite, length, index, promptTokens, question, references } = sample;
  const { distractors, paths, depth, cluster, cutTokens } = sample;
  const target = targetDepth(sample);
  return {
    sample: id,
    sha256,
    suite,
    task: task.name,
    length,
    index,
    seed: plan.seed,
    ...defined({ nominal, repeat: repeat || undefined }),
    promptTokens,
    question,
    references,
    ...defined({ distractors, paths, depth, cluster, cutTokens }),
    ...defined({ targetDepth: typeof target === "number" ? target : undefined }),
    scoring: task.scorer.name,
    model: model.name,
    settings: model.settings,
    fathom: FATHOM_VERSION,
  };
}

/**
 * Holds records back until a call succeeds, so that a wrong key or address records nothing.
 *
 * @returns A function that adds a record, if any, and returns why the run must stop; without one it adds those held back.
 */
function holdRecords(
  store: RunStore,
  watch: Watch,
): (error: Error | undefined, record?: RunRecord) => Promise<string | undefined> {
  const held: RunRecord[] = [];
  return async (error, record) => {
    if (record !== undefined) held.push(record);
    if (error instanceof ModelNotAskable) throw error;
    const isHeld = record !== undefined && watch.isUnproven();
    if (!isHeld) { for (const each of held.splice(0)) await store.append(each); }
    return error?.message;
  };
}
