import { startPace, workOf } from "./_pace.ts";
import { type FittedSample, fitToServer } from "./fit_to_server.ts";
import { FATHOM_VERSION } from "./manifest.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";
import type { RunProgress } from "./progress.ts";
import { UNKNOWN_PROMPT } from "./sample_files.ts";
import { placeOf, type RunStore } from "./store.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { type FailureKind, type Model, type Reply, replyOrigin, type RunRecord } from "@/lib/models/mod.ts";

/** Calls in flight at a time, where neither the user nor the model's entry says. */
export const DEFAULT_CONCURRENCY = 8;

/** How {@linkcode runPlan} asks. */
export interface RunOptions {
  /** Who is asked. */
  readonly model: Model;
  /** Where records go. */
  readonly store: RunStore;
  /**
   * Calls in flight at a time. Range: 1 to 256.
   *
   * @default {8}
   */
  readonly concurrency?: number;
  /** Stops the run: no more calls begin, and those in flight are awaited. */
  readonly stop?: AbortSignal;
  /** Aborts the run: calls in flight are ended, and their samples count as not asked. */
  readonly signal?: AbortSignal;
  /** Called before the first call, if any sample is left to ask; may throw to call it off. Its argument tells that the model is being loaded. */
  readonly onBegin?: (onLoading: () => void) => Promise<void>;
  /** Called at the start, after each reply and at the end. */
  readonly onProgress?: (progress: RunProgress) => void;
}

/** What a session of a run did. */
export interface RunSummary {
  /** Samples of the plan. */
  readonly total: number;
  /** Samples that have an answer, from this session or an earlier one. */
  readonly answered: number;
  /** Samples whose call failed. */
  readonly failed: number;
  /** Calls recorded in this session. */
  readonly asked: number;
  /** Prompt tokens of those calls. */
  readonly promptTokens: number;
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean;
  /** Samples that could not be made, each with the reason. */
  readonly notMade: readonly string[];
}

