/** How far a long piece of work has come. */
export interface Progress {
  /** What is being done. */
  readonly label: string;
  /** Steps done. Range: 0 to `total`. */
  readonly done: number;
  /** Steps in all. */
  readonly total: number;
  /** Milliseconds since it began. */
  readonly elapsedMs: number;
  /** Milliseconds left, as far as can be told; left out where nothing can be told yet. */
  readonly leftMs?: number | undefined;
  /** What the step at hand says of itself. */
  readonly note?: string | undefined;
}

/**
 * Says a progress in one line.
 *
 * @param progress How far the work has come.
 * @returns The line, without a line feed.
 *
 * @example Half-way
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const progress = { label: "01-depth", done: 5, total: 10, elapsedMs: 61_000, leftMs: 59_000, note: "24 of 78 asked" };
 * equal(progressLine(progress), "01-depth  5/10  1:01, about 0:59 left  24 of 78 asked");
 * ```
 */
export function progressLine(progress: Progress): string {
  const { label, done, total, elapsedMs, leftMs, note } = progress;
  const left = leftMs === undefined ? "" : `, about ${formatTime(leftMs)} left`;
  return [label, `${done}/${total}`, formatTime(elapsedMs) + left, note ?? ""].filter((part) => part !== "").join("  ");
}

/**
 * Writes a length of time as minutes and seconds, with hours where there are any.
 *
 * @param milliseconds The time. Range: 0 and up.
 * @returns Such as `1:05` or `2:00:07`, rounded to a second.
 *
 * @example A minute and five seconds
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(formatTime(65_000), "1:05");
 * ```
 */
export function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/**
 * Estimates the time left from the steps done: by how long each step took the last time, scaled to the pace of this time;
 * without a last time, by the mean of the steps done.
 *
 * @param tookMs Milliseconds each step done took, in order.
 * @param total Steps in all.
 * @param lastMs Milliseconds each step took the last time, in order; empty where there was none.
 * @param currentMs Milliseconds the step at hand has run so far.
 * @returns Milliseconds left, or `undefined` before anything can be told.
 *
 * @example Steps of one second
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(timeLeft([1000, 1000], 5, []), 3000);
 * equal(timeLeft([], 2, [1000, 9000]), 10_000);
 * ```
 */
export function timeLeft(
  tookMs: readonly number[],
  total: number,
  lastMs: readonly number[],
  currentMs = 0,
): number | undefined {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const done = sum(tookMs);
  if (lastMs.length === total) {
    const pace = done > 1000 ? done / Math.max(1, sum(lastMs.slice(0, tookMs.length))) : 1;
    return Math.max(0, sum(lastMs.slice(tookMs.length)) * pace - currentMs);
  }
  if (tookMs.length === 0) return undefined;
  return Math.max(0, done / tookMs.length * (total - tookMs.length) - currentMs);
}
