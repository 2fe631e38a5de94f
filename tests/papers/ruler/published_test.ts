import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { yiTasks } from "./_printed.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";

const FOLDER = new URL("../../../data/published/", import.meta.url);
const published = await openPublished();

Deno.test("openPublished() finds 119 rows in the first edition, 168 in the third and 44 in the repository, six lengths each but for one model", () => {
  const count = (edition: string): number => published.rows.filter((row) => row.edition === edition).length;
  deepEqual(["v1", "v3", "repository"].map(count), [119, 168, 44]);
  for (const { scores, model } of published.rows) {
    const lengths = [4096, 8192, 16_384, 32_768, 65_536, 131_072];
    deepEqual(scores.map(({ length }) => length), model.startsWith("EXAONE-4.0-1.2B") ? lengths.slice(0, -1) : lengths);
  }
});

Deno.test("the thresholds are the scores of Llama2-7B at 4K in both editions' tables", async () => {
  for (const file of ["ruler_scores_long.csv", "ruler_v3_scores_long.csv"]) {
    const rows = (await Deno.readTextFile(new URL(file, FOLDER))).trim().split("\n").map((line) => line.split(","))
      .filter((fields) => fields[5] === "-");
    deepEqual(
      rows.map(([table, category, , aligned, , , length, score]) => [table, category, aligned, length, score].join()),
      published.thresholds.map(({ table, category, aligned, threshold }) =>
        [table, category, aligned ? 1 : 0, 4096, threshold.toFixed(1)].join()
      ),
    );
  }
});

Deno.test("all 204 scores of Tables 10 and 11 are multiples of 0.2, as 500 right or wrong answers give", () => {
  const rows = published.rows.filter((row) => row.edition === "v1" && (row.table === 10 || row.table === 11));
  const scores = rows.flatMap((row) => row.scores.map(({ score }) => score));
  equal(scores.length, 204);
  ok(scores.every((score) => Math.abs(score * 5 - Math.round(score * 5)) < 1e-9));
});

Deno.test("Figure 5's matrix is symmetric with a diagonal of 1", () => {
  const { matrix } = published.correlations;
  equal(matrix.length, 18);
  matrix.forEach((row, place) => {
    equal(row[place], 1);
    row.forEach((value, other) => equal(value, matrix[other]![place]));
  });
});

Deno.test("the 13 tasks of Yi-34B average to its row of Table 3 within 0.15", () => {
  const yi = published.rows.find((row) => row.edition === "v1" && row.table === 3 && row.model === "Yi (34B)")!;
  for (const { length, score } of yi.scores) {
    const tasks = yiTasks.filter((task) => task.length === length);
    equal(tasks.length, 13);
    ok(Math.abs(tasks.reduce((sum, task) => sum + task.score, 0) / 13 - score) <= 0.15);
  }
});

Deno.test.each(
  [
    [
      "an empty file",
      "ruler_fig5_tasks.csv",
      () => "",
      'Cannot read ruler_fig5_tasks.csv as it must have a header line: current value is ""',
    ],
    [
      "a header alone",
      "ruler_thresholds.csv",
      (text) => text.slice(0, text.indexOf("\n") + 1),
      "Cannot read ruler_thresholds.csv as it must have at least one line below the header: current value is 0",
    ],
    [
      "a missing column",
      "ruler_scores_long.csv",
      (text) => text.replace(",score\n", ",points\n"),
      'Cannot read ruler_scores_long.csv as line 1 must have the column "score": ' +
      'current value is "table,category,model,aligned,claimed_length,effective_length,length,points"',
    ],
    [
      "a wrong number",
      "ruler_scores_long.csv",
      (text) => text.replace("4096,96.6", "4096,966"),
      'Cannot read ruler_scores_long.csv as line 3, column "score" must be a number from 0 to 100: current value is "966"',
    ],
    [
      "a category that no table has",
      "ruler_v3_scores_long.csv",
      (text) => text.replace("10,passkey", "10,passkeys"),
      'Cannot read ruler_v3_scores_long.csv as line 105, column "category" must be one of "RULER-13", "passkey", ' +
      '"vanilla_niah", "retrieval", "multi_hop_tracing", "aggregation", "qa": current value is "passkeys"',
    ],
    [
      "an effective length that is none",
      "ruler_aggregates.csv",
      (text) => text.replace(",64k,", ",long,"),
      'Cannot read ruler_aggregates.csv as line 2, column "effective_length" must be a length like "32K", "<4K" or ">128K", ' +
      'or "-", or empty: current value is "long"',
    ],
    [
      "a model with averages and no scores",
      "ruler_aggregates.csv",
      (text) => text.replace("GPT-4", "GPT-5"),
      'Cannot join the tables of v1 as each model must have scores: "GPT-5" of Table 3 has none',
    ],
    [
      "a row of the heatmap that is not there",
      "ruler_fig5_heatmap_normalised.csv",
      (text) => text.replace(/\nCWE,.*/, ""),
      'Cannot read ruler_fig5_heatmap_normalised.csv as it must have a row for each task: "CWE" has none',
    ],
  ] as [string, string, (text: string) => string, string][],
)("openPublished() refuses %s", async (_name, file, change, message) => {
  const folder = await copyPublished(file, change);
  try {
    await rejects(() => openPublished(folder), { name: "SyntaxError", message });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Copies RULER's files into a folder of their own, one of them changed. */
async function copyPublished(changed: string, change: (text: string) => string): Promise<URL> {
  const folder = new URL(`file://${await Deno.makeTempDir()}/`);
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (!name.startsWith("ruler_")) continue;
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    if (name === changed) ok(change(text) !== text, `${name} does not hold what was to be replaced`);
    await Deno.writeTextFile(new URL(name, folder), name === changed ? change(text) : text);
  }
  return folder;
}

Deno.test("openPublished() names a file that is missing", async () => {
  const folder = new URL("../../analysis/published/none/", import.meta.url);
  await rejects(() => openPublished(folder), {
    name: "Error",
    message:
      `Cannot open the published tables as ruler_scores_long.csv must exist: there is none in ${folder.pathname}`,
  });
});
