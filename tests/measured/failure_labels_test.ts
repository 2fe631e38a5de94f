import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { compareReadings, readBoth, readingsText } from "./_agreement.ts";
import {
  classAccuracy,
  countAgreed,
  isHeldOut,
  type Judged,
  judgeLabelled,
  readLabels,
  reportText,
} from "./_labels.ts";
import { FAILURE_CLASSES, type FailureClass } from "@/lib/statistics/failures/mod.ts";

// Replies of Gemma 3 270M and SmolLM2-135M-Instruct, labelled one by one by data/measured/labels/RULES.md.
const judged = await judgeLabelled();

Deno.test("every label is a failure class, each once, the primary one first, and every reply is labelled once", async () => {
  const labels = await readLabels();
  equal(new Set(labels.map(({ id }) => id)).size, labels.length);
  for (const { id, labels: given } of labels) {
    ok(given.length > 0, id);
    deepEqual(given, FAILURE_CLASSES.filter((name) => given.includes(name)), id);
  }
});

Deno.test("half of the replies labelled in the second round are held out, whatever their order", () => {
  const second = judged.filter(({ round }) => round === 2);
  const share = second.filter((each) => each.isHeldOut).length / second.length;
  ok(share > 0.4 && share < 0.6, `${share}`);
  ok(judged.every((each) => each.isHeldOut === isHeldOut(each) && (each.round === 2 || !each.isHeldOut)));
});

Deno.test("two readings of every labelled reply, and both agree far better than by chance", async () => {
  const read = await readBoth();
  deepEqual(read.map(({ id }) => id), (await readLabels()).map(({ id }) => id));
  ok(read.every(({ id, second }) => second?.id === id));
  for (const [part, least] of [[read, 0.65], [read.filter(({ second }) => !second.quick), 0.75]] as const) {
    const { kappa } = compareReadings(part);
    ok(kappa.low > least, `${kappa.low}`);
  }
});

Deno.test("the page of results says what the report prints", { ignore: cases(true, false) }, async () => {
  const page = await Deno.readTextFile(new URL("../../data/measured/labels/RESULTS.md", import.meta.url));
  ok(page.includes(readingsText(await readBoth())), "agreement of the readings");
  ok(page.includes(reportText(judged)), "classes and labels: run tests/measured/failure_report.ts");
});

// What the classifier reaches, and not what it should: the report has each class with its interval.
Deno.test.each([
  ["of all benchmarks", () => true, 0.86],
  ["held out, of all benchmarks", (each: Judged) => each.isHeldOut, 0.86],
  ["of RULER", (each: Judged) => each.benchmark === "ruler", 0.9],
  ["held out, of RULER", (each: Judged) => each.benchmark === "ruler" && each.isHeldOut, 0.9],
] as [string, (each: Judged) => boolean, number][])(
  "classifyFailure() gives the labelled primary class of real replies %s",
  (_name, holds, least) => {
    const part = judged.filter(holds);
    const agreed = countAgreed(part);
    ok(agreed >= least * part.length, `${agreed} of ${part.length}`);
  },
);

// An answer that lacks items and has wrong ones is labelled by the wrong ones alone.
const LEAST: Readonly<Partial<Record<FailureClass, readonly [precision: number, recall: number]>>> = {
  "incomplete answer": [0.7, 0.85],
  "wrong format": [0.75, 0.5],
  "other answer": [0.75, 0.75],
};

for (const { class: name, labelled, told, both } of classAccuracy(judged).filter((each) => each.labelled >= 20)) {
  Deno.test(`classifyFailure() finds "${name}" in real replies with high precision and recall`, () => {
    const [precision, recall] = LEAST[name] ?? [0.85, 0.85];
    ok(both >= precision * told, `precision: ${both} of ${told}`);
    ok(both >= recall * labelled, `recall: ${both} of ${labelled}`);
  });
}

Deno.test("labels of classes that are still there are found as before", () => {
  const kept = judged.filter(({ finer }) => ["empty", "loop", "distractor"].includes(finer[0]!));
  const same = kept.filter(({ finer, modes }) => modes[0]?.class === finer[0]);
  ok(same.length >= 150, `${same.length} of ${kept.length}`);
});
