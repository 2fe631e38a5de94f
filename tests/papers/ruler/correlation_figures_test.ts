import { deepEqual, equal, match, ok } from "node:assert/strict";
import { writtenTexts } from "../../figures/_read_svg.ts";
import {
  categoryTable,
  correlationFigure,
  type CorrelationFigureOptions,
  type CorrelationStudy,
  openPublished,
  publishedCorrelationStudy,
  type StudyTableOptions,
  taskTable,
} from "@/lib/papers/ruler/mod.ts";

const study = publishedCorrelationStudy(await openPublished());
const OPTIONS: CorrelationFigureOptions = {
  title: "A finding",
  caption: "How to read it.",
  origin: "published",
  n: "8 models",
  unit: "r, rescaled",
};

Deno.test("correlationFigure() draws Figure 5 in its own order, the five removed tasks in red", async () => {
  const svg = await correlationFigure(study, OPTIONS).svg();
  const labels = writtenTexts(svg).filter((text) => study.tasks.includes(text));
  equal(labels.slice(0, 18).join(), study.tasks.join());
  // Each is at its row and at its column.
  equal([...svg.matchAll(/fill="#c1121f"/g)].length, 10);
});

Deno.test("correlationFigure() names what was left out", () => {
  const leftOut = [{ task: "CWE", reason: "the same score in all 8 places" }];
  match(
    correlationFigure({ ...study, leftOut }, OPTIONS).caption,
    /left out: CWE \(the same score in all 8 places\)\.$/,
  );
});

Deno.test("correlationFigure() of a study without tasks has a title with the reason", () => {
  match(correlationFigure({ ...study, tasks: [], matrix: [] }, OPTIONS).title, /: too little to correlate$/);
});

const TABLE: StudyTableOptions = { title: "A finding", origin: "published", n: "8 models" };

Deno.test("categoryTable() and taskTable() show Figure 5 without NaN", () => {
  const categories = categoryTable(study, TABLE);
  match(categories.text, /QA +2 +yes +\d/);
  match(categories.note, /8 models$/);
  const tasks = taskTable(study, TABLE);
  match(tasks.text, /squad \(QA\) +hotpotqa \(QA\) +0\.94 +yes +no$/m);
  ok(!/NaN|undefined/.test(categories.text + tasks.text));
});

Deno.test("categoryTable() finds two categories of Figure 5 in clusters of their own", () => {
  const found = [...categoryTable(study, TABLE).text.matchAll(/^(AG|QA|VT|NIAH) +(\d+) +(yes|no) +\d/gm)];
  deepEqual(found.map(([, ...cells]) => cells.join(" ")), ["AG 3 no", "QA 2 yes", "VT 2 yes", "NIAH 11 no"]);
});

Deno.test("taskTable() lists what each task of Figure 5 is most like, the most similar first; paper and rule keep 13 each", () => {
  const { text } = taskTable(study, TABLE);
  const rows = [...text.matchAll(/^(.+?) {2,}(.+?) +(0\.\d\d) +(yes|no) +(yes|no)$/gm)].map(([, ...cells]) => cells);
  equal(rows.length, 18);
  deepEqual(rows.slice(0, 2).map((cells) => cells.slice(0, 3)), [
    ["#k=4 (MK-NIAH)", "k=W, v=N, h=essay (S-NIAH)", "0.98"],
    ["k=W, v=N, h=essay (S-NIAH)", "#k=4 (MK-NIAH)", "0.98"],
  ]);
  for (const column of [3, 4]) equal(rows.filter((cells) => cells[column] === "yes").length, 13);
});

Deno.test("taskTable() and categoryTable() show a study of two tasks, none of them kept", () => {
  const two: CorrelationStudy = {
    tasks: ["a", "b"],
    matrix: [[1, 0.5], [0.5, 1]],
    leftOut: [],
    categories: { a: "A", b: "B" },
    kept: [],
    tolerance: 0,
  };
  match(taskTable(two, TABLE).text, /^a +b +0\.50 +no +yes\nb +a +0\.50 +no +no$/m);
  match(categoryTable(two, TABLE).text, /^A +1 +yes +1\.00 +1\.00\nB +1 +yes +1\.00 +1\.00$/m);
});
