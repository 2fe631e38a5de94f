import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { withFolder } from "./_fakes.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";
import { checkStudy, openStudy, type Plan, planStudy, type RunProgress } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { chooseBySearch, runStudy, searchRun, type StudyRun } from "@/lib/asking/mod.ts";

const STUDY = checkStudy({ tasks: ["niah_single_1", "niah_single_2"], lengths: [512, 1024, 2048], samples: 60 });
const AIM = { threshold: 85.6 };

async function search(options: Omit<Parameters<typeof runStudy>[1], "model" | "choose">): Promise<StudyRun> {
  return await runStudy(STUDY, { model: simulatedModel("ideal"), choose: chooseBySearch(AIM), ...options });
}

Deno.test("searchRun() finds in a run what chooseBySearch() asked for, and the same after an interruption", async () => {
  await withFolder(async (folder) => {
    const run = await search({ folder, name: "whole" });
    const { answer, isSettled, next } = searchRun(run, AIM);
    deepEqual([answer?.text, isSettled, next], [">2K", true, []]);
    ok(run.summary.asked <= 120);
    const stop = new AbortController();
    const onProgress = ({ asked }: RunProgress): void => void (asked >= 5 && stop.abort());
    const part = await search({ folder, name: "broken", stop: stop.signal, onProgress });
    equal(searchRun(part, AIM).answer, null);
    const rest = await search({ folder, name: "broken" });
    deepEqual(searchRun(rest, AIM).answer, answer);
    ok(rest.summary.asked < run.summary.asked);
  });
});

Deno.test("chooseBySearch() asks nothing where a task does not fit every length", async () => {
  await withFolder(async (folder) => {
    const study = { ...STUDY, tasks: [{ task: "vt" }], lengths: [512, 2048] };
    const choices = { name: "run", model: simulatedModel("ideal"), folder, choose: chooseBySearch(AIM) };
    await rejects(runStudy(study, choices), /every task must fit every length, and vt needs \d+ tokens/);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

async function plan(lengths: readonly number[]): Promise<Plan> {
  const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths, samples: 40, first: 10 });
  return planStudy(await openStudy(study), { template: PLAIN_TEMPLATE });
}

Deno.test("searchRun() chooses among the tasks, lengths and samples of the plan", async () => {
  const { next, isSettled } = searchRun({ plan: await plan([2048, 1024]), replies: [] }, AIM);
  equal(isSettled, false);
  ok(next.length > 0);
  for (const { task, length, index } of next) {
    ok(["niah_single_1", "vt"].includes(task) && [1024, 2048].includes(length) && index >= 10 && index < 50);
  }
});
