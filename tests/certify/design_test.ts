import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { relative, resolve } from "node:path";
import { withFolder } from "../asking/_fakes.ts";
import type { AskedSample } from "@/lib/asking/mod.ts";
import { registerCertificate } from "@/lib/certify/design.ts";
import { compareItself } from "@/lib/certify/itself.ts";
import { type CertificateAim, type CertificateDesign, recordedCertificate } from "@/lib/certify/mod.ts";
import { readCertificate, type RegisteredCertificate } from "@/lib/certify/design.ts";
import { readCertificateRuns } from "@/lib/certify/recorded_runs.ts";
import { certificatePairs } from "@/lib/certify/pairs.ts";
import { runCertificate } from "@/lib/certify/run_certificate.ts";
import { hashOf } from "@/lib/base/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import { checkStudy, type OpenedModel } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";

const AIM: CertificateAim = {
  ...{ margin: 20, errorChance: 0.025, method: "betting", samples: 60, differs: [], questions: 1, again: 0.25 },
  calibration: { low: 0, high: 100, samples: 2 },
};

/** Makes a certificate of two simulated readers, the second of which loses a part. */
async function certify(path: string, change: OpenedModel = simulatedModel("mute")): Promise<void> {
  await runCertificate(checkStudy({ tasks: ["niah_single_2"], lengths: [512] }), {
    ...{ path, aim: AIM, turns: false },
    base: { name: "before", model: simulatedModel("ideal") },
    change: { name: "after", model: change },
  });
}

/** Writes a certificate with a hash of its own design. */
async function rewrite(path: string, change: (design: CertificateDesign) => unknown, file = {}): Promise<void> {
  const certificate: RegisteredCertificate = JSON.parse(await Deno.readTextFile(`${path}/certificate.json`));
  const design = change(certificate.design);
  const sha256 = hashOf([JSON.stringify(design)]);
  await Deno.writeTextFile(`${path}/certificate.json`, JSON.stringify({ ...certificate, design, sha256, ...file }));
}

Deno.test("readCertificate() refuses designs that no certificate has, and names what is wrong", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/x`;
    equal(await readCertificate(path), undefined);
    await certify(path);
    const whole = await Deno.readTextFile(`${path}/certificate.json`);
    const cases: readonly (readonly [changes: (design: CertificateDesign) => unknown, message: RegExp])[] = [
      [
        (design) => ({ ...design, questions: -1 }),
        /design\.questions must be a whole number from 1 to 100: current value is -1/,
      ],
      [(design) => ({ ...design, margin: 0 }), /design\.margin must be a number in \(0, 100\): current value is 0/],
      [(design) => ({ ...design, again: 2 }), /design\.again must be a number in \[0, 1\]/],
      [(design) => ({ ...design, method: "guess" }), /design\.method must be betting or fixed/],
      [(design) => ({ ...design, mix: [] }), /design\.mix must be a list of at least one cell/],
      [(design) => ({ ...design, mix: [{ ...design.mix[0], score: null }] }), /design\.mix\.0\.score must be/],
      [(design) => ({ ...design, change: { name: "x" } }), /design\.change\.model must be given/],
      [(design) => ({ ...design, itself: {} }), /design\.itself\.pairs must be given/],
      [(design) => ({ ...design, study: null }), /must be a certificate as it was registered/],
      [() => null, /design must be an object/],
    ];
    for (const [change, message] of cases) {
      await rewrite(path, change);
      await rejects(readCertificate(path), { name: "SyntaxError", message });
      await Deno.writeTextFile(`${path}/certificate.json`, whole);
    }
    await rewrite(path, (design) => design, { registered: "yesterday" });
    await rejects(readCertificate(path), /registered must be a time in ISO 8601: current value is "yesterday"/);
    for (const text of ["", "null", "[]", "7", "{}", `{"design":{}}`, whole.slice(0, -20)]) {
      await Deno.writeTextFile(`${path}/certificate.json`, text);
      await rejects(readCertificate(path), {
        name: "SyntaxError",
        message: /must be a certificate as it was registered: /,
      });
    }
    await Deno.writeTextFile(`${path}/certificate.json`, whole.replace(`"margin": 20`, `"margin": 50`));
    await rejects(readCertificate(path), /its design was changed since, so its hash is another/);
  });
});

Deno.test("an edited margin with a new hash is found, as each reply names its design", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/x`;
    await certify(path);
    const { sha256 } = (await readCertificate(path))!;
    for (const arm of ["base", "change"]) {
      const records = (await Deno.readTextFile(`${path}/${arm}/records.jsonl`)).trim().split("\n");
      for (const record of records) equal(JSON.parse(record).settings.certificate, `${sha256.slice(0, 16)} ${arm}`);
    }
    await rewrite(path, (design) => ({ ...design, margin: 50 }));
    const wanted = /base: replies were asked for another design or side: [0-9a-f]{16} base, not [0-9a-f]{16} base/;
    await rejects(recordedCertificate(path), wanted);
    await rejects(certify(path), wanted);
  });
});

