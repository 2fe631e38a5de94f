import type { Reply } from "@/lib/models/mod.ts";
import { startPace } from "./_pace.ts";
import { workOf } from "./_work.ts";
import { listSamples, type Plan, type PlannedSample } from "./plan.ts";
import type { RunProgress } from "./run_progress.ts";
import type { RunSummary } from "./run_summary.ts";
import { placeOf, type RunStore } from "./store.ts";

/** Counts what a session of a run did and has left to do. */
export interface Tally {
  /** Counts one reply. */
  note(planned: PlannedSample, promptTokens: number, reply: Reply): void;
  /** Counts a sample that could not be made. */
  noteNotMade(planned: PlannedSample, reason: string): void;
  progress(isOver: boolean): RunProgress;
  summary(isStopped: boolean): RunSummary;
}

/** Starts the count with what earlier sessions did. */
export function startTally(
  plan: Plan,
  { store, isLeft, now }: {
    readonly store: RunStore;
    readonly isLeft: (planned: PlannedSample) => boolean;
    readonly now: () => number;
  },
): Tally {
  const start = now();
  const pace = startPace(start);
  const notMade: string[] = [];
  let [answered, failed, asked, promptTokens, workLeft] = [0, 0, 0, 0, 0];
  for (const planned of listSamples(plan)) {
    if (isLeft(planned)) workLeft += workOf(planned.length);
    else if (store.outcome(placeOf(planned)) === "answer") answered++;
    else failed++;
  }
  const spend = ({ length }: PlannedSample): void => {
    workLeft -= workOf(length);
    pace.note(workOf(length), now());
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
      elapsedMs: now() - start,
      leftMs: pace.timeFor(workLeft),
      isOver,
    }),
    summary: (isStopped) => ({ total: plan.questions, answered, failed, asked, promptTokens, isStopped, notMade }),
  };
}
