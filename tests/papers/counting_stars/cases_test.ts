import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { countingStarsLengths } from "@/lib/benchmarks/counting_stars/mod.ts";
import {
  openStarsPublished,
  printedCaseTable,
  starPlaceFigure,
  starValueFigure,
} from "@/lib/papers/counting_stars/mod.ts";
import { starPlaces, starValues } from "@/lib/papers/counting_stars/cases.ts";

Deno.test("printedCaseTable() has what the picture shows: 3 to 150 twice and one 3 more, and 339 threes", () => {
  const { text } = printedCaseTable({ title: "Cases" });
  // Cut to 64 entries the list ends with 34: of the counts it holds 3 5 9 15 19 21 26 29.
  match(text, /Case 1 +counts on .* 297 +8 of 64/);
  match(text, /Case 2 +repeats one number .* 339 +1 of 32/);
  match(text, /Case 3 +lists sentences .* – +0/);
});

Deno.test("starValues() are the published lists, none with a 1 first, and the shorter are prefixes of the longer", async () => {
  const { values, replies } = await openStarsPublished();
  const points = Map.groupBy(starValues(), ({ version }) => version);
  const lists = [...points.values()].map((rows) => rows.map(({ value }) => value));
  deepEqual(lists.map(({ length }) => length), [64, 32, 64, 128, 256, 512, 1024]);
  deepEqual(lists.at(-1), values.map(({ right }) => right));
  for (const list of lists.slice(1)) deepEqual(list, lists.at(-1)!.slice(0, list.length));
  const asked = replies.find(({ figure }) => figure === "stone_32_16")!.references.map(Number);
  deepEqual(lists[0]!.slice(0, 32), asked);
  ok(lists.every(([first]) => first !== 1));
  equal(countingStarsLengths(32).length, 32);
});

Deno.test("starValueFigure() draws a panel for each version, and the lengths", async () => {
  const svg = await starValueFigure({ title: "Increasing or shuffled" }).svg();
  for (const name of ["M = 16, 32 and 64, increasing", "M = 1024, shuffled", "N = 16"]) ok(svg.includes(name), name);
});

Deno.test("starPlaces() are those of every star of every length, at even steps, which starPlaceFigure() draws", async () => {
  const materials = await openTestMaterials("cl100k_base");
  const drawn = { materials, seed: "42", stars: 8, lengths: [1000, 2000] };
  const rows = starPlaces(drawn);
  equal(rows.length, 16);
  const steps = rows.slice(8).map(({ tokens }, at, all) => tokens - (all[at - 1]?.tokens ?? 0));
  ok(steps.slice(1).every((step) => step > 0.1 && step < 0.35), steps.join());
  match(await starPlaceFigure(drawn).svg(), /8 stars at even steps/);
});
