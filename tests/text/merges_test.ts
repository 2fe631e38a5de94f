import { Tokenizer as Library } from "@huggingface/tokenizers";
import fc from "fast-check";
import { deepEqual, equal } from "node:assert/strict";
import { cases } from "../_cases.ts";
import {
  compileTokenizerJson,
  openCompiled,
  openTokenizerJson,
  packTokenizer,
  unpackTokenizer,
} from "@/lib/text/mod.ts";

/** A `tokenizer.json` without anything around its merges. */
function mergesJson(merges: readonly (readonly [string, string])[], model: object = {}): string {
  const vocab = [..."abcd", ...merges.map(([left, right]) => left + right), "<unk>"];
  return JSON.stringify({
    ...{ added_tokens: [], normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null },
    model: {
      ...{ type: "BPE", unk_token: "<unk>", fuse_unk: false, byte_fallback: false, merges },
      vocab: Object.fromEntries([...new Set(vocab)].map((token, id) => [token, id])),
      ...model,
    },
  });
}

/** Merges of which each can use what the earlier ones made. */
const merges = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12 }).map((picks) => {
  const tokens: string[] = [..."abcd"];
  return picks.map(([one, other]): readonly [string, string] => {
    const pair = [tokens[one % tokens.length]!, tokens[other % tokens.length]!] as const;
    tokens.push(pair.join(""));
    return pair;
  });
});

Deno.test("openTokenizerJson() counts as the library does, whatever the merges and the text", () => {
  const texts = fc.string({ unit: fc.constantFrom(..."abcd😀天"), maxLength: 40 });
  fc.assert(
    fc.property(merges, texts, (merges, text) => {
      const json = mergesJson(merges);
      const library = new Library(JSON.parse(json), {});
      equal(openTokenizerJson(json, "any").count(text), text === "" ? 0 : library.tokenize(text).length);
    }),
    { numRuns: cases(150, 500) },
  );
});

Deno.test.each([
  ["an unknown character is a token", {}, "a天天b", 4],
  ["unknown characters in a row are one token", { fuse_unk: true }, "a天天b天", 4],
  ["without an unknown token there is none", { unk_token: null }, "a天天b", 2],
  ["merges are in order, not from the left", {}, "abc", 2],
] as [string, object, string, number][])("openTokenizerJson(): %s", (_name, model, text, tokens) => {
  equal(openTokenizerJson(mergesJson([["b", "c"], ["a", "b"]], model), "any").count(text), tokens);
});

Deno.test("openTokenizerJson() takes a word that is a token whole where the file ignores merges then", () => {
  const vocab = { vocab: { a: 0, b: 1, abab: 2 } };
  equal(openTokenizerJson(mergesJson([], vocab), "any").count("abab"), 4);
  equal(openTokenizerJson(mergesJson([], { ...vocab, ignore_merges: true }), "any").count("abab"), 1);
});

Deno.test("unpackTokenizer() gives back what was packed, and nothing where a byte of it changed", () => {
  fc.assert(fc.property(merges, fc.nat(), (merges, place) => {
    const compiled = compileTokenizerJson(mergesJson(merges), "any")!;
    const packed = packTokenizer(compiled);
    deepEqual(unpackTokenizer(packed), compiled);
    equal(openCompiled(unpackTokenizer(packed)!, "any").count("abcd"), openCompiled(compiled, "any").count("abcd"));
    const changed = Uint8Array.from(packed);
    changed[place % packed.length]! ^= 1;
    equal(unpackTokenizer(changed), undefined);
    equal(unpackTokenizer(packed.subarray(0, place % packed.length)), undefined);
  }));
});
