/** The progress of a long task. */
export interface Progress {
  readonly label: string;
  /** Steps done. Range: 0 to `total`. */
  readonly done: number;
  /** Steps in all. */
  readonly total: number;
  /** Milliseconds since it began. */
  readonly elapsedMs: number;
  /** Estimated milliseconds left, if known. */
  readonly leftMs?: number | undefined;
  /** A note from the current step. */
  readonly note?: string | undefined;
}

/** Formats progress as one line. */
export function progressLine(progress: Progress): string {
  const { label, done, total, elapsedMs, leftMs, note } = progress;
  const left = leftMs === undefined ? "" : `, about ${formatTime(leftMs)} left`;
  return [label, `${done}/${total}`, formatTime(elapsedMs) + left, note ?? ""].filter((part) => part !== "").join("  ");
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
  /** Milliseconds each step done took, in order. */
  readonly tookMs: readonly number[];
  /** Steps in all. */
  readonly total: number;
  /** Milliseconds each step took the last time, in order; empty where there was none. */
  readonly lastMs: readonly number[];
  /** Milliseconds the current step has run so far. */
  readonly currentMs: number;
  /** Share of the current step that is done, if it reports one. Range: 0 to 1. */
  readonly share?: number | undefined;
}

/**
 * Estimates the time left: for the current step by the share it reports, for the others by how long each took the last time, or
 * else by the mean of the steps done.
 */
export function timeLeft(times: StepTimes): number | undefined {
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

/** Reads the percentage in a line, as a share. */
export function shareIn(line: string): number | undefined {
  const percent = Number(/(\d+(?:\.\d+)?) ?%/.exec(line)?.[1] ?? NaN);
  return percent >= 0 && percent <= 100 ? percent / 100 : undefined;
}
