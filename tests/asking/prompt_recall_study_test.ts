import { deepEqual, equal, ok } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { PROMPT_RECALL } from "@/lib/benchmarks/prompt_dependence/prompt_recall.ts";
import { lengthGrid, PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { checkStudy, openStudy, planStudy, readStudyFile } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { runStudy, type StudyRun } from "@/lib/asking/mod.ts";

const STUDY = {
  tasks: [...PROMPT_RECALL.tasks, {
    task: "prompt_recall",
    name: "own",
    needle: "Otters juggle.",
    question: "Who juggles?",
    depths: 3,
  }],
  lengths: lengthGrid({ from: 600, to: 2000, points: 3 }),
  samples: 5,
};

async function ask(profile: string): Promise<StudyRun> {
  return await inFolder((folder) =>
    runStudy(checkStudy(STUDY), { name: "recall", model: simulatedModel(profile), folder })
  );
}

Deno.test("runStudy() asks the three tests and one's own needle, and grades every cell", async () => {
  const { replies } = await ask("ideal");
  equal(replies.length, 4 * 3 * 5);
  ok(replies.every(({ value, penalised }) => value === 1 && penalised?.value === 1));
});

Deno.test("runStudy() grades a model that says nothing 1 of 5, and counts its empty replies", async () => {
  const { replies } = await ask("mute");
  ok(replies.every(({ value, penalised, noAnswer }) => value === 0.2 && penalised?.value === 0 && noAnswer));
});

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
