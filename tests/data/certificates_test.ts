import { deepEqual, equal, ok } from "node:assert/strict";
import { readCertificatePlan } from "../measure/certificates.ts";
import { readMeasurePlan } from "../measure/measure_plan.ts";
import { MEASURED_FOLDER } from "@/lib/records/run_folders.ts";
import { readRun } from "@/lib/records/mod.ts";
import { recordedCertificate } from "@/lib/certify/mod.ts";

// Certificates of a real server's changes, in data/measured/certificates: their verdicts follow from the records, without any call.

const FOLDER = `${MEASURED_FOLDER}/certificates`;
const planned = await readCertificatePlan(await readMeasurePlan());
const made = await Promise.all(planned.map(async (plan) => ({
  plan,
  certificate: await recordedCertificate(`${FOLDER}/${plan.name}`),
})));

Deno.test("the recorded certificates give their verdicts, each at the same pair", () => {
  deepEqual(made.map(({ plan, certificate: { verdict, state } }) => [plan.name, verdict, state.decidedAt]), [
    ["gemma-3-270m-again", "no worse", 99],
    ["gemma-3-270m-batch", "no worse", 141],
    ["gemma-3-270m-attention", "not enough data", null],
    ["gemma-3-270m-kv-q8", "not enough data", null],
    ["gemma-3-270m-kv-q4", "loss", null],
    ["gemma-3-270m-weights-q2", "worse", 27],
    ["gemma-3-270m-rope", "not enough data", null],
    ["gemma-3-270m-sliding", "loss", null],
    ["gemma-3-270m-shared", "worse", 80],
    ["gemma-3-270m-window", "not enough data", null],
    ["smollm2-135m-again", "no worse", 114],
    ["smollm2-135m-kv-q4", "not enough data", null],
    ["smollm2-135m-rope", "worse", 21],
  ]);
});

Deno.test("a server that was started again is not worse than before", () => {
  const again = made.filter(({ certificate }) => certificate.change.name === "again");
  deepEqual(again.map(({ certificate: { verdict, itself } }) => [verdict, itself!.identical, itself!.pairs]), [
    ["no worse", 47, 48],
    ["no worse", 50, 51],
  ]);
});

Deno.test("prompts that exceed the window are counted, and give no verdict", () => {
  const [window] = made.filter(({ certificate }) => certificate.change.name === "window-256");
  const { change, bounds, state } = window!.certificate;
  deepEqual([change.overflowed, state.pairs, bounds], [36, 0, { forChange: "no worse", forBase: "worse" }]);
});

Deno.test("every packed certificate is planned, and small", async () => {
  const folders = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();
  deepEqual(folders, planned.map(({ name }) => name).sort());
  for (const name of folders) {
    let bytes = 0;
    for (const run of ["calibration", "base", "again", "change"]) {
      bytes += (await Deno.stat(`${FOLDER}/${name}/${run}/records.jsonl.gz`)).size;
    }
    ok(bytes < 200_000, `${name}: ${bytes} bytes`);
  }
});

Deno.test("a certificate was registered before its change was asked, with the plan's margin, pairs and servers", async () => {
  for (const { plan, certificate: { registered, design } } of made) {
    const { name, margin, samples, base, change } = plan;
    deepEqual([design.margin, design.samples, design.base.name, design.change.name], [
      ...[margin, samples, base.name, change.name],
    ]);
    for (const [run, server] of [["base", base], ["change", change]] as const) {
      const { manifest, records } = await readRun(`${FOLDER}/${name}/${run}`);
      ok(run === "base" || records.every(({ time }) => time! > registered!.time));
      deepEqual(manifest.measured?.weights, server.weights);
      equal(manifest.measured?.server.flags, server.flags);
      equal(manifest.origin, "measured");
    }
  }
});
