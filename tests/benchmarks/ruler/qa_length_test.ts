import { deepEqual, equal, ok } from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { HOTPOTQA_FILE, openHotpotqa, sampleOf, withDocuments, WORLD } from "./_questions.ts";
import { cases } from "../../_cases.ts";
import { testOnRealData } from "../../_real_data.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import { type Sample, userText, worldDocuments } from "@/lib/generators/mod.ts";

Deno.test("QUESTION_ANSWERING.make() makes the same samples however their documents are counted", () => {
  for (const hops of [1, 2] as const) {
    const known = WORLD.documents[hops === 1 ? "oneHop" : "twoHop"];
    const { ascii: _, ...tokenizer } = WORLD.tokenizer;
    // Known beforehand; by pieces; by whole texts; one beside the other.
    const [expected, ...others] = [
      withDocuments(known),
      withDocuments(worldDocuments({ hops })),
      { ...withDocuments(known), tokenizer: { ...tokenizer, cutsLines: true } },
      { ...withDocuments(known), tokenizer },
    ].map((materials) => [600, 4096].map((length) => sampleOf(materials, hops, length, 7)));
    for (const other of others) deepEqual(other, expected);
  }
});

function checkLength(sample: Sample, filled: number): void {
  const { prompt, promptTokens, answerRoom, length, id } = sample;
  equal(answerRoom, 32);
  equal(countTokens(userText(prompt) + prompt.answerPrefix), promptTokens, id);
  ok(promptTokens + answerRoom <= length, id);
  ok(promptTokens + answerRoom >= filled * length, `${id}: ${promptTokens + answerRoom}`);
}

Deno.test("QUESTION_ANSWERING.make() fills 131,072 tokens and many more", () => {
  checkLength(sampleOf(WORLD, 1, 131_072), 0.999);
  if (!cases(false, true)) return;
  checkLength(sampleOf(WORLD, 2, 1_000_000), 0.999);
  const { promptTokens } = sampleOf(WORLD, 1, 2_000_000);
  ok(promptTokens + 32 <= 2_000_000 && promptTokens > 1_999_000);
});

Deno.test.each(["r50k_base", "p50k_base", "cl100k_base", "o200k_base"] as const)(
  "QUESTION_ANSWERING.make() fills lengths to the last few tokens by %s, where a blank line can be two tokens",
  async (encoding) => {
    const materials = await openTestMaterials(encoding);
    for (const hops of [1, 2] as const) {
      for (const length of [2900, 3000, 4097]) {
        for (let index = 0; index < cases(4, 15); index++) {
          const { prompt, promptTokens, answerRoom, id } = sampleOf(materials, hops, length, index);
          equal(materials.tokenizer.count(userText(prompt) + prompt.answerPrefix), promptTokens, id);
          const left = length - promptTokens - answerRoom;
          ok(left >= 0 && left <= 10, `${id}: ${left} tokens left`);
        }
      }
    }
  },
);

testOnRealData(
  "QUESTION_ANSWERING.make() names the least length of a real data set, at which its longest question fits",
  {
    reads: HOTPOTQA_FILE,
    fn(): void {
      const materials = withDocuments(openHotpotqa());
      const task = QUESTION_ANSWERING.make({ hops: 2 });
      const least = task.leastLength(materials);
      const tokens = Array.from(
        { length: 100 },
        (_, index) => task.sample({ length: least, seed: "a", index, materials }),
      );
      ok(tokens.every(({ promptTokens }) => promptTokens + 32 <= least));
      // The longest question with its two documents alone is within 16 tokens of it.
      const longest = Math.max(
        ...tokens.filter(({ facts }) => facts.length === 2).map(({ promptTokens }) => promptTokens + 32),
      );
      ok(least - longest <= 16, `${least}, ${longest}`);
    },
  },
);
