import { deepEqual, equal, match } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";
import { serveSimulated } from "@/lib/cli/serve_command.ts";
import { RUNS_FOLDER } from "@/lib/runs/manifest.ts";

/** Cuts a run to its first records, as if it had been killed there. */
async function kill(name: string, records: number): Promise<void> {
  const folder = `${RUNS_FOLDER}/${name}`;
  const lines = (await Deno.readTextFile(`${folder}/records.jsonl`)).split("\n");
  await Deno.writeTextFile(`${folder}/records.jsonl`, `${lines.slice(0, records).join("\n")}\n`);
  const { records: _, ...manifest } = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  await Deno.writeTextFile(
    `${folder}/manifest.json`,
    JSON.stringify({ ...manifest, samples: { count: 0, sha256: "" } }),
  );
}

async function samplesOf(name: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(`${RUNS_FOLDER}/${name}/records.jsonl`);
  return text.trimEnd().split("\n").map((line): string => JSON.parse(line).sample).sort();
}

Deno.test.each([
  ["a simulated reader", ["--tasks", "vt,niah_single_1", "--set", "chains=2", "--model", "sim:gpt-4", "--seed", "7"]],
  ["a search", ["--tasks", "vt", "--model", "sim:gpt-4", "--adaptive", "--threshold", "50"]],
] as [string, string[]][])(
  "fathom resume asks what is left of a run of %s, by its name alone",
  async (_name, flags) => {
    await withRunName(async (name) => {
      const first = await shell("run", ...flags, "--lengths", "1K,2K", "--samples", "3", "--name", name);
      equal(first.code, 0, first.told.join("\n"));
      const asked = await samplesOf(name);
      await kill(name, 2);
      const resumed = await shell("resume", name);
      equal(resumed.code, 0, resumed.told.join("\n"));
      deepEqual(await samplesOf(name), asked);
      equal(resumed.out, first.out);
      match(resumed.told.join("\n"), new RegExp(`${name}: ${asked.length} of ${asked.length} answered`));
    });
  },
);

Deno.test("fathom resume asks what is left of one part of a run, and no other part", async () => {
  await withRunName(async (name) => {
    const shard = `${name}.shard-1-of-2`;
    try {
      const flags = ["--tasks", "vt", "--lengths", "1K", "--samples", "4", "--model", "sim:ideal", "--shard", "1/2"];
      equal((await shell("run", ...flags, "--name", name)).code, 0);
      const asked = await samplesOf(shard);
      await kill(shard, 1);
      const { code, told } = await shell("resume", shard);
      deepEqual([code, await samplesOf(shard)], [0, asked], told.join("\n"));
      equal(asked.length, 2);
    } finally {
      await Deno.remove(`${RUNS_FOLDER}/${shard}`, { recursive: true });
    }
  });
});

Deno.test("fathom resume finds server and settings of a run again", async () => {
  const server = await serveSimulated({ profile: "ideal" });
  try {
    await withRunName(async (name) => {
      const own = ["--base-url", server.url, "--max-tokens", "77", "--temperature", "0.5", "--template-tokens", "12"];
      const flags = ["--tasks", "vt", "--lengths", "1K", "--samples", "3", "--model", "sim:ideal", ...own];
      const first = await shell("run", ...flags, "--name", name);
      equal(first.code, 0, first.told.join("\n"));
      await kill(name, 1);
      const { code, told } = await shell("resume", name);
      deepEqual([code, (await samplesOf(name)).length], [0, 3], told.join("\n"));
    });
  } finally {
    await server.close();
  }
});

Deno.test("fathom resume refuses a run that is not there, and one that Fathom did not begin here", async () => {
  const missing = await shell("resume", "no-such-run");
  deepEqual([missing.code, /its name must be that of a recorded run/.test(missing.told[0]!)], [2, true]);
  const measured = await shell("resume", "measured/gemma-3-270m/cdme");
  deepEqual([measured.code, measured.told.length], [2, 1]);
  match(measured.told[0]!, /Cannot resume the run as Fathom must have begun it in results\/runs/);
});
