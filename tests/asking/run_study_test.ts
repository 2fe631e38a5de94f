import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { fakeModel, smallHeader, sumTask, withFolder } from "./_fakes.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import type { Probe } from "@/lib/models/model.ts";
import { openEndpoint } from "@/lib/models/mod.ts";
import {
  type AskedSample,
  type ChooseSamples,
  runStudy,
  type RunStudyOptions,
  type RunSummary,
  type SampleName,
} from "@/lib/asking/mod.ts";
import { checkStudy, type OpenStudy, openStudy, type RunProgress } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { readRun } from "@/lib/records/mod.ts";
import { remakeSample } from "@/lib/studies/open_study.ts";

const study = checkStudy({ tasks: ["niah_single_1", "vt", "qa_1"], lengths: [512, 1024], samples: 2 });
const model = simulatedModel("ideal");

Deno.test("runStudy() leads from a study to scored records, and again to the same", async () => {
  await withFolder(async (folder) => {
    const first = await runStudy(study, { name: "run", model, folder });
    // vt does not fit into 512 tokens, so ten of twelve are asked.
    deepEqual(first.plan.tooShort.map(({ task, length }) => [task.name, length]), [["vt", 512]]);
    deepEqual([first.summary.total, first.summary.asked], [10, 10]);
    deepEqual(first.replies.map(({ value }) => value), Array(10).fill(1));
    const second = await runStudy(study, { name: "run", model, folder });
    deepEqual([second.summary.answered, second.summary.asked], [10, 0]);
    deepEqual(second.replies, first.replies);
  });
});

Deno.test("runStudy() says how many questions were sent at a time where the server held no more", async () => {
  await withFolder(async (folder) => {
    const small = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 1 });
    const said: (number | undefined)[] = [];
    const crowded = { ...model, mostAtOnce: () => 2 };
    const onProgress = ({ atOnce }: RunProgress): void => void said.push(atOnce);
    const { notes } = await runStudy(small, { name: "crowded", model: crowded, folder, onProgress });
    match(notes.join(), /could not hold all questions that were sent at a time, in the end 2/);
    deepEqual(new Set(said), new Set([2]));
    deepEqual((await runStudy(small, { name: "alone", model, folder })).notes, []);
  });
});

Deno.test("runStudy() scores the samples of the study alone where the run has more", async () => {
  await withFolder(async (folder) => {
    await runStudy(study, { name: "run", model, folder });
    const part = { ...study, tasks: [{ task: "vt" }], samples: 1, first: 1 };
    const { replies, records } = await runStudy(part, { name: "run", model, folder });
    deepEqual([replies.map(({ record }) => record.index), records.length], [[1], 10]);
  });
});

Deno.test("a manifest and a record are enough to make each sample of a run again", async () => {
  await withFolder(async (folder) => {
    await runStudy(study, { name: "run", model, folder });
    const { manifest, records } = await readRun("run", { folder });
    const { tasks, materials } = await openStudy(manifest.study);
    ok(records.every((record) => remakeSample(record, { tasks, materials, template: manifest.template }).isSame));
    equal(manifest.origin, "simulated");
  });
});

Deno.test("a run is called simulated where its endpoint is a served simulated reader by another name", async () => {
  await using server = await serveSimulated({ profile: "ideal", study: { ...study, samples: 3 } });
  await withFolder(async (folder) => {
    const served = openEndpoint({ baseUrl: server.url, model: "ideal" });
    equal(served.origin, "measured");
    const { manifest, records } = await runStudy(study, { name: "run", model: served, folder });
    deepEqual(new Set([manifest.origin, ...records.map(({ origin }) => origin)]), new Set(["simulated"]));
    equal(JSON.parse(await Deno.readTextFile(`${folder}/run/manifest.json`)).origin, "simulated");
    const again = await runStudy({ ...study, samples: 3 }, { name: "run", model: served, folder });
    equal(again.manifest.origin, "simulated");
  });
});

