import { deepEqual, equal, ok } from "node:assert/strict";
import { spawn, withRunName } from "../cli/_shell.ts";
import { playServer } from "../models/_play_server.ts";
import { integer, stream } from "@/lib/random/mod.ts";
import { readRun } from "@/lib/records/mod.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

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
