import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { sumTask, withFolder } from "./_fakes.ts";
import { runStudy, type RunStudyOptions } from "@/lib/asking/mod.ts";
import { openEndpoint } from "@/lib/models/mod.ts";
import { readScoredRun, scoreRecords } from "@/lib/records/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { checkStudy, type OpenStudy, type Study } from "@/lib/studies/mod.ts";

const MEASURE = "answer-probability" as const;

const study = checkStudy({ tasks: ["niah_single_1", "qa_1"], lengths: [1024], samples: 3, measure: MEASURE });
const model = simulatedModel("gpt-4");

Deno.test("runStudy() records the probability of the right answer beside the reply, and reads it back as a score", async () => {
  await withFolder(async (folder) => {
    const { replies } = await runStudy(study, { name: "run", model, folder });
    ok(replies.every(({ record }) => record.likelihood?.kind === "likelihood"));
    const { manifest, replies: weighed } = await readScoredRun("run", { folder, measure: MEASURE });
    equal(manifest.study.measure, MEASURE);
    deepEqual(weighed.map(({ replyValue }) => replyValue), replies.map(({ value }) => value));
    ok(weighed.every(({ value }) => value !== null && value > 0 && value < 1));
    match(weighed[0]!.score!.why, /^the right answer has a probability of (?:1\.00|0\.\d+)$/);
  });
});

Deno.test("readScoredRun() says how a measure is asked that a run lacks", async () => {
  await withFolder(async (folder) => {
    const { measure: _none, ...plain } = study;
    const { replies } = await runStudy(plain, { name: "plain", model, folder });
    ok(replies.every(({ record }) => record.likelihood === undefined));
    await rejects(readScoredRun("plain", { folder, measure: MEASURE }), {
      name: "RangeError",
      message: /^Cannot read the answer-probability of run "plain" as it must have been measured .* measures it$/,
    });
  });
});

Deno.test("a measure that fails for its sample is no score, and not a probability of 0", async () => {
  await withFolder(async (folder) => {
    const failure = { kind: "failure", failure: "bad_reply", message: "no tokens", latencyMs: 1, attempts: 1 } as const;
    const failing = { ...model, weigh: () => Promise.resolve(failure) };
    const { records } = await runStudy(study, { name: "failing", model: failing, folder });
    const weighed = scoreRecords(records, { measure: MEASURE });
    deepEqual(weighed.map(({ value, failed, score }) => [value, failed, score]), Array(6).fill([null, true, null]));
    ok(weighed.every(({ replyValue }) => replyValue === 1));
  });
});

Deno.test("runStudy() repeats a call whose measure failed for the server", async () => {
  await withFolder(async (folder) => {
    const failure = { kind: "failure", failure: "timeout", message: "late", latencyMs: 1, attempts: 1 } as const;
    let calls = 0;
    const weigh: typeof model.weigh = async (...asked) => calls++ < 2 ? failure : await model.weigh!(...asked);
    const first = await runStudy(study, { name: "late", model: { ...model, weigh }, folder, concurrency: 1 });
    equal(first.replies.filter(({ failed }) => failed).length, 2);
    const { summary, records } = await runStudy(study, { name: "late", model, folder });
    equal(summary.asked, 2);
    ok(records.every(({ reply, likelihood }) => reply.kind === "answer" && likelihood?.kind === "likelihood"));
  });
});

Deno.test("runStudy() asks a sample again whose measure was aborted, and keeps no half of it", async () => {
  await withFolder(async (folder) => {
    const ending = new AbortController();
    const slow = {
      ...model,
      weigh: (_sample: unknown, _answers: unknown, signal?: AbortSignal): Promise<never> =>
        new Promise((_, fail) => {
          signal?.addEventListener("abort", () => fail(signal.reason), { once: true });
          ending.abort();
        }),
    };
    await rejects(
      runStudy(study, { name: "cut", model: slow, folder, signal: ending.signal, concurrency: 1 }),
      /at least one reply/,
    );
    const { summary, records } = await runStudy(study, { name: "cut", model, folder });
    equal(summary.asked, 6);
    ok(records.every(({ likelihood }) => likelihood?.kind === "likelihood"));
  });
});

Deno.test.each([
  ["a model without log-probabilities", {
    model: openEndpoint({ baseUrl: "http://127.0.0.1:9/v1", model: "m", api: "anthropic" }),
  }, 'model "m"'],
  ["batches", { batching: {} }, "batches"],
] as [string, object, string][])("runStudy() refuses to measure with %s", async (_name, options, current) => {
  await withFolder(async (folder) => {
    const opened = {
      study: { ...study, seed: "s" } as Study,
      tasks: [sumTask()],
      materials: {},
      benchmarks: [],
    } as unknown as OpenStudy;
    const asked = { name: "no", model, folder, opened, ...options } as unknown as RunStudyOptions;
    await rejects(runStudy(study, asked), {
      name: "RangeError",
      message: new RegExp(`^Cannot measure the answer-probability .*: current value is ${current}$`),
    });
  });
});
