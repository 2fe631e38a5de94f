import { deepEqual, equal, notDeepEqual, ok } from "node:assert/strict";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import type { GivenKnobs, Knobs, Task } from "@/lib/generators/mod.ts";

function climb(task: Task, way: "harder" | "easier"): string[] {
  const steps: string[] = [];
  for (let next = task.turn?.(way); next !== undefined; next = next.task.turn?.(way)) {
    steps.push(`${next.knob} ${next.value}`);
    ok(steps.length < 100, `${task.name} has no end`);
  }
  return steps;
}

Deno.test("turn() doubles the main knob up to the end of its range, then the next one", () => {
  const steps = climb(NIAH.task("niah_multikey_1"), "harder");
  deepEqual(
    steps.slice(0, 10),
    [8, 16, 32, 64, 128, 256, 512, 1000].map((keys) => `keys ${keys}`).concat([
      "queries 2",
      "queries 4",
    ]),
  );
  equal(steps.at(-1), "values 100");
});

Deno.test.each(
  [
    ["niah_single_2", {}, "keys 2", undefined],
    ["niah_multikey_1", {}, "keys 8", "keys 2"],
    // Every line of its haystack is a needle already.
    ["niah_multikey_2", {}, "queries 2", undefined],
    ["vt", {}, "hops 8", "hops 2"],
    ["vt", { hops: 100 }, "chains 2", "hops 50"],
    ["cwe", {}, "common 20", "common 5"],
    ["cwe", { commonFrequency: 30 }, "commonFrequency 15", "common 5"],
    // A common word must be more frequent than others, of which each appears three times.
    ["cwe", { commonFrequency: 5 }, "common 20", "common 5"],
    ["fwe", {}, "alpha 1.5", "alpha 3"],
    ["fwe", { alpha: 1.0625 }, undefined, "alpha 1.125"],
    ["qa_1", { documents: 20 }, "documents 40", "documents 10"],
    ["qa_1", {}, undefined, undefined],
    ["threading_multi_thread", {}, "threads 6", "steps 2"],
    ["threading_branched_thread", { steps: 3 }, "steps 6", undefined],
    ["counting_stars_search_en", { stars: 1000 }, "stars 1024", "stars 500"],
    ["recall_pistachio", {}, undefined, undefined],
  ] as [string, Record<string, number>, string | undefined, string | undefined][],
)("turn() of %s with %o makes it harder by %s and easier by %s", (name, knobs, harder, easier) => {
  const family = listFamilies().find(({ tasks }) => tasks.includes(name))!;
  const task = family.task(name, knobs as GivenKnobs<Knobs>);
  const turned = (way: "harder" | "easier"): string | undefined => {
    const turned = task.turn?.(way);
    return turned && `${turned.knob} ${turned.value}`;
  };
  deepEqual([turned("harder"), turned("easier")], [harder, easier]);
});

Deno.test("turn() gives another task of the same name, which the knob alone makes from the old one, for all tasks", () => {
  for (const family of listFamilies()) {
    for (const name of family.tasks) {
      const task = family.task(name);
      for (const way of ["harder", "easier"] as const) {
        const turned = task.turn?.(way);
        if (turned === undefined) continue;
        const { knob, value, task: made } = turned;
        deepEqual(made.options, family.task(name, { [knob]: value }).options);
        deepEqual([made.name, made.options[knob]], [name, value]);
        notDeepEqual(made.options, task.options);
        climb(task, way);
      }
    }
  }
});
