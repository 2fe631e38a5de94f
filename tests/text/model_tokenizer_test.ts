import { equal, throws } from "node:assert/strict";
import type { TiktokenBPE } from "js-tiktoken/lite";
import {
  countTokens,
  join,
  makeHaystack,
  measure,
  openEncoding,
  openTokenizerJson,
  type Tokenizer,
} from "@/lib/text/mod.ts";

/** GPT-2's printable stand-ins for bytes, as a `tokenizer.json` writes them. */
function byteLetters(): string[] {
  let spare = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCharCode(printable ? byte : spare++);
  });
}

/** Writes r50k_base (GPT-2) as a `tokenizer.json`: the same merges in another notation. */
async function gpt2TokenizerJson(): Promise<string> {
  const packed: { default: TiktokenBPE } = await import("js-tiktoken/ranks/r50k_base");
  const letters = byteLetters();
  const ranks = new Map<string, number>();
  for (const line of packed.default.bpe_ranks.split("\n")) {
    const [, first, ...tokens] = line.split(" ");
    tokens.forEach((token, index) =>
      ranks.set([...atob(token)].map((byte) => letters[byte.charCodeAt(0)]).join(""), Number(first) + index)
    );
  }
  const merges = [...ranks].filter(([token]) => token.length > 1).map(([token, rank]) => split(token, rank, ranks));
  return JSON.stringify({
    version: "1.0",
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", unk_token: null, vocab: Object.fromEntries(ranks), merges },
  });
}

/** Opened once, which takes a second. */
function openGpt2(): Promise<Tokenizer> {
  return gpt2 ??= gpt2TokenizerJson().then((json) => openTokenizerJson(json, "gpt2"));
}

let gpt2: Promise<Tokenizer> | undefined;

/** The two tokens whose merge makes a token: what byte-pair encoding makes of it with the ranks below its own. */
function split(token: string, rank: number, ranks: ReadonlyMap<string, number>): string {
  let parts = [...token];
  while (parts.length > 2) {
    let [best, at] = [Infinity, -1];
    for (let index = 0; index + 1 < parts.length; index++) {
      const pair = ranks.get(parts[index]! + parts[index + 1]!) ?? Infinity;
      if (pair < best && pair < rank) [best, at] = [pair, index];
    }
    parts = [...parts.slice(0, at), parts[at]! + parts[at + 1]!, ...parts.slice(at + 2)];
  }
  return parts.join(" ");
}

