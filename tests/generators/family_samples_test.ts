import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials, withOther } from "./_materials.ts";
import {
  type ChatTemplate,
  family,
  type FamilyOptions,
  hashPrompt,
  type Knobs,
  type Layout,
  type Part,
  PLAIN_TEMPLATE,
  type Prompt,
  type Recipe,
  type RecipeRequest,
  systemText,
  type Task,
  userPrompt,
  userText,
  whole,
} from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { measure } from "@/lib/text/mod.ts";

// The tasks below differ where their names do not, so nothing is remembered of them.
const materials = withOther(await openTestMaterials("cl100k_base"), { remember: (_key, make) => make() });
const { tokenizer } = materials;

const partsOf = (text: string): Part[] => text === "" ? [] : [{ measured: measure(text, tokenizer) }];
const layoutOf = (before: string, context: string, after: string): Layout => {
  return { before: partsOf(before), context: partsOf(context), after: partsOf(after) };
};

/** A context of one word that stands as often as it fits. */
const WORDS: Recipe = {
  ...{ least: 2, most: Infinity, answerPrefix: " It is", references: (size) => [`${size}`] },
  layOut: (size) => layoutOf("Count.", " word".repeat(size), "\nHow many?"),
};

type Options = FamilyOptions<Knobs, never, unknown>;

function taskOf(
  recipe: Partial<Recipe> | ((request: RecipeRequest) => Partial<Recipe>),
  options: Partial<Options> = {},
): Task {
  return family<Knobs, never, unknown>({
    ...{ suite: "words-1", name: "words", about: "words are counted", category: "retrieval" },
    ...{ knobs: {}, tasks: {}, scorers: [allFound], answerRoom: 10 },
    recipe: (_settings, request) => ({ ...WORDS, ...typeof recipe === "function" ? recipe(request) : recipe }),
    ...options,
  }).make();
}

const request = { length: 100, seed: "a", index: 0, materials };

const TEMPLATES: readonly ChatTemplate[] = [
  PLAIN_TEMPLATE,
  { ...PLAIN_TEMPLATE, name: "wrapped", before: "<user> ", after: " </user>" },
  { ...PLAIN_TEMPLATE, name: "system", system: "Count with care, and twice.", extraTokens: 7 },
  { ...PLAIN_TEMPLATE, name: "bare", answerPrefix: false },
];

Deno.test.each(TEMPLATES.map((template) => [template.name, template] as const))(
  "a sample fills its length with all that is sent in template %s, from the least length on",
  (_name, template) => {
    const task = taskOf({});
    const least = task.leastLength(materials, template);
    for (const length of [least, least + 1, 100, 257, 1000]) {
      const { promptTokens, prompt, answerRoom, references } = task.sample({ ...request, length, template });
      const { answerPrefix = "" } = prompt;
      const user = userText(prompt);
      const system = systemText(prompt) ?? "";
      equal(answerPrefix, template.answerPrefix ? " It is" : "");
      equal(system, template.system ?? "");
      equal(references[0], `${user.split(" word").length - 1}`);
      const sent = tokenizer.count(template.before + user + template.after + answerPrefix);
      equal(promptTokens, sent + tokenizer.count(system) + template.extraTokens);
      equal(promptTokens + answerRoom, length);
    }
    throws(() => task.sample({ ...request, length: least - 1, template }), { name: "RangeError" });
  },
);

/** A task whose sample `index` takes that many tokens more than 20. */
function unevenTask(more: (index: number) => number, options: Partial<Options> = {}): Task {
  return taskOf(({ index }) => ({
    ...{ least: 1, answerPrefix: "" },
    layOut: (size) => layoutOf("", "word" + " word".repeat(18 + size + more(index)), ""),
  }), options);
}

Deno.test("leastLength() has room for the longest of many samples, rounded up to eight, and little more where all are alike", () => {
  const even = unevenTask(() => 0).leastLength(materials);
  ok(even >= 30 && even <= 30 + 4 + 8, `${even}`);
  for (const [longest, place] of [[40, 0], [40, 63], [80, 31]] as const) {
    const least = unevenTask((index) => index === place ? longest : 0).leastLength(materials);
    ok(least >= 30 + 2 * longest, `${least} for ${longest}`);
    equal(least % 8, 0);
  }
  // Half of them 10 tokens longer: the mean is 5 below the longest.
  const mixed = unevenTask((index) => index % 2 * 10).leastLength(materials);
  ok(mixed >= 40 + 7 && mixed <= 40 + 7.5 + 4 + 8, `${mixed}`);
});

