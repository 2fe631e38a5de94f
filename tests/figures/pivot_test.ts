import { deepEqual, equal, match, throws } from "node:assert/strict";
import { pivot, plot } from "@/lib/figures/mod.ts";

const rows = [
  { model: "a", task: "one", length: 8192, score: 60, low: 57, high: 64, n: 100 },
  { model: "a", task: "one", length: 4096, score: 80, low: 77, high: 84, n: 100 },
  { model: "a", task: "two", length: 4096, score: 60, low: 56, high: 63, n: 50 },
  { model: "b", task: "one", length: 4096, score: 0, low: null, high: null, n: null },
  { model: "b", task: "one", length: 8192, score: null, low: null, high: null, n: 3 },
];
const of = (model: string) =>
  rows.filter((row) => row.model === model).map((row) => ({ ...row, origin: "measured" as const }));

Deno.test("pivot() averages the rows of a cell, with the interval of independent means, and states n and origin", () => {
  const ofA = [...of("a"), { ...of("a")[2]!, length: 8192 }];
  const made = pivot(ofA, { rows: "model", columns: "length", value: "score" });
  // Half the square root of 3² + 4² below 70, and of 4² + 3² above.
  match(made.text, /^a +70\.0 \[67\.5, 72\.5\] +60\.0 \[57\.5, 62\.5\]$/m);
  match(made.text, /^Model +4K +8K$/m);
  equal(made.note, "Measured · n = 50 to 100 a row, means of 2 rows · 95% interval");
  equal(made.title, "Score (%) by model and length");
  equal(made.caption, "Rows of one place are averaged with equal weights.");
});

Deno.test("pivot() states no interval of few samples, or of samples of few texts", () => {
  const textOf = (few: object): string =>
    pivot([{ ...of("a")[0]!, ...few }], { rows: "model", columns: "task", value: "score" }).text;
  match(textOf({}), /^a +60\.0 \[57\.0, 64\.0\]$/m);
  for (const few of [{ n: 4 }, { units: 3 }]) match(textOf(few), /^a +60\.0$/m);
});

Deno.test("pivot() leaves out rows without a number, and says where n, origin and intervals are unknown", () => {
  const made = pivot(rows, { rows: "model", columns: "task", value: "score", title: "All" });
  match(made.text, /^b +0\.0 +–$/m);
  match(made.note, /^Origin unknown · n = 50 to 100 a row where it is known · /);
  equal(pivot(of("b"), { rows: "model", columns: "task", value: "score" }).note, "Measured · samples unknown");
  match(pivot(rows, { rows: "model", columns: "task", value: "n", n: "a count" }).text, /^a +100\.0 +50\.0$/m);
  throws(() => pivot(rows.slice(4), { rows: "model", columns: "task", value: "score" }), { name: "RangeError" });
});

Deno.test.each([
  ["an axis", { x: "lenght", y: "score" }],
  ["a series", { x: "length", y: "score", series: "modle" }],
  ["a number", { x: "length", y: "scroe" }],
])("plot() refuses %s that no row has, and names the fields", (_name, misspelt) => {
  const options = misspelt as { readonly x: "length"; readonly y: "score" };
  throws(() => plot(of("a"), options), {
    name: "RangeError",
    message:
      /as "(lenght|modle|scroe)" must be a field of the rows: current value is "model, task, length, score, low,/,
  });
});

Deno.test("plot() draws lines along a number and bars by a text, each with its origin", async () => {
  const both = [...of("a"), { ...of("b")[0]!, origin: "published" as const }];
  const lines = plot(both, { x: "length", y: "score", series: "model" });
  deepEqual(lines.origins, ["measured", "published"]);
  match(lines.note, /^Measured: a; published: b · /);
  match(await lines.svg(), /4K: 80 \(77 to 84\)/);
  match(lines.caption, /^One row a place\. Left out, as not all compared marks have them: 1 row: two\.$/);
  const bars = plot(both, { x: "task", y: "score", average: ["model"] });
  match(bars.note, /^Measured: one, two; published: one in part/);
  match(await bars.svg(), /Task/);
});
