/** The progress of a long task. */
export interface Progress {
  readonly label: string;
  /** Steps done. Range: 0 to `total`. */
  readonly done: number;
  /** Number of steps. */
  readonly total: number;
  /** Milliseconds since it started. */
  readonly elapsedMs: number;
  /** Estimated remaining milliseconds, if known. */
  readonly remainingMs?: number | undefined;
  /** A note from the current step. */
  readonly note?: string | undefined;
}

/** Formats progress as one line. */
export function progressLine(progress: Progress): string {
  const { label, done, total, elapsedMs, remainingMs, note } = progress;
  const remaining = remainingMs === undefined ? "" : `, about ${formatTime(remainingMs)} left`;
  return [label, `${done}/${total}`, formatTime(elapsedMs) + remaining, note ?? ""].filter((part) => part !== "").join(
    "  ",
  );
}

/** Formats a duration as `m:ss` or `h:mm:ss`. */
export function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

interface StepTimes {
  /** Milliseconds of each finished step. */
  readonly tookMs: readonly number[];
  /** Number of steps. */
  readonly total: number;
  /** Milliseconds of each step in the last run; empty if there was none. */
  readonly lastMs: readonly number[];
  /** Milliseconds the current step has run so far. */
  readonly currentMs: number;
  /** Finished share of the current step, if it reports one. Range: 0 to 1. */
  readonly share?: number | undefined;
}

/**
 * Estimates the remaining time: of the current step by the share that it reports, of the others by the last run, or else by the mean
 * of the finished steps.
 */
export function remainingTime(times: StepTimes): number | undefined {
  const { tookMs, total, lastMs, currentMs, share = 0 } = times;
  const ahead = expectSteps(tookMs, total, lastMs);
  if (share > 0 && share <= 1) return currentMs * (1 - share) / share + sum(ahead.slice(1));
  const here = (ahead[0] ?? 0) - currentMs;
  return ahead.length === 0 || here < 0 ? undefined : here + sum(ahead.slice(1));
}

function expectSteps(tookMs: readonly number[], total: number, lastMs: readonly number[]): readonly number[] {
  if (lastMs.length === total) return lastMs.slice(tookMs.length);
  if (tookMs.length === 0) return [];
  const mean = sum(tookMs) / tookMs.length;
  return Array.from({ length: Math.max(0, total - tookMs.length) }, () => mean);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the percentage in a line as a share; `undefined` if it has none. */
export function shareIn(line: string): number | undefined {
  const percent = Number(/(\d+(?:\.\d+)?) ?%/.exec(line)?.[1] ?? NaN);
  return percent >= 0 && percent <= 100 ? percent / 100 : undefined;
}