Deno.test("a task takes lengths up to 2,000,000 tokens and samples from 0, in whole numbers", () => {
  const task = taskOf({ fixedSize: 3 }, { leastLength: () => 1 });
  for (const given of [{ length: 2_000_000 }, { index: 0 }, { index: 10 ** 9 }]) {
    equal(task.sample({ ...request, ...given }).references[0], "3");
  }
  for (const given of [{ length: 2_000_001 }, { length: 99.5 }, { length: NaN }, { index: -1 }, { index: 0.5 }]) {
    throws(() => task.sample({ ...request, ...given }), { name: "RangeError" }, JSON.stringify(given));
  }
});

Deno.test("a sample of fixed size is that size at any length, over its length too", () => {
  const task = taskOf({ fixedSize: 60 }, { leastLength: () => 1 });
  for (const length of [1, 40, 400]) {
    const { promptTokens, references, prompt } = task.sample({ ...request, length });
    equal(references[0], "60");
    equal(promptTokens, tokenizer.count(`${userText(prompt)} It is`));
  }
});

Deno.test("the largest size is found in a few layouts, however the tokens grow with it", () => {
  const layoutsWith = (tokensOf: (size: number) => number, guess: Partial<Recipe> = {}): number => {
    let laidOut = 0;
    const layOut = (size: number): Layout => {
      laidOut++;
      return layoutOf("", "word" + " word".repeat(tokensOf(size) - 1), "");
    };
    const task = taskOf({ ...{ least: 2, answerPrefix: "", layOut }, ...guess }, { leastLength: () => 100 });
    const { promptTokens, references } = task.sample({ ...request, length: 20_010 });
    const size = Number(references[0]);
    ok(promptTokens === tokensOf(size) && tokensOf(size + 1) > 20_000, `${size}`);
    return laidOut;
  };
  const growths: ((size: number) => number)[] = [
    (size) => 40 + 3 * size,
    (size) => 5000 + size,
    (size) => size + size ** 2,
    (size) => Math.floor(40 * Math.sqrt(size)),
    (size) => 10 * size + (size > 500 ? 9000 : 0),
  ];
  for (const [number, tokensOf] of growths.entries()) {
    const layouts = layoutsWith(tokensOf);
    ok(layouts <= (number < 2 ? 10 : 30), `growth ${number}: ${layouts} layouts`);
  }
  // A guess, right or wrong, takes no more than a few layouts either.
  for (const share of [0, 0.1, 1 / 3, 10]) {
    ok(layoutsWith(growths[0]!, { guess: (tokens) => Math.floor(share * tokens) }) <= 10, `${share}`);
  }
});

Deno.test("closeGap() is given the tokens that are left, and what it makes is kept as it is", () => {
  const gaps: number[] = [];
  // Units of five tokens.
  const layOut = (size: number, more = 0): Layout =>
    layoutOf("Count.", " one two three four five".repeat(size) + " six".repeat(more), "");
  const task = taskOf({
    ...{ least: 1, answerPrefix: "", layOut: (size) => layOut(size) },
    closeGap(size, gap, fits): Layout {
      gaps.push(gap);
      ok(fits(layOut(size, gap)) && !fits(layOut(size, gap + 1)));
      return layOut(size, gap);
    },
  });
  for (let length = 50; length < 60; length++) {
    const { promptTokens, prompt } = task.sample({ ...request, length });
    equal(promptTokens, length - 10);
    equal(promptTokens, tokenizer.count(userText(prompt)));
  }
  // Where nothing is left, it is not asked.
  deepEqual(gaps.toSorted(), [1, 1, 2, 2, 3, 3, 4, 4]);
});

Deno.test("a sample has the further parts that its recipe has, and no others", () => {
  const given = { distractors: ["5"], paths: [["a", "b"]], depth: 0, wrapping: { before: "Hello. ", after: " Bye." } };
  const parts = ["distractors", "paths", "depth", "cluster"] as const;
  const plain = taskOf({}).sample(request);
  for (const part of parts) equal(part in plain, false, part);
  equal("wrapping" in plain.prompt, false);
  const { distractors, paths, depth, cluster, prompt, promptTokens } = taskOf({ ...given, cluster: "own" })
    .sample({ ...request, template: TEMPLATES[1]! });
  deepEqual({ distractors, paths, depth, wrapping: prompt.wrapping }, given);
  equal(cluster, "own");
  equal(promptTokens, tokenizer.count(`Hello. ${userText(prompt)} Bye. It is`));
});

