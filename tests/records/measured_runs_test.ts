import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { withFolder } from "../asking/_fakes.ts";
import { realModel, TEST_MEASURED_WITH } from "./_measured.ts";
import { openMeasured } from "@/lib/mod.ts";
import { checkStudy } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { runFailures, runReport } from "@/lib/reports/mod.ts";
import { listMeasured } from "@/lib/records/run_folders.ts";
import { listRuns, readRun } from "@/lib/records/mod.ts";
import { packRecords, packRuns } from "../measure/pack_runs.ts";
import { runStudy } from "@/lib/asking/mod.ts";

const name = { model: "tiny", benchmark: "ruler" };
const study = (samples: number, lengths = [512]) =>
  checkStudy({ tasks: ["niah_single_1", "niah_multikey_2"], lengths, samples });

/** Packs a run of two tasks and gives the folder of runs and of measured ones. */
async function withPacked(use: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await runStudy(study(3), { name: "one", model: realModel(), folder });
    const place = { folder, measured: `${folder}/measured` };
    await packRuns(name, ["one"], { ...place, measuredWith: TEST_MEASURED_WITH, claimedWindow: 2048 });
    await use(folder);
  });
}

Deno.test("readRun() opens a packed run by its name, with the records and the hash of the run that it was made of", async () => {
  await withPacked(async (folder) => {
    const own = await readRun("one", { folder });
    const packed = await readRun("measured/tiny/ruler", { folder, measured: `${folder}/measured` });
    deepEqual(packed.records, own.records);
    deepEqual(packed.manifest.samples, own.manifest.samples);
    const { weights, from } = packed.manifest.measured!;
    deepEqual([packed.manifest.name, weights.sha256, packed.manifest.claimedWindow], [
      "measured/tiny/ruler",
      "00",
      2048,
    ]);
    equal(from, own.records.map(({ time }) => time).sort()[0]);
  });
});

Deno.test("readRun() opens a run folder whose records are packed, and a resumed run adds to them", async () => {
  await withFolder(async (folder) => {
    await runStudy(study(2), { name: "one", model: realModel(), folder });
    const { manifest: { records: _mark, ...manifest }, records } = await readRun("one", { folder });
    await Deno.writeTextFile(`${folder}/one/manifest.json`, JSON.stringify(manifest));
    await Deno.writeFile(`${folder}/one/records.jsonl.gz`, packRecords(records));
    await Deno.remove(`${folder}/one/records.jsonl`);
    const packed = await readRun("one", { folder });
    deepEqual([packed.records, packed.notes], [records, []]);
    const asked: string[] = [];
    const { records: all } = await runStudy(study(3), { name: "one", model: realModel({ asked }), folder });
    deepEqual([asked.length, all.length], [2, 6]);
    const { records: both, notes } = await readRun("one", { folder });
    deepEqual([both.length, notes], [6, []]);
    await Deno.writeFile(`${folder}/one/records.jsonl.gz`, new Uint8Array([31, 139, 8]));
    await rejects(readRun("one", { folder }), /records.jsonl.gz" as it must be a whole gzip file/);
  });
});

Deno.test("packRuns() gives the same bytes again, from runs in any parts", async () => {
  await withPacked(async (folder) => {
    const place = { folder, measured: `${folder}/measured`, measuredWith: TEST_MEASURED_WITH };
    const path = `${folder}/measured/tiny/ruler.jsonl.gz`;
    const before = await Deno.readFile(path);
    await packRuns(name, ["one"], place);
    deepEqual(await Deno.readFile(path), before);
    equal(before[9], 255);
    await runStudy(study(1, [1024]), { name: "two", model: realModel(), folder });
    const { records } = await packRuns(name, ["one", "two"], place);
    equal(records, 8);
    const both = await Deno.readFile(path);
    await packRuns(name, ["two", "one"], place);
    deepEqual(await Deno.readFile(path), both);
    const { manifest } = await readRun("measured/tiny/ruler", place);
    deepEqual([manifest.study.lengths, manifest.study.samples, manifest.samples.count], [[512, 1024], 3, 8]);
  });
});

Deno.test("packRuns() refuses simulated replies, and runs that were asked otherwise", async () => {
  await withPacked(async (folder) => {
    const place = { folder, measured: `${folder}/measured`, measuredWith: TEST_MEASURED_WITH };
    await runStudy(study(1), { name: "sim", model: simulatedModel("ideal"), folder });
    await rejects(packRuns(name, ["sim"], place), {
      name: "RangeError",
      message: `Cannot pack run "sim" as its replies must be a real model's: current value is simulated`,
    });
    const warm = { ...realModel(), settings: { temperature: 1 } };
    await runStudy(study(1), { name: "warm", model: warm, folder });
    await rejects(packRuns(name, ["one", "warm"], place), {
      name: "RangeError",
      message:
        'Cannot pack runs "one" and "warm" into one as their setting temperature must be the same: current value is 0 and 1',
    });
  });
});

Deno.test("a measured run that is not there is refused with those that are, and a damaged one by its file", async () => {
  await withPacked(async (folder) => {
    const place = { measured: `${folder}/measured` };
    await rejects(readRun("measured/tiny/cdme", place), { name: "RangeError", message: /\(measured\/tiny\/ruler\)/ });
    await rejects(readRun("measured/../ruler", place), { name: "RangeError", message: /Cannot name the run/ });
    await rejects(openMeasured({ benchmark: "cdme", ...place }), {
      name: "RangeError",
      message:
        'Cannot open measured runs as there must be some of that benchmark and model (measured/tiny/ruler): current value is "cdme"',
    });
    const path = `${folder}/measured/tiny/ruler.jsonl.gz`;
    await Deno.writeFile(path, (await Deno.readFile(path)).subarray(0, 100));
    await rejects(readRun("measured/tiny/ruler", place), { name: "SyntaxError", message: /must be a whole gzip file/ });
  });
});

Deno.test("openMeasured() scores a run for each model, whose report tells weights, server and the window claimed", async () => {
  await withPacked(async (folder) => {
    const place = { measured: `${folder}/measured` };
    const runs = await openMeasured({ benchmark: "ruler", ...place });
    deepEqual(runs.map(({ manifest, replies }) => [manifest.model, replies.length]), [["tiny", 6]]);
    deepEqual(runs[0]!.replies.map(({ value }) => value), [1, 1, 1, 1, 1, 1]);
    const { overview, lengths } = runReport(runs[0]!);
    match(
      overview.text,
      /Weights +tiny\.gguf, Q4_0, SHA-256 00[^]*Server +llama\.cpp b1, -c 4096[^]*Machine +abacus, 2 cores/,
    );
    match(lengths!.title, /its authors claim 2K$/);
    deepEqual((await runFailures(runs[0]!)).notes, []);
    deepEqual(await openMeasured({ benchmark: "ruler", model: "tiny", ...place }), runs);
  });
});

Deno.test("listRuns() has measured runs behind those of results/runs, and a folder of one's own has none", async () => {
  await withPacked(async (folder) => {
    const place = { measured: `${folder}/measured` };
    deepEqual(await listMeasured(place), [name]);
    // Records without a manifest are no run.
    await Deno.mkdir(`${folder}/measured/labels`);
    await Deno.writeTextFile(`${folder}/measured/labels/replies.jsonl.gz`, "");
    deepEqual(await listMeasured(place), [name]);
    equal((await listRuns(place)).at(-1), "measured/tiny/ruler");
    deepEqual(await listRuns({ folder, ...place }), ["one"]);
    deepEqual(await listMeasured({ measured: `${folder}/nowhere` }), []);
  });
});
