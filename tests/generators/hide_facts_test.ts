import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { openTestMaterials, withOther } from "./_materials.ts";
import {
  type ChatTemplate,
  family,
  firstTargetOffset,
  type HiddenFact,
  hideFacts,
  type HideFactsOptions,
  PLAIN_TEMPLATE,
  type Sample,
  type Task,
  userText,
} from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { makeHaystack } from "@/lib/text/mod.ts";

const known = await openTestMaterials("cl100k_base");
const { tokenizer } = known;

/** Twelve sentences of 4 to 15 tokens, in a circle. */
const SENTENCES = [
  "Bread rises slowly.",
  "The sea is wide and deep and cold and never at rest.",
  "Tides turn twice a day.",
  "A lamp stood in the window of the last house before the bridge.",
  "Rain fell.",
  "The baker sleeps at noon.",
  "No letter came that week.",
  "Geese crossed the valley before the first snow.",
  "A cart went by with two wheels of different sizes.",
  "The clock was slow.",
  "Nobody knew who had planted the pear tree behind the mill.",
  "Wool was cheap.",
];
const CIRCLE = Array.from({ length: 20 }, () => SENTENCES.join(" ")).join(" ");
// The tasks below differ where their names do not, so nothing is remembered of them.
const materials = withOther(known, {
  essays: makeHaystack([SENTENCES.join(" ")], { name: "circle", tokenizer }),
  remember: (_key, make) => make(),
});

const factAt = (depth: number, value: string, role: HiddenFact["role"] = "target"): HiddenFact => {
  return { role, key: `box ${value}`, value, text: `Box ${value} holds ${value} keys.`, depth };
};
const OPTIONS: HideFactsOptions = { instructions: "Read this.", question: "What does the box hold?" };

function taskOf(facts: readonly HiddenFact[], options: Partial<HideFactsOptions> = {}): Task {
  return family({
    ...{ suite: "hidden-1", name: "hidden", about: "facts in essays", category: "retrieval" },
    ...{ knobs: {}, tasks: {}, scorers: [allFound], answerRoom: 10 },
    recipe: (_settings, request) => hideFacts(facts, request, { ...OPTIONS, ...options }),
  }).make();
}

const THREE = [factAt(0.75, "31"), factAt(0.25, "12", "distractor"), factAt(0.5, "23")];

function sampleOf(
  task: Task,
  place: { readonly length?: number; readonly seed?: string; readonly index?: number } = {},
): Sample {
  return task.sample({ length: 300, seed: "a", index: 0, materials, ...place });
}

/** The text between the instructions and the question. */
const contextOf = ({ prompt }: Sample): string =>
  userText(prompt).slice(OPTIONS.instructions.length + 1, -OPTIONS.question.length - 1);

Deno.test("hideFacts() puts facts between whole sentences that follow each other, in the order of their depths", () => {
  const task = taskOf(THREE);
  for (let index = 0; index < 20; index++) {
    const sample = sampleOf(task, { index, length: 200 + index });
    const user = userText(sample.prompt);
    equal(user.slice(0, 11), "Read this.\n");
    ok(user.endsWith("\nWhat does the box hold?"));
    deepEqual(sample.facts.map(({ value }) => value), ["12", "23", "31"]);
    deepEqual(sample.references, ["31", "23"]);
    const stretches = contextOf(sample).split(/ ?Box \d+ holds \d+ keys\./);
    equal(stretches.length, 4);
    // The last sentence is chosen by its length, so it can come from anywhere.
    const sentences = stretches.join("").split(/(?<=\.) /);
    ok(SENTENCES.includes(sentences.at(-1)!), sentences.at(-1));
    ok(CIRCLE.includes(sentences.slice(0, -1).join(" ")), sentences.join(" "));
  }
});

Deno.test("hideFacts() leaves no room for one more sentence, and never goes over the length", () => {
  const task = taskOf(THREE);
  const shortest = Math.min(...SENTENCES.map((sentence) => tokenizer.count(` ${sentence}`)));
  for (let length = task.leastLength(materials); length < 400; length++) {
    const { promptTokens, prompt } = sampleOf(task, { length });
    equal(promptTokens, tokenizer.count(userText(prompt)));
    const left = length - 10 - promptTokens;
    ok(left >= 0 && left < shortest, `${left} tokens are left of ${length}`);
  }
});

