import { equal, match, ok, throws } from "node:assert/strict";
import { depthPanels } from "@/lib/figures/mod.ts";
import { type DeepRecord, depthRows } from "@/lib/statistics/mod.ts";

const of = (depth: number, value: number | null, rest: Partial<DeepRecord> = {}): DeepRecord => ({
  ...{ task: "niah", length: 4096, failed: false, noAnswer: false },
  ...{ depth, value },
  ...rest,
});
const options = { title: "Where it stands matters", origin: "simulated" } as const;

Deno.test("depthPanels() draws a heatmap for each task, with its n over it and the scores in the cells", async () => {
  const rows = depthRows([of(0.1, 1), of(0.15, 0), of(0.9, 1), of(0.5, 0.25, { task: "qa_1", length: 8192 })]);
  const figure = depthPanels(rows, options);
  const svg = await figure.svg();
  for (const text of ["niah", "qa_1", "n = 1 to 2 a cell", "n = 1 a cell", "0 to 20%", ">50<", ">25<", "Simulated"]) {
    ok(svg.includes(text), text);
  }
});

Deno.test("depthPanels() puts depths from the beginning of the context down, whatever the order of the rows", () => {
  const rows = depthRows([of(0.9, 1), of(0.5, 1), of(0.1, 1)]).toReversed();
  const spec = JSON.stringify(depthPanels(rows, options).spec);
  ok(spec.indexOf('"0 to 20%"') < spec.indexOf('"80 to 100%"'));
});

Deno.test("depthPanels() gives all panels the same lengths and depths, grey where a task was not asked", async () => {
  const rows = depthRows([of(0.1, 1), of(0.9, 1), of(0.1, 1, { task: "qa_1", length: 8192 })]);
  const svg = await depthPanels(rows, options).svg();
  equal(svg.match(/>80 to 100%</g)?.length, 2);
  equal(svg.match(/>8K</g)?.length, 2);
  match(svg, /grey: no value/);
});

Deno.test("depthPanels() leaves out a task without any score, and greys a cell without one", async () => {
  const rows = depthRows([of(0.1, 1), of(0.9, null, { failed: true }), of(0.5, null, { task: "lost", failed: true })]);
  const svg = await depthPanels(rows, options).svg();
  equal(svg.includes("lost"), false);
  match(svg, /grey: no value/);
});

Deno.test("depthPanels() refuses rows of which none has a score", () => {
  throws(() => depthPanels(depthRows([of(0.5, null, { failed: true })]), options), RangeError);
  throws(() => depthPanels([], options), RangeError);
});
