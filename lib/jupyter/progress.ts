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

/** Says a progress in one line. */
export function progressLine(progress: Progress): string {
  const { label, done, total, elapsedMs, leftMs, note } = progress;
  const left = leftMs === undefined ? "" : `, about ${formatTime(leftMs)} left`;
  return [label, `${done}/${total}`, formatTime(elapsedMs) + left, note ?? ""].filter((part) => part !== "").join("  ");
}

/** Writes a length of time as minutes and seconds, with hours where there are any. */
export function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** What is known of the steps of a piece of work. */
interface StepTimes {
  /** Milliseconds each step done took, in order. */
  readonly tookMs: readonly number[];
  /** Steps in all. */
  readonly total: number;
  /** Milliseconds each step took the last time, in order; empty where there was none. */
  readonly lastMs: readonly number[];
  /** Milliseconds the step at hand has run so far. */
  readonly currentMs: number;
  /** Share of the step at hand that is done, where it says so. Range: 0 to 1. */
  readonly share?: number | undefined;
}

/**
 * Estimates the time left: of the step at hand by the share it says is done, of the others by how long each took the last
 * time, or by the mean of the steps done where there was no last time.
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

/** Reads how much of its work a line says is done. */
export function shareIn(line: string): number | undefined {
  const percent = Number(/(\d+(?:\.\d+)?) ?%/.exec(line)?.[1] ?? NaN);
  return percent >= 0 && percent <= 100 ? percent / 100 : undefined;
}
