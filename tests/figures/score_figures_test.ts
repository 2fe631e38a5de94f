import { deepEqual, match, ok } from "node:assert/strict";
import { markLabels } from "./_read_svg.ts";
import { lineChart, modelHeatmap, scoreCurves } from "@/lib/figures/mod.ts";

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

Deno.test("scores without intervals get the widest that their samples allow, in curves and in the tooltips of a heatmap", async () => {
  const rows = [500, 500, 4].map((n, at) => (
    { model: "A", length: 4096 * 2 ** at, score: 90 - 40 * at, low: null, high: null, n }
  ));
  const curves = scoreCurves(rows, { title: "t", origin: "published", n: "500 or 4", series: "model" });
  match(curves.note, /bars?: widest 95% interval that n allows|band: widest 95% interval that n allows/);
  const labels = markLabels(await curves.svg());
  deepEqual(labels, [
    "A, 4K: 90.0 (87.1 to 92.4)\nSamples: 500",
    "A, 8K: 50.0 (45.6 to 54.4)\nSamples: 500",
    "A, 16K: 10\nSamples: 4",
  ]);
  const map = modelHeatmap(rows, { title: "t", origin: "published", n: "500 or 4" });
  match(map.note, /widest 95% interval that n allows, on hovering/);
  match(markLabels(await map.svg())[0]!, /^4K, A: 90\n95% interval: \[87\.1, 92\.4\]\nSamples: 500$/);
  match(scoreCurves(rows.slice(2), { title: "t", origin: "published", n: 4, series: "model" }).note, /no interval/);
});

Deno.test("a chart of scores takes their number of samples for all of them", () => {
  const rows = [{ x: 1, y: 97.7 }, { x: 2, y: 0 }];
  const options = {
    title: "t",
    caption: "c",
    origin: "published",
    n: 500,
    x: "x",
    y: "y",
    xTitle: "",
    yTitle: "",
  } as const;
  const figure = lineChart(rows, { ...options, samples: 500 });
  match(figure.note, /widest 95% interval that n allows/);
  match(JSON.stringify(figure.spec), /"low":0,"high":0\.5974/);
});
