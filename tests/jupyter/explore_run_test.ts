import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { exploreRun, type ExploreRunOptions, runComparison } from "@/lib/jupyter/mod.ts";
import { checkStudy, runStudy, simulatedModel } from "@/lib/runs/mod.ts";

const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512, 1024], samples: 3 });
const simulated: ExploreRunOptions = { study, profile: "sim:mute", display: () => Promise.resolve() };

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("exploreRun() opens a recorded run as it was scored when it was asked, with tasks to make its samples again", async () => {
  await inFolder(async (folder) => {
    const asked = await runStudy(study, { name: "first", model: simulatedModel("longalpaca"), folder });
    const { manifest, replies, opened } = await exploreRun("first", { ...simulated, folder });
    equal(manifest.model, "sim:longalpaca");
    deepEqual(replies, asked.replies);
    deepEqual(opened.tasks.map(({ name }) => name), ["niah_single_1"]);
  });
});

Deno.test("exploreRun() without a name asks the profile, and keeps nothing", async () => {
  await inFolder(async (folder) => {
    const { manifest, replies } = await exploreRun("", { ...simulated, folder });
    deepEqual([manifest.model, manifest.origin, replies.length], ["sim:mute", "simulated", 6]);
    deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

Deno.test("exploreRun() asks a second profile the same texts, also where a chat template stood round them", async () => {
  await inFolder(async (folder) => {
    const frame = {
      ...simulatedModel("ideal").frame,
      name: "chat",
      before: "<s>[INST] ",
      after: " [/INST]",
      extraTokens: 3,
    };
    const model = { ...simulatedModel("ideal"), frame };
    await runStudy(study, { name: "framed", model, folder });
    const first = await exploreRun("framed", { ...simulated, folder });
    const second = await exploreRun("", { ...simulated, opened: first.opened, frame: first.manifest.frame });
    const { shared } = runComparison(first, second);
    deepEqual([shared.first.length, shared.changed, shared.alone], [6, 0, 0]);
    const other = await exploreRun("", { ...simulated, study: { ...study, samples: 1 }, opened: first.opened, frame });
    deepEqual(runComparison(first, other).shared.alone, 4);
  });
});

Deno.test("exploreRun() refuses the name of no run, and says which there are", async () => {
  await inFolder(async (folder) => {
    await rejects(exploreRun("nope", { ...simulated, folder }), {
      name: "RangeError",
      message:
        'Cannot read the run as its name must be that of a recorded run (none is recorded yet): current value is "nope"',
    });
  });
});

Deno.test("runComparison() puts the means first, corrects for all rows, and says so where no sample is shared", async () => {
  await inFolder(async (folder) => {
    const both = checkStudy({ ...study, tasks: ["niah_single_1", "vt"], lengths: [1024, 2048], samples: 6 });
    const run = (profile: string): ReturnType<typeof runStudy> =>
      runStudy(both, { name: profile, model: simulatedModel(profile), folder });
    const [ideal, mute] = [await run("ideal"), await run("mute")];
    const { compared, table, models, origin } = runComparison(ideal, mute);
    deepEqual(compared.rows.map(({ task, length }) => `${task} ${length}`), [
      "mean of 2 tasks 1024",
      "mean of 2 tasks 2048",
      "niah_single_1 1024",
      "niah_single_1 2048",
      "vt 1024",
      "vt 2048",
    ]);
    equal(compared.comparisons, 6);
    deepEqual([models, origin], [["sim:ideal", "sim:mute"], "simulated"]);
    ok(table?.title.startsWith("Of 6 comparisons sim:ideal is shown to be higher in "));
    const alone = runComparison(ideal, { ...mute, replies: [] });
    equal(alone.table, null);
    equal(alone.note, "0 samples are the same text in both runs, 0 are not, and 24 were asked of one alone.");
  });
});

Deno.test("runComparison() of two runs of one model tells them apart by their names, and shows no difference", async () => {
  await inFolder(async (folder) => {
    const model = simulatedModel("longalpaca");
    const [one, two] = [
      await runStudy(study, { name: "one", model, folder }),
      await runStudy(study, { name: "two", model, folder }),
    ];
    const { table, models } = runComparison(one, two);
    equal(table?.title, "No difference is shown in 2 comparisons");
    deepEqual(models, ["sim:longalpaca, run one", "sim:longalpaca, run two"]);
  });
});
