import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials, withOther } from "./_materials.ts";
import { BENCHMARKS, findFamily, listFamilies } from "@/lib/benchmarks/mod.ts";
import {
  type Family,
  family,
  hideFacts,
  promptText,
  questionOf,
  type Sample,
  type Task,
  userPrompt,
} from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";

const materials = await openTestMaterials("cl100k_base");

function make(task: Task, index = 1): Sample {
  const length = Math.max(2048, task.leastLength(materials));
  return task.sample({ length, seed: "question", index, materials });
}

/** The tasks of a family, and its own with each choice of each knob that it takes alone. */
function tasksOf(family: Family): Task[] {
  const choices = Object.entries(family.knobs).flatMap(([knob, { choices = [] }]) =>
    choices.map((choice) => ({ [knob]: choice }))
  );
  const given = [...choices, { questions: 3 }, { examples: 1 }, { documents: 0 }];
  const turned = given.flatMap((knobs) => {
    try {
      return [family.make(knobs as Parameters<Family["make"]>[0])];
    } catch {
      // Some families have no such knob, or need others with it.
      return [];
    }
  });
  return [...family.tasks.map((name) => family.task(name)), ...turned];
}

const families = BENCHMARKS.flatMap(({ name, families }) => families.map((family) => [name, family] as const));

for (const [suite, family] of families.filter(([, { tasks }]) => tasks.length > 0)) {
  Deno.test(`${suite}: the question of every task of ${family.name} is the part of its prompt that asks, and nothing else`, () => {
    for (const task of tasksOf(family)) {
      const { question, prompt, facts } = make(task);
      const what = `${task.name} ${JSON.stringify(task.options)}: ${question}`;
      ok(question.length > 10 && question.length < 600, what);
      ok(promptText(prompt).includes(question), what);
      ok(!question.includes("\n") && question === question.trim(), what);
      ok(/[?？.:)]$|★|\d|"\]?$/.test(question), what);
      ok(!/^Question|INST|Answer:|Final Answer|Don't give|请按照|Do not include|Please answer/.test(question), what);
      // A fact is not in the question, as it would be with the context.
      ok(
        facts.filter(({ depth }) => depth !== null).every(({ text }) => text.length < 12 || !question.includes(text)),
        what,
      );
    }
  });
}

Deno.test("the question names what the references answer", () => {
  const needle = make(findFamily("niah_multikey_1")!.task("niah_multikey_1"));
  const target = needle.facts.find(({ role }) => role === "target")!;
  deepEqual(needle.references, [target.value]);
  equal(needle.question, `What is the special magic number for ${target.key} mentioned in the provided text?`);
  for (const index of [0, 1, 2, 3]) {
    const walk = make(findFamily("graphwalks_parents")!.task("graphwalks_parents"), index);
    const [, node] = /^Find the parents of node (\S+)\.$/.exec(walk.question)!;
    const parents = [...promptText(walk.prompt).matchAll(/^(\S+) -> (\S+)$/gm)].filter(([, , child]) => child === node);
    deepEqual([...new Set(parents.map(([, parent]) => parent))].sort(), [...walk.references].sort());
  }
});

Deno.test("each question about a context is its own", () => {
  const task = findFamily("niah")!.make({ questions: 3 });
  const samples = [0, 1, 2].map((index) => make(task, index));
  for (const { question, facts } of samples) {
    const asked = facts.filter(({ role }) => role === "target").map(({ key }) => key);
    ok(asked.length === 1 && question.includes(asked[0]!));
  }
});

Deno.test("the question is in the JSON of a sample and in its copies, and changes no hash", () => {
  const sample = make(findFamily("vt")!.task("vt"));
  const copy = JSON.parse(JSON.stringify(sample)) as Sample;
  deepEqual([copy.question, { ...sample }.question], [sample.question, sample.question]);
  equal(make(findFamily("vt")!.task("vt")).sha256, sample.sha256);
});

Deno.test("the question of a family without a pattern is all that follows its context, without a word before it", () => {
  const own = family({
    ...{ suite: "own-1", name: "own", about: "doors", category: "retrieval", knobs: {}, tasks: { door: {} } },
    ...{ scorers: [allFound], answerRoom: 8 },
    recipe: (_, request) =>
      hideFacts(
        [{ role: "target", key: "door", value: "amber", text: "The door opens at amber.", depth: 0.5 }],
        request,
        {
          ...{ instructions: "Read this.", question: "Question: What opens the door? Name it." },
        },
      ),
  });
  const request = { length: 512, seed: "a", index: 0, materials: withOther(materials, {}) };
  equal(own.task("door").sample(request).question, "What opens the door? Name it.");
});

Deno.test("questionOf() finds the question of every task in its whole prompt, as of a file", () => {
  for (const { name, tasks, task: make_ } of listFamilies()) {
    // The needle of a test of recall is asked for in words of its own, after the essays.
    for (const each of tasks) {
      const made = make_(each);
      const { prompt, question } = make(made);
      equal(questionOf(prompt, made.asks), question, `${name} ${each}`);
    }
  }
});

Deno.test("questionOf() without a pattern takes the last line that asks, or the last line, at most 600 characters", () => {
  const found = (text: string): string => questionOf(userPrompt(text));
  equal(found("Read.\nIs it so? It is.\n\nQuestion: Who came?\nAnswer in one word.\n"), "Who came?");
  equal(found("A text.\n\nName the town that was lost."), "Name the town that was lost.");
  equal(found(`Is it?\n${"No.\n".repeat(5)}Name it.`), "Name it.");
  equal(found(`${"word ".repeat(1000)}`).length, 599);
  equal(found(`${"😀".repeat(400)}!`).isWellFormed(), true);
  equal(found(""), "");
  equal(found("Text.\n问题：谁来了？"), "谁来了？");
});

Deno.test("questionOf() looks at the start of a prompt too, and asks the last of several messages", () => {
  equal(questionOf(userPrompt(`Copy this: ${"word ".repeat(9000)}`), /Copy \w+:/), "Copy this:");
  const messages = ["first?", "second", "third?"]
    .map((text, at) => ({ role: at === 1 ? "assistant" as const : "user" as const, text }));
  equal(questionOf({ messages }), "third?");
});
