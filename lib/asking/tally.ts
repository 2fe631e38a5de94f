import { defined } from "@/lib/base/mod.ts";
import type { FailureKind, Reply } from "@/lib/models/mod.ts";
import type { PlannedSample, RunProgress } from "@/lib/studies/mod.ts";

/** The result of a session of a run. */
export interface RunSummary {
  readonly total: number;
  /** Samples that have an answer, from this session or an earlier one. */
  readonly answered: number;
  readonly failed: number;
  /** Calls recorded in this session. */
  readonly asked: number;
  /** Prompt tokens of those calls. */
  readonly promptTokens: number;
  /** Samples in batches of the server whose replies have not come yet. */
  readonly underWay?: number;
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
  const notMade: string[] = [];
  let lastFailure: FailureKind | undefined;
  let [total, answered, failed, asked, promptTokens] = [0, 0, 0, 0, 0];
  let [doneWork, remainingWork, lastMs] = [0, 0, start];
  const expect = (expected: Iterable<PlannedSample>): void => {
    for (const planned of expected) {
      total++;
      if (isPending(planned)) remainingWork += workOf(planned.length);
      else answered++;
    }
  };
  expect(samples);
  const spend = ({ length }: Pick<PlannedSample, "length">): void => {
    const work = workOf(length);
    [doneWork, remainingWork, lastMs] = [doneWork + work, remainingWork - work, performance.now()];
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
      total,
      failed,
      ...defined({ lastFailure }),
      asked,
      tokens: promptTokens,
      elapsedMs: performance.now() - start,
      leftMs: doneWork === 0 ? null : remainingWork * (lastMs - start) / doneWork,
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
