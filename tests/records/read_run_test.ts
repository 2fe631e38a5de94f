import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { asKilled, fakeModel, recordRun, smallHeader, withFolder } from "../asking/_fakes.ts";
import { listRuns, readRun, readScoredRun } from "@/lib/records/mod.ts";
import { openStore } from "@/lib/records/store.ts";

Deno.test("readRun() gives one record a sample, by length, task as the manifest lists them, and index, in whatever order replies came", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder, { model: fakeModel({ turns: (call) => (call * 5) % 7 }) });
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
    await asKilled(folder);
    const before = (await readRun("run", { folder })).records.length;
    for (const cut of [1, 2, 50, 300]) {
      await Deno.writeFile(path, whole.subarray(0, whole.length - cut));
      const { records, notes } = await readRun("run", { folder });
      equal(records.length, cut === 1 ? before : before - 1);
      equal(notes.length, cut === 1 ? 0 : 1);
    }
  });
});

Deno.test("readRun() and openStore() read manifests that still call the chat template a frame", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/manifest.json`;
    const { template, ...rest } = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, JSON.stringify({ ...rest, frame: template }));
    const { manifest } = await readRun("run", { folder });
    deepEqual([manifest.template, "frame" in manifest], [template, false]);
    await (await openStore("run", smallHeader(), { folder })).close();
  });
});

Deno.test("readRun() says which runs there are where there is none of the name", async () => {
  await withFolder(async (folder) => {
    await rejects(readRun("run", { folder }), {
      name: "RangeError",
      message:
        'Cannot read the run as its name must be that of a recorded run (none is recorded yet): current value is "run"',
    });
    for (let at = 0; at < 10; at++) {
      await Deno.mkdir(`${folder}/other-run-${at}`);
      await Deno.writeTextFile(`${folder}/other-run-${at}/manifest.json`, "{}");
    }
    // Only the nearest are named, and the command suggests the first.
    await Deno.rename(`${folder}/other-run-9`, `${folder}/rum`);
    await rejects(readRun("run", { folder }), /recorded run \(rum, other-run-\d(, other-run-\d){6} and 2 more\)/);
    for (const each of Deno.readDirSync(folder)) await Deno.remove(`${folder}/${each.name}`, { recursive: true });
    await recordRun(folder, { name: "b" });
    await recordRun(folder, { name: "a" });
    await Deno.mkdir(`${folder}/empty`);
    deepEqual(await listRuns({ folder }), ["a", "b"], "a folder without a manifest is no run");
    await Deno.rename(`${folder}/b`, `${folder}/.importing-b`);
    deepEqual(await listRuns({ folder }), ["a"], "an import that is under way is no run");
    await Deno.rename(`${folder}/.importing-b`, `${folder}/b`);
    await rejects(readRun("run", { folder }), /that of a recorded run \(a, b\): current value is "run"$/);
  });
});

Deno.test("readRun() refuses names that lead elsewhere, and says which file is missing", async () => {
  await withFolder(async (folder) => {
    await rejects(readRun("..", { folder }), /^RangeError: Cannot name the run/);
    await rejects(
      readRun("../run", { folder }),
      /as a path must be that of a folder with a manifest\.json: current value is "\.\.\/run"$/,
    );
    await recordRun(folder);
    await Deno.remove(`${folder}/run/records.jsonl`);
    await rejects(readRun("run", { folder }), /records\.jsonl" as records must be beside the manifest/);
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
    await asKilled(folder);
    const { manifest, notes } = await readRun("run", { folder });
    equal(manifest.origin, "simulated");
    deepEqual(notes, ["the origin of 1 of 12 answers is simulated, so that of the run is too"]);
  });
});

Deno.test("readScoredRun() says in the manifest that first answers are scored, where they are", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    equal((await readScoredRun("run", { folder })).manifest.scored, undefined);
    equal((await readScoredRun("run", { folder, scored: "first" })).manifest.scored, "first");
  });
});

Deno.test("readRun() says which versions of Fathom asked, where there were several", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/records.jsonl`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/"fathom":"[^"]*"/, '"fathom":"0.0.9"'));
    await asKilled(folder);
    const { notes } = await readRun("run", { folder });
    match(notes.join("\n"), /^several versions of Fathom asked: .*0\.0\.9 1.* of 12 samples$/);
  });
});
