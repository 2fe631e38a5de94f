import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { measuresTemplate } from "@/lib/asking/mod.ts";
import { readMeasurePlan } from "../measure/measure_plan.ts";
import { listMeasured, type MeasuredName, measuredRunName } from "@/lib/records/run_folders.ts";
import { readScoredRun, type RecordedScores, type RunRecord } from "@/lib/records/mod.ts";
import { runFailures } from "@/lib/reports/mod.ts";
import { openModel, type OpenStudy, openStudy } from "@/lib/studies/mod.ts";
import { expectedInterval, minimumDetectableDifference } from "@/lib/statistics/mod.ts";

// What real models answered, in data/measured: anybody must be able to make its samples again, offline.

const names = await listMeasured();
const plan = await readMeasurePlan();

interface Opened extends RecordedScores {
  readonly name: MeasuredName;
  readonly opened: OpenStudy;
}

/** Opens every measured run, one after another. */
async function* openAll(): AsyncGenerator<Opened> {
  for (const name of names) {
    const run = await readScoredRun(measuredRunName(name));
    yield { ...run, name, opened: await openStudy(run.manifest.study) };
  }
}

/** The first record of each task and length, and the last of each task. */
function pickPart(records: readonly RunRecord[]): readonly RunRecord[] {
  const cells = [...Map.groupBy(records, ({ task, length }) => `${task} ${length}`).values()];
  const tasks = [...Map.groupBy(records, ({ task }) => task).values()];
  return [...new Set([...cells.map((cell) => cell[0]!), ...tasks.map((ofTask) => ofTask.at(-1)!)])];
}

Deno.test("the README's table of what so many samples tell is the planner's own", async () => {
  const text = await Deno.readTextFile("data/measured/README.md");
  const rows = [...text.matchAll(/^\| (\d+) +\| ±([\d.]+) points +\| ([\d.]+) points/gm)];
  ok(rows.length >= 4);
  for (const [, samples, reach, points] of rows) {
    const { low, high } = expectedInterval(Number(samples), { score: 50, tasks: 13 });
    const found = minimumDetectableDifference(Number(samples), { score: 50, tasks: 13 })!;
    deepEqual([reach, points], [((high - low) / 2).toFixed(1), found.toFixed(1)]);
  }
});

Deno.test("a part of the samples of every measured run is made again from its recipe: same id, same text", async () => {
  ok(names.length > 0);
  for await (const { manifest, records, opened } of openAll()) {
    const { study: { seed }, template } = manifest;
    const tasks = new Map(opened.tasks.map((task) => [task.name, task]));
    const made = pickPart(records).map(({ task, length, index }) =>
      tasks.get(task)!.sample({ length, index, seed, template, materials: opened.materials })
    );
    deepEqual(
      made.map(({ id, sha256, promptTokens, references }) => ({ sample: id, sha256, promptTokens, references })),
      pickPart(records).map(({ sample, sha256, promptTokens, references }) => (
        { sample, sha256, promptTokens, references }
      )),
    );
  }
});

Deno.test("no measured model leaves the tokens of its chat template to its server, so its samples are the same anywhere", async () => {
  for (const model of Object.keys(plan.models)) {
    const opened = await openModel({ model, models: plan.modelsFile });
    deepEqual([measuresTemplate(opened), opened.template.extraTokens], [false, 0], model);
  }
});

Deno.test("a manifest in data/measured tells what its records are: the hash of the samples, weights, server, machine, date", async () => {
  for await (const { name, manifest, records, notes } of openAll()) {
    const lines = records.filter(({ reply }) => reply.kind === "answer")
      .map(({ sample, sha256 }) => `${sample} ${sha256}\n`).sort();
    deepEqual(manifest.samples, {
      count: lines.length,
      sha256: createHash("sha256").update(lines.join("")).digest("hex"),
    });
    // A base model can give its answer after what is scored as its first answer: a few replies of hundreds.
    const others = notes.filter((note) => !note.includes("score far more as a whole"));
    deepEqual([manifest.name, manifest.origin, others], [measuredRunName(name), "measured", []]);
    equal(manifest.study.tokenizer, "cl100k_base");
    const { weights, server, machine, from, to } = manifest.measured!;
    deepEqual(weights, plan.models[name.model]!.weights);
    match(weights.sha256, /^[0-9a-f]{64}$/);
    ok(!manifest.server?.weights?.includes("/"), "a path of the machine that measured");
    ok(server.version !== "" && machine.cores > 0 && manifest.claimedWindow! >= Math.max(...manifest.study.lengths));
    ok(records.every(({ time }) => time >= from && time <= to));
  }
});

Deno.test("records in data/measured are a real model's, counted by its server, in order and none twice", async () => {
  for await (const { manifest, records } of openAll()) {
    equal(new Set(records.map(({ sample }) => sample)).size, records.length);
    for (const { origin, model, reply } of records) {
      deepEqual([origin, model], ["measured", manifest.model]);
      ok(reply.kind === "failure" || reply.promptTokens! > 0);
    }
    const lengths = records.map(({ length }) => length);
    deepEqual(lengths, lengths.toSorted((left, right) => left - right));
  }
});

Deno.test("failures of a measured run are explained offline, as its samples are counted with an encoding that comes along", async () => {
  const [first] = names;
  const run = await readScoredRun(measuredRunName(first!));
  const shortest = Math.min(...run.replies.map(({ length }) => length));
  const replies = run.replies.filter(({ length }) => length === shortest);
  const { notes, replies: explained } = await runFailures({ ...run, replies });
  deepEqual(notes, []);
  const wrong = explained.filter(({ value }) => value !== null && value < 1);
  ok(wrong.length > 0 && wrong.some(({ modes }) => modes.length > 0));
});

Deno.test("data/measured stays small: 3 MB in all", async () => {
  let bytes = 0;
  for (const model of new Set(names.map((name) => name.model))) {
    for await (const { name } of Deno.readDir(`data/measured/${model}`)) {
      bytes += (await Deno.stat(`data/measured/${model}/${name}`)).size;
    }
  }
  ok(bytes < 3_000_000, `${bytes} bytes`);
});
