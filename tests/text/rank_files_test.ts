import { deepEqual, equal } from "node:assert/strict";
import { Tiktoken, type TiktokenBPE } from "js-tiktoken/lite";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import { encodingOf } from "@/lib/text/encodings.ts";
import { openCompiled } from "@/lib/text/model_tokenizer.ts";
import { compileRankFile } from "@/lib/text/model_tokenizer.ts";

/** The first tokens of cl100k_base, in base64. */
const TOKENS = cl100k.bpe_ranks.split(/\s+/).slice(2, 5002);
const PATTERN = cl100k.pat_str;
const SMALLER: TiktokenBPE = { "pat_str": PATTERN, "special_tokens": {}, "bpe_ranks": `! 0 ${TOKENS.join(" ")}` };

const TEKKEN = JSON.stringify({
  config: { pattern: PATTERN, "default_vocab_size": 5010, "default_num_special_tokens": 10 },
  // More than the model uses, in another order.
  vocab: [...TOKENS, "QUJDREVGRw=="].map((token, rank) => ({ rank, "token_bytes": token })).toReversed(),
  "special_tokens": [{ rank: 0, "token_str": "<s>" }],
});
const LINES = TOKENS.map((token, rank) => `${token} ${rank}`).join("\n");

const TEXTS = [
  "The grass is green. The sky is blue!",
  "One of the special magic numbers for calm-river is: 1234567.",
  "Ünïcödé, 漢字 and ‘quotes’ — they're here\r\n\n  indented\ttext  ",
  "ABCDEFG aaaaaaaaaaaaaaaa 😀😀",
];

Deno.test.each([["tekken.json", TEKKEN], ["tiktoken.model", `${LINES}\n`]])(
  "compileRankFile() counts as tiktoken does with the same ranks: %s",
  (name, text) => {
    const judge = new Tiktoken(SMALLER);
    const { count } = openCompiled(compileRankFile(text)!, name);
    deepEqual(TEXTS.map(count), TEXTS.map((each) => judge.encode(each, [], []).length));
  },
);

Deno.test("compileRankFile() leaves other files to others", () => {
  equal(compileRankFile('{"version":"1.0","model":{}}'), undefined);
  equal(compileRankFile('{"config":{}}'), undefined);
  equal(compileRankFile("\n\x0e\n\x05<unk>"), undefined);
});

Deno.test.each([
  ["gpt-oss-20b", "o200k_base"],
  ["openai/gpt-oss-120b", "o200k_base"],
  ["o200k_harmony", "o200k_base"],
  ["gpt-5-mini", "o200k_base"],
  ["gpt-4.1", "o200k_base"],
  ["o4-mini", "o200k_base"],
  ["ft:gpt-4o:me", "o200k_base"],
  ["gpt-4-0613", "cl100k_base"],
  ["gpt-4", "cl100k_base"],
  ["davinci", "r50k_base"],
  ["other", undefined],
])("encodingOf() knows %s as %s", (name, encoding) => equal(encodingOf(name), encoding));
