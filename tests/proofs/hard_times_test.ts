import { deepEqual, equal, ok } from "node:assert/strict";
import { spawn, withRunName } from "../cli/_shell.ts";
import { playServer } from "../models/_play_server.ts";
import { planTasks, smallHeader, sumTask, withFolder } from "../asking/_fakes.ts";
import { faultServer } from "../asking/_fault_server.ts";
import { integer, stream } from "@/lib/random/mod.ts";
import { readRun } from "@/lib/records/mod.ts";
import { runPlan } from "@/lib/asking/run_plan.ts";
import { openStore } from "@/lib/records/store.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

Deno.test("10,000 samples at 30% faults: every sample is answered or counted under its cause, none twice, none lost", async () => {
  await using server = faultServer("hard times", 0.3);
  const { model } = server;
  const plan = planTasks({ tasks: [sumTask(), sumTask({ name: "other" })], lengths: [512], samples: 5000 });
  await withFolder(async (folder) => {
    const header = smallHeader({ settings: model.settings, template: model.template });
    const store = await openStore("run", header, { folder });
    const { answered, failed, trouble } = await runPlan(plan, { model, store, concurrency: 64 }).finally(store.close);
    const { records } = await readRun("run", { folder });
    const samples = new Set(records.map(({ sample }) => sample));
    deepEqual([answered + failed, records.length, samples.size, trouble], [10_000, 10_000, 10_000, undefined]);
    const failures = records.flatMap(({ reply }) => reply.kind === "failure" ? [reply.failure] : []);
    equal(failures.length, failed);
    equal(failures.includes("rate_limit"), false, "a busy server costs no sample");
  });
});

async function ended(process: Deno.ChildProcess): Promise<Deno.CommandStatus> {
  const [status] = await Promise.all([process.status, process.stdout.bytes(), process.stderr.bytes()]);
  return status;
}

const KILLS = 100;

Deno.test(`a run that is killed ${KILLS} times and resumed has the records of an undisturbed one`, async () => {
  // The answer depends on the question alone.
  await using server = playServer(async (request) => {
    const text = await request.text();
    await new Promise((go) => setTimeout(go, 20));
    const content = `${text.length} characters`;
    return Response.json({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] });
  });
  const ask = (name: string): string[] => [
    ...["run", "--tasks", "niah_single_1,vt", "--lengths", "1K", "--samples", "5000", "--concurrency", "4"],
    ...["--model", "m", "--base-url", server.url, "--no-preflight", "--name", name],
  ];
  const draw = stream("hard times", "kills");
  await withRunName(async (name) => {
    for (let kill = 0; kill < KILLS; kill++) {
      const run = spawn(ask(name));
      const timer = setTimeout(() => run.kill("SIGKILL"), integer(draw, { low: 300, high: 2500 }));
      const { signal } = await ended(run);
      clearTimeout(timer);
      if (signal === null) break;
    }
    equal((await ended(spawn(ask(name)))).code, 0);
    const { records, notes } = await readRun(name, { folder: RUNS_FOLDER });
    deepEqual([records.length, new Set(records.map(({ sample }) => sample)).size, notes], [10_000, 10_000, []]);
    await withRunName(async (undisturbed) => {
      equal((await ended(spawn(ask(undisturbed)))).code, 0);
      const other = await readRun(undisturbed, { folder: RUNS_FOLDER });
      const texts = (run: typeof other): ReadonlyMap<string, string> =>
        new Map(run.records.map(({ sample, sha256, reply }) => [
          sample,
          `${sha256} ${reply.kind === "answer" && reply.text}`,
        ]));
      deepEqual(texts({ ...other, records }), texts(other));
      ok(other.manifest.samples.sha256 === (await readRun(name, { folder: RUNS_FOLDER })).manifest.samples.sha256);
    });
  });
});