/** A small SentencePiece-like tokenizer, as Llama 2 has it: a mark before the text, spaces as marks, no pre-tokenizer. */
function sentencePieceJson(extraTokens: readonly string[]): string {
  const letters = [..."▁abcdefghijklmnopqrstuvwxyzTHW.,!?\n天河流很长下雪了。，"];
  const merges = ["▁ t", "h e", "▁t he", "▁ w", "o r", "l d", "▁w or", "▁wor ld", "▁ T", "▁T he", "河 流"];
  const merged = merges.map((merge) => merge.replace(" ", ""));
  const vocab = Object.fromEntries(
    ["<unk>", ...letters, ...merged, ...extraTokens].map((token, index) => [token, index]),
  );
  return JSON.stringify({
    version: "1.0",
    added_tokens: [],
    normalizer: {
      type: "Sequence",
      normalizers: [{ type: "Prepend", prepend: "▁" }, { type: "Replace", pattern: { String: " " }, content: "▁" }],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    model: { type: "BPE", unk_token: "<unk>", fuse_unk: true, byte_fallback: false, vocab, merges },
  });
}

Deno.test("openTokenizerJson() counts GPT-2's tokenizer.json as r50k_base counts", async () => {
  const [tokenizer, reference] = [await openGpt2(), await openEncoding("r50k_base")];
  for (
    const text of [
      "The grass is green.",
      " One of the special magic numbers for red-hawk is: 1152086.\n",
      "河流很长。",
      "don't  stop\n\n",
    ]
  ) {
    equal(tokenizer.count(text), reference.count(text), text);
    const joined = join([text, " and more words.", text].map((part) => measure(part, tokenizer)), tokenizer);
    equal(countTokens(joined, tokenizer), reference.count(`${text} and more words.${text}`));
  }
});

Deno.test("openTokenizerJson() adds up for a tokenizer that marks the start of a text", () => {
  const tokenizer = openTokenizerJson(sentencePieceJson([]), "small");
  const haystack = makeHaystack(["The world is the world. The end, the world."], { name: "world", tokenizer });
  for (let count = 1; count < 7; count++) {
    const run = haystack.run(1, count);
    equal(countTokens(run, tokenizer), tokenizer.count(run.text), run.text);
  }
  const parts = ["The world", " is", " the world.\n", "The end."].map((text) => measure(text, tokenizer));
  equal(countTokens(join(parts, tokenizer), tokenizer), tokenizer.count("The world is the world.\nThe end."));
});

Deno.test("openTokenizerJson() does not cut where a token of the vocabulary reaches over", () => {
  equal(openTokenizerJson(sentencePieceJson([]), "small").isCut("the world", 3), true);
  equal(openTokenizerJson(sentencePieceJson(["he▁w"]), "wide").isCut("the world", 3), false);
  equal(openTokenizerJson(sentencePieceJson([]), "small").isCut("很长。", 2), true);
  equal(openTokenizerJson(sentencePieceJson(["长。"]), "wide").isCut("很长。", 2), false);
});

Deno.test("openTokenizerJson() cuts GPT-2's texts between words, though its vocabulary has hard spaces beside plain ones", async () => {
  const [tokenizer, reference] = [await openGpt2(), await openEncoding("r50k_base")];
  const text = '{"703e957f-35ab": "4466-b557", "8b00f166cdcf": "…" \u00a0 \u00a0 end}';
  equal(tokenizer.isCut(text, text.indexOf(' "8b')), true);
  equal(tokenizer.isCut(text, text.indexOf(" \u00a0 end")), false);
  for (let at = 1; at < text.length; at++) {
    if (!tokenizer.isCut(text, at)) continue;
    equal(tokenizer.count(text.slice(0, at)) + tokenizer.countAfterCut(text.slice(at)), reference.count(text), `${at}`);
  }
});

Deno.test("openTokenizerJson() refuses text that is not JSON, and JSON that is not a tokenizer", () => {
  throws(() => openTokenizerJson("no", "mine"), {
    name: "SyntaxError",
    message:
      'Cannot open tokenizer "mine" as the file must contain JSON: instead of SentencePiece\'s tokenizer.model, give the tokenizer.json or .gguf file of the same model, or "server"',
  });
  throws(() => openTokenizerJson("[]", "mine"), {
    name: "SyntaxError",
    message: 'Cannot open tokenizer "mine" as the file must be a tokenizer.json with model.vocab in it',
  });
});

Deno.test("openTokenizerJson() refuses a tokenizer.json with a part missing, and names it", () => {
  throws(() => openTokenizerJson('{"model": {"vocab": {"a": 0}}}', "half"), {
    name: "SyntaxError",
    message: /^Cannot open tokenizer "half" as the file must be a whole tokenizer\.json: ./,
  });
});

const EXPONENTIAL = { Regex: "(?:a+)+b" };

Deno.test.each([
  ["of words", { "pre_tokenizer": { type: "Split", pattern: EXPONENTIAL, behavior: "Isolated", invert: false } }],
  ["of what it changes", { normalizer: { type: "Replace", pattern: EXPONENTIAL, content: "" } }],
] as [string, object][])(
  "openTokenizerJson() gives up on a pattern %s that never ends, and counts as before",
  (_of, rules) => {
    const file = {
      ...{ version: "1.0", "added_tokens": [], normalizer: null, "pre_tokenizer": null, "post_processor": null },
      ...{ decoder: null, ...rules },
      model: { type: "BPE", "unk_token": null, vocab: { a: 0, c: 1 }, merges: [] },
    };
    const tokenizer = openTokenizerJson(JSON.stringify(file), "theirs");
    equal(tokenizer.count("cac"), 3);
    throws(() => tokenizer.count("a".repeat(60)), {
      name: "SyntaxError",
      message:
        'Cannot use tokenizer "theirs" as its patterns take more than 2060 ms on one text: give another tokenizer.json, an encoding or "server"',
    });
    equal(tokenizer.count("cac"), 3);
  },
);
