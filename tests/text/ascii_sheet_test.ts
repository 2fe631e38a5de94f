import { equal } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { integer, stream, uuid } from "@/lib/random/mod.ts";
import { AsciiSheet, ENCODING_NAMES, hexCounter, openEncoding, pairCounter, type Tokenizer } from "@/lib/text/mod.ts";

/** The same tokenizer, without its rules for ASCII. */
function withoutRules({ ascii: _, ...tokenizer }: Tokenizer): Tokenizer {
  return tokenizer;
}

/** Groups of other sizes than a UUID has, and of four where it has none. */
const GROUPS = [
  "0000-00000",
  "123456789012-abcdefabcd",
  "abcd-1234-0a0a-ffff-a1b2",
  "7-ab-c-12d-4",
  "aaaaaaaaaa",
  "a",
  "1",
];

Deno.test.each([...ENCODING_NAMES])(
  "hexCounter() counts UUIDs and numbers as %s counts them in a text",
  async (name) => {
    const tokenizer = await openEncoding(name);
    const [countHex, countWhole] = [hexCounter(tokenizer), hexCounter(withoutRules(tokenizer))].map((count) => {
      return (word: string) => count(new TextEncoder().encode(`x${word}x`), 1, 1 + word.length);
    });
    const draw = stream("hex", name);
    for (let drawn = 0; drawn < 500; drawn++) {
      const number = String(integer(draw, { low: 0, high: 10 ** (1 + drawn % 12) }));
      for (const word of [uuid(draw), number, ...GROUPS]) {
        equal(
          countHex!(word),
          tokenizer.count(`is ${word}.\nOne`) - tokenizer.count("is") - tokenizer.count(".\nOne"),
          word,
        );
        equal(countWhole!(word), countHex!(word), word);
      }
    }
  },
);

Deno.test.each([...ENCODING_NAMES])("pairCounter() counts pairs of words as %s counts them in a text", async (name) => {
  const tokenizer = await openEncoding(name);
  const { words: { adjectives, nouns } } = await openTestMaterials("cl100k_base");
  const countPair = pairCounter(adjectives, nouns, tokenizer);
  const countWhole = pairCounter(adjectives, nouns, withoutRules(tokenizer));
  const draw = stream("pairs", name);
  for (let drawn = 0; drawn < 500; drawn++) {
    const pair = integer(draw, { low: 0, high: adjectives.length * nouns.length - 1 });
    const text = `${adjectives[Math.floor(pair / nouns.length)]}-${nouns[pair % nouns.length]}`;
    equal(countPair(pair), tokenizer.count(`is ${text}.`) - tokenizer.count("is") - tokenizer.count("."), text);
    equal(countWhole(pair), countPair(pair), text);
  }
});

Deno.test("AsciiSheet reads what was written, however long it becomes", () => {
  const sheet = new AsciiSheet(1);
  for (let written = 0; written < 1000; written++) {
    if (written % 2 === 0) sheet.write("a line\n");
    else sheet.copy(new TextEncoder().encode("not a line\n"), 4);
    sheet.bytes[sheet.extend(1)] = 0x7e;
  }
  equal(sheet.read(), "a line\n~".repeat(1000));
  equal(sheet.read(8, 14), "a line");
  equal(sheet.end, 8000);
});
