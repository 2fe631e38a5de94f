import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { knobLimits, taskLimit } from "@/lib/papers/needle_threading/limits.ts";
import { contextLimits, knobCells, type ScoredRecord } from "@/lib/statistics/mod.ts";

/** Threads of three lengths in two directions. */
const TASKS = Object.fromEntries(
  ["forward", "backward"].flatMap((direction) =>
    [2, 5, 10].map((steps) => [`${direction} ${steps}`, { options: { steps, direction } }] as const)
  ),
);

/** Replies that are right up to a length which falls with the steps, and is longer forward. */
function replies(): ScoredRecord[] {
  return Object.entries(TASKS).flatMap(([task, { options: { steps, direction } }]) =>
    [4096, 8192, 16_384, 32_768].flatMap((length) => {
      const value = length * steps <= (direction === "forward" ? 90_000 : 45_000) ? 1 : 0;
      return Array.from({ length: 8 }, () => ({ task, length, value, failed: false, noAnswer: false, record: {} }));
    })
  );
}

Deno.test("taskLimit() gives the limit at a value between those asked, as a share of the greatest size", () => {
  const options = { tasks: TASKS, knob: "steps", unit: 2, name: "one thread" };
  const [at2, at3, at5] = [2, 3, 5].map((at) => taskLimit(replies(), { ...options, at }));
  ok(at2!.limit >= at3!.limit && at3!.limit >= at5!.limit);
  equal(at5!.tested, 65_536);
  equal(at5!.percent, 100 * at5!.limit / 65_536);
  deepEqual([at3!.task, at3!.at], ["one thread", "steps = 3"]);
});

Deno.test("taskLimit() at the worst value is the least limit, and a share of the window where that is given", () => {
  const options = { tasks: TASKS, knob: "steps", unit: 2, name: "one thread" };
  const worst = taskLimit(replies(), { ...options, at: "worst", window: 262_144 });
  const all = [2, 5, 10].map((at) => taskLimit(replies(), { ...options, at }));
  equal(worst.limit, Math.min(...all.map(({ limit }) => limit)));
  equal(worst.at, "worst steps (10)");
  equal(worst.ofWindow, 100 * worst.limit / 262_144);
  equal(all[0]!.ofWindow, undefined);
});

Deno.test("taskLimit() refuses a value below those asked, and replies without the knob", () => {
  throws(() => taskLimit(replies(), { tasks: TASKS, knob: "steps", at: 1, name: "t" }), {
    name: "RangeError",
    message: "Cannot find a context limit as each difficulty must be one from 2 to 10: current value is 1",
  });
  throws(() => taskLimit(replies(), { tasks: TASKS, knob: "needles", at: 2, name: "t" }), RangeError);
});

Deno.test("knobLimits() gives a contour for each value of the second knob", () => {
  const limits = knobLimits(replies(), { tasks: TASKS, knob: "steps", series: "direction" });
  deepEqual(limits.map(({ series, difficulty }) => `${series} ${difficulty}`), [
    ...["forward 2", "forward 5", "forward 10"],
    ...["backward 2", "backward 5", "backward 10"],
  ]);
  for (const way of ["forward", "backward"]) {
    const [few, some, many] = limits.filter(({ series }) => series === way).map(({ limit }) => limit);
    ok(few! > some! && some! > many!);
  }
  ok(limits.every(({ limit, low, high }) => low <= limit && limit <= high));
  // 32,768 tokens of two steps are right forward: the limit is there or beyond.
  equal(limits[0]!.isBeyond, true);
});

Deno.test("knobLimits() without a second knob is contextLimits() of all cells, in the unit asked for", () => {
  const options = { tasks: TASKS, knob: "steps", unit: 4, level: 0.5 };
  const cells = knobCells(replies(), options);
  deepEqual(
    knobLimits(replies(), { ...options, name: "all" }),
    contextLimits(cells, { level: 0.5 }).map((limit) => ({ ...limit, series: "all" })),
  );
  deepEqual(knobLimits(replies(), { tasks: TASKS, knob: "needles" }), []);
});
