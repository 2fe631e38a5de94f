import { deepEqual, equal } from "node:assert/strict";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { openStudy, planStudy, readStudyFile } from "@/lib/studies/mod.ts";

Deno.test("the studies of the paper's four windows ask its nine models 31,275 questions, each cell once", async () => {
  const windows = [
    ["-4k", 4096, 35, 3],
    ["-16k", 16_385, 35, 2],
    ["", 32_768, 35, 3],
    ["-128k", 128_000, 25, 1],
  ] as const;
  let questions = 0;
  for (const [name, window, points, models] of windows) {
    const opened = await openStudy(await readStudyFile(`data/studies/prompt-recall${name}.yaml`));
    const plan = planStudy(opened, { template: PLAIN_TEMPLATE });
    deepEqual([plan.questions, plan.tooShort.length], [3 * points * points, 0]);
    deepEqual([opened.study.lengths.length, opened.study.lengths.at(-1)], [points, window]);
    deepEqual(opened.tasks.map(({ options }) => options["depths"]), [points, points, points]);
    questions += models * plan.questions;
  }
  equal(questions, 31_275);
});
