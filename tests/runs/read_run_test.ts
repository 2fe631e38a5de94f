import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { fakeModel, smallHeader, smallPlan, withFolder } from "./_fakes.ts";
import { listRuns, readRun } from "@/lib/runs/mod.ts";
import { runPlan } from "@/lib/runs/run_plan.ts";
import { openRun } from "@/lib/runs/store.ts";

async function recordRun(folder: string, name = "run"): Promise<void> {
  const store = await openRun(name, smallHeader(), { folder });
  await runPlan(smallPlan(), { model: fakeModel({ turns: (call) => (call * 5) % 7 }), store });
  await store.close();
}

Deno.test("readRun() gives one record a sample, by length, task as the manifest lists them, and index, in whatever order replies came", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const { records, manifest, notes } = await readRun("run", { folder });
    deepEqual(
      records.map(({ length, task, index }) => `${length} ${task} ${index}`),
      [512, 1024].flatMap((length) =>
        ["sum", "other"].flatMap((task) => [0, 1, 2].map((index) => `${length} ${task} ${index}`))
      ),
    );
    deepEqual([manifest.name, manifest.model, manifest.samples.count, notes], ["run", "fake", 12, []]);
    match(manifest.started, /^\d{4}-\d\d-\d\dT/);
  });
});

Deno.test("readRun() reads the same, byte for byte cut or not, but for the record that was cut", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/records.jsonl`;
    const whole = await Deno.readFile(path);
    const before = (await readRun("run", { folder })).records.length;
    for (const cut of [1, 2, 50, 300]) {
      await Deno.writeFile(path, whole.subarray(0, whole.length - cut));
      const { records, notes } = await readRun("run", { folder });
      equal(records.length, cut === 1 ? before : before - 1);
      equal(notes.length, cut === 1 ? 0 : 1);
    }
  });
});

Deno.test("readRun() and openRun() read manifests that still call the chat template a frame", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/manifest.json`;
    const { template, ...rest } = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, JSON.stringify({ ...rest, frame: template }));
    const { manifest } = await readRun("run", { folder });
    deepEqual([manifest.template, "frame" in manifest], [template, false]);
    await (await openRun("run", smallHeader(), { folder })).close();
  });
});

Deno.test("readRun() says which runs there are where there is none of the name", async () => {
  await withFolder(async (folder) => {
    await rejects(readRun("run", { folder }), {
      name: "RangeError",
      message:
        'Cannot read the run as its name must be that of a recorded run (none is recorded yet): current value is "run"',
    });
    await recordRun(folder, "b");
    await recordRun(folder, "a");
    await Deno.mkdir(`${folder}/empty`);
    deepEqual(await listRuns({ folder }), ["a", "b"], "a folder without a manifest is no run");
    await rejects(readRun("run", { folder }), /that of a recorded run \(a, b\): current value is "run"$/);
  });
});

Deno.test("readRun() refuses names that lead elsewhere, and says which file is missing", async () => {
  await withFolder(async (folder) => {
    await rejects(readRun("../run", { folder }), /^RangeError: Cannot name the run/);
    await recordRun(folder);
    await Deno.remove(`${folder}/run/records.jsonl`);
    await rejects(readRun("run", { folder }), /records\.jsonl" as records must stand beside the manifest/);
  });
});

Deno.test("readRun() calls a run simulated as soon as one answer is, and says how many are", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/records.jsonl`;
    const [first, ...rest] = (await Deno.readTextFile(path)).trimEnd().split("\n");
    const record = JSON.parse(first!);
    const served = { ...record, reply: { ...record.reply, fingerprint: "simulated-1" } };
    await Deno.writeTextFile(path, `${[JSON.stringify(served), ...rest].join("\n")}\n`);
    const { manifest, notes } = await readRun("run", { folder });
    equal(manifest.origin, "simulated");
    deepEqual(notes, ["1 of 12 answers are the simulated reader's, so all of the run is called simulated"]);
  });
});
