import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { PAIR_NAMES, paperPlaces, readCopy, writeCopy } from "@/lib/benchmarks/repeated_words/copies.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";
import { answerRoomAt, type Sample } from "@/lib/generators/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");

/** The numbers of words of the report. */
const COUNTS = [25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];

type Given = Parameters<typeof REPEATED_WORDS.make>[0];

function samplesOf(given: Given, count: number, length = 4096): readonly Sample[] {
  const task = REPEATED_WORDS.make(given);
  return Array.from({ length: count }, (_, index) => task.sample({ length, seed: "7", index, materials }));
}

Deno.test("paperPlaces() has the 1,090 prompts of the report for each pair", () => {
  deepEqual(paperPlaces(25), Array.from({ length: 25 }, (_, place) => place));
  deepEqual(paperPlaces(250).slice(-3), [246, 248, 249]);
  deepEqual(paperPlaces(750).slice(-2), [742, 749]);
  equal(COUNTS.reduce((sum, words) => sum + paperPlaces(words).length, 0), 1090);
  for (let words = 3; words < 2_000; words++) {
    const places = paperPlaces(words);
    ok(places[0] === 0 && places.at(-1) === words - 1 && new Set(places).size === places.length);
  }
});

Deno.test("readCopy() reads every text that writeCopy() writes, and no other", () => {
  for (const pair of PAIR_NAMES) {
    for (const words of [3, 4, 7, 30]) {
      for (let place = 0; place < words; place++) {
        const text = writeCopy({ pair, words, place });
        deepEqual(readCopy(text), { pair, words, place });
        for (const other of [` ${text}`, `${text}.`, `Copy: ${text}`]) equal(readCopy(other), null, other);
      }
    }
  }
  const texts = ["", "apple apple apple", "apples", "apple apples", "apples applesauce apple", "pear pears pear pear"];
  for (const text of texts) equal(readCopy(text), null, text);
});

Deno.test("the room decides how much of a length is text", () => {
  const promptOf = (room: number): number => {
    const [{ promptTokens, answerRoom }] = samplesOf({ room }, 1, 6000) as [Sample];
    equal(answerRoom, Math.ceil(room * promptTokens));
    return promptTokens;
  };
  deepEqual([1, 2, 4].map(promptOf), [3000, 2000, 1200]);
  equal(answerRoomAt(REPEATED_WORDS.make({ room: 1 }), 6000), 3000);
});

Deno.test("a number of words takes the length that it needs, in every encoding", async () => {
  for (const encoding of ENCODING_NAMES) {
    const materials = await openTestMaterials(encoding);
    for (const words of COUNTS) {
      const task = REPEATED_WORDS.make({ words });
      const make = (length: number): Sample => task.sample({ length, seed: "1", index: 0, materials });
      const least = task.leastLength(materials);
      const { promptTokens, answerRoom, references } = make(least);
      equal(references[0]!.split(" ").length, words);
      ok(promptTokens + answerRoom <= least);
      equal(make(2 * least).promptTokens, promptTokens);
      throws(() => make(promptTokens), /must be at least/);
    }
  }
});

Deno.test("places are the report's in a grid, each once, and then others; or spread evenly, or one by depth", () => {
  const placesOf = (given: Given, count: number): readonly number[] =>
    samplesOf(given, count).map(({ references }) => references[0]!.split(" ").indexOf("apples"));
  const grid = placesOf({ words: 250, places: "grid" }, 200);
  deepEqual(grid.slice(0, 126).toSorted((one, other) => one - other), paperPlaces(250));
  deepEqual(grid.slice(0, 3), [126, 62, 190]);
  ok(new Set(grid).size > 160);
  ok(new Set(placesOf({ words: 1000 }, 20).map((place) => Math.floor(place / 50))).size >= 16);
  for (const depth of [0, 1]) deepEqual(new Set(placesOf({ words: 1000, depth }, 5)), new Set([999 * depth]));
});

Deno.test("the way of scoring changes the id and no text", () => {
  const [[edits], [exact]] = [samplesOf({ score: "edits" }, 1), samplesOf({ score: "exact" }, 1)];
  equal(edits!.sha256, exact!.sha256);
  notEqual(edits!.id, exact!.id);
});
