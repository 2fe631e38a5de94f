import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { COMMON_WORDS } from "@/lib/benchmarks/ruler/common_words.ts";
import { userText } from "@/lib/generators/mod.ts";
import { chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/chat_templates.ts";

const materials = await openTestMaterials("cl100k_base");

/** Reads the numbered lists of a prompt: the example's and the task's. */
function readLists(user: string): string[][] {
  return user.split("\n").filter((line) => line.startsWith("1. ")).map((line) => {
    const items = line.split(" ");
    ok(items.every((item, place) => place % 2 === 1 || item === `${place / 2 + 1}.`));
    return items.filter((_, place) => place % 2 === 1);
  });
}

function countEach(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

Deno.test("COMMON_WORDS.make() words a prompt as the paper prints it (Table 8)", () => {
  const { prompt } = COMMON_WORDS.make({ variant: "paper" })
    .sample({ length: 1024, seed: "paper", index: 0, materials });
  const [opening, , question, again, , asked] = userText(prompt).split("\n");
  equal(
    opening,
    "Below is a numbered list of words. In these words, some appear more often than others. Memorize the ones that appear most often.",
  );
  equal(again, opening);
  equal(asked, "Question: What are the 10 most common words in the above list?");
  equal(prompt.answerPrefix, " Answer: The top 10 words that appear most often in the list are:");
  ok(question!.startsWith(`${asked}${prompt.answerPrefix} 1. `));
});

for (
  const [length, example, list] of [
    [4095, [10, 3, 10, 1], [10, 6, 1]],
    [4096, [10, 10, 30, 3], [10, 30, 3]],
  ] as const
) {
  Deno.test(`COMMON_WORDS.make() at ${length} tokens has the numbers of words and frequencies of RULER`, () => {
    const { prompt, references } = COMMON_WORDS.make().sample({ length, seed: "numbers", index: 0, materials });
    const [exampleCounts, counts] = readLists(userText(prompt)).map(countEach);
    const [common, often, others, seldom] = example;
    deepEqual([...exampleCounts!.values()].toSorted((left, right) => right - left), [
      ...Array(common).fill(often),
      ...Array(others).fill(seldom),
    ]);
    deepEqual(
      [...counts!].filter(([, count]) => count === list[1]).map(([word]) => word).sort(),
      references.toSorted(),
    );
    equal([...counts!.values()].filter((count) => count === list[2]).length, counts!.size - list[0]);
  });
}

Deno.test("COMMON_WORDS.make() uses the short form as long as many common words would not fit in the long one", () => {
  const task = COMMON_WORDS.make({ common: 60 });
  const least = task.leastLength(materials);
  for (const length of [least, 4096, 8192, 20_000, 40_000].filter((length) => length >= least)) {
    const { prompt, references } = task.sample({ length, seed: "many", index: 0, materials });
    equal(countEach(readLists(userText(prompt))[1]!).get(references[0]!), length < 20_000 ? 6 : 30);
  }
});

Deno.test("COMMON_WORDS.make() refuses frequencies that do not differ", () => {
  throws(() => COMMON_WORDS.make({ commonFrequency: 3, uncommonFrequency: 3 }), {
    name: "RangeError",
    message: "Cannot make task cwe as commonFrequency must be a whole number from 4 to 1000: current value is 3",
  });
  throws(() => COMMON_WORDS.make({ commonFrequency: 4, uncommonFrequency: 3, asked: 9 }), {
    name: "RangeError",
    message: "Cannot make task cwe as commonFrequency must be a whole number from 5 to 1000: current value is 4",
  });
});

Deno.test("COMMON_WORDS.make() refuses a length that the whole vocabulary does not fill", () => {
  const vocabulary = materials.words.vocabulary.slice(0, 2000);
  const few = withOther(materials, { words: { ...materials.words, vocabulary } });
  const task = COMMON_WORDS.make();
  const request = { seed: "few", index: 0, materials: few };
  let most = 0;
  throws(() => task.sample({ ...request, length: 100_000 }), ({ name, message }: Error) => {
    const [, length] = message.match(
      /^Cannot generate cwe as length must be at most (\d+) tokens, which take the whole vocabulary: current value is 100000$/,
    )!;
    most = Number(length);
    return name === "RangeError";
  });
  ok(most > 30_000);
  const { promptTokens } = task.sample({ ...request, length: most - 500 });
  ok(promptTokens + task.answerRoom > 0.99 * (most - 500));
});

Deno.test("COMMON_WORDS.make() asks for no word that the wording has in any case, and for none that is in another", () => {
  // All but the last four are in a capital word of the wording, and in no other.
  const odd = "below belo memorize memoriz memori question questi answe zz zzz zzzz yzz".split(" ");
  const words = { ...materials.words, vocabulary: [...odd, ...materials.words.vocabulary.slice(0, 600)] };
  const few = withOther(materials, { words });
  for (const variant of ["2026", "paper"] as const) {
    for (let index = 0; index < 12; index++) {
      const task = COMMON_WORDS.make({ variant, examples: 0 });
      const { prompt, references } = task.sample({ length: 1024, seed: "case", index, materials: few });
      const wording = userText(prompt).replaceAll(/\d+\. \S+/g, "").toLowerCase();
      deepEqual(references.filter((word) => wording.includes(word)), []);
      for (const word of references) equal(references.filter((other) => other.includes(word)).length, 1, word);
    }
  }
});

Deno.test("COMMON_WORDS.make() puts the chat template once around example and task in the paper's form", () => {
  const template = chatTemplate("meta-chat");
  const { prompt } = COMMON_WORDS.make({ variant: "paper" })
    .sample({ length: 4096, seed: "wrapped", index: 0, materials, template });
  const text = renderText(prompt, template);
  const marks = ["[INST] Below is", "list? [/INST] Answer:", "\n[INST] ", "list? Answer:"];
  deepEqual(marks.map((mark) => text.split(mark).length - 1), [1, 1, 0, 1]);
});

Deno.test("COMMON_WORDS.make() asks without a worked example where there are none", () => {
  const task = COMMON_WORDS.make({ examples: 0 });
  for (const length of [1024, 4096]) {
    const { prompt, facts } = task.sample({ length, seed: "none", index: 0, materials });
    equal(readLists(userText(prompt)).length, 1);
    ok(userText(prompt).startsWith("Below is a numbered list") && userText(prompt).split("Below is").length === 2);
    deepEqual(facts.filter(({ role }) => role === "example"), []);
  }
  equal(COMMON_WORDS.make({ examples: 1 }).options["examples"], undefined);
});

Deno.test("COMMON_WORDS.make() solves each of several examples, whose words are all different", () => {
  const { prompt, facts, references } = COMMON_WORDS.make({ examples: 3 })
    .sample({ length: 8192, seed: "several", index: 0, materials });
  const lists = readLists(userText(prompt));
  equal(lists.length, 4);
  equal(new Set(lists.flat()).size, lists.reduce((sum, list) => sum + new Set(list).size, 0));
  const answers = [...userText(prompt).matchAll(/in the list are: ([^\n]*)\n/g)].map(([, answer]) =>
    answer!.replaceAll(/\d+\. /g, "").split(" ")
  );
  equal(answers.length, 3);
  for (const [number, answer] of answers.entries()) {
    const counts = countEach(lists[number]!);
    deepEqual(answer.map((word) => counts.get(word)), Array(10).fill(10));
  }
  equal(facts.filter(({ role }) => role === "example").length, 120);
  ok(references.every((word) => !lists.slice(0, 3).flat().includes(word)));
});
