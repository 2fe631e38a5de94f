import { equal, match, ok } from "node:assert/strict";
import {
  categoryTable,
  clusterStabilityTable,
  linkageTable,
  openPublished,
  publishedCorrelationStudy,
  type StudyTableOptions,
  taskTable,
} from "@/lib/benchmarks/ruler/mod.ts";

const study = publishedCorrelationStudy(await openPublished());
const OPTIONS: StudyTableOptions = { title: "A finding", origin: "published", n: "8 models" };

Deno.test("linkageTable() has a row a linkage, with what each keeps of the paper's thirteen", () => {
  const { text } = linkageTable(study, OPTIONS);
  match(text, /ward +no +0\.73 +0\.18 +QA, VT +10/);
  equal(
    text.split("\n").filter((line) => /^(average|single|complete|weighted|centroid|median|ward) /.test(line)).length,
    7,
  );
});

Deno.test("categoryTable() and taskTable() have dashes, and no NaN, without replicates", () => {
  const categories = categoryTable(study, OPTIONS);
  match(categories.text, /QA +2 +yes +– /);
  match(categories.note, /8 models$/);
  const tasks = taskTable(study, OPTIONS);
  match(tasks.text, /squad \(QA\) +hotpotqa \(QA\) +0\.94 +yes +no +–/);
  ok(!/NaN|undefined/.test(categories.text + tasks.text));
});

Deno.test("clusterStabilityTable() says why where there is nothing to show", () => {
  const { text } = clusterStabilityTable([], OPTIONS);
  match(text, /nothing: it takes two samples of each task and length.* – +– +–/);
});
