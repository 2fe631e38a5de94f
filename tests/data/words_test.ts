import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { shortHash } from "@/lib/base/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { ENCODING_NAMES, openEncoding } from "@/lib/text/mod.ts";

async function readWords(name: string): Promise<string[]> {
  return (await Deno.readTextFile(new URL(`../../data/words/${name}.txt`, import.meta.url))).trimEnd().split("\n");
}

for (const [name, count] of [["adjectives", 836], ["nouns", 908], ["vocabulary", 152_306]] as const) {
  Deno.test(`${name}.txt holds ${count} lower-case words, sorted, none twice`, async () => {
    const words = await readWords(name);
    equal(words.length, count);
    equal(words.every((word) => /^[a-z]+$/.test(word)), true);
    deepEqual(words, [...new Set(words)].sort());
  });
}

Deno.test("no adjective ends in another and no noun begins with another, so no key holds another key", async () => {
  const [adjectives, nouns] = [await readWords("adjectives"), await readWords("nouns")];
  ok(adjectives.every((word) => !adjectives.some((other) => other !== word && word.endsWith(other))));
  ok(nouns.every((word) => !nouns.some((other) => other !== word && word.startsWith(other))));
});

// The tokens of the vocabulary's words come with the project. After a change of the words:
// deno test -A tests/data/words_test.ts -- --update

const TOKENS = new URL("../../data/words/tokens/", import.meta.url);

if (Deno.args.includes("--update")) {
  const vocabulary = await readWords("vocabulary");
  const hash = shortHash([vocabulary.join("\n")]);
  await Deno.remove(TOKENS, { recursive: true }).catch(() => {});
  await Deno.mkdir(TOKENS);
  for (const { name, countAfterCut } of await Promise.all(ENCODING_NAMES.map(openEncoding))) {
    const tokens = Uint8Array.from(vocabulary, (word) => countAfterCut(` ${word}`));
    await Deno.writeFile(new URL(`${name}-${hash}.bin`, TOKENS), tokens);
  }
}

Deno.test("the tokens of the vocabulary's words are those that each encoding counts", async () => {
  for (const name of ENCODING_NAMES) {
    const { tokenizer, words: { vocabulary, vocabularyTokens } } = await openMaterials({ tokenizer: name });
    equal(vocabularyTokens!.length, vocabulary.length);
    const step = Math.floor(vocabulary.length / cases(300, vocabulary.length));
    for (let word = 0; word < vocabulary.length; word += step) {
      equal(vocabularyTokens![word], tokenizer.countAfterCut(` ${vocabulary[word]}`), vocabulary[word]!);
    }
  }
});
