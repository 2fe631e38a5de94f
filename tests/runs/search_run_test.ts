import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import {
  checkStudy,
  chooseBySearch,
  type RunProgress,
  runStudy,
  searchRun,
  simulatedModel,
  type StudyRun,
} from "@/lib/runs/mod.ts";

const STUDY = checkStudy({ tasks: ["niah_single_1", "niah_single_2"], lengths: [512, 1024, 2048], samples: 60 });
const AIM = { threshold: 85.6 };

async function search(folder: string, changes: Partial<Parameters<typeof runStudy>[1]> = {}): Promise<StudyRun> {
  const model = simulatedModel("ideal");
  return await runStudy(STUDY, { name: "run", model, folder, choose: chooseBySearch(AIM), ...changes });
}

Deno.test("searchRun() finds in a run what chooseBySearch() asked for, and the same after it was interrupted and went on", async () => {
  const [whole, broken] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  try {
    const run = await search(whole);
    const { answer, isSettled, next } = searchRun(run, AIM);
    deepEqual([answer?.text, isSettled, next], [">2K", true, []]);
    ok(run.summary.asked <= 120);
    const stop = new AbortController();
    const onProgress = ({ asked }: RunProgress): void => void (asked >= 5 && stop.abort());
    const part = await search(broken, { stop: stop.signal, onProgress });
    equal(searchRun(part, AIM).answer, null);
    const rest = await search(broken);
    deepEqual(searchRun(rest, AIM).answer, answer);
    ok(rest.summary.asked < run.summary.asked);
  } finally {
    for (const folder of [whole, broken]) await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("chooseBySearch() asks nothing where a task does not fit every length", async () => {
  const folder = await Deno.makeTempDir();
  const study = { ...STUDY, tasks: [{ task: "vt" }], lengths: [512, 2048] };
  const choices = { name: "run", model: simulatedModel("ideal"), folder, choose: chooseBySearch(AIM) };
  await rejects(runStudy(study, choices), /every task must fit every length, and vt needs \d+ tokens/);
  deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  await Deno.remove(folder, { recursive: true });
});
