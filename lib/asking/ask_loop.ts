import process from "node:process";
import type { Prompt, Sample } from "@/lib/generators/mod.ts";
import { estimateTokens, type FailureKind, joinPrompt, type Reply } from "@/lib/models/mod.ts";
import { hashBytes, type PlannedSample, type RunProgress } from "@/lib/studies/mod.ts";
import { defined } from "@/lib/text/mod.ts";

/** Calls in flight at a time, unless the user or the model's entry sets another number. */
export const DEFAULT_CONCURRENCY = 8;
/** The largest number of calls in flight. */
export const MAX_CONCURRENCY = 256;

/**
 * Asks about each item, several at a time, and waits for all calls in flight.
 *
 * @throws {unknown} The first error of a call.
 */
export async function askEach<Item>(
  items: Iterator<Item>,
  ask: (item: Item) => Promise<void>,
  { concurrency, isEnding = () => false, onError }: {
    /** Calls in flight at a time. Range: 1 to 256. */
    readonly concurrency: number;
    /** Whether no more items are begun. */
    readonly isEnding?: () => boolean;
    /** Called at an error, after which no more items are begun. */
    readonly onError?: () => void;
  },
): Promise<void> {
  const errors: unknown[] = [];
  const askOneByOne = async (): Promise<void> => {
    try {
      for (let next = items.next(); !next.done && !isEnding(); next = items.next()) {
        if (errors.length > 0) return;
        await ask(next.value);
      }
    } catch (error) {
      errors.push(error);
      onError?.();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, askOneByOne));
  if (errors.length > 0) throw errors[0];
}

/** Returns a prompt of Fathom's own, such as a judge's, as a sample that is fitted to no length; `by` names its kind. */
export function sampleOf(
  prompt: Prompt,
  { by, answerRoom }: { readonly by: string; readonly answerRoom: number },
): Sample {
  const text = joinPrompt(prompt);
  const [sha256, promptTokens] = [hashBytes(new TextEncoder().encode(text)), estimateTokens(text)];
  return {
    ...{ id: `regrade/${by}/${sha256}`, suite: "regrade", task: by, index: 0, length: promptTokens + answerRoom },
    ...{ promptTokens, answerRoom, prompt, references: [], facts: [], sha256 },
  };
}

/**
 * Checks a number of calls in flight.
 *
 * @throws {RangeError} If it is outside its range.
 */
export function checkConcurrency(doing: string, concurrency: number): void {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= MAX_CONCURRENCY) return;
  throw new RangeError(
    `Cannot ${doing} as concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}: current value is ${concurrency}`,
  );
}

/** The result of a session of a run. */
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
  /** Samples in batches of the server whose replies have not come yet. */
  readonly underWay?: number;
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean;
  /** Why it was stopped, if calls failed too often or could cost too much. */
  readonly trouble?: string;
  /** Samples that could not be made, each with the reason. */
  readonly notMade: readonly string[];
}

/** Counts for the progress and the summary of a session. */
export interface Tally {
  /** Adds samples to the session; those that are not pending have an answer. */
  expect(samples: Iterable<PlannedSample>): void;
  note(planned: Pick<PlannedSample, "length">, promptTokens: number, reply: Reply): void;
  /** Notes a failure that an earlier session recorded. */
  noteEarlierFailure(): void;
  noteNotMade(planned: PlannedSample, reason: string): void;
  progress(isOver: boolean): RunProgress;
  summary(isStopped: boolean): RunSummary;
}

