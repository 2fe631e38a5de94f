import { deepEqual, equal, ok } from "node:assert/strict";
import { trueClasses } from "./_mistakes.ts";
import { BAD_READERS } from "./_readers.ts";
import { classesOf, classify, makeSample, materials } from "./_samples.ts";
import { readSimulated } from "@/lib/benchmarks/mod.ts";
import { NIAH, rulerTask, VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_STUDY_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";
import { joinPrompt, type Mistake } from "@/lib/models/mod.ts";
import { stringMatchAll, stringMatchPart } from "@/lib/scorers/string_match.ts";
import { FAILURE_CLASSES, type FailureClass, type FailureMode } from "@/lib/statistics/mod.ts";

const TASKS: readonly Task[] = [
  ...RULER_STUDY_TASK_NAMES.map((name) => rulerTask(name)),
  NIAH.make({ name: "niah_many", keys: 6, values: 2, queries: 3, valueType: "uuids" }),
  VARIABLE_TRACKING.make({ name: "vt_4_chains", chains: 4, hops: 6 }),
];
/** Samples by length. */
const SAMPLES: readonly (readonly [length: number, samples: number])[] = [[1024, 9], [4096, 6], [16_384, 2]];

/** What is known of a wrong reply and what was told of it. */
interface Told {
  readonly sample: Sample;
  readonly task: Task;
  readonly text: string;
  readonly mistakes: readonly Mistake[];
  readonly truth: readonly FailureClass[];
  readonly modes: readonly FailureMode[];
}

/** Ways in which a real model dresses an answer. */
const DRESSES: readonly ((answer: string) => string)[] = [
  (answer) => `The answer is: ${answer.trim()}`,
  (answer) => `${answer}\n\nLet me know if you need anything else!`,
  (answer) => `Sure, here is what I found in the text:\n\n${answer.trim()}`,
  (answer) => ` **${answer.trim()}**`,
  (answer) => `Based on the given text, the answer would be ${answer.trim()}\n\nThese are all that the text mentions.`,
  (answer) => `Okay. ${answer.trim()} I hope this helps.`,
];

const toldBare: Told[] = [];
const toldDressed: Told[] = [];
for (const task of TASKS) {
  for (const [length, samples] of SAMPLES.filter(([tokens]) => tokens >= task.leastLength(materials))) {
    for (let index = 0; index < samples; index++) tellAll(task, makeSample(task, length, index));
  }
}

function tellAll(task: Task, sample: Sample): void {
  const match = task.scorer.name === "all" ? stringMatchAll : stringMatchPart;
  for (const reader of BAD_READERS) {
    const { text, mistakes } = readSimulated(joinPrompt(sample.prompt), reader);
    if (match(text, sample.references).value === 1) continue;
    const truth = trueClasses(mistakes, task);
    toldBare.push({ sample, task, text, mistakes, truth, modes: classify(sample, text) });
    if (text === "") continue;
    const dressed = DRESSES[toldDressed.length % DRESSES.length]!(text);
    toldDressed.push({ sample, task, text: dressed, mistakes, truth, modes: classify(sample, dressed) });
  }
}

/** Ways of failing that the reader can be made to have. */
const READERS_WAYS: readonly FailureClass[] = [
  "empty",
  "refusal",
  "loop",
  "example copied",
  "frequent words",
  "other chain",
  "distractor",
  "less frequent word",
  "not in context",
  "partial value",
  "repeated answer",
  "chain lost",
  "incomplete list",
];
const LEAST_CASES = 30;

interface Accuracy {
  readonly cases: number;
  readonly precision: number;
  readonly recall: number;
}

function measure(all: readonly Told[], way: FailureClass): Accuracy {
  const isTrue = all.filter(({ truth }) => truth.includes(way));
  const isTold = all.filter(({ modes }) => classesOf(modes).includes(way));
  const both = isTrue.filter((told) => isTold.includes(told)).length;
  return { cases: isTrue.length, precision: both / isTold.length, recall: both / isTrue.length };
}

Deno.test("the reader fails in every way that it is asked for, often enough to be counted", () => {
  deepEqual(FAILURE_CLASSES.filter((way) => measure(toldBare, way).cases > 0), READERS_WAYS);
  for (const way of READERS_WAYS) ok(measure(toldBare, way).cases >= LEAST_CASES, way);
});

for (const way of READERS_WAYS) {
  Deno.test(`classifyFailure() tells "${way}" from replies of known cause, precision and recall at least 0.95`, () => {
    const { precision, recall } = measure(toldBare, way);
    ok(precision >= 0.95, `precision is ${precision}`);
    ok(recall >= 0.95, `recall is ${recall}`);
  });
}

// An empty reply cannot be dressed.
for (const way of READERS_WAYS.filter((name) => name !== "empty")) {
  Deno.test(`classifyFailure() tells "${way}" as well where the answer is dressed up as a chat model's`, () => {
    const { precision, recall } = measure(toldDressed, way);
    ok(precision >= 0.95, `precision is ${precision}`);
    ok(recall >= 0.95, `recall is ${recall}`);
  });
}

Deno.test("classifyFailure() invents no way that the reader does not have, in at least 99% of replies", () => {
  for (const all of [toldBare, toldDressed]) {
    const invented = all.filter(({ modes }) => classesOf(modes).some((way) => !READERS_WAYS.includes(way)));
    ok(invented.length <= 0.01 * all.length, invented[0]?.text);
  }
});

Deno.test("classifyFailure() tells the primary way in at least 95% of replies, and always one", () => {
  for (const all of [toldBare, toldDressed]) {
    ok(all.every(({ modes }) => modes.length > 0));
    const right = all.filter(({ truth, modes }) => truth[0] === modes[0]?.class);
    ok(right.length >= 0.95 * all.length, `${right.length} of ${all.length}`);
  }
});

Deno.test("classifyFailure() tells at which hop a chain was lost, exactly", () => {
  let checked = 0;
  for (const { sample, mistakes, modes } of toldBare) {
    const lost = modes.find((mode) => mode.class === "chain lost");
    const first = mistakes.find(({ fact }) => fact !== null);
    if (!lost || !first) continue;
    equal(lost.hop, sample.references.indexOf(first.fact!));
    checked++;
  }
  ok(checked >= LEAST_CASES);
});

Deno.test("classifyFailure() tells how much of a value was given, and whose value a distractor is", () => {
  let [parts, distractors] = [0, 0];
  for (const { sample, task, mistakes, modes } of toldBare) {
    const evidenceOf = (way: FailureClass): FailureMode["evidence"] =>
      modes.find((mode) => mode.class === way)?.evidence ?? [];
    for (const { kind, wanted, said } of mistakes) {
      if (kind === "partial") {
        const part = evidenceOf("partial value").find((evidence) => evidence.said === said);
        ok(part && Math.abs(part.share! - said!.length / wanted!.length) < 0.2, `${said} of ${wanted}`);
        parts++;
      }
      if (kind === "distractor" && task.category === "retrieval") {
        const given = evidenceOf("distractor").find((evidence) => evidence.said === said);
        const fact = sample.facts.find(({ value }) => value === said);
        equal(given?.key, fact?.key);
        ok(Math.abs(given!.away!) <= 1 && given!.nearer! >= 0 && given!.nearer! <= 1);
        distractors++;
      }
    }
  }
  ok(parts >= LEAST_CASES && distractors >= LEAST_CASES);
});
