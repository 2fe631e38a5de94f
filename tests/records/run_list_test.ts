import { deepEqual, equal, match, ok } from "node:assert/strict";
import { recordRun, withFolder } from "../asking/_fakes.ts";
import { describeRuns, readRun, runListTable } from "@/lib/records/mod.ts";

Deno.test("describeRuns() tells a run's model, day, state and size, and that a killed one has questions left", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder, { name: "whole" });
    await recordRun(folder, { name: "killed" });
    const path = `${folder}/killed/records.jsonl`;
    const lines = (await Deno.readTextFile(path)).trim().split("\n");
    await Deno.writeTextFile(path, `${lines.slice(0, 5).join("\n")}\n${lines[5]!.slice(0, 40)}`);
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/killed/manifest.json`));
    const repeated = { ...manifest, study: { ...manifest.study, repeats: 3 } };
    await Deno.writeTextFile(`${folder}/killed/manifest.json`, JSON.stringify(repeated));
    const { runs, unreadable } = await describeRuns({ folder });
    deepEqual(unreadable, []);
    deepEqual(
      runs.map((
        { run, model, questions, answered, failed, isDone },
      ) => [run, model, questions, answered, failed, isDone]),
      [["killed", "fake", 36, 5, 0, false], ["whole", "fake", 12, 12, 0, true]],
    );
    match(runs[0]!.begun, /^\d{4}-\d\d-\d\d$/);
    match(runListTable(runs)!.text, /^killed .* 5 of 36 .*\nwhole .* done .* KB$/m);
  });
});

Deno.test("describeRuns() counts failed calls apart, and a task that does not fit a length is no question", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const path = `${folder}/run/records.jsonl`;
    const records = (await Deno.readTextFile(path)).trim().split("\n").map((line) => JSON.parse(line));
    const reply = { kind: "failure", failure: "server_error", message: "HTTP 500", latencyMs: 1, attempts: 3 };
    const kept = records.filter(({ task, length }) => task !== "other" || length !== 512)
      .map((record, at) => at === 0 ? { ...record, reply } : record);
    await Deno.writeTextFile(path, kept.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const [run] = (await describeRuns({ folder })).runs;
    deepEqual([run!.questions, run!.answered, run!.failed, run!.isDone], [9, 8, 1, true]);
    match(runListTable([run!])!.text, / done, 1 failed /);
  });
});

Deno.test("describeRuns() lists what cannot be read with the reason, and nothing of an empty folder", async () => {
  await withFolder(async (folder) => {
    deepEqual(await describeRuns({ folder }), { runs: [], unreadable: [] });
    equal(runListTable([]), null);
    await Deno.mkdir(`${folder}/broken`);
    await Deno.writeTextFile(`${folder}/broken/manifest.json`, "{");
    const { unreadable: [broken] } = await describeRuns({ folder });
    equal(broken!.run, "broken");
    match(broken!.problem, /must be the manifest of a run/);
  });
});

Deno.test("readRun() counts and hashes the answered samples of a run that was killed", async () => {
  await withFolder(async (folder) => {
    await recordRun(folder);
    const whole = (await readRun("run", { folder })).manifest.samples;
    const path = `${folder}/run/manifest.json`;
    const manifest = JSON.parse(await Deno.readTextFile(path));
    deepEqual(manifest.samples, whole);
    await Deno.writeTextFile(path, JSON.stringify({ ...manifest, samples: { count: 0, sha256: "" } }));
    deepEqual((await readRun("run", { folder })).manifest.samples, whole);
  });
});

const RUN = {
  run: "a",
  model: "m",
  origin: "measured",
  begun: "2026-01-01",
  questions: 1,
  answered: 1,
  failed: 0,
  isDone: true,
  bytes: 1,
} as const;

Deno.test.each(
  [
    ["sim:ideal", "simulated", "sim:ideal "],
    ["ideal", "simulated", "ideal (simulated) "],
    ["ideal", "measured", "ideal "],
  ] as const,
)("runListTable() names the model %s of a %s run", (model, origin, wanted) => {
  const { text } = runListTable([{ ...RUN, model, origin }])!;
  ok(text.includes(` ${wanted} `), text);
});

Deno.test.each([
  ...[[1, "1 KB"], [1000, "1 KB"], [1001, "2 KB"], [999_000, "999 KB"], [1e6, "1.0 MB"], [3.44e6, "3.4 MB"]] as const,
])("runListTable() gives %i bytes as %s", (bytes, wanted) => {
  match(runListTable([{ ...RUN, bytes }])!.text, new RegExp(` ${wanted}$`, "m"));
});
