import { equal, match, notEqual, ok, throws } from "node:assert/strict";
import { type GgufValue, writeGguf } from "./_gguf.ts";
import { openCompiled, readGgufHeader, type Tokenizer } from "@/lib/text/mod.ts";

const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
const PIECES = ["▁", "t", "h", "e", "w", "▁t", "he", "▁the", "the", "▁w", "\n"];
const SPM_TOKENS = ["<unk>", "<s>", "<user>", ...BYTES, ...PIECES];

/** A SentencePiece tokenizer as llama.cpp's converter writes it: the earlier a piece, the higher its score. */
const SPM: Readonly<Record<string, GgufValue>> = {
  "general.architecture": "tiny",
  "tokenizer.ggml.model": "llama",
  "tokenizer.ggml.pre": "default",
  "tokenizer.ggml.tokens": SPM_TOKENS,
  "tokenizer.ggml.scores": Float32Array.from(SPM_TOKENS, (_, place) => -place),
  "tokenizer.ggml.token_type": Int32Array.from(SPM_TOKENS, (_, place) => place < 2 ? 2 + place : place === 2 ? 4 : 1),
  "tokenizer.ggml.add_space_prefix": false,
};

const BPE_TOKENS = [..."thew", "Ġ", "th", "the", "Ġthe", "<|end|>", "1", "2"];

/** A byte-pair tokenizer as llama.cpp's converter writes it. */
const BPE: Readonly<Record<string, GgufValue>> = {
  "general.architecture": "tiny",
  "tokenizer.ggml.model": "gpt2",
  "tokenizer.ggml.pre": "smollm",
  "tokenizer.ggml.tokens": BPE_TOKENS,
  "tokenizer.ggml.token_type": Int32Array.from(BPE_TOKENS, (token) => token === "<|end|>" ? 3 : 1),
  "tokenizer.ggml.merges": ["t h", "th e", "Ġ the"],
};

function open(values: Readonly<Record<string, GgufValue>>): Tokenizer {
  return openCompiled(readGgufHeader(writeGguf(values), "tiny.gguf")!.compile(), "tiny");
}

Deno.test.each([
  ["the best score first: ▁t before he and the", "the", 1],
  ["▁the is ▁t + he", " the", 1],
  ["spaces are marks, as the file wants no mark before a text", "the the", 2],
  ["what has no token is its bytes", "天", 3],
  ["the user's own tokens are found first", "the<user>the", 3],
  ["control tokens count as one", "<s>the", 2],
  ["nothing", "", 0],
] as [string, string, number][])("readGgufHeader() counts SentencePiece: %s", (_name, text, tokens) => {
  equal(open(SPM).count(text), tokens);
});

Deno.test("readGgufHeader() puts a mark before a text, as llama.cpp does where the file does not say", () => {
  const { "tokenizer.ggml.add_space_prefix": _left, ...unsaid } = SPM;
  equal(open(SPM).count("w"), 1);
  equal(open(unsaid).count("w"), 1);
  // ▁w + the, and not w + the
  equal(open(unsaid).count("the"), 1);
  equal(open({ ...unsaid, "tokenizer.ggml.add_space_prefix": true }).count("天"), 4);
});

Deno.test.each([
  ["merges in their order", "the", 1],
  ["words are split first", "the the", 2],
  ["smollm splits digits", "121", 3],
  ["control tokens count as one", "the<|end|>the", 3],
] as [string, string, number][])("readGgufHeader() counts byte pairs: %s", (_name, text, tokens) => {
  equal(open(BPE).count(text), tokens);
});

Deno.test("readGgufHeader() waits for more bytes where the header is cut anywhere, and needs none behind it", () => {
  const whole = writeGguf(SPM);
  for (const length of [4, 20, 100, whole.length - 1]) {
    equal(readGgufHeader(whole.subarray(0, length), "cut"), undefined);
  }
  ok(readGgufHeader(whole, "whole"));
});

Deno.test("readGgufHeader() hashes what decides the tokens, and nothing that a quantisation changes", () => {
  const hashOf = (values: Readonly<Record<string, GgufValue>>): string =>
    readGgufHeader(writeGguf(values), "tiny.gguf")!.sha256;
  match(hashOf(SPM), /^[0-9a-f]{64}$/);
  equal(hashOf({ ...SPM, "general.file_type": 7, "general.name": "another" }), hashOf(SPM));
  notEqual(hashOf({ ...SPM, "tokenizer.ggml.add_space_prefix": true }), hashOf(SPM));
});

Deno.test("readGgufHeader() refuses other files, and tokenizers that it cannot count as", () => {
  throws(() => readGgufHeader(new TextEncoder().encode("ABCD and more"), "x.gguf"), {
    name: "SyntaxError",
    message: 'Cannot open tokenizer "x.gguf" as the file must begin with GGUF: current value is "ABCD"',
  });
  throws(() => open({ ...SPM, "tokenizer.ggml.model": "bert" }), {
    name: "SyntaxError",
    message:
      'Cannot open tokenizer "tiny.gguf" as the kind of its tokenizer must be gpt2 or llama (give the model\'s tokenizer.json instead): current value is "bert"',
  });
  throws(() => open({ ...BPE, "tokenizer.ggml.pre": "new-kind" }), {
    name: "SyntaxError",
    message: /must be one of llama-bpe, .*smollm.*: current value is "new-kind"$/,
  });
});
