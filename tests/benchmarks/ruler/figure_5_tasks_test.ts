import { deepEqual, equal } from "node:assert/strict";
import { figure5Task, FIGURE_5_TASKS } from "@/lib/benchmarks/ruler/correlation_study.ts";
import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
import { RULER_STUDY_TASK_NAMES, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";

const { tasks } = (await openPublished()).correlations;

Deno.test("FIGURE_5_TASKS has each of the eighteen tasks under a label of the figure, the thirteen kept ones under kept labels", () => {
  deepEqual(RULER_STUDY_TASK_NAMES.map(figure5Task).toSorted(), tasks.map(({ task }) => task).toSorted());
  const kept = tasks.filter((task) => task.kept).map(({ task }) => task);
  deepEqual(RULER_TASK_NAMES.map(figure5Task).toSorted(), kept.toSorted());
});

Deno.test("FIGURE_5_TASKS keeps a task in its category", () => {
  const category = new Map(tasks.map(({ task, category }) => [task, category]));
  for (const [name, label] of Object.entries(FIGURE_5_TASKS)) {
    const start = { niah: "NIAH", vt: "VT", cwe: "AG", fwe: "AG", qa: "QA" }[name.split("_")[0]!];
    equal(category.get(label), start, name);
  }
});

Deno.test("figure5Task() leaves a name that the figure does not have", () => {
  equal(figure5Task("toString"), "toString");
});
