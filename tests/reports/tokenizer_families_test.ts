import { deepEqual, equal, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import type { TiktokenBPE } from "js-tiktoken/lite";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { countTexts } from "@/lib/reports/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";
import { userText } from "@/lib/generators/mod.ts";

Deno.test("countTexts() counts a UUID pair as the paper does for GPT-4o: about 50 tokens, 1.6 characters each", async () => {
  const costs = await Promise.all(
    ENCODING_NAMES.map(async (tokenizer) => countTexts(await openMaterials({ tokenizer }))[0]!),
  );
  deepEqual(costs.map(({ characters }) => characters), [80_000, 80_000, 80_000, 80_000]);
  const [o200k, cl100k] = costs;
  // "about 50", section on tokenisation; 49.1 by the protocol's own count of other haystacks.
  ok(Math.abs(o200k!.tokensPerUnit - 49.5) < 0.7, `${o200k!.tokensPerUnit}`);
  ok(Math.abs(cl100k!.tokensPerUnit - 49.5) < 0.7);
  equal(o200k!.charactersPerToken, 80_000 / o200k!.tokens);
});

Deno.test.each([["gpt2", "r50k_base"], ["p50k_edit", "p50k_base"]] as [string, string][])(
  "ENCODING_NAMES are all of js-tiktoken's, as %s counts what %s counts",
  async (other, known) => {
    const ranks = async (name: string): Promise<TiktokenBPE> => (await import(`js-tiktoken/ranks/${name}`)).default;
    const [left, right] = [await ranks(other), await ranks(known)];
    equal(left.pat_str, right.pat_str);
    ok(left.bpe_ranks === right.bpe_ranks);
    ok((ENCODING_NAMES as readonly string[]).includes(known));
  },
);

/** A tokenizer with a token for each printable ASCII character and no other. */
const LETTERS = JSON.stringify({
  version: "1.0",
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
  model: {
    type: "BPE",
    unk_token: "?",
    vocab: Object.fromEntries(
      Array.from({ length: 96 }, (_, at) => [at === 95 ? "\n" : String.fromCharCode(32 + at), at]),
    ),
    merges: [],
  },
});

Deno.test("countTexts() takes any tokenizer.json, and prompts are filled to its tokens", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/tokenizer.json`, LETTERS);
    const materials = await openMaterials({ tokenizer: folder });
    const task = THREADING.make({ kind: "multi_needle", needles: 3 });
    const { prompt, promptTokens } = task.sample({ length: 9000, seed: "json", index: 0, materials });
    equal(promptTokens, userText(prompt).length);
    ok(promptTokens + task.answerRoom <= 9000 && promptTokens + task.answerRoom > 9000 - 80);
    const [pairs] = countTexts(materials);
    deepEqual([pairs!.tokensPerUnit, pairs!.charactersPerToken], [80, 1]);
  });
});