Deno.test("a sample's id names suite, task, knobs, source, tokenizer, template, length, seed and index in this order", () => {
  const place = { ...request, length: 128, seed: "s", index: 4, template: TEMPLATES[1]! };
  equal(taskOf({ source: "essays" }).sample(place).id, "words-1/words//essays/cl100k_base/wrapped/128/s/4");
  equal(taskOf({}).sample(place).id, "words-1/words//cl100k_base/wrapped/128/s/4");
});

Deno.test("clusterOf() returns a sample's cluster without making it, and the recipe's own comes first", () => {
  const clusterOf: Options["clusterOf"] = ({ sample, suite, task, seed, index }) =>
    sample.startsWith(`${suite}/${task}/`) && index % 2 === 1 ? `pair:${seed}/${index >> 1}` : undefined;
  const task = taskOf({}, { clusterOf });
  for (const [index, cluster] of [[0, undefined], [1, "pair:a/0"], [5, "pair:a/2"]] as const) {
    equal(task.clusterOf!({ length: 100, seed: "a", index }), cluster);
    equal(task.sample({ ...request, index }).cluster, cluster);
  }
  equal(taskOf({ cluster: "own" }, { clusterOf }).sample({ ...request, index: 1 }).cluster, "own");
  equal(taskOf({}).clusterOf!({ length: 100, seed: "a", index: 1 }), undefined);
});

Deno.test.each(
  [
    ["a space before the context", ["Count.", " word", "\nHow many?"], ["Count. ", "\nHow many?"]],
    ["a space that is there", ["Count. ", " word", "How many?"], ["Count. ", "How many?"]],
    ["a line break after the context", ["Count.\n", "word\n", "How many?"], ["Count.\n", "\nHow many?"]],
    ["a line break that is there", ["Count.\n", "word\n", "\nHow many?"], ["Count.\n", "\nHow many?"]],
    ["neither", ["Count:", "word", "?"], ["Count:", "?"]],
  ] as [string, [string, string, string], [string, string]][],
)("words() part a context from its words as the prompt does: %s", (_name, texts, wanted) => {
  const { before, after } = taskOf({ layOut: () => layoutOf(...texts) }).words(materials);
  deepEqual([before, after], wanted);
});

Deno.test("hashPrompt() differs wherever a text moves from one part of what is sent to another", () => {
  const sent: readonly [Prompt, Partial<ChatTemplate>][] = [
    [userPrompt("ab"), {}],
    [userPrompt("b", { system: "a" }), {}],
    [userPrompt("a", { answerPrefix: "b" }), {}],
    [userPrompt("b"), { before: "a" }],
    [userPrompt("a"), { after: "b" }],
    [userPrompt("a", { wrapping: { before: "b", after: "" } }), {}],
    [userPrompt("ba"), {}],
  ];
  const hashes = sent.map(([prompt, template]) => hashPrompt(prompt, { ...PLAIN_TEMPLATE, ...template }));
  equal(new Set(hashes).size, sent.length);
  for (const hash of hashes) ok(/^[0-9a-f]{64}$/.test(hash));
  // A wrapping of the prompt's own stands in place of the template's.
  const wrapping = { before: "<", after: ">" };
  const hashIn = (prompt: Prompt, template: Partial<ChatTemplate>): string =>
    hashPrompt(prompt, { ...PLAIN_TEMPLATE, ...template });
  equal(hashIn(userPrompt("a", { wrapping }), { before: "x", after: "y" }), hashIn(userPrompt("a"), wrapping));
  const { prompt, sha256 } = taskOf({}).sample({ ...request, template: TEMPLATES[2]! });
  equal(sha256, hashPrompt(prompt, TEMPLATES[2]!));
});

Deno.test("settings take the place of the knobs' values in a recipe, and what describes them that in options and ids", () => {
  const made = family({
    ...{ suite: "settled-1", name: "settled", about: "words", category: "retrieval" },
    ...{ tasks: { "settled_six": { half: 3 } }, scorers: [allFound] },
    knobs: { half: whole({ to: 9, byDefault: 1 }, "half of it") },
    settle: ({ half, name }) => ({ double: 2 * half, called: name }),
    describe: ({ double }) => ({ double }),
    answerRoom: ({ double }) => double,
    recipe: ({ double, called }): Recipe => ({ ...WORDS, references: () => [`${called} ${double}`] }),
  });
  for (
    const [task, name, double] of [[made.make(), "settled", 2], [made.task("settled_six"), "settled_six", 6]] as const
  ) {
    const sample = task.sample(request);
    deepEqual([task.options, task.answerRoom, sample.references], [{ double }, double, [`${name} ${double}`]]);
    ok(sample.id.startsWith(`settled-1/${name}/double=${double}/`), sample.id);
  }
  deepEqual(made.task("settled_six", { half: 4 }).options, { double: 8 });
});