/** Starts the counts of a session. */
export function startTally(
  samples: Iterable<PlannedSample>,
  isPending: (planned: PlannedSample) => boolean,
): Tally {
  const start = performance.now();
  const throughput = startThroughput(start);
  const notMade: string[] = [];
  let lastFailure: FailureKind | undefined;
  let [total, answered, failed, asked, promptTokens, remainingWork] = [0, 0, 0, 0, 0, 0];
  const expect = (expected: Iterable<PlannedSample>): void => {
    for (const planned of expected) {
      total++;
      if (isPending(planned)) remainingWork += workOf(planned.length);
      else answered++;
    }
  };
  expect(samples);
  const spend = ({ length }: Pick<PlannedSample, "length">): void => {
    remainingWork -= workOf(length);
    throughput.note(workOf(length), performance.now());
  };
  return {
    expect,
    note(planned, tokens, reply): void {
      asked++;
      promptTokens += tokens;
      if (reply.kind === "answer") answered++;
      else [failed, lastFailure] = [failed + 1, reply.failure];
      spend(planned);
    },
    noteEarlierFailure(): void {
      failed++;
    },
    noteNotMade(planned, reason): void {
      notMade.push(reason);
      remainingWork -= workOf(planned.length);
    },
    progress: (isOver) => ({
      done: answered + failed + notMade.length,
      ...{ total, failed },
      ...{ ...defined({ lastFailure }), asked, tokens: promptTokens },
      elapsedMs: performance.now() - start,
      leftMs: throughput.timeFor(remainingWork),
      isOver,
    }),
    summary: (isStopped) => ({ total, answered, failed, asked, promptTokens, isStopped, notMade }),
  };
}

/** The fixed cost of a call in prompt tokens: without it, a few short calls would predict too long a run. */
const TOKENS_OF_A_CALL = 1000;

/** Returns the work of a call, for estimating the remaining time. */
export function workOf(promptTokens: number): number {
  return promptTokens + TOKENS_OF_A_CALL;
}

/** Measures how fast calls come back. */
export interface Throughput {
  /** Notes work that was completed at a time. */
  note(work: number, timeMs: number): void;
  /** Estimates the time for work in milliseconds; `null` before any is completed. */
  timeFor(work: number): number | null;
}

/** Starts to measure how fast calls come back. */
export function startThroughput(startMs: number): Throughput {
  let [done, lastMs] = [0, startMs];
  return {
    note(work, timeMs): void {
      [done, lastMs] = [done + work, timeMs];
    },
    timeFor: (work) => done === 0 ? null : work * (lastMs - startMs) / done,
  };
}

/** Requirements of an endpoint, by the kind of failure that every other sample would meet too. */
const WANTED: Readonly<Partial<Record<FailureKind, string>>> = {
  authentication: "its endpoint must accept the key",
  "not_found": "its endpoint must know the address and the model's name",
  connection: "its endpoint must be reachable",
};

/** Failures of single samples, which do not predict the next one. */
const SAMPLE_FAILURES: readonly FailureKind[] = ["context_length", "unsolved"];

/** Consecutive failures after which a run stops: before the first success, and later, when concurrent calls may fail together. */
const MAX_IN_A_ROW = { start: 3, later: 10 };

/** The default limit of failures: a share of the questions, and a minimum. */
const MAX_FAILURES = { share: 0.2, min: 20 };

/** Options for {@linkcode watchEndpoint}. */
export interface WatchOptions {
  /** The maximum number of failed calls: a count, or a share of the questions below 1; 20%, and at least 20, by default. */
  readonly maxFailures?: number | undefined;
  /** Concurrent calls. */
  readonly concurrency?: number;
  /** The number of all questions; without it only consecutive failures stop a run. */
  readonly questions?: number;
}

interface Watch {
  /** Counts a reply and returns the error to stop with, if there are too many failures. */
  note(reply: Reply): Error | undefined;
  /** Returns whether no call has succeeded so far. */
  isUnproven(): boolean;
  /** Returns the error to throw if the plan ended before a call succeeded. */
  atEnd(): Error | undefined;
}

/** A model cannot be asked: its server is unreachable, refuses the key, or does not know the model. */
export class ModelNotAskable extends RangeError {}

