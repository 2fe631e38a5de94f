import { equal, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";

const materials = await openTestMaterials("cl100k_base");

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
