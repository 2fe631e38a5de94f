import { deepEqual, equal, ok } from "node:assert/strict";
import { classAccuracy, countAgreed, isHeldOut, judgeLabelled, readLabels, replyId } from "./_labels.ts";
import type { RunRecord } from "@/lib/models/mod.ts";
import { FAILURE_CLASSES } from "@/lib/statistics/mod.ts";

// Replies of Gemma 3 270M and SmolLM2-135M-Instruct, labelled by hand by data/measured/labels/RULES.md.
const judged = await judgeLabelled();

Deno.test("every label is a failure class, each once, the primary one first, and every reply is labelled once", async () => {
  const labels = await readLabels();
  equal(new Set(labels.map(({ id }) => id)).size, labels.length);
  for (const { id, labels: given } of labels) {
    ok(given.length > 0, id);
    deepEqual(given, FAILURE_CLASSES.filter((name) => given.includes(name)), id);
  }
});

Deno.test("about a third of the labelled replies are held out, whatever their order", () => {
  const share = judged.filter((each) => each.isHeldOut).length / judged.length;
  ok(share > 0.25 && share < 0.42, `${share}`);
  ok(judged.every(({ id, isHeldOut: held }) => held === isHeldOut(id)));
});

Deno.test("classifyFailure() gives the labelled primary class of real replies", () => {
  for (const [part, least] of [[judged, 0.85], [judged.filter((each) => each.isHeldOut), 0.8]] as const) {
    const agreed = countAgreed(part);
    ok(agreed >= least * part.length, `${agreed} of ${part.length}`);
  }
});

for (const { class: name, labelled, told, both } of classAccuracy(judged).filter((each) => each.labelled >= 20)) {
  Deno.test(`classifyFailure() finds "${name}" in real replies with precision and recall of at least 0.9`, () => {
    ok(both >= 0.9 * told, `precision: ${both} of ${told}`);
    ok(both >= 0.9 * labelled, `recall: ${both} of ${labelled}`);
  });
}

Deno.test("the id of a reply names its model, its sample and its text", () => {
  const record = {
    model: "gemma",
    sample: "suite/task/0",
    reply: { kind: "answer", text: "" },
  } as unknown as RunRecord;
  equal(replyId(record), "gemma/suite/task/0/e3b0c44298fc1c14");
});
