import { equal, match } from "node:assert/strict";
import { chatReply, type PlayServer, playServer } from "../models/_play_server.ts";
import { withFolder } from "../asking/_fakes.ts";
import { shellOf } from "../cli/_shell.ts";
import { MEASURE } from "./measure_command.ts";
import { readRun } from "@/lib/records/mod.ts";

/** A plan of three questions to one model, and a server that answers them. */
async function withPlan(use: (folder: string, server: PlayServer) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await using server = playServer(chatReply({ content: "It is 17." }));
    await Deno.mkdir(`${folder}/measured`);
    await Deno.writeTextFile(
      `${folder}/measured/models.yaml`,
      `tiny: { base_url: "${server.url}", temperature: 0, window: 4096, claimed_window: 8192, concurrency: 2 }`,
    );
    await Deno.writeTextFile(
      `${folder}/measured/measure.yaml`,
      `
models:
  tiny:
    weights: { file: tiny.gguf, sha256: "00", quantisation: Q4_0, licence: none }
    server: { name: llama.cpp, version: b1, flags: "-c 4096" }
studies:
  - { benchmark: ruler, study: needle.yaml, samples: { tiny: { 512: 3 } } }
`,
    );
    await Deno.writeTextFile(`${folder}/measured/needle.yaml`, "tasks: [niah_single_1]");
    await Deno.writeTextFile(
      `${folder}/measured/certificates.yaml`,
      `
margin: 5
samples: 8
calibration: 2
address: http://127.0.0.1:9
bases: { one: { name: f16, model: tiny, weights: tiny, flags: -c 4096, study: needle.yaml } }
certificates: { a: { base: one, change: b, flags: -c 4096 } }
`,
    );
    await use(folder, server);
  });
}

/** Runs `fathom measure` with the plan of a folder. */
function measure(folder: string, ...flags: readonly string[]): ReturnType<typeof shellOf> {
  const place = ["--plan", `${folder}/measured/measure.yaml`, "--runs-folder", `${folder}/runs`];
  return shellOf([MEASURE], "measure", "--no-preflight", ...flags, ...place);
}

Deno.test("fathom measure asks, packs and resumes; --dry-run tells what is left, --check asks a part again", async () => {
  await withPlan(async (folder, server) => {
    const before = await measure(folder, "--dry-run");
    equal(before.code, 0);
    match(before.out, /measured\/tiny\/ruler +512 +3 +3 +1,1\d\d/);
    match(before.err.join("\n"), /^3 questions left to ask, at most 1 thousand tokens: no earlier reply tells/m);
    const first = await measure(folder, "--accelerator", "a GPU");
    equal(first.code, 0);
    match(first.out, /^measured\/tiny\/ruler: 3 records, 1 KB\n$/);
    equal(server.received.length, 3);
    await measure(folder, "--accelerator", "a GPU");
    equal(server.received.length, 3);
    const { manifest, records } = await readRun("measured/tiny/ruler", { measured: `${folder}/measured` });
    equal(records.length, 3);
    equal(manifest.claimedWindow, 8192);
    equal(manifest.measured?.weights.file, "tiny.gguf");
    equal(manifest.measured?.machine.accelerator, "a GPU");
    match((await measure(folder, "--dry-run")).out, /512 +3 +0 +0/);
    const checked = await measure(folder, "--check", "2", "--seed", "1");
    equal(checked.code, 0);
    match(checked.out, /^measured\/tiny\/ruler: agrees\n +texts +all the same, by hash\n +replies +2 of 2 the same/);
    equal(server.received.length, 5);
    // Nothing of a check is left behind.
    equal([...Deno.readDirSync(`${folder}/runs`)].map(({ name }) => name).join(), "measured-tiny-ruler");
  });
});

Deno.test("fathom measure --more keeps what is packed and asks only what the plan has beyond it", async () => {
  await withPlan(async (folder, server) => {
    await measure(folder);
    await Deno.remove(`${folder}/runs`, { recursive: true });
    const path = `${folder}/measured/measure.yaml`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("{ 512: 3 }", "{ 512: 3, 640: 2 }"));
    const left = await measure(folder, "--dry-run", "--more");
    match(left.out, /512 +3 +0 .*\n.* 640 +2 +2 /);
    const { out } = await measure(folder, "--more");
    match(out, /^measured\/tiny\/ruler: 5 records/);
    equal(server.received.length, 5);
  });
});

Deno.test("fathom measure --pack makes one measured run of runs with names of their own", async () => {
  await withPlan(async (folder) => {
    await measure(folder);
    await Deno.rename(`${folder}/runs/measured-tiny-ruler`, `${folder}/runs/mine`);
    const packed = await measure(folder, "--pack", "--run", "tiny/ruler=mine");
    match(packed.out, /^measured\/tiny\/ruler: 3 records/);
    const none = await measure(folder, "--pack");
    equal(none.code, 2);
    match(none.err.join("\n"), /there must be one to pack: current value is none called measured-tiny-ruler/);
  });
});

Deno.test.each([
  ["a model that is not measured", ["--only", "huge"], /--only must be of tiny, tiny\/ruler: current value is "huge"/],
  ["weights that are not there", ["--server", "no-server", "--weights", "nowhere"], /--weights must be the folder/],
  ["a pair without a name", ["--base-url", "http://127.0.0.1"], /It must be a name, = and a value/],
  ["a certificate that is not there", ["--certificates", "--only", "b"], /--only must be of a: current value is "b"/],
  ["a run for no measured one", ["--pack", "--run", "huge/ruler=mine"], /measured name must be one of tiny\/ruler/],
] as [string, string[], RegExp][])("fathom measure refuses %s", async (_name, given, message) => {
  await withPlan(async (folder, server) => {
    const { code, err } = await measure(folder, ...given);
    equal(code, 2);
    match(err.join("\n"), message);
    equal(server.received.length, 0);
  });
});

Deno.test("fathom measure --server refuses weights of another hash before anything is started", async () => {
  await withPlan(async (folder) => {
    await Deno.writeTextFile(`${folder}/tiny.gguf`, "not the weights");
    const { code, err } = await measure(folder, "--server", "no-server", "--weights", folder);
    equal(code, 2);
    match(err.join("\n"), /the SHA-256 of the file must be 00: current value is [0-9a-f]{64}/);
  });
});