Deno.test("hideFacts() begins elsewhere in the essays for each sample, and at the same place for the same one", () => {
  const opening = (sample: Sample): string => contextOf(sample).slice(0, 12);
  const at = (index: number, seed = "a"): string => opening(sampleOf(taskOf([factAt(1, "7")]), { index, seed }));
  ok(new Set(Array.from({ length: 12 }, (_, index) => at(index))).size > 7);
  ok(new Set(Array.from({ length: 12 }, (_, seed) => at(0, `${seed}`))).size > 4);
  equal(opening(sampleOf(taskOf([factAt(0.9, "8"), factAt(1, "9")]), { index: 3 })), at(3));
  equal(opening(sampleOf(taskOf([factAt(1, "7")]), { index: 3, length: 900 })), at(3));
});

const TEMPLATES: readonly ChatTemplate[] = [
  PLAIN_TEMPLATE,
  { ...PLAIN_TEMPLATE, name: "chat", before: "<user> ", after: "\n<assistant>" },
  { ...PLAIN_TEMPLATE, name: "system", system: "You are a careful reader.", extraTokens: 11 },
  { ...PLAIN_TEMPLATE, name: "bare", answerPrefix: false },
];

Deno.test.each(TEMPLATES.map((template) => [template.name, template] as const))(
  "facts have the depth and the tokens before them that their place in the text gives, in template %s",
  (_name, template) => {
    const task = taskOf([factAt(0, "1"), factAt(0.3, "2", "noise"), factAt(0.6, "3"), factAt(1, "4")], {
      answerPrefix: " It holds",
    });
    const longest = Math.max(...SENTENCES.map((sentence) => tokenizer.count(` ${sentence}`)));
    for (let index = 0; index < 6; index++) {
      const sample = task.sample({ length: 400, seed: "depths", index, materials, template });
      const text = template.before + userText(sample.prompt);
      const start = tokenizer.count(`${template.before}Read this.\n`);
      const whole = tokenizer.count(contextOf(sample));
      for (const [place, { depth, tokenOffset, text: sentence }] of sample.facts.entries()) {
        const at = text.indexOf(sentence);
        // A fact in running text begins with the space before it.
        equal(tokenOffset, tokenizer.count(text.slice(0, place === 0 ? at : at - 1)), sentence);
        const share = (tokenOffset - start) / (whole - tokenizer.count(` ${sentence}`));
        ok(Math.abs(depth! - share) < 0.01, `${sentence} at ${depth}, not ${share}`);
        ok(Math.abs(depth! - [0, 0.3, 0.6, 1][place]!) < (longest + 40) / whole, `${sentence} at ${depth}`);
      }
      deepEqual([sample.facts[0]!.depth, sample.facts[3]!.depth], [0, 1]);
      equal(firstTargetOffset(sample), start);
    }
  },
);

Deno.test("samples with the same text share a cluster at every length, and no others do", () => {
  const clusterOf = (index: number, seed = "a", length = 300): string | undefined =>
    sampleOf(taskOf(THREE), { index, seed, length }).cluster;
  equal(clusterOf(1, "a", 350), clusterOf(1));
  equal(sampleOf(taskOf([factAt(0, "1")]), { index: 1 }).cluster, clusterOf(1));
  notEqual(clusterOf(2), clusterOf(1));
  notEqual(clusterOf(1, "b"), clusterOf(1));
});

Deno.test.each(
  [
    ["a text", "the pear tree", true],
    ["a text that is broken over lines in the essays", "pear\ntree", true],
    ["a text across the end of the essays", "cheap. Bread", true],
    ["a text of three sentences across the end", "cheap. Bread rises slowly. The sea", true],
    ["a pattern", /wheels? of \w+ sizes/, true, "wheel of 2 sizes"],
    ["a pattern across the end of the essays", /cheap\. Bread/, true, "cheap. Bread"],
    ["a text that is not in the essays", "the plum tree", false],
    ["a pattern that fits nothing", /wheels of \d+ sizes/, false, "wheels of 2 sizes"],
  ] as [string, string | RegExp, boolean, string?][],
)("hideFacts() refuses essays that hold what is hidden in them: %s", (_name, mark, isRefused, example) => {
  const text = typeof example === "string" ? example : String(mark);
  const task = taskOf([...THREE, { ...factAt(0, "7", "noise"), text }], { mark });
  throws(() => sampleOf(taskOf(THREE, { mark })), /mark must match the text of a fact: .*"Box 31 holds 31 keys\."/);
  if (isRefused) throws(() => sampleOf(task), { name: "RangeError", message: /the essays circle must not hold/ });
  else equal(sampleOf(task).references.length, 2);
});
