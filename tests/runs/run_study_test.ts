import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { withFolder } from "./_fakes.ts";
import { serveSimulated } from "@/lib/cli/serve_command.ts";
import { openEndpoint } from "@/lib/models/mod.ts";
import { checkStudy, type ChooseSamples, openStudy, readRun, runStudy, simulatedModel } from "@/lib/runs/mod.ts";
import { remakeSample } from "@/lib/runs/open_study.ts";

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

Deno.test("runStudy() scores the samples of the study alone where the run has more", async () => {
  await withFolder(async (folder) => {
    await runStudy(study, { name: "run", model, folder });
    const part = { ...study, tasks: [{ task: "vt" }], samples: 1, first: 1 };
    const { replies, records } = await runStudy(part, { name: "run", model, folder });
    deepEqual([replies.map(({ record }) => record.index), records.length], [[1], 10]);
  });
});

Deno.test("runStudy() asks what is chosen, step by step, and goes on from what the run has", async () => {
  await withFolder(async (folder) => {
    const wide = { ...study, tasks: [{ task: "vt" }], lengths: [1024], samples: 50 };
    const upTo = (count: number): ChooseSamples => (asked) =>
      asked.length < count ? [{ task: "vt", length: 1024, index: asked.length }] : [];
    const first = await runStudy(wide, { name: "run", model, folder, choose: upTo(3) });
    deepEqual(first.replies.map(({ record, value }) => [record.index, value]), [[0, 1], [1, 1], [2, 1]]);
    const second = await runStudy(wide, { name: "run", model, folder, choose: upTo(5) });
    deepEqual([second.summary.asked, second.summary.answered, second.replies.length], [2, 5, 5]);
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
  const server = await serveSimulated({ profile: "ideal" });
  try {
    await withFolder(async (folder) => {
      const served = openEndpoint({ baseUrl: server.url, model: "ideal" });
      equal(served.origin, "measured");
      const { manifest, records } = await runStudy(study, { name: "run", model: served, folder });
      deepEqual(new Set([manifest.origin, ...records.map(({ origin }) => origin)]), new Set(["simulated"]));
      equal(JSON.parse(await Deno.readTextFile(`${folder}/run/manifest.json`)).origin, "simulated");
      const again = await runStudy({ ...study, samples: 3 }, { name: "run", model: served, folder });
      equal(again.manifest.origin, "simulated");
    });
  } finally {
    await server.close();
  }
});

Deno.test("two runs of one study have one hash of their samples, whatever the model", async () => {
  await withFolder(async (folder) => {
    const one = await runStudy(study, { name: "one", model, folder });
    const other = await runStudy(study, { name: "other", model: simulatedModel("mute"), folder, concurrency: 1 });
    deepEqual(one.manifest.samples, other.manifest.samples);
    equal(one.manifest.samples.count, 10);
  });
});

Deno.test("runStudy() can be called off before anything is asked or written", async () => {
  await withFolder(async (folder) => {
    const onPlan = (): void => {
      throw new Error("too dear");
    };
    await rejects(runStudy(study, { name: "run", model, folder, onPlan }), /too dear/);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

Deno.test("runStudy() says so where it is stopped before the first reply", async () => {
  await withFolder(async (folder) => {
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
    await rejects(runStudy({ ...study, ...changes }, { name, model, folder }), { name: "RangeError", message });
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});
