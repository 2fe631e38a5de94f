import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { PAPER_COUNTS } from "@/lib/benchmarks/repeated_words/copies.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";
import { answerRoomAt, type Task } from "@/lib/generators/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("the room decides how much of a length is text", () => {
  const promptOf = (room: number): number => {
    const { promptTokens, answerRoom } = REPEATED_WORDS.make({ room })
      .sample({ ...{ length: 6000, seed: "1", index: 0, materials } });
    equal(answerRoom, Math.ceil(room * promptTokens));
    return promptTokens;
  };
  deepEqual([1, 2, 4].map(promptOf), [3000, 2000, 1200]);
  equal(answerRoomAt(REPEATED_WORDS.make({ room: 1 }), 6000), 3000);
});

Deno.test("a number of words takes the length that it needs, in every encoding", async () => {
  for (const encoding of ENCODING_NAMES) {
    const materials = await openTestMaterials(encoding);
    for (const words of PAPER_COUNTS) {
      const task = REPEATED_WORDS.make({ words });
      const length = task.leastLength(materials);
      const { promptTokens, answerRoom, references } = task.sample({ length, seed: "1", index: 0, materials });
      equal(references[0]!.split(" ").length, words);
      ok(promptTokens + answerRoom <= length);
      equal(task.sample({ length: 2 * length, seed: "1", index: 0, materials }).promptTokens, promptTokens);
      throws(() => task.sample({ length: promptTokens, seed: "1", index: 0, materials }), /must be at least/);
    }
  }
});

function placesOf(task: Task, samples: number, length = 4096): number[] {
  return Array.from({ length: samples }, (_, index) => {
    const { references, facts } = task.sample({ length, seed: "7", index, materials });
    equal(facts.length, 1);
    return references[0]!.split(" ").indexOf("apples");
  });
}

Deno.test("places are the report's in a grid, each once, and then others", () => {
  const places = placesOf(REPEATED_WORDS.make({ words: 250, places: "grid" }), 200);
  deepEqual(places.slice(0, 126).toSorted((one, other) => one - other), [
    ...Array.from({ length: 125 }, (_, at) => 2 * at),
    249,
  ]);
  deepEqual(places.slice(0, 3), [126, 62, 190]);
  ok(new Set(places).size > 160);
});

Deno.test("places are spread evenly, or one by depth", () => {
  const places = placesOf(REPEATED_WORDS.make({ words: 1000 }), 20);
  equal(new Set(places.map((place) => Math.floor(place / 50))).size >= 16, true);
  deepEqual(new Set(placesOf(REPEATED_WORDS.make({ words: 1000, depth: 0 }), 5)), new Set([0]));
  deepEqual(new Set(placesOf(REPEATED_WORDS.make({ words: 1000, depth: 1 }), 5)), new Set([999]));
});

Deno.test("the way of scoring changes the id and no text", () => {
  const make = (
    score: "edits" | "exact",
  ): { readonly id: string; readonly sha256: string; readonly scorer: string } => {
    const task = REPEATED_WORDS.make({ score });
    return { ...task.sample({ length: 900, seed: "3", index: 5, materials }), scorer: task.scorer.name };
  };
  const [edits, exact] = [make("edits"), make("exact")];
  equal(edits.sha256, exact.sha256);
  notEqual(edits.id, exact.id);
  deepEqual([edits.scorer, exact.scorer], ["copy", "exact"]);
});
