import { equal, ok } from "node:assert/strict";
import { openTestMaterials } from "./_materials.ts";
import { rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";

const render = ({ prompt }: Sample): string => prompt.user + (prompt.answerPrefix ?? "");
const PLACED: readonly RulerTaskName[] = [
  "niah_single_1",
  "niah_multikey_1",
  "niah_multikey_2",
  "niah_multivalue",
  "vt",
  "qa_2",
];

for (const encoding of ["cl100k_base", "r50k_base"] as const) {
  Deno.test(`facts tell the count of the ${encoding} tokens before them`, async () => {
    const materials = await openTestMaterials(encoding);
    for (const name of PLACED) {
      for (let index = 0; index < 4; index++) {
        const sample = rulerTask(name).sample({ length: 4096, seed: "offsets", index, materials });
        const text = render(sample);
        for (const fact of sample.facts.filter(({ role }) => role === "target" || role === "distractor")) {
          const at = text.indexOf(fact.text);
          ok(at >= 0, `${name}: ${fact.text}`);
          // A fact in running text begins with the space before it.
          const starts = [at, at - 1].map((end) => materials.tokenizer.count(text.slice(0, end)));
          ok(starts.includes(fact.tokenOffset!), `${name}: ${fact.tokenOffset}, counted ${starts}`);
        }
      }
    }
  });
}

Deno.test("a fact has depth 0 where it is truly first in the context and 1 where it is truly last", async () => {
  const materials = await openTestMaterials("cl100k_base");
  for (const haystack of ["niah_single_1", "niah_single_2", "niah_multikey_2"] as const) {
    for (const depth of [0, 1]) {
      const sample = rulerTask(haystack, { depth }).sample({ length: 2048, seed: "ends", index: 0, materials });
      const [target] = sample.facts.filter(({ role }) => role === "target");
      equal(target!.depth, depth);
      const context = sample.prompt.user.split("\n").slice(1, -1).join("\n");
      ok(depth === 0 ? context.startsWith(target!.text) : context.endsWith(target!.text), haystack);
    }
  }
});
