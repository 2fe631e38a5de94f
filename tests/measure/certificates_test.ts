import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { withFolder } from "../asking/_fakes.ts";
import { chatReply, type PlayServer, playServer } from "../models/_play_server.ts";
import { makeCertificate, packCertificate, type PlannedCertificate, readCertificatePlan } from "./certificates.ts";
import { readMeasurePlan } from "./measure_plan.ts";
import { recordedCertificate } from "@/lib/certify/mod.ts";

/** A server that finds the number asked for, where it is to be right. */
function answering(isRight: (value: number) => boolean): PlayServer {
  return playServer(async (request) => {
    if (request.method === "GET") return new Response("", { status: 404 });
    const { messages } = await request.json();
    const text: string = messages.at(-1).content;
    const [, key] = /number for (\S+) mentioned/.exec(text) ?? [];
    const [, value = ""] = new RegExp(`for ${key} is: (\\d+)`).exec(text) ?? [];
    return chatReply({ content: isRight(Number(value)) ? value : "none" });
  });
}

/** A plan of two certificates of one base that is right every other time: a change to the worse, and none. */
async function withPlan(
  use: (planned: readonly PlannedCertificate[], place: { folder: string; to: string }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    await using base = answering((value) => value % 2 === 0);
    await using change = answering(() => false);
    const weights = "weights: { file: tiny.gguf, sha256: '00', quantisation: Q4_0, licence: none }";
    await Deno.writeTextFile(
      `${folder}/models.yaml`,
      `tiny: { base_url: "${base.url}", temperature: 0, template_tokens: 0, window: 4096 }`,
    );
    await Deno.writeTextFile(`${folder}/needle.yaml`, "{ tasks: [niah_single_2], lengths: [512] }");
    await Deno.writeTextFile(
      `${folder}/measure.yaml`,
      `
models: { tiny: { ${weights}, server: { name: llama.cpp, version: b1, flags: -c 4096 } } }
studies: [{ benchmark: ruler, study: needle.yaml, samples: { tiny: { 512: 1 } } }]
`,
    );
    await Deno.writeTextFile(
      `${folder}/certificates.yaml`,
      `
margin: 20
samples: 60
calibration: 8
address: ${change.url}
bases: { one: { name: f16, model: tiny, weights: tiny, flags: -c 4096, study: needle.yaml } }
certificates:
  worse: { base: one, change: mute, flags: -c 64 }
  same: { base: one, change: again, flags: -c 4096 }
`,
    );
    const planned = await readCertificatePlan(
      await readMeasurePlan(`${folder}/measure.yaml`),
      `${folder}/certificates.yaml`,
    );
    await use(planned, { folder: `${folder}/runs`, to: `${folder}/certificates` });
  });
}

Deno.test("makeCertificate() certifies a change, and certificates of one base share its calibration", async () => {
  await withPlan(async ([worse, same], { folder }) => {
    const made = await makeCertificate(worse!, { folder, siblings: [] });
    equal(made?.verdict, "worse");
    ok(made.design.mix.every(({ score }) => score >= 20 && score <= 90));
    const steady = { ...same!, change: { ...same!.change, baseUrl: same!.base.baseUrl } };
    const next = await makeCertificate(steady, { folder, siblings: ["worse"] });
    deepEqual(next?.design.mix, made.design.mix);
    const replies = (name: string): Promise<string> => Deno.readTextFile(`${folder}/${name}/calibration/records.jsonl`);
    equal(await replies("same"), await replies("worse"));
    equal(next?.verdict, "no worse");
  });
});

Deno.test("packCertificate() packs a certificate that gives the same verdict from its records alone", async () => {
  await withPlan(async ([worse], { folder, to }) => {
    const { registered, state } = (await makeCertificate(worse!, { folder, siblings: [] }))!;
    const machine = { processor: "abacus", cores: 2, system: "linux x86_64" };
    const bytes = await packCertificate(worse!, { folder, to, machine });
    const packed = await recordedCertificate(`${to}/worse`);
    deepEqual([packed.verdict, packed.state, packed.registered], ["worse", state, registered]);
    equal(packed.base.software, "llama.cpp b1");
    equal(await packCertificate(worse!, { folder, to, machine }), bytes);
  });
});

Deno.test("readCertificatePlan() refuses a base that is not there", async () => {
  await withPlan(async (_planned, { to }) => {
    const folder = to.replace(/\/certificates$/, "");
    const path = `${folder}/certificates.yaml`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("worse: { base: one", "worse: { base: two"));
    await rejects(readCertificatePlan(await readMeasurePlan(`${folder}/measure.yaml`), path), {
      name: "TypeError",
      message: /as the base of worse must have a model of measure.yaml: current value is "two"$/,
    });
  });
});
