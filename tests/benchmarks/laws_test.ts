import { deepEqual, notEqual, ok, throws } from "node:assert/strict";
import { traitsOf } from "../audit/_settings.ts";
import { checkContexts } from "./_contexts.ts";
import { openTestMaterials } from "../generators/_materials.ts";
import { BENCHMARKS, type TestLine } from "@/lib/benchmarks/mod.ts";
import { type Family, type Sample, type Task, userPrompt } from "@/lib/generators/mod.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";
import { answerAs } from "@/lib/simulated/reader.ts";

// What every task promises. tests/audit counts the tokens of samples again, and solves them, with code of its own.

const materials = await openTestMaterials("cl100k_base");
const others = await openTestMaterials("cl100k_base");
const LENGTH = 4096;
const SAMPLES = 4;

function make(task: Task, index: number, { length = LENGTH, seed = "laws" } = {}): Sample {
  return task.sample({ length, seed, index, materials });
}

function gradeOf(task: Task, reply: string, sample: Sample): number {
  return task.scorer.grade(reply, sample).score.value!;
}

const families = BENCHMARKS.flatMap(({ name: suite, families, testFiles }) =>
  families.filter(({ tasks }) => tasks.length > 0).map((family) => ({ suite, family, testFiles }))
);
for (const { suite, family, testFiles } of families) {
  const tasks = family.tasks.map((name) => family.task(name));

  Deno.test(`${suite}: a sample of ${family.name} is the same alone and after others, and another for another seed`, () => {
    for (const task of tasks) {
      const length = Math.max(LENGTH, task.leastLength(materials));
      const made = Array.from({ length: SAMPLES }, (_, index) => make(task, index, { length }));
      for (const index of [SAMPLES - 1, 0]) {
        deepEqual(task.sample({ length, seed: "laws", index, materials: others }), made[index], task.name);
      }
      if (traitsOf(task).areDifferent) {
        notEqual(make(task, 0, { length, seed: "others" }).sha256, made[0]!.sha256, task.name);
        const asked = new Set(made.map(({ question, references }) => JSON.stringify([question, references])));
        ok(
          asked.size > 1 || traitsOf(task).asksTheSame,
          `${task.name}: all samples ask the same; is the index in the path of the draw?`,
        );
      }
    }
  });

  Deno.test(`${suite}: samples of ${family.name} fill their length, are never over it, and fit the least one`, () => {
    for (const task of tasks.filter((task) => traitsOf(task).isBudget)) {
      const least = task.leastLength(materials);
      for (const length of [least, least + 1, LENGTH, 2 * LENGTH]) {
        if (length < least) continue;
        for (let index = 0; index < SAMPLES; index++) {
          const { promptTokens, answerRoom } = make(task, index, { length });
          const share = (promptTokens + answerRoom) / length;
          ok(share <= 1, `${task.name} is over ${length}`);
          ok(share >= 0.97 || length < LENGTH || !traitsOf(task).isFilled, `${task.name} has ${share} of ${length}`);
        }
      }
      throws(() => make(task, 0, { length: least - 1 }), RangeError);
    }
  });

  Deno.test(`${suite}: an ideal reply to ${family.name} scores 1, any other less`, () => {
    for (const task of tasks) {
      const length = Math.max(LENGTH, task.leastLength(materials));
      const samples = [0, 1].map((index) => make(task, index, { length }));
      const [first, second] = samples.map((each) => answerAs(openProfile("ideal"), each).text);
      const [sample] = samples as [Sample];
      deepEqual(gradeOf(task, first!, sample), 1, `${task.name}: ${first} (does the family need \`write\`?)`);
      for (const [at, { answerRoom }] of samples.entries()) {
        const tokens = materials.tokenizer.count([first, second][at]!);
        ok(tokens <= answerRoom, `${task.name}: a right reply has ${tokens} tokens, answerRoom ${answerRoom}`);
      }
      const wrong = first === second ? [] : [second!];
      for (const reply of ["", "nonsense", ...wrong]) {
        ok(gradeOf(task, reply, sample) < 1, `${task.name}: ${reply}`);
      }
    }
  });

  if (testFiles !== undefined) {
    Deno.test(`${suite}: a sample of ${family.name} is written as a row of its authors, and read as the same prompt and answer`, () => {
      const refuse = (wanted: string, value: unknown): Error => new SyntaxError(`${wanted}: ${value}`);
      for (const task of tasks) {
        const sample = make(task, 1, { length: Math.max(LENGTH, task.leastLength(materials)) });
        const read: TestLine = testFiles.read(testFiles.write(sample, task), refuse)!;
        const messages = read.messages ?? userPrompt(read.input!).messages;
        deepEqual([messages, read.references], [sample.prompt.messages, sample.references]);
        ok((read.task ?? task.name).endsWith(task.name), read.task);
      }
    });
  }

  const several = tasks.flatMap(({ name }) => askSeveral(family, name) ?? []);
  if (several.length === 0) continue;
  Deno.test(`${suite}: several questions about a context of ${family.name} share its text, and each has its own answer`, () => {
    for (const task of several) checkContexts(task, { materials, length: 2 * LENGTH, slack: 160 });
  });
}

/** Returns a task with three questions about each context; `undefined` if it cannot have them. */
function askSeveral(family: Family, name: string): Task | undefined {
  try {
    return family.knobs["questions"] && family.task(name, { questions: 3 });
  } catch {
    return undefined;
  }
}
