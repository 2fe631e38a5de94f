import { deepEqual, equal, match } from "node:assert/strict";
import { type FakeServer, fakeServer } from "../models/_fake_server.ts";
import { chatReply } from "../models/_play_server.ts";
import { type Cluster, isSlurmHere, startSlurm } from "./_slurm.ts";
import { readRun, runFolder } from "@/lib/records/mod.ts";

const PROJECT = new URL("../../", import.meta.url).pathname;
const ASKED = ["--tasks", "niah_single_1,vt,cwe", "--lengths", "1K,2K", "--samples", "7"];
const MISSING = isSlurmHere() ? "" : " (left out: munged, slurmctld, slurmd and sbatch are not installed)";

Deno.test({
  name:
    `an array of 4 on a real Slurm gives the records of one process; a killed task is submitted again, one near its time limit queues itself${MISSING}`,
  ignore: MISSING !== "",
  async fn(): Promise<void> {
    await using cluster = await startSlurm();
    const name = `test-${crypto.randomUUID()}`;
    await using server = serveSlowly();
    const logs = await Deno.makeTempDir({ prefix: "slurm-logs-" });
    const flags = [...ASKED, "--no-preflight", "--model", "slow", "--base-url", server.url, "--concurrency", "1"];
    try {
      const submit = (): Promise<string> =>
        cluster.command(
          ...["sbatch", "--parsable", "--array=1-4", "--time=3", `--export=ALL,OPENAI_API_KEY=${KEY}`],
          ...[`--chdir=${PROJECT}`, `--output=${logs}/shard-%a.log`],
          ...["docs/examples/slurm_array.sh", ...flags, "--name", name],
        );
      // One task is killed as soon as it has recorded something, one gets the signal that its time is nearly up.
      const array = await submit();
      await until("shard 2 has begun", () => exists(`${runFolder(name)}/records.2-of-4.jsonl`));
      await cluster.command("scancel", "--signal=TERM", "--batch", `${array}_2`);
      await until("shard 3 has begun", () => exists(`${runFolder(name)}/records.3-of-4.jsonl`));
      await cluster.command("scancel", "--signal=KILL", "--full", `${array}_3`);
      // Slurm lets a job that is queued again wait for two minutes.
      await until("the array has ended", () => cluster.hasEnded(array));
      const early = await fathom(["verify", name], cluster);
      equal(early.code, 1);
      match(early.out, /have no record \(\d+ of shard 3\/4\)/);
      match(await Deno.readTextFile(`${logs}/shard-2.log`), /fathom: Stopped by SIGTERM before the end/);
      const again = await submit();
      await until("the array has ended", () => cluster.hasEnded(again));
      const late = await fathom(["verify", name], cluster);
      deepEqual([late.code, /42 records/.test(late.out)], [0, true], late.out);

      const alone = await fathom(["run", ...flags, "--name", `${name}.alone`], cluster);
      equal(alone.code, 0, alone.err);
      deepEqual(await readLines(name), await readLines(`${name}.alone`));
      for (const folder of [logs, runFolder(name)]) {
        for await (const { name: file } of Deno.readDir(folder)) {
          const text = await Deno.readTextFile(`${folder}/${file}`);
          equal(text.includes(KEY), false, `${file} has no key`);
        }
      }
      const keys = new Set(server.received.map(({ headers }) => headers.get("authorization")));
      deepEqual([...keys], [`Bearer ${KEY}`]);
    } finally {
      await Deno.remove(logs, { recursive: true });
      for await (const { name: folder } of Deno.readDir(runFolder("x").slice(0, -2))) {
        if (folder.startsWith(name)) await Deno.remove(runFolder(folder), { recursive: true });
      }
    }
  },
});

/** A key that must reach the server and no file. */
const KEY = "a-key-of-the-slurm-test-0123456789";

/** The records of a run in their order, without what no two runs share. */
async function readLines(name: string): Promise<readonly string[]> {
  const { records } = await readRun(name);
  return records.map(({ time: _, reply, ...record }) =>
    JSON.stringify({ ...record, reply: { ...reply, latencyMs: 0 } })
  );
}

async function fathom(
  words: readonly string[],
  { env }: Cluster,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "fathom", ...words],
    cwd: PROJECT,
    env: { ...env, OPENAI_API_KEY: KEY },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out: out!, err: err! };
}

/** An endpoint that thinks for a moment and answers what depends on the question alone. */
function serveSlowly(): FakeServer {
  return fakeServer(async (_request, { body }) => {
    const messages = body["messages"] as readonly { readonly content: string }[];
    await new Promise((resolve) => setTimeout(resolve, 400));
    return chatReply({ content: `It is ${messages.at(-1)!.content.replaceAll(/\D/g, "").slice(-40)}.` });
  });
}

function exists(path: string): Promise<boolean> {
  return Deno.stat(path).then(() => true, () => false);
}

/** Waits at most ten minutes. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2400; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`Waited ten minutes until ${what}`);
}
