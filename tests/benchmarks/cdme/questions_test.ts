import { equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import type { GivenKnobs } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("each needle of several questions goes through all depths", () => {
  const task = CDME_NEEDLES.task("cdme_en", { questions: 3, depths: 6 });
  const depths = Array.from(
    { length: 18 },
    (_, index) => task.sample({ length: 2048, seed: "depths", index, materials }).depth!,
  );
  for (const question of [0, 1, 2]) {
    equal(new Set(depths.filter((_, index) => index % 3 === question)).size, 6);
    ok(new Set(depths.slice(3 * question, 3 * question + 3)).size === 3);
  }
});

Deno.test.each(
  [
    ["cdme_multi_zh", { questions: 2 }, "from 1 to 1: current value is 2"],
    ["cdme_original", { questions: 2 }, "from 1 to 1: current value is 2"],
    ["cdme_zh", { questions: 11 }, "from 1 to 10: current value is 11"],
  ] as [typeof CDME_NEEDLES.tasks[number], GivenKnobs<typeof CDME_NEEDLES.knobs>, string][],
)("%s refuses %o, as it has fewer needles of one form", (name, knobs, range) => {
  const message = `Cannot make task ${name} as questions must be a whole number ${range}`;
  throws(() => CDME_NEEDLES.task(name, knobs), { name: "RangeError", message });
});
