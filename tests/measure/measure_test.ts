import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { withFolder } from "../asking/_fakes.ts";
import { realModel, TEST_MEASURED_WITH } from "../records/_measured.ts";
import { checkMeasured, compareReplies } from "./check_measured.ts";
import { type MeasurePlan, measureSteps, readMeasurePlan } from "./measure_plan.ts";
import { askMeasurements, estimateMeasureTime, findMeasureWork } from "./measure.ts";
import { packRuns } from "./pack_runs.ts";
import { openMeasured } from "@/lib/records/mod.ts";
import { runOf } from "@/lib/records/run_folders.ts";
import type { RunProgress } from "@/lib/studies/mod.ts";

const PLAN = `
models:
  small: &one
    weights: { file: small.gguf, sha256: "00", quantisation: Q4_0, licence: none }
    server: { name: llama.cpp, version: b1, flags: -c 4096 }
  large: *one
studies:
  - benchmark: ruler
    study: needle.yaml
    samples:
      small: { 512: 5, 1024: 2 }
      large: { 512: 3 }
`;

Deno.test("readMeasurePlan() reads samples by model and length, one of them at least", async () => {
  await withFolder(async (folder) => {
    const { studies: [study] } = await readPlan(folder, PLAN.replace("512: 3", "512: 1"));
    const counts = Object.entries(study!.samples).map(([model, byLength]) => [model, [...byLength]]);
    deepEqual(counts, [["small", [[512, 5], [1024, 2]]], ["large", [[512, 1]]]]);
  });
});

/** Writes a plan to a folder and reads it. */
async function readPlan(folder: string, text = PLAN): Promise<MeasurePlan> {
  await Deno.writeTextFile(`${folder}/needle.yaml`, "tasks: [niah_single_1]");
  await Deno.writeTextFile(`${folder}/measure.yaml`, text);
  return await readMeasurePlan(`${folder}/measure.yaml`);
}

Deno.test("measureSteps() goes in rounds: every model and length soon has something, and no sample is asked twice", async () => {
  await withFolder(async (folder) => {
    const steps = measureSteps(await readPlan(folder)).map(({ model, study: { lengths, first, samples } }) =>
      `${model} ${lengths.join("+")} ${first} to ${first + samples - 1}`
    );
    deepEqual(steps, [
      "small 512+1024 0 to 1",
      "large 512 0 to 1",
      "small 512 2 to 3",
      "large 512 2 to 2",
      "small 512 4 to 4",
    ]);
  });
});

Deno.test("askMeasurements() asks all, model by model in each round, and the same call again only what is missing", async () => {
  await withFolder(async (folder) => {
    const plan = await readPlan(folder);
    const asked: string[] = [];
    const served: string[] = [];
    const options = { folder, openModel: (name: string) => Promise.resolve(realModel({ name, asked })) };
    const serve = (model: string): Promise<AsyncDisposable> => {
      served.push(`+${model}`);
      return Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve(void served.push(`-${model}`)) });
    };
    const stop = new AbortController();
    const first = await findMeasureWork(plan, options);
    const onProgress = ({ asked }: RunProgress): void => asked === 6 ? stop.abort() : undefined;
    equal(await askMeasurements(first, { folder, serve, stop: stop.signal, onProgress }), false);
    const before = asked.length;
    ok(before >= 6 && before < 10);
    deepEqual(served, ["+small", "-small", "+large", "-large"]);
    const reports: RunProgress[] = [];
    const rest = await findMeasureWork(plan, options);
    equal(await askMeasurements(rest, { folder, onProgress: (progress) => reports.push(progress) }), true);
    equal(asked.length, 10);
    equal(new Set(asked).size, 10);
    const { done, total, isOver } = reports.at(-1)!;
    deepEqual([done, total, isOver], [10, 10, true]);
    deepEqual((await findMeasureWork(plan, options)).flatMap(({ left }) => left), []);
    const [, only] = await findMeasureWork(plan, { ...options, isWanted: ({ model }) => model === "large" });
    deepEqual([only?.model, only?.records.length], ["large", 1]);
  });
});

Deno.test("estimateMeasureTime() goes by the pace of earlier replies, and tells nothing without one", async () => {
  await withFolder(async (folder) => {
    const plan = await readPlan(folder);
    const options = {
      folder,
      openModel: (name: string) => Promise.resolve({ ...realModel({ name }), concurrency: 1 }),
    };
    const work = await findMeasureWork(plan, options);
    equal(estimateMeasureTime(work, new Map()), null);
    await askMeasurements(work.filter(({ model }) => model === "small"), { folder });
    const left = await findMeasureWork(plan, options);
    const records = left.flatMap((step) => step.records);
    const pace = 10 * records.length / records.reduce((sum, { promptTokens }) => sum + promptTokens + 1000, 0);
    const room = left[0]!.opened.tasks[0]!.answerRoom;
    const estimated = estimateMeasureTime(left, new Map([["large", records]]))!;
    ok(Math.abs(estimated - 3 * (512 - room + 1000) * pace) < 1e-6);
  });
});

Deno.test("checkMeasured() asks a part again; the same model agrees, in text, reply and score", async () => {
  await withFolder(async (folder) => {
    const plan = await readPlan(folder);
    const options = { folder, openModel: (name: string) => Promise.resolve(realModel({ name })) };
    await askMeasurements(await findMeasureWork(plan, options), { folder });
    const of = { model: "small", benchmark: "ruler" };
    const place = { folder, measured: `${folder}/measured` };
    await packRuns(of, [runOf(of)], { ...place, measuredWith: TEST_MEASURED_WITH });
    const part = { ...place, folder: `${folder}/again`, model: realModel({ name: "small" }), samples: 4, seed: "1" };
    const { difference, ...checked } = await checkMeasured(of, part);
    deepEqual(checked, { name: "measured/small/ruler", n: 4, changed: [], same: 4, then: 100, now: 100, agrees: true });
    equal(difference?.points, 0);
    // Worse replies and other texts do not agree.
    const [run] = await openMeasured({ benchmark: "ruler", ...place });
    const wrong = run!.replies.map((reply) => ({ ...reply, value: 0 }));
    equal(compareReplies(run!.replies, wrong).agrees, false);
    const other = run!.replies.map((reply) => ({ ...reply, record: { ...reply.record, sha256: "x" } }));
    const { agrees, changed } = compareReplies(run!.replies, other);
    deepEqual([agrees, changed.length], [false, 7]);
    match(changed[0]!, /^ruler-2\/niah_single_1/);
  });
});

Deno.test.each([
  ["a model without weights", PLAN.replace("      small: {", "      tiny: {"), /must be by model \(small, large\)/],
  ["a count of 0", PLAN.replace("512: 5", "512: 0"), /samples.small.512 must be a whole number of at least 1: .* 0/],
  ["no length", PLAN.replace("512: 5", "short: 5"), /samples.small.short must be a length/],
  ["models without names", "models: 7\nstudies: []\n", /models must be names with weights and server: .* 7/],
  ["no study", PLAN.replace(/studies:[^]*$/, "studies: []\n"), /studies must be a list of at least one: .* \[\]/],
  ["an unknown key", `${PLAN}\nservers: {}`, /each key must be one of models, studies: current value is "servers"/],
  ["a number for a hash", PLAN.replace('"00"', "0"), /models.small.weights.sha256 must be a text: current value is 0/],
] as [string, string, RegExp][])("readMeasurePlan() refuses %s", async (_name, text, message) => {
  await withFolder(async (folder) => {
    await rejects(readPlan(folder, text), { name: "TypeError", message });
  });
});
