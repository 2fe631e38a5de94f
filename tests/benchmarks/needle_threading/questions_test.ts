import { equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { checkContexts } from "../_contexts.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import type { GivenKnobs } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test.each(
  [
    ["threading_single_needle", { questions: 5 }],
    ["threading_single_needle", { questions: 20, depth: 0.5 }],
    ["threading_multi_needle", { placement: "clustered", needles: 3 }],
    ["threading_multi_needle", { examples: 1 }],
    ["threading_conditional_needle", { needles: 2 }],
    ["threading_conditional_needle", { needles: 2, character: "@", questions: 10 }],
    ["threading_single_thread", { direction: "backward" }],
    ["threading_multi_thread", { threads: 2 }],
    ["threading_branched_thread", { pairs: 60 }],
  ] as [typeof THREADING.tasks[number], Record<string, string | number>][],
)("several questions about a context of %s with %o share its pairs, and ask for values of their own", (name, knobs) => {
  const task = THREADING.task(name, { questions: 3, ...knobs } as GivenKnobs<typeof THREADING.knobs>);
  const slack = knobs["pairs"] === undefined ? 90 : 8192;
  const contexts = checkContexts(task, { materials, length: 8192, slack });
  for (const { facts, references, prompt } of contexts.flat()) {
    const targets = facts.filter(({ role }) => role === "target");
    ok(references.every((value) => targets.some((target) => target.value === value)));
    if (name.endsWith("needle")) equal(targets.length, references.length);
    if (knobs["pairs"] !== undefined) equal(prompt.messages[0]!.text.match(/": "/g)!.length, 60);
  }
});

Deno.test("the needles of several questions are spread over the depths of the grid", () => {
  const task = THREADING.task("threading_single_needle", { questions: 4 });
  const depths = Array.from(
    { length: 44 },
    (_, index) => task.sample({ length: 4096, seed: "depths", index, materials }).depth!,
  );
  const held = Map.groupBy(depths, (depth) => depth);
  equal(held.size, 11);
  for (const each of held.values()) equal(each.length, 4);
});

Deno.test("the questions about a context of marked keys are at most the marks, and all pairs are planted", () => {
  throws(() => THREADING.task("threading_conditional_needle", { questions: 11 }), {
    message:
      "Cannot make task threading_conditional_needle as questions must be a whole number from 1 to 10: current value is 11",
  });
  throws(() => THREADING.task("threading_multi_needle", { questions: 3, pairs: 14 }), {
    message:
      "Cannot make task threading_multi_needle as pairs must be a whole number from 15 to 50000: current value is 14",
  });
});
