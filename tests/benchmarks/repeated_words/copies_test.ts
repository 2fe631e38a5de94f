import { deepEqual, equal, ok } from "node:assert/strict";
import {
  PAIR_NAMES,
  PAIRS,
  PAPER_COUNTS,
  paperPlaces,
  readCopy,
  writeCopy,
} from "@/lib/benchmarks/repeated_words/copies.ts";

Deno.test("paperPlaces() has the 1,090 prompts of the report for each pair", () => {
  deepEqual(paperPlaces(25), Array.from({ length: 25 }, (_, place) => place));
  deepEqual(paperPlaces(100).length, 100);
  deepEqual(paperPlaces(250).slice(-3), [246, 248, 249]);
  deepEqual(paperPlaces(750).slice(-2), [742, 749]);
  equal(PAPER_COUNTS.reduce((sum, words) => sum + paperPlaces(words).length, 0), 1090);
  for (let words = 3; words < 2_000; words++) {
    const places = paperPlaces(words);
    ok(places[0] === 0 && places.at(-1) === words - 1 && new Set(places).size === places.length);
  }
});

Deno.test("readCopy() reads every text that writeCopy() writes, and its end", () => {
  for (const pair of PAIR_NAMES) {
    for (const words of [3, 4, 7, 30]) {
      for (let place = 0; place < words; place++) {
        const text = writeCopy({ pair, words, place });
        equal(text.split(PAIRS[pair][0]).length > 2, true);
        for (const [before, after] of [["", ""], ["Copy: ", "\n<|assistant|>\n"], ["x ", "."]] as const) {
          const read = readCopy(before + text + after, before.length);
          deepEqual(read, { pair, words, place, end: before.length + text.length });
        }
      }
    }
  }
});

Deno.test("readCopy() leaves other texts alone", () => {
  const texts = ["", "apple apple apple", "apples", "apple apples", "apples applesauce apple", "pear pears pear pear"];
  for (const text of texts) equal(readCopy(text), null, text);
});
