import { equal, match, ok } from "node:assert/strict";
import { limitCurves, limitHeatmap } from "@/lib/benchmarks/needle_threading/mod.ts";

Deno.test("limitHeatmap() has a column a task and a row a model", async () => {
  const limit = { supported: 214, effective: 14, percent: 7 };
  const figure = limitHeatmap(
    [{ ...limit, model: "GPT-4o", task: "conditional_needles" }, { ...limit, model: "GPT-4o", task: "single_needle" }],
    { title: "Limits", n: 5, origin: "published" },
  );
  const svg = await figure.svg();
  for (const text of ["conditional needles", "single needle", "GPT-4o"]) ok(svg.includes(text), text);
});

Deno.test("limitCurves() warns of limits at the greatest size tested", () => {
  const point = { series: "random", difficulty: 2, limit: 8000, low: 4000, high: 8000, isBeyond: true };
  const options = {
    xTitle: "Needles",
    yTitle: "Limit (tokens)",
    seriesTitle: "Placement",
    level: 75,
    title: "L",
    n: 9,
  };
  match(limitCurves([point], { ...options, origin: "simulated" }).caption, /falls through 75%.* may lie beyond it\.$/);
  const inside = limitCurves([{ ...point, isBeyond: false }], { ...options, origin: "simulated" });
  equal(inside.caption.includes("beyond"), false);
});
