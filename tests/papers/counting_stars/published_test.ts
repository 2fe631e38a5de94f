import { deepEqual, equal, ok } from "node:assert/strict";
import { inTable } from "@/lib/papers/evidence/pairs.ts";
import { firstRuns, openStars, starAccuracy, starPanels } from "@/lib/papers/counting_stars/published.ts";

const rows = await openStars();

Deno.test("openStars() reads 736 columns of 24 matrices, 192 of 6, and the scores of three tables", () => {
  const panels = starPanels(rows);
  equal(panels.length, 30);
  equal(panels.flatMap(({ columns }) => columns).length, 736 + 6 * 32);
  deepEqual(["Table 3", "Table 4", "Table 5"].map((table) => inTable(rows, table).length), [34, 55, 60]);
  equal(rows.length, 736 + 24 + 192 + 34 + 55 + 60);
});

Deno.test("openStars() reads columns whose score is the mean of their stars, to the two decimals of the later edition's cells", () => {
  for (const { source, length, score, cells } of rows) {
    if (cells === null) continue;
    const mean = 100 * cells.reduce((sum, cell) => sum + cell, 0) / cells.length;
    ok(Math.abs(mean - score) < (cells.some((cell) => cell % 0.25 > 0) ? 0.3 : 0.006), `${source} ${length}`);
  }
});

Deno.test("openStars() reads a table of models whose means are those of their four tasks, to 0.1 points", () => {
  const models = [...Map.groupBy(inTable(rows, "Table 3"), ({ model }) => model)].filter(([, own]) => own.length === 5);
  equal(models.length, 6);
  for (const [model, own] of models) {
    const [mean, ...four] = own.map(({ score }) => score).toReversed();
    ok(Math.abs(four.reduce((sum, score) => sum + score, 0) / 4 - mean!) <= 0.1, model);
  }
});

Deno.test("openStars() reads matrices of the later edition that agree with the table of models, to 0.1 points", () => {
  const printed: Readonly<Record<string, number>> = {
    "GPT-4 Turbo, acquisition": 69.7,
    "GPT-4 Turbo, reasoning": 47.3,
    "Gemini 1.5 Pro, acquisition": 77.5,
    "Gemini 1.5 Pro, reasoning": 57.5,
    "Claude3 Opus, acquisition": 80.7,
    "Claude3 Opus, reasoning": 48.8,
  };
  const panels = starPanels(firstRuns(rows, "v3"));
  deepEqual(panels.map(({ model }) => model).toSorted(), Object.keys(printed).toSorted());
  for (const panel of panels) ok(Math.abs(100 * starAccuracy(panel) - printed[panel.model]!) <= 0.1, panel.model);
});

Deno.test.each(
  [
    ["west_32_32_temperature", "GPT-4, West, T = 1"],
    ["west_32_32_v2", "GPT-4, West, run 2"],
    ["en_32_32", "GPT-4, English"],
    ["stone_32_32_random", "GPT-4, Stone, shuffled"],
  ] as [string, string][],
)("starPanels() names %s %s", (figure, name) => {
  equal(starPanels(rows, [figure])[0]!.model, name);
});

Deno.test("starAccuracy() gives the accuracy in the title of each of the 24 published matrices, to three decimals", () => {
  const titles = rows.filter(({ knobs, length }) => knobs["edition"] === "v1" && length === null);
  equal(titles.length, 24);
  for (const { source, model, score } of titles) {
    const [panel] = starPanels(rows.filter((row) => row.source === source && row.model === model));
    // Half a unit of the last place, and what binary numbers add to it.
    ok(Math.abs(100 * starAccuracy(panel!) - score) < 0.05 + 1e-9, `${source} ${model}`);
  }
});

Deno.test("firstRuns() leaves out the second and third run of the version that was run three times", () => {
  const once = starPanels(firstRuns(rows));
  equal(once.length, 20);
  equal(new Set(once.map(({ model, columns }) => `${columns[0]!.cells.length} ${columns.length} ${model}`)).size, 20);
  deepEqual(once.filter(({ model }) => model.includes("run")).map(({ model }) => model), [
    "GPT-4, West, run 1",
    "Kimi, West, run 1",
  ]);
});
