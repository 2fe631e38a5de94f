import { deepEqual, equal, throws } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { checkRunName, checkStudy, makeTasks, readManifest, suiteText } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { runStudy } from "@/lib/asking/mod.ts";

Deno.test.each(["a", "gpt-4.1_ruler", "Qwen3.5-122B", "2026"])("checkRunName() takes %s", (name) => {
  equal(checkRunName(name), name);
});

Deno.test.each(["", ".", "..", "../x", "a/b", "a\\b", "-x", ".hidden", "a b", "ä", "a\n", "x".repeat(101)])(
  "checkRunName() refuses %j",
  (name) => {
    throws(() => checkRunName(name), {
      name: "RangeError",
      message: /^Cannot name the run as its name must be 1 to 100 of .*: current value is "/,
    });
  },
);

Deno.test("suiteText() names suite, version and variant of a run", async () => {
  await inFolder(async (folder) => {
    const study = checkStudy({ tasks: ["vt", "niah_single_3"], lengths: [1024], samples: 1, variant: "paper" });
    const { manifest } = await runStudy(study, { name: "run", model: simulatedModel("ideal"), folder });
    equal(suiteText(manifest), "ruler-2, variant paper");
    equal(suiteText({ ...manifest, scored: "first" }), "ruler-2, variant paper, first answers");
  });
});

Deno.test("readManifest() takes cdme of an older run for the family, which it was", async () => {
  await inFolder(async (folder) => {
    const study = checkStudy({ tasks: [{ task: "cdme", name: "cdme", depths: 5 }], lengths: [1024], samples: 1 });
    await runStudy(study, { name: "run", model: simulatedModel("ideal"), folder });
    const path = `${folder}/run/manifest.json`;
    const manifest = JSON.parse(await Deno.readTextFile(path));
    const older = { ...manifest, study: { ...manifest.study, tasks: [{ task: "cdme", knobs: { depths: 5 } }] } };
    await Deno.writeTextFile(path, JSON.stringify(older));
    const read = (await readManifest(`${folder}/run`))!;
    deepEqual(read.study.tasks, study.tasks);
    equal(JSON.stringify(makeTasks(read.study)), JSON.stringify(makeTasks(study)));
  });
});

Deno.test("readManifest() adds the knobs that make the samples of an earlier version, and none to those of this version", async () => {
  await inFolder(async (folder) => {
    const tasks = [{ task: "cdme_zh" }, { task: "recall_pistachio", knobs: { depths: 5, texts: "shared" } }];
    const study = checkStudy({ tasks, lengths: [1024], samples: 1 });
    await runStudy(study, { name: "run", model: simulatedModel("ideal"), folder });
    const path = `${folder}/run/manifest.json`;
    const manifest = JSON.parse(await Deno.readTextFile(path));
    // The setting is younger than the version.
    const older = [{ task: "cdme_zh" }, { task: "recall_pistachio", knobs: { depths: 5 } }];
    await Deno.writeTextFile(path, JSON.stringify({ ...manifest, study: { ...manifest.study, tasks: older } }));
    const read = (await readManifest(`${folder}/run`))!;
    deepEqual(makeTasks(read.study).map(({ suite }) => suite), ["cdme-4", "prompt-recall-3"]);
    deepEqual(read.study.tasks[1]?.knobs, { depths: 5, texts: "shared" });
  });
});
