import { deepEqual, equal, match, ok } from "node:assert/strict";
import { limitCurves, limitHeatmap } from "@/lib/benchmarks/needle_threading/mod.ts";
import { knobCurves, modelHeatmap } from "@/lib/figures/mod.ts";

Deno.test("modelHeatmap() keeps models in their order and says which cells were not tested", async () => {
  const figure = modelHeatmap(
    [
      { model: "Zeta", length: 128_000, score: 12.5 },
      { model: "Alpha", length: 1200, score: 100 },
    ],
    { title: "Two models", n: 55, origin: "published" },
  );
  const svg = await figure.svg();
  ok(svg.indexOf("Zeta") < svg.indexOf("Alpha"));
  for (const text of ["1.2K", "128K", "12.5"]) match(svg, new RegExp(text.replace(".", "\\.")));
  match(figure.note, /^Published · n = 55/);
  match(figure.caption, /grey cells were not tested/);
});

Deno.test("limitHeatmap() has a column a task and a row a model", async () => {
  const limit = { supported: 214, effective: 14, percent: 7 };
  const figure = limitHeatmap(
    [{ ...limit, model: "GPT-4o", task: "conditional_needles" }, { ...limit, model: "GPT-4o", task: "single_needle" }],
    { title: "Limits", n: 5, origin: "published" },
  );
  const svg = await figure.svg();
  for (const text of ["conditional needles", "single needle", "GPT-4o"]) ok(svg.includes(text), text);
});

Deno.test("knobCurves() draws intervals where there are any, and says when numbers are simulated", () => {
  const options = {
    knob: "steps",
    xTitle: "Steps",
    series: "direction",
    seriesTitle: "Direction",
    title: "Steps",
    n: 9,
  };
  const knobs = { steps: 2, direction: "forward" };
  const measured = knobCurves([{ knobs, score: 90, low: 70, high: 97 }], { ...options, origin: "simulated" });
  match(measured.note, /Simulated .* 95% interval/i);
  deepEqual(measured.origins, ["simulated"]);
  const bare = knobCurves([{ knobs, score: 90, low: null, high: null }], { ...options, origin: "published" });
  equal(bare.caption, "Mean score of the samples.");
  match(bare.note, /no interval/);
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
