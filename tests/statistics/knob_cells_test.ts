import { deepEqual } from "node:assert/strict";
import { knobCells, type ScoredRecord } from "@/lib/statistics/mod.ts";

const tasks = { "n=2": { options: { needles: 2, placement: "random" } }, "n=5": { options: { needles: 5 } } };

function reply(task: string, value: number | null, depth?: number): ScoredRecord {
  const record = depth === undefined ? {} : { depth };
  return { task, length: 1000, value, failed: value === null, noAnswer: false, record };
}

Deno.test("knobCells() takes sizes in another unit, and leaves out what has no such knob or no score", () => {
  const replies = [reply("n=2", 1), reply("n=5", 0), reply("n=5", null), reply("other", 1)];
  deepEqual(knobCells(replies, { tasks, knob: "needles", unit: 1.6 }), [
    { size: 1600, difficulty: 2, scores: [1] },
    { size: 1600, difficulty: 5, scores: [0] },
  ]);
  deepEqual(knobCells(replies, { tasks, knob: "placement" }), []);
});

Deno.test("knobCells() takes the depth of each sample, unless the task has one", () => {
  const single = { grid: { options: {} }, middle: { options: { depth: 0.5 } } };
  const cells = knobCells([reply("grid", 1, 0.3), reply("grid", 0, 0.9), reply("middle", 1, 0.9)], {
    tasks: single,
    knob: "depth",
  });
  deepEqual(cells.map(({ difficulty }) => difficulty), [0.3, 0.5, 0.9]);
});

Deno.test("knobCells() sorts scores by size and difficulty", () => {
  const at = (length: number, task: string, value: number) => ({ ...reply(task, value), length });
  const replies = [at(2000, "n=2", 1), at(1000, "n=5", 0), at(1000, "n=2", 0.5), at(2000, "n=2", 0)];
  deepEqual(knobCells(replies, { tasks, knob: "needles" }), [
    { size: 1000, difficulty: 2, scores: [0.5] },
    { size: 1000, difficulty: 5, scores: [0] },
    { size: 2000, difficulty: 2, scores: [1, 0] },
  ]);
});