Deno.test("runStudy() that is called off, or stopped before the first reply, writes nothing", async () => {
  await withFolder(async (folder) => {
    const onPlan = (): Promise<void> => Promise.reject(new Error("too dear"));
    await rejects(runStudy(study, { name: "run", model, folder, onPlan }), /too dear/);
    await rejects(runStudy(study, { name: "run", model, folder, stop: AbortSignal.abort() }), {
      name: "Error",
      message:
        'Cannot score run "run" as at least one reply must have come: current value is 0 (it was stopped before)',
    });
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

Deno.test.each(
  [
    [{ tasks: [{ task: "nope" }] }, "run", /current value is "nope"$/],
    [{ lengths: [64] }, "run", /as a length must be at least \d+ tokens, the least of \w+: current value is 64$/],
    [{ tokenizer: "nope" }, "run", /^Cannot open the tokenizer/],
    [{ essays: "nope" }, "run", /^Cannot read the essays/],
    [{ squad: "nope" }, "run", /^Cannot read the documents/],
    [{}, "no/pe", /^Cannot name the run/],
  ] as [Partial<typeof study>, string, RegExp][],
)("runStudy() with %j as %s writes nothing", async (changes, name, message) => {
  await withFolder(async (folder) => {
    // A path would be written to wherever it is, so it is one of the temporary folder.
    const run = name.includes("/") ? `${folder}/${name}` : name;
    await rejects(runStudy({ ...study, ...changes }, { name: run, model, folder }), { name: "RangeError", message });
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

const LENGTH = 512;
const name = (index: number): SampleName => ({ task: "sum", length: LENGTH, index });

/** Chooses the first two samples of one task that were not asked, until six have a score. */
const untilSix: ChooseSamples = (asked) => {
  const scored = asked.filter(({ value }) => value !== null).length;
  const left = Array.from({ length: 20 }, (_, index) => index).filter((at) => !asked.some(({ index }) => index === at));
  return scored >= 6 ? [] : left.slice(0, 2).map(name);
};

const sums: OpenStudy = {
  study: checkStudy({ tasks: ["sum", "other"], lengths: [512, 1024], samples: 20, seed: "s" }),
  tasks: [sumTask(), sumTask({ name: "other" })],
  materials: { names: smallHeader().materials } as OpenStudy["materials"],
  benchmarks: BENCHMARKS,
};

async function ask(folder: string, options: Partial<RunStudyOptions> = {}): Promise<RunSummary> {
  const choices = { name: "run", model: fakeModel(), choose: untilSix, concurrency: 2, opened: sums, ...options };
  return (await runStudy(sums.study, { ...choices, folder })).summary;
}

Deno.test("runStudy() asks step by step what is chosen, and records it", async () => {
  await withFolder(async (folder) => {
    const seen: number[] = [];
    const choose: ChooseSamples = (asked, plan) => {
      seen.push(asked.length);
      return untilSix(asked, plan);
    };
    const summary = await ask(folder, { choose });
    deepEqual(seen, [0, 2, 4, 6]);
    deepEqual([summary.total, summary.answered, summary.asked, summary.isStopped], [6, 6, 6, false]);
    const { records } = await readRun("run", { folder });
    deepEqual(records.map(({ index }) => index), [0, 1, 2, 3, 4, 5]);
  });
});

Deno.test("runStudy() tells the chooser the scores, and null for a failed call", async () => {
  await withFolder(async (folder) => {
    let last: readonly AskedSample[] = [];
    const model = fakeModel({ fail: (call) => call === 1 ? "server" : undefined });
    const summary = await ask(folder, { model, choose: (asked, plan) => untilSix(last = asked, plan) });
    deepEqual(last.find(({ index }) => index === 1), {
      ...{ task: "sum", length: LENGTH, index: 1 },
      ...{ value: null, cluster: undefined },
    });
    ok(last.filter(({ value }) => value === 1).length >= 6);
    equal(summary.failed, 1);
  });
});

Deno.test("runStudy() resumes a choice from records: answers are not asked again, failed calls are", async () => {
  await withFolder(async (folder) => {
    const stop = new AbortController();
    const model = fakeModel({ fail: (call) => call === 0 ? "server" : undefined });
    const onProgress = ({ asked }: RunProgress): void => void (asked >= 3 && stop.abort());
    const first = await ask(folder, { model, stop: stop.signal, onProgress });
    ok(first.isStopped);
    const again = fakeModel();
    const second = await ask(folder, { model: again });
    ok(again.asked.includes("fake-1/sum/512/s/0"));
    equal(new Set([...again.answered, ...model.answered]).size, again.answered.length + model.answered.length);
    ok(second.answered >= 6 && !second.isStopped);
    const third = await ask(folder);
    deepEqual([third.asked, third.answered], [0, second.answered]);
  });
});

Deno.test("runStudy() ends where only asked samples are chosen, and where none can be made", async () => {
  await withFolder(async (folder) => {
    const stubborn = await ask(folder, { choose: () => [name(0)] });
    deepEqual([stubborn.asked, stubborn.answered], [1, 1]);
    const tasks = sums.tasks.map((task) => ({
      ...task,
      sample: () => {
        throw new RangeError("too rare a sample");
      },
    }));
    const seen: number[] = [];
    const choose: ChooseSamples = (asked) => seen.push(asked.length) <= 3 ? [name(asked.length)] : [];
    const broken = ask(folder, { name: "other", choose, opened: { ...sums, tasks } });
    await rejects(broken, /at least one reply must have come: current value is 0 \(too rare a sample\)$/);
    deepEqual(seen, [0, 1, 2, 3]);
  });
});

Deno.test("runStudy() tells one progress over all chosen steps, which is over once", async () => {
  await withFolder(async (folder) => {
    const seen: RunProgress[] = [];
    await ask(folder, { onProgress: (progress) => seen.push(progress) });
    deepEqual([seen.at(-1)!.done, seen.at(-1)!.total, seen.at(-1)!.asked], [6, 6, 6]);
    deepEqual(seen.filter(({ isOver }) => isOver).length, 1);
    ok(
      seen.every(({ done, elapsedMs }, at) =>
        at === 0 || (done >= seen[at - 1]!.done && elapsedMs >= seen[at - 1]!.elapsedMs)
      ),
    );
  });
});

Deno.test("runStudy() looks at the server once, however many steps are chosen", async () => {
  await withFolder(async (folder) => {
    const [looks, shown]: [number[], number[]] = [[], []];
    const report = { address: "http://127.0.0.1:9/v1", time: "", canTokenize: false, tokenRatios: {} };
    const probe = (): Promise<Probe> => {
      looks.push(1);
      return Promise.resolve({ report: report });
    };
    const onServer = (): void => void shown.push(1);
    equal((await ask(folder, { model: { ...fakeModel(), probe }, onServer })).asked, 6);
    deepEqual([looks.length, shown.length], [1, 1]);
  });
});

Deno.test("runStudy() asks what is chosen in the order in which it is named", async () => {
  await withFolder(async (folder) => {
    const model = fakeModel();
    const named = [{ task: "other", length: 1024, index: 2 }, name(0)];
    equal((await ask(folder, { model, concurrency: 1, choose: (asked) => asked.length === 0 ? named : [] })).total, 2);
    deepEqual(model.asked, ["fake-1/other/1024/s/2", "fake-1/sum/512/s/0"]);
  });
});

Deno.test.each([
  [{ task: "nope", length: 512, index: 0 }, "nope, 512 tokens, number 0"],
  [{ task: "sum", length: 2048, index: 0 }, "sum, 2048 tokens, number 0"],
  [{ task: "sum", length: 512, index: 20 }, "sum, 512 tokens, number 20"],
] as [SampleName, string][])("runStudy() refuses a choice of %j, which is not planned", async (chosen, value) => {
  await withFolder(async (folder) => {
    await rejects(ask(folder, { choose: () => [chosen] }), {
      name: "RangeError",
      message: `Cannot pick the sample as it must be one of the plan: current value is ${value}`,
    });
  });
});
