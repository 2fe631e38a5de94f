import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { withFolder } from "./_fakes.ts";
import type { Model } from "@/lib/models/mod.ts";
import { checkStudy, openStudy, planShard, planStudy, readShard, type Study } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { listRuns, readRun, verifyRun } from "@/lib/records/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";
import { dealSamples } from "@/lib/studies/plan.ts";
import { PLAIN_TEMPLATE } from "@/lib/generators/mod.ts";

// vt does not fit 512 tokens; 4 cells of 3 samples, each asked twice.
const study = checkStudy({ tasks: ["niah_single_1", "vt", "qa_1"], lengths: [512, 1024], samples: 3, repeats: 2 });
const model = simulatedModel("gpt-4");
const opened = await openStudy(study);

/** The records of a run in their order, without what no two runs share. */
async function recordsOf(folder: string, name: string): Promise<readonly string[]> {
  const { records } = await readRun(name, { folder });
  return records.map(({ time: _, reply, ...record }) =>
    JSON.stringify({ ...record, reply: { ...reply, latencyMs: 0, attempts: 1 } })
  );
}

async function runShards(
  folder: string,
  of: number,
  { asked = study, reader = model, only, name = "run" }: {
    readonly asked?: Study;
    readonly reader?: Model;
    readonly only?: readonly number[];
    readonly name?: string;
  } = {},
): Promise<void> {
  for (const index of only ?? Array.from({ length: of }, (_, at) => at + 1)) {
    const open = asked === study ? { opened } : {};
    await runStudy(asked, { name, model: reader, folder, shard: { index, of }, ...open });
  }
}

async function faultsOf(folder: string, name = "run"): Promise<string> {
  return (await verifyRun(name, { folder })).faults.join("; ");
}

Deno.test("any sharding gives the records of one process, in the same order and to the byte but for time and latency", async () => {
  await withFolder(async (folder) => {
    await runStudy(study, { name: "whole", model, folder, concurrency: 1 });
    const whole = await recordsOf(folder, "whole");
    equal(whole.length, 30);
    const alone = (await readRun("whole", { folder })).manifest;
    for (const shards of [1, 3, 7]) {
      const name = `run-${shards}`;
      await runShards(folder, shards, { name });
      deepEqual(await recordsOf(folder, name), whole);
      const { manifest, notes } = await readRun(name, { folder });
      deepEqual([{ ...manifest, name: "", started: "" }, notes], [{ ...alone, name: "", started: "" }, []]);
      deepEqual(await verifyRun(name, { folder }), {
        ...{ run: name, records: 30, answered: 15, faults: [], notes: [] },
      });
    }
    deepEqual(await listRuns({ folder }), ["run-1", "run-3", "run-7", "whole"]);
  });
});

Deno.test("the questions about a context are dealt to one shard", async () => {
  const tasks = [{ task: "niah", knobs: { questions: 4 } }, "niah_single_1"];
  const plan = planStudy(await openStudy(checkStudy({ tasks, lengths: [1024], samples: 9 })), {
    template: PLAIN_TEMPLATE,
  });
  const shards = [1, 2].map((index) => planShard(plan, { index, of: 2 }).picked!);
  const dealt = shards.map((picked) => picked.map(({ task, index }) => `${task.name} ${index}`));
  deepEqual(dealt[0]!.slice(0, 6), ["niah 0", "niah 1", "niah 2", "niah 3", "niah 8", "niah_single_1 1"]);
  deepEqual(dealt[1]!.slice(0, 5), ["niah 4", "niah 5", "niah 6", "niah 7", "niah_single_1 0"]);
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
      "Cannot run shard 16/16 as the number of shards must be at most that of samples: current value is 16 shards of 30 questions",
  });
});

Deno.test("readShard() reads i/n", () => {
  deepEqual(readShard("2/4"), { index: 2, of: 4 });
  for (const wrong of ["0/4", "5/4", "2", "a/b", "1/1001", "-1/4"]) {
    throws(() => readShard(wrong), { name: "RangeError", message: /must be i\/n, such as 2\/4/ });
  }
});

Deno.test("shards write their own files at the same time, and one manifest", async () => {
  await withFolder(async (folder) => {
    await Promise.all([1, 2, 3].map((index) => runShards(folder, 3, { only: [index] })));
    const files = (await Array.fromAsync(Deno.readDir(`${folder}/run`))).map(({ name }) => name).sort();
    const shards = [1, 2, 3].map((index) => `records.${index}-of-3`);
    deepEqual(files, ["manifest.json", ...shards.flatMap((shard) => [`${shard}.jsonl`, `${shard}.mark.json`])]);
    equal(await faultsOf(folder), "");
  });
});

