/** Tells the time left from how fast the last calls came back. */
export interface Pace {
  /** Notes that so much work was done at a time, in milliseconds. */
  note(work: number, timeMs: number): void;
  /** Tells how long so much work will take, in milliseconds; `null` before any is done. */
  timeFor(work: number): number | null;
}

/** Calls that the pace is taken from. */
const WINDOW = 200;

/** Starts a moving average at a time, in milliseconds. */
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
