import { equal, match, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { checkContexts } from "../_contexts.ts";
import { CDME_NEEDLES } from "@/lib/benchmarks/cdme/needles.ts";
import type { GivenKnobs } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test.each(
  [
    ["cdme_zh", {}],
    ["cdme_en", { questions: 3 }],
    ["cdme_varied_zh", { questions: 10 }],
    ["cdme_varied_en", { guide: "off" }],
    ["cdme_zh", { depth: 0 }],
    ["cdme_en", { depth: 1, trim: "on" }],
  ] as [typeof CDME_NEEDLES.tasks[number], Record<string, string | number>][],
)("several questions about a context of %s with %o share its text, and ask for needles of their own", (name, knobs) => {
  const task = CDME_NEEDLES.task(name, { questions: 4, ...knobs } as GivenKnobs<typeof CDME_NEEDLES.knobs>);
  const contexts = checkContexts(task, { materials, length: 4096 });
  for (const { facts, references, cluster } of contexts.flat()) {
    equal(facts.length, task.options["questions"]);
    const [target, ...others] = facts.filter(({ role }) => role === "target");
    equal(others.length, 0);
    equal(target!.text, references[0]);
    match(cluster!, /^context:cdme-4\/cdme_\w+\/4096\/contexts\/[0-2]$/);
  }
});

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
