import { type Progress, shareIn, timeLeft } from "./progress.ts";

/** Times the cells of one run and tells how far it has come. */
export interface Clock {
  /** A cell (counted from 1) has begun, or says something. */
  readonly tell: (cell: number, note: string) => void;
  /** The run is over. */
  readonly stop: () => void;
  /** Milliseconds since the run began. */
  readonly elapsedMs: () => number;
  /** Milliseconds each cell took. */
  readonly tookMs: () => readonly number[];
}

/** Options for {@linkcode startClock}. */
export interface ClockOptions {
  /** What is being run. */
  readonly label: string;
  /** Cells in all. */
  readonly total: number;
  /** Milliseconds each cell took the last time; empty where there was none. */
  readonly lastMs: readonly number[];
  /** Told every second, and at each cell. */
  readonly onProgress: (progress: Progress) => void;
}

/** Starts the clock of one run. */
export function startClock(options: ClockOptions): Clock {
  const { label, total, lastMs, onProgress } = options;
  const began = performance.now();
  const starts: number[] = [];
  let said = "";
  let ended: number | undefined;
  const elapsedMs = (): number => (ended ?? performance.now()) - began;
  const tookMs = (): readonly number[] => starts.map((start, index) => (starts[index + 1] ?? elapsedMs()) - start);
  const show = (): void => {
    const took = tookMs();
    const currentMs = took.at(-1) ?? 0;
    const leftMs = timeLeft({ tookMs: took.slice(0, -1), total, lastMs, currentMs, share: shareIn(said) });
    onProgress({ label, done: Math.max(0, starts.length - 1), total, elapsedMs: elapsedMs(), leftMs, note: said });
  };
  const timer = setInterval(show, 1000);
  return {
    tell: (cell, note) => {
      while (starts.length < cell) starts.push(elapsedMs());
      said = note;
      show();
    },
    stop: () => {
      ended = performance.now();
      clearInterval(timer);
    },
    elapsedMs,
    tookMs,
  };
}
