import { listSamples, type Plan, type PlannedSample, type RunProgress } from "@/lib/studies/mod.ts";
import type { FailureKind, Reply } from "@/lib/models/mod.ts";

/** Calls in flight at a time, unless the user or the model's entry sets another number. */
export const DEFAULT_CONCURRENCY = 8;
/** The largest number of calls in flight. */
export const MAX_CONCURRENCY = 256;

/** Options for {@linkcode askEach}. */
export interface AskEachOptions {
  /** Calls in flight at a time. Range: 1 to 256. */
  readonly concurrency: number;
  /** Whether no more items are begun. */
  readonly isEnding?: () => boolean;
  /** Called at an error, after which no more items are begun. */
  readonly onError?: () => void;
}

/**
 * Asks about each item, several at a time, and waits for all calls in flight.
 *
 * @throws {unknown} The first error of a call.
 */
export async function askEach<Item>(
  items: Iterator<Item>,
  ask: (item: Item) => Promise<void>,
  { concurrency, isEnding = () => false, onError }: AskEachOptions,
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
  note(planned: Pick<PlannedSample, "length">, promptTokens: number, reply: Reply): void;
  /** Notes a failure that an earlier session recorded. */
  noteEarlierFailure(): void;
  noteNotMade(planned: PlannedSample, reason: string): void;
  progress(isOver: boolean): RunProgress;
  summary(isStopped: boolean): RunSummary;
}

/** Starts the counts of a session with the answers of earlier sessions. */
export function startTally(plan: Plan, isPending: (planned: PlannedSample) => boolean): Tally {
  const start = performance.now();
  const throughput = startThroughput(start);
  const notMade: string[] = [];
  let lastFailure: FailureKind | undefined;
  let [answered, failed, asked, promptTokens, remainingWork] = [0, 0, 0, 0, 0];
  for (const planned of listSamples(plan)) {
    if (isPending(planned)) remainingWork += workOf(planned.length);
    else answered++;
  }
  const spend = ({ length }: Pick<PlannedSample, "length">): void => {
    remainingWork -= workOf(length);
    throughput.note(workOf(length), performance.now());
  };
  return {
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
      total: plan.questions,
      failed,
      ...(lastFailure === undefined ? {} : { lastFailure }),
      asked,
      tokens: promptTokens,
      elapsedMs: performance.now() - start,
      leftMs: throughput.timeFor(remainingWork),
      isOver,
    }),
    summary: (isStopped) => ({ total: plan.questions, answered, failed, asked, promptTokens, isStopped, notMade }),
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

/** Calls that the pace is measured over. */
const WINDOW = 200;

/** Starts to measure how fast calls come back. */
export function startThroughput(startMs: number): Throughput {
  const marks = [{ timeMs: startMs, total: 0 }];
  return {
    note(work, timeMs): void {
      marks.push({ timeMs, total: marks.at(-1)!.total + work });
      if (marks.length > WINDOW + 1) marks.shift();
    },
    timeFor(work): number | null {
      const [oldest, newest] = [marks[0]!, marks.at(-1)!];
      const done = newest.total - oldest.total;
      return done === 0 ? null : work * (newest.timeMs - oldest.timeMs) / done;
    },
  };
}
