import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { BABILONG, BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";
import { STORY_SENTENCE } from "@/lib/benchmarks/babilong/story.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";
import { makeHaystack } from "@/lib/text/mod.ts";

const materials = await openTestMaterials("cl100k_base");
type Name = typeof BABILONG_TASKS.tasks[number];
type Given = Parameters<typeof BABILONG_TASKS.make>[0];

function samplesOf(name: Name, count: number, given: Given = {}, length = 2048): readonly Sample[] {
  const task = BABILONG_TASKS.task(name, given);
  return Array.from({ length: count }, (_, index) => task.sample({ length, seed: "1", index, materials }));
}

/** The sentences that each task needs. */
const NEEDED = [1, 2, 3, 1, 1] as const;

Deno.test("as many sentences are needed as the repository's README says, and all others distract", () => {
  for (const [place, name] of BABILONG_TASKS.tasks.entries()) {
    for (const { facts } of samplesOf(name, 40)) {
      equal(facts.filter(({ role }) => role === "target").length, NEEDED[place]);
      ok(facts.every(({ role, text }) => (role === "target" || role === "distractor") && STORY_SENTENCE.test(text)));
    }
  }
});

Deno.test("the parts of the prompt, the text and the scorer change no story", () => {
  for (const name of BABILONG_TASKS.tasks) {
    const storyOf = (given: Given): unknown =>
      samplesOf(name, 1, given).map((
        { facts, references },
      ) => [facts.map(({ text, role }) => [role, text]), references]);
    const story = storyOf({});
    for (const part of ["instruction", "examples", "postPrompt"] as const) deepEqual(storyOf({ [part]: "off" }), story);
    for (const given of [{ scorer: "corrected" }, { haystack: "none" }] as const) deepEqual(storyOf(given), story);
  }
});

Deno.test("each answer is about equally likely", () => {
  const count = cases(300, 3000);
  for (const name of BABILONG_TASKS.tasks) {
    const answers = Map.groupBy(samplesOf(name, count, { haystack: "none" }), ({ references }) => references[0]!);
    equal(answers.size, name === "babilong_qa5" ? 7 : 6);
    // Of qa5 a fifth of the questions asks for one of three objects and the others for one of four people.
    const least = name === "babilong_qa5" ? 0 : count / 6 - 5 * Math.sqrt(count * 5 / 36);
    for (const [answer, samples] of answers) ok(samples.length > least, `${answer} ${samples.length}`);
  }
});

Deno.test("a story has the number of sentences that is asked for", () => {
  for (const [place, name] of BABILONG_TASKS.tasks.entries()) {
    if (name === "babilong_qa4") continue;
    for (const facts of [NEEDED[place]! + (name === "babilong_qa5" ? 1 : 0), 7, 60]) {
      for (const sample of samplesOf(name, 5, { facts }, 4096)) equal(sample.facts.length, facts);
    }
  }
});

Deno.test("without a text, a prompt is the story alone, as the authors' length 0k", () => {
  const [{ prompt, facts, promptTokens }] = samplesOf("babilong_qa3", 1, { haystack: "none" }) as [Sample];
  const context = facts.map(({ text }) => text).join(" ");
  ok(userText(prompt).includes(`<context>\n${context}\n</context>\n\nQuestion: Where was the `));
  ok(promptTokens < 2000);
});

Deno.test("stories are as long as the paper and the authors' data have them", () => {
  const count = cases(200, 2000);
  const sizesOf = (name: Name, length = 4096): readonly number[] =>
    samplesOf(name, count, { haystack: "none" }, length).map(({ facts }) => facts.length);
  const sizes = BABILONG_TASKS.tasks.map((name) => sizesOf(name));
  const least = sizes.map((each) => Math.min(...each));
  const most = sizes.map((each) => Math.max(...each));
  deepEqual([least[0], most[0], least[3], most[3]], [2, 10, 2, 2]);
  for (const [task, low, high] of [[1, 2, 68], [2, 4, 320], [4, 2, 126]] as const) {
    ok(least[task]! >= low && least[task]! < low + 4 && most[task]! <= high, `${least[task]} to ${most[task]}`);
  }
  // Of 999 stories 137 have more than the 87 sentences that 1,000 tokens allow.
  const long = sizes[2]!.filter((size) => size > 87).length / count;
  ok(Math.abs(long - 137 / 999) < 0.07, `${long}`);
  ok(sizesOf("babilong_qa3", 1000).every((size) => size <= 87));
});

Deno.test.each([
  ["babilong_qa3", 2, "from 3 to 320"],
  ["babilong_qa4", 3, "from 2 to 2"],
  ["babilong_qa1", 321, "from 1 to 320"],
] as [Name, number, string][])("%s of %d facts is refused", (name, facts, range) => {
  const message = `Cannot make task ${name} as facts must be a whole number ${range}: current value is ${facts}`;
  throws(() => BABILONG_TASKS.task(name, { facts }), { name: "RangeError", message });
});

Deno.test("more sentences make a task harder, but not one of qa4", () => {
  const turn = (name: Name, facts: number) => BABILONG_TASKS.task(name, { facts }).turn?.("harder")?.value;
  deepEqual([turn("babilong_qa3", 10), turn("babilong_qa4", 2)], [20, undefined]);
});

Deno.test("a text with a sentence of a story is refused, as it would be part of the story", () => {
  const text = "It rained all day. Mary went back to the kitchen. She was hungry.";
  const essays = makeHaystack([text], { name: "own", tokenizer: materials.tokenizer });
  const asked = { length: 900, seed: "1", index: 0, materials: { ...materials, essays } };
  const message = /must not hold a sentence of a story: current value is ".*Mary went back to the kitchen\./;
  throws(() => BABILONG_TASKS.task("babilong_qa1").sample(asked), { name: "RangeError", message });
});

Deno.test("rows have the columns of the authors' files, a space after the question is left out, and others are not read", () => {
  const { read, write } = BABILONG.testFiles!;
  const [sample] = samplesOf("babilong_qa2", 1) as [Sample];
  deepEqual(Object.keys(write(sample, BABILONG_TASKS.task("babilong_qa2"))), ["input", "question", "target"]);
  const readRow = (row: Readonly<Record<string, unknown>>) => read({ input: "John sat.\n", ...row }, () => new Error());
  const { input, ...line } = readRow({ question: "Where is John? ", target: "garden" })!;
  ok(input!.endsWith("<context>\nJohn sat.\n</context>\n\nQuestion: Where is John?"));
  deepEqual(line, { task: "babilong_qa1", references: ["garden", "Where is John?"] });
  equal(readRow({ question: "Is John in the garden? ", target: "no" }), null);
  equal(readRow({ question: "How many objects is Mary carrying? ", target: "two" }), null);
  equal(readRow({ outputs: ["garden"] }), null);
});

Deno.test("files are named after their task, as folders of the authors' data are", () => {
  const names = ["qa1", "qa3_16k", "QA5-0k", "babilong_qa2", "babilong-qa4-1M", "qa_1", "qa6", "qa10", "16k"];
  const tasks = names.flatMap((name) => BABILONG.testFiles!.taskOf(name)?.slice("babilong_".length) ?? []);
  deepEqual(tasks, ["qa1", "qa3", "qa5", "qa2", "qa4"]);
});
