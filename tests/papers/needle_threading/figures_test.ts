import { equal, match, ok } from "node:assert/strict";
import { limitCurves, limitHeatmap } from "@/lib/papers/needle_threading/figures.ts";
import { taskLimitTable } from "@/lib/reports/mod.ts";

Deno.test("taskLimitTable() shows limits with their intervals, and which may lie beyond", () => {
  const sizes = { difficulty: 5, limit: 20, low: 10, high: 30, tested: 80, percent: 25, units: 11 };
  const limits = [
    { ...sizes, task: "one thread", at: "steps = 5", isBeyond: false },
    { ...sizes, task: "one needle", at: "depth = 0.5", limit: 80, high: 80, percent: 100, isBeyond: true },
  ];
  const options = { title: "Limits", n: 11, origin: "simulated", level: 75, unit: "thousand characters" } as const;
  const { text } = taskLimitTable(limits, options);
  match(text, /Simulated/);
  match(text, /one thread +steps = 5 +20\.0 \[10\.0, 30\.0\] +below +25/);
  match(text, /one needle +depth = 0\.5 +80\.0 \[10\.0, 80\.0\] +above +100/);
  match(text, /falls through 75%/);
});

Deno.test("limitHeatmap() has a column for each task and a row for each model", async () => {
  const limit = { supported: 214, effective: 14, percent: 7, model: "GPT-4o" };
  const figure = limitHeatmap(
    [{ ...limit, task: "conditional_needles" }, { ...limit, task: "single_needle" }],
    { title: "Limits", n: 5, origin: "published" },
  );
  const svg = await figure.svg();
  for (const text of ["conditional needles", "single needle", "GPT-4o"]) ok(svg.includes(text), text);
});

Deno.test("limitCurves() warns of limits at the greatest size tested", () => {
  const point = { series: "random", difficulty: 2, limit: 8000, low: 4000, high: 8000, isBeyond: true, units: 9 };
  const titles = { title: "L", xTitle: "Needles", yTitle: "Limit (tokens)", seriesTitle: "Placement" };
  const options = { ...titles, level: 75, n: 9, origin: "simulated" } as const;
  match(limitCurves([point], options).caption, /falls through 75%.* may lie beyond it\.$/);
  equal(limitCurves([{ ...point, isBeyond: false }], options).caption.includes("beyond"), false);
});
