import { equal, match, ok, throws } from "node:assert/strict";
import { depthMap, depthTable, thirdsTable } from "@/lib/figures/mod.ts";
import { compareThirds, type DepthCell, depthCells, type ScoredRecord } from "@/lib/statistics/mod.ts";

const of = (
  depth: number,
  value: number | null,
  rest: Partial<ScoredRecord> = {},
): ScoredRecord & { readonly depth: number } => ({
  ...{ task: "niah", length: 4096, failed: false, noAnswer: false },
  ...{ depth, value },
  ...rest,
});
const cut = (replies: readonly (ScoredRecord & { readonly depth: number })[]): readonly DepthCell[] =>
  depthCells(replies, { stretches: 5 });
const options = { title: "Where it stands matters", origin: "simulated" } as const;

Deno.test("depthMap() draws a heatmap for each task, with its n over it and the scores in the cells", async () => {
  const rows = cut([of(0.1, 1), of(0.15, 0), of(0.9, 1), of(0.5, 0.25, { task: "qa_1", length: 8192 })]);
  const figure = depthMap(rows, options);
  const svg = await figure.svg();
  for (const text of ["niah", "qa_1", "n = 1 to 2 a cell", "n = 1 a cell", "0 to 20%", ">50<", ">25<", "Simulated"]) {
    ok(svg.includes(text), text);
  }
});

Deno.test("depthMap() gives all panels the same lengths and depths, grey where a task was not asked", async () => {
  const rows = cut([of(0.1, 1), of(0.9, 1), of(0.1, 1, { task: "qa_1", length: 8192 })]);
  const svg = await depthMap(rows, options).svg();
  // The second panel is beside the first.
  equal(svg.match(/>80 to 100%</g)?.length, 1);
  equal(svg.match(/>8K</g)?.length, 2);
  match(svg, /grey: no value/);
});

Deno.test("depthMap() leaves out a task without any score, and greys a cell without one", async () => {
  const rows = cut([of(0.1, 1), of(0.9, null, { failed: true }), of(0.5, null, { task: "lost", failed: true })]);
  const svg = await depthMap(rows, options).svg();
  equal(svg.includes("lost"), false);
  match(svg, /grey: no value/);
});

Deno.test("depthMap() refuses rows without a score", () => {
  throws(() => depthMap(cut([of(0.5, null, { failed: true })]), options), RangeError);
  throws(() => depthMap([], options), RangeError);
});

Deno.test("depthTable() has a row per task and length, and a dash for a stretch that was not asked", () => {
  const rows = depthCells([of(0.1, 1), of(0.9, 0), of(0.9, 0.5, { length: 8192 })], { stretches: 2 });
  const { text } = depthTable(rows, { origin: "measured" });
  match(text, /Task +Length +0 to 50% +50 to 100%/);
  match(text, /niah +4K +100 \(1\) +0 \(1\)/);
  match(text, /about this text only/);
  match(text, /niah +8K +– +50 \(1\)/);
});

Deno.test("thirdsTable() states its finding, or that there is nothing to compare", () => {
  const { title, text } = thirdsTable(compareThirds([of(0.1, 1)]), { origin: "measured" });
  equal(title, "No two thirds of the context can be compared");
  match(text, /first less middle +– +– +– +0 +0 +– +nothing to compare/);
  match(thirdsTable(compareThirds([of(0.1, 1), of(0.5, 1)]), { origin: "measured", title: "Mine" }).text, /^Mine\n/);
});
