import { type Knob, promptFields } from "@/lib/generators/mod.ts";
import { BENCHMARKS, chosenTasks, findFamily, listFamilies, namedTasks } from "@/lib/benchmarks/mod.ts";
import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { openTestMaterials } from "../generators/_materials.ts";

Deno.test("findFamily() knows every task and family, and nothing else", () => {
  const families = listFamilies().map(({ name }) => name);
  const tasks = listFamilies().flatMap(({ tasks }) => tasks);
  for (const task of [...tasks, ...families]) ok(families.includes(findFamily(task)!.name), task);
  for (const task of ["", "all", "niah_", "counting", "counting_stars_fr"]) equal(findFamily(task), undefined);
});

Deno.test("namedTasks() gives the tasks of all and of a benchmark, and any other name itself", () => {
  deepEqual(namedTasks("all"), BENCHMARKS[0]!.tasks);
  deepEqual(namedTasks("needle_threading"), BENCHMARKS.find(({ name }) => name === "needle_threading")!.tasks);
  for (const name of ["vt", "niah", "nothing"]) deepEqual(namedTasks(name), [name]);
  deepEqual(namedTasks("cdme"), ["cdme_zh", "cdme_multi_zh"], "not the family of that name");
});

Deno.test("chosenTasks() asks tasks that a knob makes alike once, under the name that fits, and a family by a name of its own", () => {
  const names = (knobs: Readonly<Record<string, string | number>>, task = "counting_stars"): readonly string[] =>
    chosenTasks({ task, knobs }).map((choice) => choice.task);
  deepEqual(names({ language: "en" }), ["search", "shuffled", "reasoning"].map((kind) => `counting_stars_${kind}_en`));
  equal(names({ stars: 4 }).length, 6);
  deepEqual(names({ needle: "雪是白的。", question: "雪是白的吗？雪是______。", guide: "off" }, "cdme"), ["cdme_zh"]);
  deepEqual(chosenTasks({ task: "cdme", name: "snow" }), [{ task: "cdme", name: "snow" }]);
  deepEqual(chosenTasks({ task: "niah", knobs: { keys: 8 } }), [{ task: "niah", knobs: { keys: 8 } }]);
});

