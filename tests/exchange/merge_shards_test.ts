import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { withFolder } from "../asking/_fakes.ts";
import type { Model, RunRecord } from "@/lib/models/mod.ts";
import {
  checkStudy,
  openStudy,
  planShard,
  planStudy,
  readShard,
  shardName,
  simulatedModel,
  type Study,
} from "@/lib/studies/mod.ts";
import { mergeShards } from "@/lib/exchange/mod.ts";
import { readRun, verifyRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { dealSamples, readShardName } from "@/lib/studies/shards.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";

// vt does not fit 512 tokens; 4 cells of 3 samples, each asked twice.
const study = checkStudy({ tasks: ["niah_single_1", "vt", "qa_1"], lengths: [512, 1024], samples: 3, repeats: 2 });
const model = simulatedModel("gpt-4");
const opened = await openStudy(study);

/** The records of a file as they count: in its order, without what no two runs share. */
async function recordsOf(folder: string, name: string): Promise<readonly RunRecord[]> {
  const lines = (await Deno.readTextFile(`${folder}/${name}/records.jsonl`)).trimEnd().split("\n");
  return lines.map((line) => {
    const { time: _, reply, ...record } = JSON.parse(line) as RunRecord;
    return { ...record, reply: { ...reply, latencyMs: 0, attempts: 1 } } as RunRecord;
  });
}

async function runShards(
  folder: string,
  of: number,
  { asked = study, reader = model, only }: {
    readonly asked?: Study;
    readonly reader?: Model;
    readonly only?: readonly number[];
  } = {},
): Promise<void> {
  for (const index of only ?? Array.from({ length: of }, (_, at) => at + 1)) {
    const open = asked === study ? { opened } : {};
    await runStudy(asked, { name: "run", model: reader, folder, shard: { index, of }, ...open });
  }
}

Deno.test("any sharding gives the records of one process, in the same order and to the byte but for time and latency", async () => {
  await withFolder(async (folder) => {
    await runStudy(study, { name: "whole", model, folder, concurrency: 1 });
    const whole = await recordsOf(folder, "whole");
    equal(whole.length, 30);
    for (const shards of [1, 3, 7]) {
      await runShards(folder, shards);
      const { records, answered, manifest } = await mergeShards("run", { folder, shards });
      deepEqual([records, answered], [30, 30]);
      deepEqual(
        (await recordsOf(folder, "run")).map((record) => JSON.stringify(record)),
        whole.map((record) => JSON.stringify(record)),
      );
      const alone = (await readRun("whole", { folder })).manifest;
      deepEqual(
        { ...manifest, name: "", started: "" },
        { ...alone, name: "", started: "", merged: { shards } },
      );
    }
  });
});

Deno.test("a plan's samples are dealt out: each to one shard, as many to each of every task and length, repeats together", () => {
  const plan = planStudy(opened, { template: PLAIN_TEMPLATE });
  const counts = Map.groupBy(dealSamples(plan, 4), ({ shard }) => shard);
  deepEqual([...counts].map(([shard, samples]) => [shard, samples.length]), [[1, 8], [2, 8], [3, 8], [4, 6]]);
  const shards = [1, 2, 3].map((index) => planShard(plan, { index, of: 3 }));
  deepEqual(shards.map(({ questions }) => questions), [10, 10, 10]);
  for (const { picked = [] } of shards) {
    equal(new Set(picked.map(({ task, length }) => `${task.name}${length}`)).size, 5);
  }
  throws(() => planShard(plan, { index: 16, of: 16 }), {
    name: "RangeError",
    message:
      "Cannot run shard 16/16 as there must be at most as many shards as samples: current value is 16 shards of 30 questions",
  });
});

Deno.test("a shard is named by its run, i and n", () => {
  const shard = readShard("2/4");
  deepEqual(readShardName(shardName("my.run", shard)), { run: "my.run", shard });
  equal(readShardName("first"), undefined);
  for (const wrong of ["0/4", "5/4", "2", "a/b", "1/1001", "-1/4"]) {
    throws(() => readShard(wrong), { name: "RangeError", message: /must be i\/n, such as 2\/4/ });
  }
});

Deno.test("mergeShards() says which shards lack how many, and proves the run whole once they are asked", async () => {
  await withFolder(async (folder) => {
    await rejects(mergeShards("run", { folder }), /as there must be shards of it: current value is none/);
    await runShards(folder, 4, { only: [1, 3] });
    const path = `${folder}/run.shard-1-of-4/records.jsonl`;
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    // Killed in the midst of a line, before the manifest was completed.
    const manifestPath = `${folder}/run.shard-1-of-4/manifest.json`;
    const { records: _, ...manifest } = JSON.parse(await Deno.readTextFile(manifestPath));
    await Deno.writeTextFile(manifestPath, JSON.stringify({ ...manifest, samples: { count: 0, sha256: "" } }));
    await Deno.writeTextFile(path, `${lines.slice(0, -2).join("\n")}\n${lines.at(-2)!.slice(0, 50)}`);
    await rejects(
      mergeShards("run", { folder }),
      /each of its 30 questions must have a record: current value is 16 without one \(2 of shard 1\/4, 8 of shard 2\/4, 6 of shard 4\/4\)/,
    );
    await runShards(folder, 4);
    equal((await mergeShards("run", { folder })).answered, 30);
    // Shards stay, and the same again gives the same.
    const before = await Deno.readTextFile(`${folder}/run/records.jsonl`);
    await mergeShards("run", { folder });
    equal(await Deno.readTextFile(`${folder}/run/records.jsonl`), before);
  });
});

Deno.test("mergeShards() refuses what is doubled or of another shard", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 2);
    const [one, two] = [1, 2].map((index) => `${folder}/run.shard-${index}-of-2/records.jsonl`);
    const [kept, others] = [await Deno.readTextFile(one!), await Deno.readTextFile(two!)];
    await Deno.writeTextFile(one!, kept + kept.split("\n")[0] + "\n");
    await rejects(mergeShards("run", { folder }), {
      name: "RangeError",
      message: /must have one answer: current value is two of "ruler-/,
    });
    await Deno.writeTextFile(one!, kept + others.split("\n")[0] + "\n");
    await rejects(
      mergeShards("run", { folder }),
      /shard 1 of run "run" as it must hold the samples that the plan deals to it/,
    );
  });
});