/**
 * Asks what a plan has left to ask, failed calls of earlier sessions included, and records every reply as it comes.
 *
 * @throws {RangeError} If the concurrency is outside its range, or the endpoint cannot be asked: the first 3 calls of the
 *   session failed for lack of a connection, a valid key or a known model. Nothing is recorded then.
 * @throws {Error} If 10 calls in a row failed so later, or a record could not be written. What came before is recorded.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunSummary> {
  const { model, store, concurrency = DEFAULT_CONCURRENCY, stop, signal, onProgress } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    throw new RangeError(
      `Cannot run the plan as concurrency must be a whole number from 1 to 256: current value is ${concurrency}`,
    );
  }
  const isLeft = (planned: PlannedSample): boolean => store.outcome(placeOf(planned)) !== "answer";
  if (listSamples(plan).some(isLeft)) {
    await options.onBegin?.(() => onProgress?.({ ...startTally(plan, isLeft).progress(false), isLoading: true }));
  }
  const tally = startTally(plan, isLeft);
  const samples = listSamples(plan).filter(isLeft);
  const keep = keepRecords(model, store);
  const ending = new AbortController();
  const ends = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const isEnding = (): boolean => ends.aborted || (stop?.aborted ?? false);
  const report = (isOver: boolean, loading: Pick<RunProgress, "isLoading"> = {}): void => {
    const atOnce = model.mostAtOnce?.();
    onProgress?.({ ...tally.progress(isOver), ...loading, ...(atOnce === undefined ? {} : { atOnce }) });
  };
  const askNext = async (planned: PlannedSample): Promise<void> => {
    const made = plan.fitsServer ? await fitSample(planned, { plan, model, ends }) : makeSample(plan, planned);
    if (made === undefined) return;
    if (made instanceof RangeError) return tally.noteNotMade(planned, made.message);
    const { sample, nominal = undefined } = "nominal" in made ? made : { sample: made };
    const onLoading = (): void => report(false, { isLoading: true });
    const reply = await askUnlessEnded(model, { sample, ends, onLoading });
    if (reply === undefined) return;
    await keep.add(toRecord(sample, { plan, planned, model, reply, nominal }));
    tally.note(planned, sample.promptTokens, reply);
    report(false);
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
  report(false);
  await Promise.all(Array.from({ length: concurrency }, askOneByOne));
  if (errors.length > 0) throw errors[0];
  await keep.finish({ isStopped: isEnding() });
  report(true);
  return tally.summary(isEnding());
}

/** Makes a sample, or gives the error where a rare one does not fit its length. */
export function makeSample(plan: Plan, { task, length, index }: PlannedSample): Sample | RangeError {
  const { seed, template, materials } = plan;
  try {
    const sample = task.sample({ length, index, seed, template, materials });
    if (sample.sha256 !== UNKNOWN_PROMPT) return sample;
    return new RangeError(
      `Cannot ask ${task.name} at ${length} tokens, sample ${index}, as its file must hold the prompt: current value is none`,
    );
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}

interface Fitting {
  readonly plan: Plan;
  readonly model: Model;
  readonly ends: AbortSignal;
}

/** Makes a sample that fits its length in the server's own tokens; `undefined` where the run was ended meanwhile. */
async function fitSample(
  planned: PlannedSample,
  { plan, model, ends }: Fitting,
): Promise<FittedSample | RangeError | undefined> {
  const make = (length: number): Sample => {
    const made = makeSample(plan, { ...planned, length });
    if (made instanceof RangeError) throw made;
    return made;
  };
  try {
    return await fitToServer({
      length: planned.length,
      make,
      count: (sample) => countByServer(model, { sample, ends }),
    });
  } catch (error) {
    if (ends.aborted) return undefined;
    if (error instanceof RangeError) return error;
    throw error;
  }
}

async function countByServer(
  model: Model,
  { sample, ends }: { readonly sample: Sample; readonly ends: AbortSignal },
): Promise<number> {
  const tokens = await model.countTokens?.(sample, ends);
  if (tokens !== undefined) return tokens;
  // Not about one sample, so not a RangeError, which leaves a sample out.
  throw new Error(
    `Cannot count tokens by the server of model "${model.name}" as it must answer /tokenize, as llama.cpp, vLLM and SGLang do, or /v1/encode, as LMDeploy does: it does not. Give the model's .gguf or tokenizer.json as the tokenizer instead`,
  );
}

/** Asks a model; `undefined` where the call was ended from here, which says nothing about the model. */
async function askUnlessEnded(
  model: Model,
  { sample, ends, onLoading }: {
    readonly sample: Sample;
    readonly ends: AbortSignal;
    readonly onLoading: () => void;
  },
): Promise<Reply | undefined> {
  try {
    const reply = await model.ask(sample, ends, onLoading);
    return reply.kind === "failure" && ends.aborted ? undefined : reply;
  } catch (error) {
    if (ends.aborted) return undefined;
    throw error;
  }
}

function toRecord(
  sample: Sample,
  { plan, planned, model, reply, nominal }: {
    readonly nominal: number | undefined;
    readonly plan: Plan;
    readonly planned: PlannedSample;
    readonly model: Model;
    readonly reply: Reply;
  },
): RunRecord {
  const { task, repeat = 0 } = planned;
  const { id, sha256, suite, length, index, promptTokens, references, distractors, paths, depth } = sample;
  return {
    sample: id,
    sha256,
    suite,
    task: task.name,
    length,
    index,
    seed: plan.seed,
    ...(nominal === undefined ? {} : { nominal }),
    ...(repeat === 0 ? {} : { repeat }),
    promptTokens,
    references,
    ...(distractors === undefined ? {} : { distractors }),
    ...(paths === undefined ? {} : { paths }),
    ...(depth === undefined ? {} : { depth }),
    scoring: task.scorer.name,
    model: model.name,
    origin: replyOrigin(model, reply),
    settings: model.settings,
    reply,
    fathom: FATHOM_VERSION,
    time: new Date().toISOString(),
  };
}

interface RecordKeeper {
  /** Adds a record; throws where asking on is useless. */
  add(record: RunRecord): Promise<void>;
  /** Adds what was held back; throws where the plan ended before anything worked. */
  finish(end: { readonly isStopped: boolean }): Promise<void>;
}

/** Holds records back until a call has worked, so that a wrong key or address leaves nothing behind. */
function keepRecords(model: Model, store: RunStore): RecordKeeper {
  const watch = watchEndpoint(model.name);
  const held: RunRecord[] = [];
  const release = async (): Promise<void> => {
    for (const record of held.splice(0)) await store.append(record);
  };
  return {
    async add(record): Promise<void> {
      const error = watch.note(record.reply);
      if (error) throw error;
      held.push(record);
      if (!watch.isUnproven()) await release();
    },
    async finish({ isStopped }): Promise<void> {
      const error = watch.atEnd();
      if (error && !isStopped) throw error;
      await release();
    },
  };
}

/** What calls need, by the kind of failure that every other sample would meet too. */
const WANTED: Readonly<Partial<Record<FailureKind, string>>> = {
  authentication: "its endpoint must accept the key",
  "not_found": "its endpoint must know the address and the model's name",
  connection: "its endpoint must be reachable",
};

/** Failures in a row after which a run stops: few before anything has worked, more later. */
const MOST_IN_A_ROW = { start: 3, later: 10 };

interface Watch {
  /** Counts a reply; gives the error to stop with, where there have been too many failures. */
  note(reply: Reply): Error | undefined;
  /** Whether nothing has worked so far. */
  isUnproven(): boolean;
  /** Gives the error to stop with, where the plan ended before anything worked. */
  atEnd(): Error | undefined;
}

/** A model cannot be asked at all: its server is not there, refuses the key, or does not know the model. */
export class ModelNotAskable extends RangeError {}

/** Watches for an endpoint that cannot be asked at all. */
export function watchEndpoint(model: string): Watch {
  let isProven = false;
  let last: string | undefined;
  let inARow = 0;
  const stop = (): Error | undefined => {
    if (last === undefined) return undefined;
    const times = inARow === 1 ? "" : `, ${inARow} times in a row`;
    const message = `Cannot ask model "${model}" as ${last}${times}`;
    // At the start the flags are wrong; later it is the network or the server.
    return isProven
      ? new Error(`${message}. What came before is recorded: ask again to resume`)
      : new ModelNotAskable(message);
  };
  return {
    note(reply): Error | undefined {
      // A call that was ended before its first attempt, as a run was stopped, says nothing about the server.
      const wanted = reply.kind === "failure" && reply.attempts > 0 ? WANTED[reply.failure] : undefined;
      if (reply.kind === "answer" || wanted === undefined) {
        [isProven, inARow, last] = [true, 0, undefined];
        return undefined;
      }
      inARow++;
      last = `${wanted}: the call failed with ${JSON.stringify(reply.message)}`;
      return inARow >= (isProven ? MOST_IN_A_ROW.later : MOST_IN_A_ROW.start) ? stop() : undefined;
    },
    isUnproven: () => !isProven,
    atEnd: () => isProven ? undefined : stop(),
  };
}

interface Tally {
  note(planned: PlannedSample, promptTokens: number, reply: Reply): void;
  noteNotMade(planned: PlannedSample, reason: string): void;
  progress(isOver: boolean): RunProgress;
  summary(isStopped: boolean): RunSummary;
}

/** Counts what a session of a run did and has left to do, starting with what earlier sessions did. */
function startTally(plan: Plan, isLeft: (planned: PlannedSample) => boolean): Tally {
  const start = performance.now();
  const pace = startPace(start);
  const notMade: string[] = [];
  let [answered, failed, asked, promptTokens, workLeft] = [0, 0, 0, 0, 0];
  for (const planned of listSamples(plan)) {
    if (isLeft(planned)) workLeft += workOf(planned.length);
    else answered++;
  }
  const spend = ({ length }: PlannedSample): void => {
    workLeft -= workOf(length);
    pace.note(workOf(length), performance.now());
  };
  return {
    note(planned, tokens, reply): void {
      asked++;
      promptTokens += tokens;
      if (reply.kind === "answer") answered++;
      else failed++;
      spend(planned);
    },
    noteNotMade(planned, reason): void {
      notMade.push(reason);
      workLeft -= workOf(planned.length);
    },
    progress: (isOver) => ({
      done: answered + failed + notMade.length,
      total: plan.questions,
      failed,
      asked,
      tokens: promptTokens,
      elapsedMs: performance.now() - start,
      leftMs: pace.timeFor(workLeft),
      isOver,
    }),
    summary: (isStopped) => ({ total: plan.questions, answered, failed, asked, promptTokens, isStopped, notMade }),
  };
}
