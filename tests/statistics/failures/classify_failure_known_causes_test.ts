import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { classesOf, classify, makeSample, materials } from "./_samples.ts";
import { listReaders } from "@/lib/benchmarks/mod.ts";
import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/pairs.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { VARIABLE_TRACKING } from "@/lib/benchmarks/ruler/variable_tracking.ts";
import { NIAH } from "@/lib/benchmarks/ruler/niah.ts";
import { RULER_STUDY_TASK_NAMES, rulerTask } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Sample, Task } from "@/lib/generators/mod.ts";
import type { FactForm, LossSetting, ReplyForm } from "@/lib/models/simulated/profiles.ts";
import type { Mistake, MistakeKind } from "@/lib/models/simulated/reader.ts";
import { joinPrompt, openProfile, type Profile, readAs, readPrompt, type SimulatedReply } from "@/lib/models/mod.ts";
import { type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { stringMatchAll, stringMatchPart } from "@/lib/scorers/string_match.ts";
import {
  classifyFailure,
  FAILURE_CLASSES,
  type FailureClass,
  type FailureMode,
} from "@/lib/statistics/failures/mod.ts";

/** What the reader does to a fact or a reply, by the class that it must be told by. */
const CLASSES: Readonly<Partial<Record<MistakeKind, FailureClass>>> = {
  empty: "empty",
  refused: "refusal",
  looped: "loop",
  again: "loop",
  copied: "context copied",
  example: "example copied",
  prior: "not in context",
  invented: "not in context",
  distractor: "distractor",
  miscounted: "distractor",
  partial: "partial value",
  "near_miss": "not in context",
  key: "other text",
  repeated: "repeated answer",
  "left_out": "incomplete answer",
  "lost_hop": "incomplete answer",
  stopped: "incomplete answer",
};

/**
 * Gives the classes of the failure that the reader says it made, in order of precedence.
 *
 * For common words, it remembers frequent words of English.
 */
function trueClasses(mistakes: readonly Mistake[], task: Task): FailureClass[] {
  const classes = mistakes.map(({ kind }) =>
    kind === "prior" && task.options["commonFrequency"] !== undefined ? "prior knowledge" : CLASSES[kind]
  );
  return FAILURE_CLASSES.filter((name) => classes.includes(name));
}

const READERS = listReaders();
const base = openProfile("longalpaca");

const FACT_FORMS: readonly FactForm[] = [
  "left_out",
  "distractor",
  "partial",
  "repeated",
  "invented",
  "near_miss",
  "key",
];
const REPLY_FORMS: readonly ReplyForm[] = ["empty", "refused", "looped", "again", "copied", "prior", "invented"];
const SETTINGS: readonly LossSetting[] = [
  "lone value",
  "value among others",
  "list of values",
  "multi-hop tracing",
  "aggregation",
  "question answering",
];

/** Has every lost reply fail in one form, whatever is asked for. */
function always(form: ReplyForm): Profile["rates"]["wholeReplies"] {
  return Object.fromEntries(SETTINGS.map((setting) => [setting, { [form]: 1 }]));
}

/** Makes a reader that holds on to everything with the same log-odds. */
function makeReader(name: string, level: number, rates: Partial<Profile["rates"]>): Profile {
  const strength = { level, slope: 0.3, bend: 0 };
  const strengths = {
    "retrieval": strength,
    "multi-hop tracing": strength,
    "aggregation": strength,
    "question answering": strength,
  };
  return { ...base, name, strengths, rates: { ...base.rates, whole: 0, copying: 0, wholeReplies: {}, ...rates } };
}

/** Readers each of which has one bad habit to excess, and one that has them all. */
const BAD_READERS: readonly Profile[] = [
  ...FACT_FORMS.map((form) => makeReader(`to a fact: ${form}`, 1, { facts: { [form]: 1 }, nearness: 0.5 })),
  ...REPLY_FORMS.map((form) =>
    makeReader(`to a reply: ${form}`, -1, { whole: 0.9, copying: 0.9, wholeReplies: always(form) })
  ),
  makeReader("remembers all of it", -3, { whole: 0.9, copying: 0.9, wholeReplies: always("prior") }),
  makeReader("copies the example", -1, { copying: 0.8, whole: 0.1, wholeReplies: base.rates.wholeReplies }),
  makeReader("does all of it", 1.5, {
    facts: { "left_out": 1, distractor: 1, partial: 1, repeated: 1, invented: 1 },
  }),
];

const TASKS: readonly Task[] = [
  ...RULER_STUDY_TASK_NAMES.map((name) => rulerTask(name)),
  rulerTask("cwe", { common: 6, asked: 6 }),
  NIAH.make({ name: "niah_uuids", keys: 6, keyType: "uuids", valueType: "uuids" }),
  NIAH.make({ name: "niah_many", keys: 6, values: 2, queries: 3, valueType: "uuids" }),
  VARIABLE_TRACKING.make({ name: "vt_4_chains", chains: 4, hops: 6 }),
];
/** Samples by length. */
const SAMPLES: readonly (readonly [length: number, samples: number])[] = cases(
  [[1024, 4], [4096, 2], [16_384, 1]],
  [[1024, 9], [4096, 6], [16_384, 2]],
);

/** The least precision and recall of a class: of few replies that it is true of, one or two may be misread. */
const LEAST_SHARE = cases(0.8, 0.95);

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

/** What is no answer comes undressed. */
const UNDRESSED: readonly MistakeKind[] = ["again", "copied"];

const toldBare: Told[] = [];
const toldDressed: Told[] = [];
for (const task of TASKS) {
  for (const [length, samples] of SAMPLES.filter(([tokens]) => tokens >= task.leastLength(materials))) {
    for (let index = 0; index < samples; index++) tellAll(task, makeSample(task, length, index));
  }
}

/** What every bad reader replies to a sample, whose prompt is read once for all of them. */
function readByAll(sample: Sample): SimulatedReply[] {
  const prompt = joinPrompt(sample.prompt);
  const read = readPrompt(prompt, READERS);
  return BAD_READERS.map((profile) => readAs(prompt, { profile, readers: READERS, read }));
}

function tellAll(task: Task, sample: Sample): void {
  const match = task.scorer.name === "all" ? stringMatchAll : stringMatchPart;
  for (const { text, mistakes } of readByAll(sample)) {
    if (match(text, sample.references).value === 1) continue;
    const truth = trueClasses(mistakes, task);
    toldBare.push({ sample, task, text, mistakes, truth, modes: classify(sample, text) });
    if (text === "" || mistakes.some(({ kind }) => UNDRESSED.includes(kind))) continue;
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
  "context copied",
  "prior knowledge",
  "distractor",
  "not in context",
  "partial value",
  "other text",
  "repeated answer",
  "incomplete answer",
];
const LEAST_CASES = cases(10, 30);

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

Deno.test("the simulated reader makes every failure it is set to, often enough to count", () => {
  deepEqual(FAILURE_CLASSES.filter((way) => measure(toldBare, way).cases > 0), READERS_WAYS);
  for (const way of READERS_WAYS) ok(measure(toldBare, way).cases >= LEAST_CASES, way);
});

for (const way of READERS_WAYS) {
  Deno.test(`classifyFailure() recognises "${way}" in replies of known cause, precision and recall at least ${LEAST_SHARE}`, () => {
    const { precision, recall } = measure(toldBare, way);
    ok(precision >= LEAST_SHARE, `precision is ${precision}`);
    ok(recall >= LEAST_SHARE, `recall is ${recall}`);
  });
}

// An empty reply cannot be dressed, and what is copied in place of an answer is not.
for (const way of READERS_WAYS.filter((name) => name !== "empty" && name !== "context copied")) {
  Deno.test(`classifyFailure() recognises "${way}" also in answers worded as by a chat model`, () => {
    const { precision, recall } = measure(toldDressed, way);
    ok(precision >= LEAST_SHARE, `precision is ${precision}`);
    ok(recall >= LEAST_SHARE, `recall is ${recall}`);
  });
}

Deno.test("classifyFailure() reports no class that the reader does not make, in at least 99% of replies", () => {
  for (const all of [toldBare, toldDressed]) {
    const invented = all.filter(({ modes }) => classesOf(modes).some((way) => !READERS_WAYS.includes(way)));
    ok(invented.length <= 0.01 * all.length, invented[0]?.text);
  }
});

Deno.test("classifyFailure() finds the primary class in at least 95% of replies, and always one", () => {
  for (const all of [toldBare, toldDressed]) {
    ok(all.every(({ modes }) => modes.length > 0));
    const right = all.filter(({ truth, modes }) => truth[0] === modes[0]?.class);
    ok(right.length >= 0.95 * all.length, `${right.length} of ${all.length}`);
  }
});

Deno.test("classifyFailure() finds how much of a value was given, and whose value a distractor is", () => {
  let [parts, distractors] = [0, 0];
  for (const { sample, task, mistakes, modes } of toldBare) {
    const evidenceOf = (way: FailureClass): FailureMode["evidence"] =>
      modes.find((mode) => mode.class === way)?.evidence ?? [];
    for (const { kind, wanted, given: replacement } of mistakes) {
      if (kind === "partial") {
        const part = evidenceOf("partial value").find((evidence) => evidence.given === replacement);
        ok(part && Math.abs(part.share! - replacement!.length / wanted!.length) < 0.2, `${replacement} of ${wanted}`);
        parts++;
      }
      if (kind === "distractor" && task.category === "retrieval") {
        const given = evidenceOf("distractor").find((evidence) => evidence.given === replacement);
        const fact = sample.facts.find(({ value }) => value === replacement);
        equal(given?.key, fact?.key);
        ok(Math.abs(given!.away!) <= 1 && given!.nearer! >= 0 && given!.nearer! <= 1);
        distractors++;
      }
    }
  }
  ok(parts >= LEAST_CASES && distractors >= LEAST_CASES);
});

const KINDS: readonly ThreadingKind[] = [
  "single_needle",
  "multi_needle",
  "conditional_needle",
  "single_thread",
  "multi_thread",
  "branched_thread",
];

Deno.test("classifyFailure() finds all classes of at least 95% of failed replies to Needle Threading, a suite it knows nothing about", () => {
  let [wrong, told] = [0, 0];
  for (const kind of KINDS) {
    const task = THREADING.make({ kind });
    for (let index = 0; index < 4; index++) {
      const sample = task.sample({ length: task.leastLength(materials) + 2000, seed: "failures", index, materials });
      for (const { text, mistakes } of readByAll(sample)) {
        const reply = { kind: "answer", text, finishReason: "stop", latencyMs: 0, attempts: 1 } as const;
        const { references } = sample;
        const [scored] = scoreRecords([{ references, scoring: task.scorer.name, reply } as unknown as RunRecord]);
        const value = scored!.value!;
        if (value === 1) continue;
        wrong++;
        const classes = classesOf(classifyFailure(sample, { reply, value, rule: task.scorer }));
        // An empty list is as good as nothing.
        const truth = text === "[]" ? ["empty"] : trueClasses(mistakes, task);
        if (classes.join() === truth.join()) told++;
      }
    }
  }
  ok(wrong >= 100);
  ok(told >= 0.95 * wrong, `${told} of ${wrong}`);
});
