/** The fixed cost of a call in prompt tokens: without it, a few short calls would predict too long a run. */
const TOKENS_OF_A_CALL = 1000;

/** How much work a call is, for estimating the time left. */
export function workOf(promptTokens: number): number {
  return promptTokens + TOKENS_OF_A_CALL;
}

/** How fast calls come back. */
export interface Pace {
  /** Notes work that was done at a time. */
  note(work: number, timeMs: number): void;
  /** Estimates how long work will take, in milliseconds; `null` before any is done. */
  timeFor(work: number): number | null;
}

/** Calls that the pace is measured over. */
const WINDOW = 200;

/** Estimates the time left from how fast the last calls came back. */
export function startPace(startMs: number): Pace {
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
