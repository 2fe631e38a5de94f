import { deepEqual, equal, ok } from "node:assert/strict";
import { readRealText, testOnRealData } from "../../_real_data.ts";
import { yiTasks } from "./_printed.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

const published = await openPublished();
const scores = await openEvidence("ruler");

Deno.test("openPublished() finds 119 rows in the first edition, 168 in the third and 44 in the repository, six lengths each but for one model", () => {
  const count = (edition: string): number => published.rows.filter((row) => row.edition === edition).length;
  deepEqual(["v1", "v3", "repository"].map(count), [119, 168, 44]);
  for (const { scores, model } of published.rows) {
    const lengths = [4096, 8192, 16_384, 32_768, 65_536, 131_072];
    deepEqual(scores.map(({ length }) => length), model.startsWith("EXAONE-4.0-1.2B") ? lengths.slice(0, -1) : lengths);
  }
});

Deno.test("the thresholds are the scores of Llama2-7B at 4K in both editions' tables", () => {
  for (const edition of ["v1", "v3"]) {
    const prefix = `arXiv 2404.06654${edition}, Table `;
    const rows = scores.filter(({ source, model }) => source.startsWith(prefix) && model.startsWith("Llama2"));
    deepEqual(
      rows.map(({ source, task, length, score }) => [source, task, length, score].join()),
      published.thresholds.map(({ table, task, length, threshold }) =>
        [`${prefix}${table}`, task, length, threshold].join()
      ),
    );
  }
});

Deno.test("all 204 scores of Tables 10 and 11 are multiples of 0.2, as 500 right or wrong answers give", () => {
  const rows = published.rows.filter((row) => row.edition === "v1" && (row.table === 10 || row.table === 11));
  const values = rows.flatMap((row) => row.scores.map(({ score }) => score));
  equal(values.length, 204);
  ok(values.every((score) => Math.abs(score * 5 - Math.round(score * 5)) < 1e-9));
});

Deno.test("the 13 tasks of Yi-34B average to its row of Table 3 within 0.15", () => {
  const yi = published.rows.find((row) => row.edition === "v1" && row.table === 3 && row.model === "Yi (34B)")!;
  for (const { length, score } of yi.scores) {
    const tasks = yiTasks.filter((task) => task.length === length);
    equal(tasks.length, 13);
    ok(Math.abs(tasks.reduce((sum, task) => sum + task.score, 0) / 13 - score) <= 0.15);
  }
});

Deno.test("openPublished() narrows a mean of 13 tasks by its categories, never widens it, and leaves single categories as they are", () => {
  for (const { source, model, task, scores: narrowed } of published.rows) {
    const wide = scores.filter((row) => row.source === source && row.model === model);
    for (const { length, score, low, high, n } of narrowed) {
      const alone = wide.find((row) => row.length === length)!;
      equal(n, alone.n);
      ok(low <= score && score <= high && low < high);
      ok(low >= alone.low! - 1e-9 && high <= alone.high! + 1e-9);
      if (task !== "all 13 tasks") deepEqual([low, high], [alone.low, alone.high]);
    }
  }
});

Deno.test("openPublished() bounds Yi's 83.2 at 64K by its mean, by its categories, and not yet as its 13 tasks do", () => {
  const isYi = ({ source, model }: { readonly source: string; readonly model: string }): boolean =>
    source === "arXiv 2404.06654v1, Table 3" && model.startsWith("Yi");
  const reach = (
    rows: readonly { readonly length: number | null; readonly low: number | null; readonly high: number | null }[],
  ): string => {
    const { low, high } = rows.find(({ length }) => length === 65_536)!;
    return ((high! - low!) / 2).toFixed(2);
  };
  deepEqual([reach(scores.filter(isYi)), reach(published.rows.find(isYi)!.scores)], ["0.91", "0.84"]);
  const shares = yiTasks.filter(({ length }) => length === 65_536).map(({ score }) => score / 100);
  equal(shares.length, 13);
  const variance = shares.reduce((sum, share) => sum + share * (1 - share) / 500, 0);
  equal((100 * 1.96 * Math.sqrt(variance) / 13).toFixed(2), "0.75");
});

Deno.test("ruler.csv counts 13, 8, 1, 2 and 2 tasks of 500 samples", () => {
  const samples = new Map([["all 13 tasks", 6500], ["retrieval", 4000], ["aggregation", 1000], [
    "question answering",
    1000,
  ], ["cwe", null]]);
  for (const { task, n } of scores) equal(n, samples.has(task) ? samples.get(task) : 500);
});

const SOURCES = ["ruler_scores_long", "ruler_v3_scores_long"];

testOnRealData("ruler.csv has every score of the tables that those of both editions were read into", {
  reads: SOURCES.map((name) => `../published/${name}.csv`),
  fn: () => {
    const wanted = SOURCES.flatMap((name) => {
      const [header, ...lines] = readCsv(readRealText(`../published/${name}.csv`), name).map(({ fields }) => fields);
      const [model, length, score] = ["model", "length", "score"].map((column) => header!.indexOf(column));
      return lines.map((fields) => [fields[model!], fields[length!], Number(fields[score!])].join());
    });
    const read = scores.filter(({ source }) => /^arXiv .*, Table/.test(source))
      .map(({ model, length, score }) => [model, length, score].join());
    deepEqual(read.toSorted(), wanted.toSorted());
  },
});
