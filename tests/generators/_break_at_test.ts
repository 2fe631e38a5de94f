import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { breakAt, essayFiller } from "@/lib/generators/mod.ts";
import { countTokens, join, makeHaystack, openEncoding } from "@/lib/text/mod.ts";

const tokenizer = await openEncoding("cl100k_base");
// Sentences of 3, 5, 13 and 3 tokens: "Bread rises.", " It cools slowly.", …
const TEXT = "Bread rises. It cools very slowly. The sea is wide and deep and cold and never at rest. Tides turn.";
const essays = makeHaystack([TEXT], { name: "sea", tokenizer });
const filler = essayFiller(essays, { start: 0, tokenizer });
const tokensOf = (units: number): number =>
  countTokens(join(filler.run(0, units).map(({ measured }) => measured), tokenizer), tokenizer);

Deno.test("breakAt() gives the two ends for 0 and 1", () => {
  equal(breakAt(0, { filler, size: 4, tokenizer }), 0);
  equal(breakAt(1, { filler, size: 4, tokenizer }), 4);
  equal(breakAt(1, { filler, size: 4, tokenizer, toward: "back" }), 4);
});

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
