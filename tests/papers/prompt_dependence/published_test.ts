import { deepEqual, equal, throws } from "node:assert/strict";
import { depthGrid } from "@/lib/generators/mod.ts";
import { openRecallPublished, recallPercent } from "@/lib/papers/prompt_dependence/published.ts";

const published = await openRecallPublished();

Deno.test("openRecallPublished() joins the windows of Table 1 to the models of Table 5, whatever their names", () => {
  const windows = new Map(published.recalls.map(({ model, window }) => [model, window]));
  deepEqual([...windows.values()], [4096, 4096, 4096, 16_385, 16_385, 32_768, 32_768, 32_768, 128_000]);
  deepEqual([windows.get("WizardLM-70B-V1.0"), windows.get("GPT-4 Turbo 0125")], [4096, 128_000]);
});

Deno.test("openRecallPublished() averages the repeats of Kamradt's cells", () => {
  const of = (model: string): typeof published.cells => published.cells.filter((cell) => cell.model === model);
  const [gpt, claude] = [of("gpt-4-1106-preview"), of("claude-2.1")];
  deepEqual([gpt.length, claude.length], [15 * 15, 35 * 35]);
  const replies = (cells: typeof published.cells): number => cells.reduce((sum, { n }) => sum + n, 0);
  deepEqual([replies(gpt), replies(claude)], [330, 1376]);
  const mean = claude.reduce((sum, { score, n }) => sum + score * n, 0) / replies(claude);
  // The mean of the 1,376 scores, as the file has them.
  equal(mean.toFixed(2), "6.42");
});

Deno.test("openRecallPublished() has the grades of two heatmaps, which add up to Table 5", () => {
  for (const model of ["Mistral 7B Instruct v0.1", "Mistral 7B Instruct v0.2"]) {
    const cells = published.grades.filter((cell) => cell.model === model);
    equal(new Set(cells.map(({ length, depth }) => `${length}/${depth}`)).size, 35 * 35);
    const row = published.recalls.find(({ model: of, test }) => of === model && test === "Thornfield Hollow")!;
    equal(cells.reduce((sum, { score }) => sum + score, 0), row.gradeSum);
  }
  // The depths printed beside the heatmaps are every second point of Kamradt's grid.
  const depths = [...new Set(published.grades.map(({ depth }) => depth.toFixed(1)))];
  deepEqual(depths.slice(10, 18).filter((_, at) => at % 2 === 0), ["11.3", "18.7", "29.3", "42.7"]);
  deepEqual(depths, depthGrid({ points: 35, spacing: "sigmoid" }).map((depth) => depth.toFixed(1)));
});

Deno.test("recallPercent() is 20 where nothing is found and 100 where all is", () => {
  deepEqual(recallPercent(35, 35), { recall: 20, aboveFloor: 0 });
  deepEqual(recallPercent(175, 35), { recall: 100, aboveFloor: 100 });
  throws(() => recallPercent(34, 35), /the sum of 35 grades must be in \[35, 175\]: current value is 34/);
  throws(() => recallPercent(0, 0), /cells must be a whole number from 1: current value is 0/);
});

Deno.test.each(
  [
    [1, 1, 20, 0],
    [5, 1, 100, 100],
    [3, 1, 60, 50],
    [10, 3, 100 * 10 / 15, 100 * 7 / 12],
    [15, 3, 100, 100],
  ] as [number, number, number, number][],
)(
  "recallPercent() of grades that add up to %d in %d cells is %d, and %d above the floor",
  (sum, cells, recall, above) => {
    deepEqual(recallPercent(sum, cells), { recall, aboveFloor: above });
  },
);

Deno.test.each([[0, 1], [6, 1], [2, 3], [16, 3], [NaN, 3], [3, 1.5], [3, -1]] as [number, number][])(
  "recallPercent() refuses grades that add up to %d in %d cells",
  (sum, cells) => {
    throws(() => recallPercent(sum, cells), { name: "RangeError" });
  },
);