Deno.test("mergeShards() refuses other models, studies and versions", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 2, { only: [1] });
    await runShards(folder, 2, { only: [2], reader: simulatedModel("ideal") });
    await rejects(
      mergeShards("run", { folder }),
      /shard 2 of run "run" as its model must be that of shard 1, "sim:gpt-4": current value is "sim:ideal"/,
    );
    await Deno.remove(`${folder}/run.shard-2-of-2`, { recursive: true });
    await runShards(folder, 2, { only: [2], asked: checkStudy({ ...study, samples: 4 }) });
    await rejects(mergeShards("run", { folder }), /its study's samples must be that of shard 1, 3: current value is 4/);
    await Deno.remove(`${folder}/run.shard-2-of-2`, { recursive: true });
    await runShards(folder, 2, { only: [2] });
    const path = `${folder}/run.shard-2-of-2/records.jsonl`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/"fathom":"[^"]*"/, '"fathom":"0.0.9"'));
    await rejects(
      mergeShards("run", { folder }),
      /its version of Fathom for ".*" must be that of shard 1, .*: current value is 0\.0\.9/,
    );
  });
});

Deno.test("mergeShards() refuses a shard that was edited", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 2);
    const path = `${folder}/run.shard-2-of-2/records.jsonl`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace('"text":"', '"text":"Better: '));
    await rejects(mergeShards("run", { folder }), /must be as they were recorded, .*something in it was changed/);
    await Deno.writeTextFile(path, text);
    const { manifest } = await mergeShards("run", { folder });
    equal(manifest.samples.count, 15);
    deepEqual((await verifyRun("run", { folder })).faults, []);
  });
});

Deno.test("a shard is resumed by the plan that it began with alone, and chooses no samples step by step", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 2, { only: [1] });
    await rejects(
      runShards(folder, 2, { only: [1], asked: checkStudy({ ...study, samples: 9 }) }),
      /Cannot resume run "run\.shard-1-of-2" as its study samples must be 3: current value is 9/,
    );
    await rejects(
      runStudy(checkStudy({ ...study, repeats: 1 }), {
        name: "run",
        model,
        folder,
        shard: { index: 1, of: 2 },
        choose: () => [],
      }),
      /the run must be whole for that: current value is shard 1\/2/,
    );
  });
});

Deno.test("mergeShards() replaces no run that was not merged, and no answer that its shards lack", async () => {
  await withFolder(async (folder) => {
    await runStudy(study, { name: "run", model, folder });
    await runShards(folder, 2);
    await rejects(mergeShards("run", { folder }), /no other run must have its name/);
    await Deno.remove(`${folder}/run`, { recursive: true });
    await mergeShards("run", { folder });
    // The merged run is a run as any other: more can be asked.
    const { summary } = await runStudy(checkStudy({ ...study, samples: 4 }), { name: "run", model, folder });
    deepEqual([summary.answered, summary.asked], [40, 10]);
    await rejects(
      mergeShards("run", { folder }),
      /its shards must have every answer that it has: current value is 10 answers/,
    );
    await runShards(folder, 3);
    await rejects(
      mergeShards("run", { folder }),
      /one number of its shards must be named: current value is shards of 2, shards of 3/,
    );
    match((await readRun("run", { folder })).manifest.merged?.shards.toString() ?? "", /^2$/);
  });
});

Deno.test.each([["simulated", "measured"], ["measured", "simulated"]] as const)(
  "mergeShards() calls a run simulated of which a part is: %s and %s",
  async (first, second) => {
    await withFolder(async (folder) => {
      for (const [at, origin] of [first, second].entries()) {
        await runShards(folder, 2, { only: [at + 1], reader: { ...model, origin } });
      }
      equal((await mergeShards("run", { folder })).manifest.origin, "simulated");
    });
  },
);
