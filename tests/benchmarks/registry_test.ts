import { promptFields, type Reading } from "@/lib/generators/mod.ts";
import { BENCHMARKS, chosenTasks, findFamily, listFamilies, namedTasks } from "@/lib/benchmarks/mod.ts";
import { listReaders } from "@/lib/benchmarks/registry.ts";
import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { openTestMaterials } from "../generators/_materials.ts";
import { GOLDEN_FOLDERS, readGolden } from "./ruler/_golden.ts";
import { realData, testOnRealData } from "../_real_data.ts";
import { stream } from "@/lib/random/mod.ts";
import { stringMatchAll } from "@/lib/scorers/string_match.ts";

/** The readers that recognise a prompt, with what they read. */
function readAll(prompt: string): { readonly name: string; readonly reading: Reading }[] {
  return listReaders().flatMap(({ name, recognise }) => {
    const reading = recognise(prompt);
    return reading ? [{ name, reading }] : [];
  });
}

for (const [variant, folder] of GOLDEN_FOLDERS) {
  testOnRealData(`listReaders() read the reference's samples in ${folder}, each by one reader, and answer them right`, {
    reads: folder,
    fn(): void {
      let samples = 0;
      for (const { name: file } of Deno.readDirSync(realData(folder))) {
        for (const { text, outputs } of readGolden(file.replace(".jsonl", ""), variant)) {
          const readings = readAll(text);
          equal(readings.length, 1, file);
          const { reading } = readings[0]!;
          equal(reading.isGuess ?? false, file.startsWith("qa"));
          if (file.startsWith("qa")) continue;
          const reply = reading.write(reading.wanted.map(({ value }) => value));
          equal(stringMatchAll(reply, outputs).value, 1, `${file}: ${reply}`);
          samples++;
        }
      }
      ok(samples >= 22);
    },
  });
}

Deno.test("listReaders() leave other texts alone", () => {
  for (const prompt of ["", "What is the capital of France?", "Question: who?\nDocument 1:\nNobody."]) {
    deepEqual(readAll(prompt), []);
  }
});

const NEEDLES = "One of the special magic numbers for old-lamp is: 1111111. Some essay.\n" +
  "One of the special magic numbers for new-lamp is: 2222222.\nOne of the special magic numbers for new-lamp is: 3333333.\n";

Deno.test("NEEDLE_READER finds all values of the keys asked for, and the other needles beside them", () => {
  const { name, reading } = readAll(
    `${NEEDLES}What are all the special magic numbers for new-lamp mentioned in the provided text?`,
  )[0]!;
  equal(name, "needles");
  deepEqual(reading.wanted.map(({ value }) => value), ["2222222", "3333333"]);
  deepEqual(reading.rivals.map(({ key }) => key), ["old-lamp"]);
  equal(reading.rivals[0]!.depth, 0);
  equal(reading.write(["1", "2", "3"]), "1, 2, and 3.");
});

Deno.test("NEEDLE_READER gives the values in the order in which keys are asked for", () => {
  const question = "What are all the special magic numbers for new-lamp, and old-lamp mentioned in the provided text?";
  const [read] = readAll(NEEDLES + question);
  deepEqual(read!.reading.wanted.map(({ value }) => value), ["2222222", "3333333", "1111111"]);
});

Deno.test("NEEDLE_READER believes the needles and not the kind of value asked for, as the paper words it", () => {
  const value = "9b2c1e0e-1d2f-4c3a-8b4d-5e6f708192a3";
  const prompt = `One of the special magic uuids for calm-tree is: ${value}.\n` +
    "What is the special magic number for calm-tree mentioned in the provided text? The special magic number for calm-tree mentioned in the provided text is";
  const { reading } = readAll(prompt)[0]!;
  equal(reading.write(reading.wanted.map((finding) => finding.value)), ` ${value}.`);
  equal(reading.invent(stream("a")).length, 36);
});

