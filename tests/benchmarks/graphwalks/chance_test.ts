import { deepEqual, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { type BlindScores, blindScores, expectedParents } from "@/lib/benchmarks/graphwalks/scorer.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

Deno.test("blindScores() of two right nodes of eight", () => {
  const nodes = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const prompt = userPrompt(
    `The graph has the following edges:\n${nodes.map((node) => `${node} -> a\n`).join("")}\n\nOperation:\n`,
  );
  // All nodes: precision 2/8, recall 1. Two random nodes: each is right with probability 2/8.
  deepEqual(blindScores({ prompt, references: ["a", "b"] }), { allNodes: 0.4, randomNodes: 0.25, noNode: 0 });
  deepEqual(blindScores({ prompt, references: [] }), { allNodes: 0, randomNodes: 0, noNode: 1 });
});

Deno.test("expectedParents() of two nodes with an edge each", () => {
  // The other node is a parent with probability 1/2: k = 1 of n = 2.
  deepEqual(expectedParents({ nodes: 2, degree: 1 }), { allNodes: 1 / 3, randomNodes: 1 / 4, noNode: 1 / 2 });
});

Deno.test("expectedParents() is the mean of blindScores() over samples", async () => {
  const materials = await openTestMaterials("cl100k_base");
  const task = GRAPH_WALKS.make({ degree: 2 });
  const samples = Array.from(
    { length: 1500 },
    (_, index) => task.sample({ length: 1500, seed: "chance", index, materials }),
  );
  const means = (scores: readonly BlindScores[], name: keyof BlindScores): number =>
    scores.reduce((sum, each) => sum + each[name], 0) / scores.length;
  const found = samples.map(blindScores);
  const expected = expectedParents({ nodes: 30, degree: 2 });
  for (const name of ["randomNodes", "noNode"] as const) {
    const nodes = samples.map(({ facts }) => new Set(facts.map(({ text }) => text.slice(0, 10))).size);
    ok(nodes.every((each) => each >= 24 && each <= 36), `${Math.min(...nodes)} to ${Math.max(...nodes)}`);
    ok(Math.abs(means(found, name) - expected[name]) < 0.04, `${name}: ${means(found, name)} and ${expected[name]}`);
  }
});
