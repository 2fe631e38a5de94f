import process from "node:process";
import { defined, hashBytes } from "@/lib/base/mod.ts";
import type { Prompt, Sample } from "@/lib/generators/mod.ts";
import { estimateTokens, type FailureKind, joinPrompt, type Reply } from "@/lib/models/mod.ts";
import {
  type Allowance,
  answerAllowance,
  batchPrices,
  type PlannedSample,
  priceOf,
  type Prices,
  type RunProgress,
} from "@/lib/studies/mod.ts";
import { priceOfRecords, type RunRecord } from "@/lib/records/mod.ts";

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
const SAMPLE_FAILURES: readonly FailureKind[] = ["context_length", "filtered", "unsolved"];

/** Failures that can be those of one cell, whose prompts have one length and form: they do not predict the other cells. */
const CELL_FAILURES: readonly FailureKind[] = ["bad_request", "bad_reply", "server", "timeout"];

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
  /** Counts a reply, of a task at a length, and returns the error to stop with, if there are too many failures. */
  note(reply: Reply, cell?: string): Error | undefined;
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
  // The failures of each cell by kind, as long as none of its calls is answered; `null` after an answer.
  const cells = new Map<string, Map<FailureKind, number> | null>();
  /** Counts a failure of a cell whose calls all fail alike while other cells are answered; `undefined` as long as they are few. */
  const countAlike = (failure: FailureKind, cell: string): number | undefined => {
    if (!cells.has(cell)) cells.set(cell, new Map());
    const kinds = cells.get(cell);
    const isAlone = [...cells.values()].includes(null);
    if (!kinds || !CELL_FAILURES.includes(failure)) return undefined;
    const count = (kinds.get(failure) ?? 0) + 1;
    kinds.set(failure, count);
    return isAlone && kinds.size === 1 && count >= MAX_IN_A_ROW.later ? count : undefined;
  };
  const times = (): string => inARow === 1 ? "" : `, ${inARow} times in a row`;
  const advice = "All replies so far are recorded: ask again to resume";
  const notAskable = (): Error | undefined =>
    last === undefined ? undefined : new ModelNotAskable(`Cannot ask model "${model}" as ${last}${times()}`);
  return {
    note(reply, cell): Error | undefined {
      // A call that ended before its first attempt, as its run was stopped, proves nothing.
      const isOfOne = reply.kind === "failure" && (reply.attempts === 0 || SAMPLE_FAILURES.includes(reply.failure));
      if (reply.kind === "answer" || isOfOne) {
        [isProven, inARow, last] = [true, 0, undefined];
        if (reply.kind === "answer" && cell !== undefined) cells.set(cell, null);
        return undefined;
      }
      const alike = cell === undefined ? undefined : countAlike(reply.failure, cell);
      if (alike !== undefined) {
        // Those before it were counted as failures of the whole run.
        if (alike === MAX_IN_A_ROW.later) [inARow, failed] = [0, Math.max(0, failed - alike + 1)];
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

/** The spending limit of a run. */
export interface SpendingLimit {
  /** The most that all its sessions may cost together, in the currency of the prices. Range: above 0. */
  readonly amount: number;
  /** Prices per million tokens. */
  readonly prices: Prices;
}

/** The remaining money of a run: each call reserves its maximum price before it is sent, and releases what it did not cost. */
export interface Spending {
  /** Reserves the maximum price of a call, once calls in flight have released enough; `false` if the limit does not allow it. */
  reserve(call: PaidCall): Promise<boolean>;
  /** Reserves without waiting; `false` also if calls in flight must release their share first. */
  tryReserve(call: PaidCall): boolean;
  /** Reserves the maximum price of a call that was sent already. */
  hold(call: PaidCall): void;
  /** Notes the price of a call; `undefined` for a call without a reply. */
  settle(call: PaidCall, record: RunRecord | undefined): void;
  /** Returns why the run stops; `undefined` as long as no call was refused. */
  trouble(): string | undefined;
}

/** A call that is about to be sent. */
export interface PaidCall {
  /** Prompt tokens, by the run's tokenizer. */
  readonly promptTokens: number;
  /** The limit of tokens of the answer, unless the model's settings have one. */
  readonly answerRoom: number;
}

/**
 * Opens the budget of a run, reduced by the price of earlier sessions. The limit holds if the prices are right and the server counts
 * prompts as before: local counts are scaled by the largest ratio of server tokens to local tokens so far. Charges for failed calls
 * and earlier attempts are unknown.
 *
 * @throws {RangeError} If the limit is not above 0.
 */
export function openSpending(
  { amount, prices }: SpendingLimit,
  options: Allowance & { readonly records?: readonly RunRecord[]; readonly inBatches?: boolean } = {},
): Spending {
  if (!(amount > 0)) {
    throw new RangeError(`Cannot limit the cost of the run as it must be above 0: current value is ${amount}`);
  }
  const { records = [], inBatches = false } = options;
  let [spent, reserved, ratio, isRefused] = [0, 0, 1, false];
  const maxPrice = ({ promptTokens, answerRoom }: PaidCall): number => {
    const answerTokens = answerAllowance({ answerRoom }, options);
    const tokens = { promptTokens: ratio * promptTokens, answerTokens };
    return priceOf(tokens, inBatches ? batchPrices(prices) : prices);
  };
  const spend = (record: RunRecord): void => {
    spent += priceOfRecords([record], prices);
    const { reply, promptTokens } = record;
    if (reply.kind === "answer") ratio = Math.max(ratio, (reply.promptTokens ?? promptTokens) / promptTokens);
  };
  records.forEach(spend);
  const held = new Map<PaidCall, number>();
  const waiting: (() => void)[] = [];
  const hold = (call: PaidCall): void => {
    held.set(call, maxPrice(call));
    reserved += maxPrice(call);
  };
  const tryReserve = (call: PaidCall): boolean => {
    const fits = spent + reserved + maxPrice(call) <= amount;
    if (!fits && held.size === 0) isRefused = true;
    if (!fits || isRefused) return false;
    hold(call);
    return true;
  };
  return {
    async reserve(call): Promise<boolean> {
      while (!tryReserve(call)) {
        if (isRefused) return false;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return true;
    },
    tryReserve,
    hold,
    settle(call, record): void {
      reserved -= held.get(call) ?? 0;
      held.delete(call);
      if (record !== undefined) spend(record);
      for (const resume of waiting.splice(0)) resume();
    },
    trouble: () =>
      isRefused
        ? `Stopped at the limit of its cost: ${
          spent.toFixed(4)
        } of ${amount} is spent, and another call could cost more than the rest. ` +
          "The same command with a higher limit resumes the run"
        : undefined,
  };
}
