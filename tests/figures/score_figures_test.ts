import { deepEqual, equal, match, ok } from "node:assert/strict";
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
