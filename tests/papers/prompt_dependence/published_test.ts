import { deepEqual, equal, ok } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { RECALL_TESTS } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { depthGrid } from "@/lib/generators/mod.ts";
import {
  kamradtCells,
  nameTests,
  openRecallScores,
  recallCells,
  recallTable,
} from "@/lib/papers/prompt_dependence/recalls.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const published = await openRecallScores();

testOnRealData("Table 5 is that of the file that it was parsed into", {
  reads: "../published/machlab_table5_recall.csv",
  fn(): void {
    const [, ...rows] = readCsv(readRealText("../published/machlab_table5_recall.csv"), "table");
    const wanted = rows.map(({ fields: [model, n, test, recall] }) => `${model} ${test} ${n} ${Number(recall)}`);
    const read = nameTests(recallTable(published)).map(({ model, task, n, score }) => `${model} ${task} ${n} ${score}`);
    deepEqual(read.toSorted(), wanted.toSorted());
  },
});

const KAMRADT = ["niah_original_gpt4_128k.csv", "niah_original_claude21_200k.csv"].map((file) =>
  `../published/${file}`
);

testOnRealData("Kamradt's scores are those of the files that they were read into", {
  reads: KAMRADT,
  fn(): void {
    const rows = KAMRADT.flatMap((path) => readCsv(readRealText(path), path).slice(1).map(({ fields }) => fields));
    const wanted = rows.map(([model, ...numbers]) => `${model} ${numbers.slice(0, 3).map(Number).join(" ")}`);
    const read = published.filter(({ task }) => task === "needle in a haystack").map((
      { model, length, depth, score },
    ) => `${model} ${length} ${depth} ${score / 10}`);
    deepEqual(read.toSorted(), wanted.toSorted());
  },
});

Deno.test("the needles and questions of Fathom's tests are those of Table 2", () => {
  const file = new URL("../../../data/published/machlab_table2_tests.csv", import.meta.url);
  const [, ...rows] = readCsv(Deno.readTextFileSync(file), "Table 2");
  const ours = Object.values(RECALL_TESTS).map(({ needle, questions }) => `${needle} ${questions[0]}`);
  // Only the first needle is printed without its full stop.
  deepEqual(rows.map(({ fields: [, needle, question] }) => `${needle!.replace(/\.?$/, ".")} ${question}`), ours);
});

Deno.test("each recall of Table 5 comes of one whole sum of grades, and of no other", () => {
  const table = recallTable(published);
  equal(table.length, 27);
  for (const { n, score } of table) {
    const nearest = Math.round(score * 5 * n! / 100);
    const sums = [-1, 0, 1].map((step) => nearest + step).filter((sum) => Math.abs(20 * sum / n! - score) <= 0.005001);
    deepEqual(sums, [nearest]);
  }
});

Deno.test("kamradtCells() averages the repeats of Kamradt's cells", () => {
  const of = (model: string): typeof published => kamradtCells(published).filter((cell) => cell.model === model);
  const [gpt, claude] = [of("gpt-4-1106-preview"), of("claude-2.1")];
  deepEqual([gpt.length, claude.length], [15 * 15, 35 * 35]);
  const replies = (cells: typeof published): number => cells.reduce((sum, { n }) => sum + n!, 0);
  deepEqual([replies(gpt), replies(claude)], [330, 1376]);
  const mean = claude.reduce((sum, { score, n }) => sum + score * n!, 0) / replies(claude);
  // The mean of the 1,376 scores from 1 to 10, as the file has them.
  equal((mean / 10).toFixed(2), "6.42");
});

Deno.test("recallCells() has the grades of two heatmaps, which add up to Table 5", () => {
  const grades = recallCells(published);
  for (const model of ["Mistral 7B Instruct v0.1", "Mistral 7B Instruct v0.2"]) {
    const cells = grades.filter((cell) => cell.model === model);
    equal(new Set(cells.map(({ length, depth }) => `${length}/${depth}`)).size, 35 * 35);
    ok(cells.every(({ score }) => [20, 40, 60, 80, 100].includes(score)));
    const row = recallTable(published).find(({ model: of, task }) => of === model && task === "recall_thornfield")!;
    equal((cells.reduce((sum, { score }) => sum + score, 0) / cells.length).toFixed(2), row.score.toFixed(2));
  }
  // The depths printed beside the heatmaps are every second point of Kamradt's grid.
  const depths = [...new Set(grades.map(({ depth }) => depth!.toFixed(1)))];
  deepEqual(depths.slice(10, 18).filter((_, at) => at % 2 === 0), ["11.3", "18.7", "29.3", "42.7"]);
  deepEqual(depths, depthGrid({ points: 35, spacing: "sigmoid" }).map((depth) => depth.toFixed(1)));
});
