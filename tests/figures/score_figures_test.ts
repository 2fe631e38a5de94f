import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { markLabels } from "./_read_svg.ts";
import {
  knobCurves,
  lineChart,
  modelHeatmap,
  neededPairsTable,
  samplePlanTable,
  scoreCurves,
} from "@/lib/figures/mod.ts";
import { planSamples } from "@/lib/statistics/mod.ts";

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

const OPTIONS = { title: "Few tell little", score: 85.6, tasks: [1, 13] };

Deno.test("samplePlanTable() agrees with planSamples(): 183 of each of 13 tasks detect three points, 2,368 of one", () => {
  const { text, caption } = samplePlanTable(OPTIONS);
  match(text, /^ +3 +2368 +183$/m);
  match(caption, /Power 80%, level 95%.*the same samples for each model; one comparison\.$/);
});

const PAIRED = { by: "all", name: "all samples", cells: 1, p: 1, adjusted: 1, higher: null } as const;

Deno.test("neededPairsTable() agrees with planSamples(), row by row", () => {
  const row = { ...PAIRED, n: 40, units: 40, baseline: 50, other: 42, difference: -8, low: -25, high: 9 };
  const { text } = neededPairsTable([row], { title: "Few", origin: "measured" });
  const [seen, ten, five] = [8, 10, 5].map((points) => planSamples(points, { score: 50 }).samples);
  match(text, new RegExp(`^all samples +40 +-8\\.0 \\[-25\\.0, 9\\.0\\] +\\d+ +${seen} +${ten} +${five}$`, "m"));
});

Deno.test("neededPairsTable() has no number where no difference was seen, or there is no score to lose", () => {
  const none = { ...PAIRED, n: 4, units: 4, difference: 0, low: -40, high: 40, baseline: 0, other: 0 };
  match(neededPairsTable([none], { title: "None", origin: "measured" }).text, /0\.0(?: +–){4}$/m);
  throws(() => neededPairsTable([], { title: "None", origin: "measured" }), { name: "RangeError" });
});

Deno.test("scores without intervals get the widest that their samples allow, in curves and in the tooltips of a heatmap", async () => {
  const rows = [500, 500, 4].map((n, at) => (
    { model: "A", length: 4096 * 2 ** at, score: 90 - 40 * at, low: null, high: null, n }
  ));
  const curves = scoreCurves(rows, { title: "t", origin: "published", n: "500 or 4", series: "model" });
  match(curves.note, /bars?: widest 95% interval that n allows|band: widest 95% interval that n allows/);
  const labels = markLabels(await curves.svg());
  deepEqual(labels, ["A, 4K: 90.0 (87.1 to 92.4)", "A, 8K: 50.0 (45.6 to 54.4)", "A, 16K: 10"]);
  const map = modelHeatmap(rows, { title: "t", origin: "published", n: "500 or 4" });
  match(map.note, /widest 95% interval that n allows, on hovering/);
  match(markLabels(await map.svg())[0]!, /^4K, A: 90\n95% interval: \[87\.1, 92\.4\]$/);
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
