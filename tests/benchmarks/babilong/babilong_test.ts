import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { BABILONG_TASKS } from "@/lib/benchmarks/babilong/babilong.ts";
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
    for (const { facts, prompt } of samplesOf(name, 40)) {
      equal(facts.filter(({ role }) => role === "target").length, NEEDED[place]);
      ok(facts.every(({ role, depth }) => (role === "target" || role === "distractor") && depth !== null));
      const text = userText(prompt);
      let at = text.lastIndexOf("<context>\n");
      for (const fact of facts) {
        at = text.indexOf(fact.text, at + 1);
        ok(at > 0, `${fact.text} comes after the sentence before it`);
      }
    }
  }
});

Deno.test("the parts of the prompt, the text and the scorer change no story", () => {
  for (const name of BABILONG_TASKS.tasks) {
    const storyOf = (given: Given): unknown => {
      const [{ facts, references }] = samplesOf(name, 1, given) as [Sample];
      return { facts: facts.map(({ text, role }) => [role, text]), references };
    };
    const story = storyOf({});
    for (const part of ["instruction", "examples", "postPrompt"] as const) deepEqual(storyOf({ [part]: "off" }), story);
    deepEqual(storyOf({ scorer: "corrected" }), story);
    deepEqual(storyOf({ haystack: "none" }), story);
  }
});

Deno.test("each answer is about equally likely", () => {
  const count = cases(300, 3000);
  for (const name of BABILONG_TASKS.tasks) {
    const answers = Map.groupBy(samplesOf(name, count, { haystack: "none" }), ({ references }) => references[0]!);
    const places = name === "babilong_qa5" ? 7 : 6;
    equal(answers.size, places);
    // Of qa5 a fifth of the questions asks for one of three objects and the others for one of four people.
    if (places === 7) continue;
    const least = count / 6 - 5 * Math.sqrt(count * 5 / 36);
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
  const range = (name: Name): readonly number[] => [Math.min(...sizesOf(name)), Math.max(...sizesOf(name))];
  deepEqual([range("babilong_qa1"), range("babilong_qa4")], [[2, 10], [2, 2]]);
  for (
    const [name, low, high] of [["babilong_qa2", 2, 68], ["babilong_qa3", 4, 320], ["babilong_qa5", 2, 126]] as const
  ) {
    const [least, most] = range(name) as [number, number];
    ok(least >= low && least < low + 4 && most <= high, `${name} ${least} to ${most}`);
  }
  // Of 999 stories 137 have more than the 87 sentences that 1,000 tokens allow.
  const long = sizesOf("babilong_qa3").filter((size) => size > 87).length / count;
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

Deno.test("a text with a sentence of a story is refused, as it would be part of the story", () => {
  const text = "It rained all day. Mary went back to the kitchen. She was hungry.";
  const essays = makeHaystack([text], { name: "own", tokenizer: materials.tokenizer });
  const asked = { length: 900, seed: "1", index: 0, materials: { ...materials, essays } };
  const message = /must not hold a sentence of a story: current value is ".*Mary went back to the kitchen\./;
  throws(() => BABILONG_TASKS.task("babilong_qa1").sample(asked), { name: "RangeError", message });
});