/** The numeric knobs, with the range that `fathom tasks` prints. */
function printedRanges(): readonly { readonly name: string; readonly knob: Knob; readonly range: string }[] {
  return listFamilies().flatMap((family) =>
    Object.entries(family.knobs)
      .filter(([, { wanted }]) => /^(?:a whole number from|in \[|above) ?/.test(wanted))
      .map(([key, knob]) => ({ name: `${family.name}.${key}`, knob, range: knob.wanted }))
  );
}

Deno.test("each knob takes both ends of its printed range, its default, and nothing beyond", () => {
  const ranges = printedRanges();
  ok(ranges.length >= 30);
  for (const { name, knob, range } of ranges) {
    const [low, high] = range.match(/\d[\d.]*/g)!.map(Number) as [number, number];
    const isAbove = range.startsWith("above");
    const step = range.startsWith("a whole") ? 1 : 1e-6;
    deepEqual(
      [low - step, low, low + step, high - step, high, high + step].map((value) => knob.read(value) === value),
      [false, !isAbove, true, true, true, false],
      `${name}: ${range}`,
    );
    if (knob.byDefault !== undefined) equal(knob.read(knob.byDefault), knob.byDefault, name);
  }
});

/** Settings of families other than those of named tasks, each with the start of a hash of three samples; it never changes. */
const SET_KNOBS: readonly (readonly [string, Readonly<Record<string, string | number>>, string])[] = [
  ["niah", { "keys": 4, "values": 2, "queries": 3 }, "eb2c2dec8a1ed6c9"],
  ["niah", { "keys": 3, "depth": 0.3, "haystack": "noise", "keyType": "uuids" }, "51ca8b22059de3cb"],
  ["niah", { "haystack": "needle", "values": 3, "valueType": "words" }, "e1ae403f9c799637"],
  [
    "niah",
    { "variant": "2024", "keys": 2, "queries": 2, "haystack": "needle", "valueType": "uuids" },
    "0d3868d1334094bb",
  ],
  ["niah", { "variant": "paper", "keys": 5, "values": 2 }, "8a1c905e1f901778"],
  ["vt", { "chains": 3, "hops": 2 }, "d712763ca8f4655b"],
  ["vt", { "hops": 7, "examples": 0, "haystack": "essay" }, "3590cc186050ee33"],
  ["vt", { "variant": "2024", "chains": 2, "hops": 1 }, "99d086bdb3fdfc5c"],
  ["cwe", { "common": 4, "asked": 2, "commonFrequency": 9, "uncommonFrequency": 2, "examples": 2 }, "55a2aa13ac9a9f7d"],
  ["cwe", { "common": 20, "examples": 0 }, "633438cf316393ad"],
  ["cwe", { "variant": "paper", "common": 3 }, "552fe5ca603ac48d"],
  ["fwe", { "alpha": 3.5, "vocabulary": 40, "wordLength": 4, "asked": 5 }, "edc4141d83fb662a"],
  ["fwe", { "alpha": 1.2, "wordLength": 9, "asked": 2 }, "327ebbf6a43d96a9"],
  ["fwe", { "variant": "2024", "alpha": 2.5 }, "4c77b98ae118e8e2"],
  ["qa", { "documents": 5 }, "c621513885f4f0f0"],
  ["qa", { "hops": 2, "documents": 3 }, "b861a135a5e91437"],
  ["qa", { "hops": 2, "variant": "2024" }, "6dfebd59826fa3ff"],
  ["qa", { "documents": 0 }, "2865b02b34c8cdde"],
  ["counting_stars", { "stars": 5, "examples": 2 }, "d4fbe5cb8c92ba72"],
  ["counting_stars", { "language": "zh", "stars": 7, "ask": "list_and_sum", "examples": 1 }, "cebbf5a8df957cba"],
  ["counting_stars", { "stars": 6, "sentence": "linked", "order": "shuffled" }, "6e3b87d87a230ef5"],
  ["counting_stars", { "stars": 6, "firstCount": 2 }, "f6dc79c125bde1dc"],
  ["counting_stars", { "stars": 4, "thing": "stones", "counter": "shepherd", "places": "0.1,0.9" }, "7d2550d308639fff"],
  ["counting_stars", { "stars": 4, "sentence": "miscounted", "values": "reference", "ask": "sum" }, "4f59f865a45af596"],
  ["counting_stars", { "stars": 16, "edition": "v1" }, "0ee90bb4cef30d79"],
  ["counting_stars", { "stars": 16, "edition": "v3", "language": "zh" }, "d2bc3b58d253e84c"],
  ["threading", { "pairs": 6, "depth": 0.7 }, "06289b5f636b09e7"],
  ["threading", { "kind": "multi_needle", "needles": 7, "placement": "clustered", "examples": 1 }, "348355d9e564bd80"],
  [
    "threading",
    { "kind": "conditional_needle", "needles": 3, "character": "&", "characters": 1600 },
    "71a385e815295bfb",
  ],
  ["threading", { "kind": "single_thread", "steps": 9, "direction": "backward" }, "92c2cb3ad0df7779"],
  ["threading", { "kind": "multi_thread", "threads": 4, "steps": 3, "examples": 1 }, "ee326e7765791951"],
  ["threading", { "kind": "branched_thread", "steps": 4, "branching": 3 }, "1907c845d9d1a3c0"],
  ["cdme", { "depths": 7, "spacing": "sigmoid", "texts": "shared" }, "eb4f1335f6a82f64"],
  [
    "cdme",
    { "item": "cot3_italy", "language": "en", "gap": 10, "lengthBuffer": 100, "texts": "shared" },
    "f12c3ad03629259f",
  ],
  ["cdme", { "item": "varied", "depth": 0.25, "guide": "off", "texts": "shared" }, "0e13e5b9c12df43b"],
  ["cdme", { "edition": "original", "item": "cot2_italy", "depths": 5, "lengthBuffer": 300 }, "2198b25c5cad6aa7"],
  ["several_needles", { "depths": 4, "system": "published", "texts": "shared" }, "075c7a7d735371ee"],
  ["several_needles", { "depth": 0.4, "ending": "none", "spacing": "sigmoid", "texts": "shared" }, "25c945a8d3de1c4f"],
  ["prompt_recall", { "test": "thornfield", "depths": 9, "template": "llama", "texts": "shared" }, "3a3652836feeb9b2"],
  [
    "prompt_recall",
    { "test": "san_francisco", "depth": 0.6, "wording": "distant", "ending": "kamradt", "texts": "shared" },
    "1651ddefb384b721",
  ],
  ["prompt_recall", { "document": "none", "template": "mistral" }, "63985782b8cadef2"],
  ["cdme", { "depths": 7, "spacing": "sigmoid" }, "0ea3d06ebdfaa906"],
  ["cdme", { "item": "varied", "files": "each" }, "e9cfc41706e5ddd8"],
  ["cdme", { "edition": "original", "texts": "own", "depths": 5 }, "a4bec3efbb779f36"],
  ["several_needles", { "depths": 4 }, "222ccba331e3a557"],
  ["prompt_recall", { "test": "thornfield", "depths": 9 }, "a1c90ecd0a3a7934"],
];

Deno.test("samples of tasks with other knobs never change", async () => {
  const materials = await openTestMaterials("cl100k_base");
  for (const [name, knobs, wanted] of SET_KNOBS) {
    const task = findFamily(name)!.make(knobs);
    const hash = createHash("sha256");
    for (const index of [0, 3, 8]) {
      const { prompt, references, distractors = null, promptTokens, facts } = task.sample(
        { length: 3072, seed: "knobs", index, materials },
      );
      hash.update(JSON.stringify([promptFields(prompt), references, distractors, promptTokens, facts]));
    }
    equal(hash.digest("hex").slice(0, 16), wanted, `${name} ${JSON.stringify(knobs)}`);
  }
});
