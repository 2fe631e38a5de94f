import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { linkageAgreement } from "@/lib/benchmarks/ruler/correlation_clusters.ts";
import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
import { LINKAGES } from "@/lib/statistics/mod.ts";

const published = (await openPublished()).correlations;
const FIGURE_5 = { tasks: published.tasks.map(({ task }) => task), matrix: published.matrix, leftOut: [] };
const categories = Object.fromEntries(published.tasks.map(({ task, category }) => [task, category]));

Deno.test("linkageAgreement() by average linkage keeps the order in which Figure 5 of RULER draws its tasks", () => {
  const results = linkageAgreement(FIGURE_5, { categories, keep: 13 });
  deepEqual(results.map(({ linkage }) => linkage), LINKAGES);
  const keeping = results.filter(({ keepsOrder }) => keepsOrder).map(({ linkage }) => linkage);
  deepEqual(keeping, ["average", "weighted", "median"]);
});

Deno.test("linkageAgreement() does not hang on the unknown scale of Figure 5", () => {
  // The least correlation shown is 0 on the figure's scale; here it is taken for 0.5.
  const matrix = FIGURE_5.matrix.map((row) => row.map((value) => 0.5 + value / 2));
  const results = linkageAgreement({ ...FIGURE_5, matrix }, { categories, keep: 13 });
  linkageAgreement(FIGURE_5, { categories, keep: 13 }).forEach((result, at) => {
    deepEqual(results[at]!.kept, result.kept);
    deepEqual(results[at]!.own, result.own);
    equal(results[at]!.withCategories, result.withCategories);
  });
});

Deno.test("linkageAgreement() keeps as many tasks as it is told to", () => {
  for (const { kept } of linkageAgreement(FIGURE_5, { categories, keep: 13 })) {
    equal(new Set(kept).size, 13);
    ok(kept.every((task) => FIGURE_5.tasks.includes(task)));
  }
});

Deno.test("linkageAgreement() refuses a task without a category", () => {
  const tasks = { tasks: ["vt", "toString"], matrix: [[1, 0], [0, 1]], leftOut: [] };
  throws(() => linkageAgreement(tasks, { categories: { vt: "VT" }, keep: 1 }), {
    name: "RangeError",
    message: 'Cannot compare clusters with categories as each task must be one of vt: current value is "toString"',
  });
});
