import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { type NameKind, openNames } from "@/lib/generators/world/world_names.ts";

const NAMES = openNames("world");
const KINDS: readonly NameKind[] = ["person", "town", "firm", "river", "book", "product", "festival"];

/** Names of a kind: 80 beginnings, 72 middles and 8 endings. A world has 63,000 entities, at most 7 of 15 of one kind. */
const NAME_COUNT = 80 * 72 * 8;

const NAMED = cases(12_000, NAME_COUNT);

Deno.test("names of the world are all different", () => {
  const words = new Set<string>();
  for (const kind of KINDS) {
    for (let number = 0; number < NAMED; number++) words.add(NAMES.name(kind, number).word);
  }
  equal(words.size, KINDS.length * NAMED);
  ok(NAME_COUNT >= 63_000 * 7 / 15);
});

Deno.test("names of the world lie within no other name, and are no English words", () => {
  const words = new Set<string>();
  for (const kind of KINDS) {
    for (let number = 0; number < cases(2000, 5000); number++) words.add(NAMES.name(kind, number).word.toLowerCase());
  }
  for (const word of words) {
    for (let start = 0; start < word.length; start++) {
      for (let end = start + 7; end <= word.length; end++) {
        const piece = word.slice(start, end);
        ok(piece === word || !words.has(piece), `${piece} lies in ${word}`);
      }
    }
  }
  const english = Deno.readTextFileSync(new URL("../../../data/words/vocabulary.txt", import.meta.url)).split("\n");
  deepEqual(english.filter((word) => words.has(word)), []);
});