/** Ways to change what was recorded, each with how it is found. */
const EDITS: readonly (readonly [name: string, edit: (path: string) => Promise<void>, found: RegExp])[] = [
  [
    "the base's replies in the change",
    (path) => Deno.copyFile(`${path}/base/records.jsonl`, `${path}/change/records.jsonl`),
    /change: its records were (?:changed|cut)/,
  ],
  [
    "their texts alone",
    async (path) => {
      const text = await Deno.readTextFile(`${path}/change/records.jsonl`);
      await Deno.writeTextFile(`${path}/change/records.jsonl`, text.replace(/"text":"[^"]*"/, `"text":"7"`));
    },
    /change: its records were changed/,
  ],
  [
    "the base's whole run as the change",
    async (path) => {
      for (const file of ["records.jsonl", "manifest.json"]) {
        await Deno.copyFile(`${path}/base/${file}`, `${path}/change/${file}`);
      }
    },
    /change: its model must be "sim:mute": current value is "sim:ideal"/,
  ],
  [
    "calibration replies without their hash",
    async (path) => {
      const [first] = (await Deno.readTextFile(`${path}/calibration/records.jsonl`)).split("\n");
      await Deno.writeTextFile(`${path}/change/records.jsonl`, `${first}\n`, { append: true });
    },
    /change: (?:each record's model|setting|replies were asked)/,
  ],
  [
    "a line that is no record",
    (path) => Deno.writeTextFile(`${path}/base/records.jsonl`, "{}\n", { append: true }),
    /base: line \d+: /,
  ],
];
for (const [name, edit, found] of EDITS) {
  Deno.test(`a certificate with ${name} has no verdict, and does not resume`, async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/x`;
      await certify(path);
      equal((await recordedCertificate(path)).verdict, "worse");
      await edit(path);
      const { faults } = await readCertificateRuns(path, await readCertificate(path));
      match(faults.join("\n"), found);
      const wanted = {
        name: "SyntaxError",
        message: /^Cannot judge the certificate in ".*" as its runs must be as they were/,
      };
      await rejects(recordedCertificate(path), wanted);
      await rejects(certify(path), wanted);
    });
  });
}

Deno.test("a certificate of an earlier version, whose replies name no design, is judged as before", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/x`;
    await certify(path);
    await rewrite(path, ({ base, change, ...design }) => ({
      ...design,
      base: { name: base.name, model: base.model },
      change: { name: change.name, model: change.model },
    }));
    for (const arm of ["base", "change"]) {
      for (const file of ["records.jsonl", "manifest.json"]) {
        const text = await Deno.readTextFile(`${path}/${arm}/${file}`);
        const plain = text.replaceAll(/,\s*"certificate":\s*"[^"]*"/g, "");
        const { records: _mark, ...manifest } = file === "manifest.json" ? JSON.parse(plain) : {};
        await Deno.writeTextFile(`${path}/${arm}/${file}`, file === "manifest.json" ? JSON.stringify(manifest) : plain);
      }
    }
    equal((await recordedCertificate(path)).verdict, "worse");
    // It can also be resumed.
    const change = `${path}/change/records.jsonl`;
    const lines = (await Deno.readTextFile(change)).trim().split("\n");
    await Deno.writeTextFile(change, lines.slice(0, 2).map((line) => `${line}\n`).join(""));
    const { samples: _samples, ...manifest } = JSON.parse(await Deno.readTextFile(`${path}/change/manifest.json`));
    const none = { count: 0, sha256: hashOf([]) };
    await Deno.writeTextFile(`${path}/change/manifest.json`, JSON.stringify({ ...manifest, samples: none }));
    await certify(path);
    ok((await Deno.readTextFile(change)).trim().split("\n").length >= lines.length);
    equal((await recordedCertificate(path)).verdict, "worse");
  });
});

