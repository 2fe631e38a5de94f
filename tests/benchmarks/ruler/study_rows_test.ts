import { deepEqual, equal, ok } from "node:assert/strict";
import { categoryRows, taskRows } from "@/lib/benchmarks/ruler/correlation_figures.ts";
import { type CorrelationStudy, openPublished, publishedCorrelationStudy } from "@/lib/benchmarks/ruler/mod.ts";

const published = publishedCorrelationStudy(await openPublished());

Deno.test("categoryRows() finds two categories of Figure 5 in clusters of their own, and nothing of replicates", () => {
  const rows = categoryRows(published);
  deepEqual(rows.map(({ category, size, isOwn }) => [category, size, isOwn]), [
    ["AG", 3, false],
    ["QA", 2, true],
    ["VT", 2, true],
    ["NIAH", 11, false],
  ]);
  ok(rows.every(({ ownPercent, low, high }) => ownPercent === null && low === null && high === null));
});

Deno.test("taskRows() lists what each task of Figure 5 is most like, the most alike first", () => {
  const rows = taskRows(published);
  deepEqual(rows.slice(0, 2).map(({ task, nearest, correlation }) => [task, nearest, correlation]), [
    ["#k=4 (MK-NIAH)", "k=W, v=N, h=essay (S-NIAH)", 0.984],
    ["k=W, v=N, h=essay (S-NIAH)", "#k=4 (MK-NIAH)", 0.984],
  ]);
  equal(rows.filter(({ inPaper }) => inPaper).length, 13);
  equal(rows.filter(({ isKept }) => isKept).length, 13);
});

Deno.test("taskRows() and categoryRows() have numbers or nothing of a study of two tasks, none of them kept", () => {
  const study: CorrelationStudy = {
    tasks: ["a", "b"],
    matrix: [[1, 0.5], [0.5, 1]],
    leftOut: [],
    categories: { a: "A", b: "B" },
    kept: [],
    tolerance: 0,
    stability: null,
  };
  deepEqual(taskRows(study).map(({ isKept, keptPercent, correlation }) => [isKept, keptPercent, correlation]), [
    [true, null, 0.5],
    [false, null, 0.5],
  ]);
  ok(categoryRows(study).every(({ isOwn, purity }) => isOwn && purity === 1));
});