Deno.test("CHAIN_READER follows the chain that begins with the value, and keeps the worked example apart", () => {
  const opening = "Memorize and track the chain(s) of variable assignment hidden in the following text.\n\n";
  const question = (value: number): string =>
    `Question: Find all variables that are assigned the value ${value} in the text above. Answer: According to the chain(s) of variable assignment in the text above, 2 variables are assigned the value ${value}, they are: `;
  const prompt = `${opening}VAR ABC = 12345\nVAR DEF = VAR ABC \n${question(12_345)} ABC DEF\n\n` +
    `${opening}VAR ABCDE = 54321\nVAR ZYXWV = 77777\nVAR FGHIJ = VAR ABCDE \nVAR UTSRQ = ZYXWV\n${question(54_321)}`;
  const { name, reading } = readAll(prompt)[0]!;
  equal(name, "chains");
  deepEqual(reading.wanted.map(({ key, hop }) => [key, hop]), [["ABCDE", 0], ["FGHIJ", 1]]);
  deepEqual(reading.rivals.map(({ key }) => key), ["ZYXWV", "UTSRQ"]);
  deepEqual(reading.example, ["ABC", "DEF"]);
});

Deno.test("COMMON_WORDS_READER counts the last list alone, however many words are asked for", () => {
  const opening = "Memorize the ones that appear most often.\n";
  const ask =
    "\nQuestion: What are the 2 most common words in the above list? Answer: The top 2 words that appear most often in the list are:";
  const prompt =
    `${opening}1. no 2. no 3. not${ask} 1. no 2. not\n${opening}1. t-shirt 2. ice cream 3. t-shirt 4. ice cream 5. oak${ask}`;
  const { name, reading } = readAll(prompt)[0]!;
  equal(name, "common words");
  deepEqual(reading.wanted.map(({ value, count }) => [value, count]), [["t-shirt", 2], ["ice cream", 2]]);
  deepEqual(reading.rivals.map(({ value }) => value), ["oak"]);
  deepEqual(reading.example, ["no", "not"]);
  equal(reading.write(["t-shirt", "oak"]), " 1. t-shirt 2. oak");
});

Deno.test("CODED_WORDS_READER leaves the dots out, three or one sign", () => {
  for (const dots of ["...", "…"]) {
    const prompt = "Find the three most frequently appeared coded words. " +
      `${dots} aaaaaa ${dots} aaaaaa aaaaaa bbbbbb bbbbbb cccccc cccccc dddddd ${dots}\n` +
      "Question: Do not provide any explanation. Please ignore the dots '....'. What are the three most frequently appeared words in the above coded text?";
    const { name, reading } = readAll(prompt)[0]!;
    equal(name, "coded words");
    deepEqual(reading.wanted.map(({ value }) => value), ["aaaaaa", "bbbbbb", "cccccc"]);
    deepEqual(reading.rivals.map(({ value }) => value), ["dddddd"]);
  }
});

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

/** The numeric knobs of `docs/tasks.md`: family, knob, its range and its default. */
function documentedRanges(): readonly (readonly [string, string, string, string])[] {
  const page = Deno.readTextFileSync(new URL("../../docs/tasks.md", import.meta.url));
  return page.split("\n### ").slice(1).flatMap((section) =>
    Array.from(
      section.matchAll(/^\| `(\w+)` \| (a whole number from .+?|in \[.+?\]|above .+?) \| (\S*) ?\|/gm),
      ([, knob, range, byDefault]) => [section.split("\n")[0]!, knob!, range!, byDefault!] as const,
    )
  );
}

Deno.test("each knob takes both ends of its documented range, its documented default, and nothing beyond", () => {
  const ranges = documentedRanges();
  ok(ranges.length >= 30);
  for (const [name, key, range, byDefault] of ranges) {
    const knob = findFamily(name)!.knobs[key]!;
    const [low, high] = range.match(/\d[\d.]*/g)!.map(Number) as [number, number];
    const isAbove = range.startsWith("above");
    const step = range.startsWith("a whole") ? 1 : 1e-6;
    deepEqual(
      [low - step, low, low + step, high - step, high, high + step].map((value) => knob.read(value) === value),
      [false, !isAbove, true, true, true, false],
      `${name}.${key}: ${range}`,
    );
    equal(`${knob.byDefault ?? ""}`, byDefault, `${name}.${key}`);
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