/** A score of a cell. */
function score(index: number, value: number | null, more: Partial<AskedSample> = {}): AskedSample {
  return { task: "vt", length: 4096, index, value, ...more };
}

const CELL = { task: "vt", length: 4096, weight: 1, score: 50, n: 4 };

Deno.test("certificatePairs() pairs contexts that both sides answered, in rounds of all cells", () => {
  const other = { ...CELL, task: "qa" };
  const design = { mix: [CELL, other], firstPair: 2, questions: 1 };
  const elsewhere = [score(2, 1, { task: "qa" }), score(9, 1, { task: "no" })];
  const base = [score(3, 1), score(2, 0), score(1, 1), score(4, 1), ...elsewhere];
  const change = [score(2, 1), score(3, 0), score(1, 0), ...elsewhere];
  const found = certificatePairs(design, { base, change });
  deepEqual(found.map(({ cell, round, base, change }) => [cell, round, base, change]), [
    ["vt at 4096", 0, 0, 1],
    ["qa at 4096", 0, 1, 1],
    ["vt at 4096", 1, 1, 0],
  ]);
  deepEqual(found.map(({ flips }) => [flips!.better, flips!.worse]), [[1, 0], [0, 0], [0, 1]]);
  // The same in any order, and with both sides exchanged the flips are exchanged.
  deepEqual(certificatePairs(design, { base: base.toReversed(), change: change.toReversed() }), found);
  deepEqual(
    certificatePairs(design, { base: change, change: base }).map(({ flips }) => [flips!.worse, flips!.better]),
    found.map(({ flips }) => [flips!.better, flips!.worse]),
  );
  deepEqual(certificatePairs(design, { base, change: [] }), []);
  deepEqual(certificatePairs(design, { base: [], change }), []);
});

Deno.test("compareItself() counts the samples that were asked twice alone", () => {
  const reply = (index: number, value: number | null, text: string): ScoredReply =>
    ({
      ...{ task: "vt", length: 4096, value },
      record: { suite: "s", task: "vt", length: 4096, index, reply: { kind: "answer", text } },
    }) as unknown as ScoredReply;
  const first = [reply(0, 1, "a"), reply(1, 0, "b"), reply(2, 1, "c"), reply(3, null, "d"), reply(9, 1, "z")];
  const second = [reply(0, 1, "a"), reply(1, 1, "B"), reply(2, 0, "C"), reply(3, 1, "d"), reply(8, 1, "y")];
  const { pairs, identical, better, worse, difference } = compareItself(first, second)!;
  deepEqual([pairs, identical, better, worse, difference], [3, 1, 1, 1, 0]);
  equal(compareItself(first, []), null);
  const { difference: fell, low, high } = compareItself(first.slice(0, 1), [reply(0, 0, "x")])!;
  ok(low <= fell && fell <= high && fell === -100);
});

Deno.test("a certificate's file has its paths as seen from its project, and is read with those of the working folder", async () => {
  await withFolder(async (folder) => {
    await certify(`${folder}/x`);
    const { design } = (await readCertificate(`${folder}/x`))!;
    const typed = relative(resolve(), `${folder}/texts/road.txt`);
    const study = { ...design.study, essays: typed, tokenizer: `${folder}/models/x.gguf` };
    const path = `${folder}/project/results/certificates/y`;
    const written = await registerCertificate(path, { ...design, study });
    const { design: inFile } = JSON.parse(await Deno.readTextFile(`${path}/certificate.json`));
    equal(inFile.study.essays, "../texts/road.txt");
    deepEqual(await readCertificate(path), written);
    equal(written.sha256, hashOf([JSON.stringify(inFile)]));
  });
});