/** Detects an endpoint that cannot be asked, or fails too often. */
export function watchEndpoint(model: string, options: WatchOptions = {}): Watch {
  const { concurrency = 1, questions = Infinity, maxFailures } = options;
  const mostFailures = maxFailures ?? Math.max(MAX_FAILURES.min, MAX_FAILURES.share * questions);
  const maxFailed = mostFailures < 1 ? mostFailures * questions : mostFailures;
  const maxInARow = MAX_IN_A_ROW.later + concurrency - 1;
  let isProven = false;
  let last: string | undefined;
  let [inARow, failed] = [0, 0];
  const times = (): string => inARow === 1 ? "" : `, ${inARow} times in a row`;
  const advice = "All replies so far are recorded: ask again to resume";
  const notAskable = (): Error | undefined =>
    last === undefined ? undefined : new ModelNotAskable(`Cannot ask model "${model}" as ${last}${times()}`);
  return {
    note(reply): Error | undefined {
      // A call that ended before its first attempt, as its run was stopped, proves nothing.
      const isOfOne = reply.kind === "failure" && (reply.attempts === 0 || SAMPLE_FAILURES.includes(reply.failure));
      if (reply.kind === "answer" || isOfOne) {
        [isProven, inARow, last] = [true, 0, undefined];
        return undefined;
      }
      inARow++;
      failed++;
      const wanted = WANTED[reply.failure];
      last = `${wanted ?? "its calls must be answered"}: the call failed with ${JSON.stringify(reply.message)}`;
      if (wanted === undefined) isProven = true;
      if (!isProven) return inARow >= MAX_IN_A_ROW.start ? notAskable() : undefined;
      if (inARow >= maxInARow) return new Error(`Cannot ask model "${model}" as ${last}${times()}. ${advice}`);
      if (failed <= maxFailed) return undefined;
      return new Error(
        `Cannot ask model "${model}" on as at most ${
          Math.floor(maxFailed)
        } calls may fail: current value is ${failed}, the last with ${
          JSON.stringify(reply.message)
        }. ${advice}, and --max-failures allows more`,
      );
    },
    isUnproven: () => !isProven,
    atEnd: () => isProven ? undefined : notAskable(),
  };
}

/** A signal that stops a run. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** The signals by which the user or the system stops a run. */
export interface Interrupts extends Disposable {
  /** Aborted by the first: no more calls begin, and those in flight are awaited. */
  readonly stop: AbortSignal;
  /** Aborted by the second, or when the time is up that a termination leaves: calls in flight are ended. */
  readonly end: AbortSignal;
  /** Whether the system asked this process to end. */
  readonly isTerminated: () => boolean;
}

/** How long calls in flight are awaited after a termination: a cluster that sends it kills soon afterwards. */
const GRACE_MS = 20_000;

/**
 * Takes the interrupts that this process gets, by Ctrl-C in a shell or by the stop button of a notebook, until it is disposed: the
 * first stops a run after the calls in flight, a second one at once.
 *
 * @param onStop Called at the first.
 * @param options `terminations`: whether SIGTERM is taken too, with which Slurm and others announce that a process will be killed. It
 *   stops a run as the first interrupt does, and ends it `graceMs` later, after 20 seconds by default.
 */
export function takeInterrupts(
  onStop: (signal: StopSignal) => void = () => {},
  { terminations = false, graceMs = GRACE_MS }: { readonly terminations?: boolean; readonly graceMs?: number } = {},
): Interrupts {
  const [stop, end] = [new AbortController(), new AbortController()];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTerminated = false;
  const take = (signal: StopSignal): void => {
    if (stop.signal.aborted) return end.abort();
    if (signal === "SIGTERM") {
      isTerminated = true;
      timer = setTimeout(() => end.abort(), graceMs);
    }
    stop.abort();
    onStop(signal);
  };
  const signals: readonly StopSignal[] = terminations ? ["SIGINT", "SIGTERM"] : ["SIGINT"];
  const listeners = signals.map((signal) => ({ signal, listener: (): void => take(signal) }));
  for (const { signal, listener } of listeners) process.on(signal, listener);
  return {
    stop: stop.signal,
    end: end.signal,
    isTerminated: () => isTerminated,
    [Symbol.dispose](): void {
      clearTimeout(timer);
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}
