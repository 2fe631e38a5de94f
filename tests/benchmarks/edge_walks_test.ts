import { deepEqual, equal, ok } from "node:assert/strict";
import EDGE_WALKS from "./_edge_walks.ts";
import { openTestMaterials } from "../generators/_materials.ts";
import { readSimulated } from "../_read_simulated.ts";
import { BENCHMARKS, findScorer } from "@/lib/benchmarks/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { openProfile } from "@/lib/simulated/mod.ts";
import { type RunRecord, scoreRecords } from "@/lib/records/mod.ts";
import { classifyFailure, type FailureClass } from "@/lib/statistics/failures/mod.ts";

// A benchmark of a stranger: everything below works by what its scorer declares.

const materials = await openTestMaterials("cl100k_base");
const benchmarks = [EDGE_WALKS, ...BENCHMARKS];
const family = EDGE_WALKS.families[0]!;
const scorer = findScorer("node F1", benchmarks);
const samples = family.tasks.flatMap((task) =>
  Array.from({ length: 12 }, (_, index) => family.task(task).sample({ length: 1024, seed: "walks", index, materials }))
);
const empty = samples.find(({ references }) => references.length === 0)!;
const several = samples.find(({ references }) => references.length > 1)!;
const elsewhere = several.facts.find(({ role }) => role === "noise")!.value;

function scoreOf(sample: Sample, text: string, scored: "first" | "whole"): number | null | undefined {
  const { references, task, length, suite, index, promptTokens, sha256 } = sample;
  const reply = { kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 };
  const record = { references, task, length, suite, index, promptTokens, sha256, scoring: scorer.name, reply };
  return scoreRecords([record as unknown as RunRecord], { scored, benchmarks })[0]?.value;
}

function classesOf(sample: Sample, text: string): FailureClass[] {
  const value = scoreOf(sample, text, "whole")!;
  const reply = { kind: "answer", text, finishReason: "stop" } as const;
  return classifyFailure(sample, { reply, value, rule: scorer }).map((mode) => mode.class);
}

Deno.test("a perfect reader of GraphWalks scores 1 by first answers and by whole replies", () => {
  for (const sample of samples) {
    const { text } = readSimulated(joinPrompt(sample.prompt), openProfile("ideal"), benchmarks);
    deepEqual([scoreOf(sample, text, "first"), scoreOf(sample, text, "whole")], [1, 1], text);
  }
});

Deno.test("the scorer of GraphWalks finds its answer after reasoning and before rambling", () => {
  const answer = `Final Answer: [${several.references.join(", ")}]`;
  equal(scoreOf(several, `Edges: ${elsewhere} -> ${several.references[0]}.\n\n${answer}`, "first"), 1);
  equal(scoreOf(several, `${answer}\n\nQuestion: what next?`, "first"), 1);
  equal(scoreOf(several, `${answer}\n\nQuestion: what next?`, "whole"), 0);
});

Deno.test("an empty list is an answer to GraphWalks, right or wrong", () => {
  deepEqual([scoreOf(empty, "Final Answer: []", "first"), scoreOf(empty, "I do not know", "first")], [1, 0]);
  equal(scoreOf(several, "Final Answer: []", "first"), 0);
  deepEqual(classesOf(several, "Final Answer: []"), ["incomplete answer"]);
  deepEqual(classesOf(empty, `Final Answer: [${empty.facts[0]!.value}]`), ["distractor"]);
});

Deno.test("classifyFailure() reads nodes of GraphWalks as one word each", () => {
  const [first] = several.references;
  deepEqual(
    classesOf(several, `Final Answer: [${several.references.join(", ")}, ${elsewhere}]`.replace(first!, elsewhere)),
    [
      "distractor",
    ],
  );
  deepEqual(classesOf(several, `Final Answer: [${several.references.map((_, at) => `e2f38cfd${at}e`).join(", ")}]`), [
    "other answer",
  ]);
  deepEqual(classesOf(several, `Final Answer: [${first}]`), ["incomplete answer"]);
  deepEqual(classesOf(several, "The graph has many parents."), ["other answer"]);
});
