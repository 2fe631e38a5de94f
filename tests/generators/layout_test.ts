import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { openTestMaterials } from "./_materials.ts";
import { rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import { breakAt, essayFiller, plantFacts, userText } from "@/lib/generators/mod.ts";
import { countTokens, join, makeHaystack, measure, openEncoding } from "@/lib/text/mod.ts";

Deno.test("a fact has depth 0 where it is truly first in the context and 1 where it is truly last", async () => {
  const materials = await openTestMaterials("cl100k_base");
  for (const haystack of ["niah_single_1", "niah_single_2", "niah_multikey_2"] as const) {
    for (const depth of [0, 1]) {
      const sample = rulerTask(haystack, { depth }).sample({ length: 2048, seed: "ends", index: 0, materials });
      const [target] = sample.facts.filter(({ role }) => role === "target");
      equal(target!.depth, depth);
      const context = userText(sample.prompt).split("\n").slice(1, -1).join("\n");
      ok(depth === 0 ? context.startsWith(target!.text) : context.endsWith(target!.text), haystack);
    }
  }
});

const tokenizer = await openEncoding("cl100k_base");
// Sentences of 3, 5, 13 and 3 tokens: "Bread rises.", " It cools slowly.", …
const TEXT = "Bread rises. It cools very slowly. The sea is wide and deep and cold and never at rest. Tides turn.";
const essays = makeHaystack([TEXT], { name: "sea", tokenizer });
const filler = essayFiller(essays, { start: 0, tokenizer });
const tokensOf = (units: number): number =>
  countTokens(join(filler.run(0, units).map(({ measured }) => measured), tokenizer), tokenizer);

Deno.test("breakAt() takes the nearest break, or the one before", () => {
  // 85% is inside the third sentence, of which much the longer part stands before.
  equal(breakAt(0.85, { filler, size: 4, tokenizer }), 3);
  equal(breakAt(0.85, { filler, size: 4, tokenizer, toward: "back" }), 2);
});

Deno.test("breakAt() is never further from the share than the sentence it falls into is long", () => {
  fc.assert(fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 30 }), (share, size) => {
    const wanted = share * tokensOf(size);
    for (const toward of ["nearest", "back"] as const) {
      const at = breakAt(share, { filler, size, tokenizer, toward });
      const longest = Math.max(...Array.from({ length: size }, (_, unit) => tokensOf(unit + 1) - tokensOf(unit)));
      ok(Math.abs(tokensOf(at) - wanted) <= (toward === "nearest" ? longest / 2 : longest));
      ok(toward === "nearest" || tokensOf(at) <= wanted);
    }
  }));
});

Deno.test("plantFacts() leaves out the space after a part that ends in a line break where lines are broken", () => {
  const part = () => ({ measured: measure("One.\n", tokenizer) });
  const textOf = (options: { readonly breaksLines?: boolean }): string =>
    plantFacts([{ at: 1, part }], { filler, size: 2, ...options }).map(({ measured }) => measured.text).join("");
  equal(textOf({}), "Bread rises.One.\n It cools very slowly.");
  equal(textOf({ breaksLines: true }), "Bread rises.One.\nIt cools very slowly.");
});
