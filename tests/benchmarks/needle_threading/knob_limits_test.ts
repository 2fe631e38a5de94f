import { deepEqual, equal, ok } from "node:assert/strict";
import { replies, TASKS } from "./_knob_replies.ts";
import { knobLimits } from "@/lib/benchmarks/needle_threading/mod.ts";
import { contextLimits, knobCells } from "@/lib/statistics/mod.ts";

Deno.test("knobLimits() gives a contour for each value of the parting knob", () => {
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

Deno.test("knobLimits() without a parting knob is contextLimits() of all cells, in the unit asked for", () => {
  const options = { tasks: TASKS, knob: "steps", unit: 4, level: 0.5 };
  const cells = knobCells(replies(), options);
  deepEqual(
    knobLimits(replies(), { ...options, name: "all" }),
    contextLimits(cells, { level: 0.5 }).map((limit) => ({ ...limit, series: "all" })),
  );
  deepEqual(knobLimits(replies(), { tasks: TASKS, knob: "needles" }), []);
});
