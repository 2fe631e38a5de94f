import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { PAIRS, PAPER_COUNTS } from "@/lib/benchmarks/repeated_words/copies.ts";
import { REPEATED_WORDS } from "@/lib/benchmarks/repeated_words/repeated_words.ts";
import { answerRoomAt, type Task, userText } from "@/lib/generators/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");

/** The tokens that one more word takes, with the room for its copy. */
function unitOf(task: Task): number {
  const [common] = PAIRS[task.options["pair"] as keyof typeof PAIRS];
  return (1 + Number(task.options["room"])) * materials.tokenizer.count(` ${common}`);
}

Deno.test("prompt and answer room fill the length, and the room is twice the prompt", () => {
  for (const name of REPEATED_WORDS.tasks) {
    const task = REPEATED_WORDS.task(name);
    for (const length of [task.leastLength(materials), 257, 1000, 4096, 32_768]) {
      const sample = task.sample({ length, seed: "1", index: 2, materials });
      const { promptTokens, answerRoom, prompt, references } = sample;
      equal(materials.tokenizer.count(userText(prompt)), promptTokens);
      equal(answerRoom, 2 * promptTokens);
      equal(userText(prompt).endsWith(` ${references[0]!}`), true);
      const left = length - promptTokens - answerRoom;
      ok(left >= 0 && (left < unitOf(task) + 1 || length < 257), `${name} at ${length} leaves ${left}`);
      ok(answerRoom <= answerRoomAt(task, length));
      ok(materials.tokenizer.count(references[0]!) < promptTokens);
    }
  }
});

Deno.test("the room decides how much of a length is text", () => {
  const promptOf = (room: number): number => {
    const { promptTokens, answerRoom } = REPEATED_WORDS.make({ room }).sample({
      ...{ length: 6000, seed: "1", index: 0, materials },
    });
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

Deno.test("knobs outside their range are refused", () => {
  throws(() => REPEATED_WORDS.make({ words: 2 }), {
    name: "RangeError",
    message: "Cannot make task repeated_words as words must be a whole number from 3 to 1000000: current value is 2",
  });
  throws(() => REPEATED_WORDS.make({ room: 0.5 }), /room must be in \[1, 4\]/);
  throws(() => REPEATED_WORDS.make({ pair: "pear_pears" as "apple_apples" }), /pair must be one of apple_apples, /);
  throws(
    () => REPEATED_WORDS.make().sample({ length: 40, seed: "1", index: 0, materials }),
    /length must be at least 56/,
  );
});
