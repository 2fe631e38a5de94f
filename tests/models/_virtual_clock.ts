import { ok } from "node:assert/strict";

/** Time that passes only while all wait for it. */
export interface VirtualClock {
  /** The time, in milliseconds. */
  now(): number;
  delay(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs until the work is over. */
  run(work: Promise<unknown>): Promise<void>;
}

/** Starts a clock at 0. */
export function virtualClock(): VirtualClock {
  let time = 0;
  const timers: { readonly at: number; readonly go: () => void }[] = [];
  const delay = (ms: number, signal?: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = { at: time + Math.max(0, ms), go: resolve };
    timers.splice(timers.findLastIndex(({ at }) => at <= timer.at) + 1, 0, timer);
    signal?.addEventListener("abort", () => {
      const at = timers.indexOf(timer);
      if (at >= 0) timers.splice(at, 1);
      reject(signal.reason);
    });
    return promise;
  };
  const run = async (work: Promise<unknown>): Promise<void> => {
    let isOver = false;
    void work.finally(() => isOver = true);
    for (let steps = 0; steps < 300_000; steps++) {
      for (let turns = 0; turns < 40; turns++) await null;
      if (isOver) return;
      const next = timers.shift();
      ok(next !== undefined, `nothing happens after ${time} ms`);
      time = next.at;
      next.go();
    }
    throw new Error(`The work is not over after ${time} ms`);
  };
  return { now: () => time, delay, run };
}
