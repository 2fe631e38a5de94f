import type { KnobReply } from "@/lib/statistics/mod.ts";

/** Threads of three lengths in two directions. */
export const TASKS = Object.fromEntries(
  ["forward", "backward"].flatMap((direction) =>
    [2, 5, 10].map((steps) => [`${direction} ${steps}`, { options: { steps, direction } }] as const)
  ),
);

/** Replies that are right up to a length which falls with the steps, and is longer forward. */
export function replies(): KnobReply[] {
  return Object.entries(TASKS).flatMap(([task, { options: { steps, direction } }]) =>
    [4096, 8192, 16_384, 32_768].flatMap((length) => {
      const value = length * steps <= (direction === "forward" ? 90_000 : 45_000) ? 1 : 0;
      return Array.from({ length: 8 }, () => ({ task, length, value, failed: false, noAnswer: false, record: {} }));
    })
  );
}