Deno.test("verifyRun() lists how many samples each shard lacks, and none once they are asked", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 4, { only: [1, 3] });
    const path = `${folder}/run/records.1-of-4.jsonl`;
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    // Killed in the middle of a line, before the file was marked.
    await Deno.remove(`${folder}/run/records.1-of-4.mark.json`);
    await Deno.writeTextFile(path, `${lines.slice(0, -2).join("\n")}\n${lines.at(-2)!.slice(0, 50)}`);
    match(
      await faultsOf(folder),
      /16 of 30 questions have no record \(2 of shard 1\/4, 8 of shard 2\/4, 6 of shard 4\/4\)/,
    );
    await runShards(folder, 4);
    equal(await faultsOf(folder), "");
    equal((await readRun("run", { folder })).records.length, 30);
  });
});

Deno.test("a whole run asks what its shards lack, and a shard nothing that the run has", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 3, { only: [1] });
    const { summary, replies } = await runStudy(study, { name: "run", model, folder });
    deepEqual([summary.answered, summary.asked, replies.length], [30, 20, 30]);
    const second = await runStudy(study, { name: "run", model, folder, shard: { index: 2, of: 3 } });
    deepEqual([second.summary.answered, second.summary.asked, second.replies.length], [10, 0, 10]);
    equal(await faultsOf(folder), "");
    const wider = await runStudy(checkStudy({ ...study, samples: 4 }), { name: "run", model, folder });
    deepEqual([wider.summary.answered, wider.summary.asked], [40, 10]);
    equal(await faultsOf(folder), "");
  });
});

Deno.test("verifyRun() finds what is doubled, not of the plan, or edited in a shard", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 2);
    const [one, two] = [1, 2].map((index) => `${folder}/run/records.${index}-of-2.jsonl`) as [string, string];
    const [kept, others] = [await Deno.readTextFile(one), await Deno.readTextFile(two)];
    await Deno.writeTextFile(one, `${kept}${others.split("\n")[0]}\n`);
    match(await faultsOf(folder), /must have one answer: current value is two of 1 samples, such as "ruler-/);
    await Deno.writeTextFile(one, kept + kept.split("\n")[0]!.replace('"index":0', '"index":9') + "\n");
    match(await faultsOf(folder), /each record must be of a sample of the plan/);
    await Deno.writeTextFile(one, kept.replace('"text":"', '"text":"Better: '));
    match(await faultsOf(folder), /the records of shard 1\/2 were changed since the run ended/);
    match((await readRun("run", { folder })).notes.join(), /records of shard 1\/2 were changed since the run ended/);
    await Deno.writeTextFile(one, kept.split("\n").slice(3).join("\n"));
    match(
      await faultsOf(folder),
      /the records of shard 1\/2 were cut: the file is shorter than it was when the run ended/,
    );
  });
});

Deno.test("a shard is asked only with the model and the study that the run began with", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 2, { only: [1] });
    await rejects(
      runShards(folder, 2, { only: [2], reader: simulatedModel("ideal") }),
      /Cannot resume run "run" as its model must be "sim:gpt-4": current value is "sim:ideal"/,
    );
    await rejects(
      runShards(folder, 2, { only: [2], asked: checkStudy({ ...study, samples: 9 }) }),
      /Cannot resume run "run" as its study samples must be 3: current value is 9/,
    );
    const once = checkStudy({ ...study, repeats: 1 });
    const shard = { index: 1, of: 2 };
    await rejects(
      runStudy(once, { name: "other", model, folder, shard, choose: () => [] }),
      /the run must be whole: current value is shard 1\/2/,
    );
    await rejects(
      runStudy(once, { name: "other", model, folder, shard, batching: {} }),
      /Cannot ask a shard in batches as the run must be whole: current value is shard 1\/2/,
    );
  });
});

Deno.test("a folder of one shard, as older versions wrote, is read, and refused where it would be resumed", async () => {
  await withFolder(async (folder) => {
    await runShards(folder, 1);
    const path = `${folder}/run/manifest.json`;
    const manifest = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, JSON.stringify({ ...manifest, shard: { index: 2, of: 3 } }));
    equal((await readRun("run", { folder })).records.length, 30);
    await rejects(
      runStudy(study, { name: "run", model, folder }),
      /current value is a folder of shard 2\/3, as versions before 0\.2 wrote/,
    );
  });
});
