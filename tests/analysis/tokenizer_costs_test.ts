import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { charactersIn, compareTokenizers } from "@/lib/analysis/mod.ts";
import { threadingTask } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/runs/mod.ts";
import { ENCODING_NAMES, openEncoding } from "@/lib/text/mod.ts";

Deno.test("compareTokenizers() counts a UUID pair as the paper does for GPT-4o: about 50 tokens, 1.6 characters each", async () => {
  const materials = await openMaterials({ tokenizer: "o200k_base" });
  const { prompt } = threadingTask({ pairs: 1000 }).sample({ length: 60_000, seed: "pairs", index: 0, materials });
  const text = prompt.user.slice(0, prompt.user.indexOf("\n"));
  const tokenizers = await Promise.all(ENCODING_NAMES.map(openEncoding));
  const costs = compareTokenizers(tokenizers, [{ name: "pairs", text, units: 1000 }]);
  deepEqual(costs.map(({ characters }) => characters), [80_000, 80_000, 80_000, 80_000]);
  const [o200k, cl100k] = costs;
  // "about 50", section on tokenisation; 49.1 by the protocol's own count of other haystacks.
  ok(Math.abs(o200k!.tokensPerUnit - 49.5) < 0.7, `${o200k!.tokensPerUnit}`);
  ok(Math.abs(cl100k!.tokensPerUnit - 49.5) < 0.7);
  equal(o200k!.charactersPerToken, 80_000 / o200k!.tokens);
});

Deno.test("compareTokenizers() counts characters as code points, and units as characters unless told", async () => {
  const [cost] = compareTokenizers([await openEncoding("cl100k_base")], [{ name: "emoji", text: "🌾🌾" }]);
  deepEqual([cost!.characters, cost!.tokensPerUnit], [2, cost!.tokens / 2]);
});

Deno.test("compareTokenizers() refuses an empty text", () => {
  throws(() => compareTokenizers([], [{ name: "nothing", text: "" }]), {
    name: "RangeError",
    message: 'Cannot compare tokenizers as text "nothing" must not be empty: current value is ""',
  });
});

Deno.test("charactersIn() rounds down", () => {
  equal(charactersIn(10, { charactersPerToken: 1.29 }), 12);
});
