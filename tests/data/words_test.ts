import { deepEqual, equal, ok } from "node:assert/strict";

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
