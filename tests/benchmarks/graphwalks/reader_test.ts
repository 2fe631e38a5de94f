import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { readSimulated } from "../../_read_simulated.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { listReaders } from "@/lib/benchmarks/registry.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { openProfile } from "@/lib/simulated/mod.ts";

const materials = await openTestMaterials("cl100k_base");

Deno.test("the ideal reader answers every question, and only one reader recognises it", () => {
  for (const name of GRAPH_WALKS.tasks) {
    for (const wording of ["2026", "2025"] as const) {
      for (let index = 0; index < 20; index++) {
        const task = GRAPH_WALKS.task(name, { wording });
        const sample = task.sample({ length: 3000, seed: "read", index, materials });
        const prompt = joinPrompt(sample.prompt);
        const { text } = readSimulated(prompt, openProfile("ideal"));
        equal(task.scorer.grade(text, sample).penalised.value, 1, text);
        deepEqual(listReaders().filter(({ recognise }) => recognise(prompt) !== null).map((reader) => reader.name), [
          "graphwalks",
        ]);
      }
    }
  }
});

Deno.test("a weaker reader loses nodes, more of them at greater depths", () => {
  const meanOf = (depth: number): number => {
    const task = GRAPH_WALKS.make({ operation: "bfs", degree: 3, depth });
    const scores = Array.from({ length: 40 }, (_, index) => {
      const sample = task.sample({ length: 8192, seed: "weak", index, materials });
      const { text } = readSimulated(joinPrompt(sample.prompt), openProfile("gpt-4"));
      return task.scorer.grade(text, sample).score.value!;
    });
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
  const [near, far] = [meanOf(1), meanOf(4)];
  ok(near < 1 && far < near - 0.1, `${near} ${far}`);
});

Deno.test("the reader leaves prompts without edges or without an operation alone", () => {
  const [reader] = GRAPH_WALKS.readers;
  for (
    const prompt of ["", "\nOperation:\nFind the parents of node a.\n", "The graph has the following edges:\na -> b\n"]
  ) {
    equal(reader!.recognise(prompt), null);
  }
});
