import { deepEqual, equal } from "node:assert/strict";
import { spawn } from "../cli/_shell.ts";
import { CERTIFICATES_FOLDER } from "@/lib/certify/design.ts";
import { type Certificate, recordedCertificate } from "@/lib/certify/mod.ts";

const KILLS = 10;

function certify(name: string): Deno.ChildProcess {
  const arms = ["--base", "before=sim:longalpaca", "--change", "after=sim:longalpaca", "--self", "--margin", "3"];
  const tasks = ["--tasks", "niah_multikey_1,niah_multikey_2,vt", "--lengths", "2K,4K", "--concurrency", "2"];
  return spawn(["certify", ...arms, ...tasks, "--between", "0-100", "--calibrate", "4", "--name", name]);
}

/** Counts the records of all runs of a certificate. */
async function countRecords(name: string): Promise<number> {
  const runs = ["calibration", "base", "again", "change"];
  const texts = await Promise.all(
    runs.map((run) => Deno.readTextFile(`${CERTIFICATES_FOLDER}/${name}/${run}/records.jsonl`).catch(() => "")),
  );
  return texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
}

/** The parts of a certificate that do not depend on when its calls were made. */
async function settled(name: string): Promise<unknown> {
  const { verdict, state, cells, samples, registered }: Certificate = await recordedCertificate(
    `${CERTIFICATES_FOLDER}/${name}`,
  );
  return { verdict, state, cells, samples, design: registered?.sha256 };
}

Deno.test("a certificate whose process is killed ten times is the same certificate", async () => {
  const names = [`test-${crypto.randomUUID()}`, `test-${crypto.randomUUID()}`] as const;
  try {
    equal((await certify(names[0]).output()).code, 0);
    const whole = await countRecords(names[0]);
    for (let kill = 1; kill <= KILLS; kill++) {
      const process = certify(names[1]);
      const output = process.output();
      while (await countRecords(names[1]) < whole * kill / (KILLS + 2)) await new Promise((go) => setTimeout(go, 5));
      process.kill("SIGKILL");
      equal((await output).signal, "SIGKILL");
    }
    equal((await certify(names[1]).output()).code, 0);
    deepEqual(await settled(names[1]), await settled(names[0]));
  } finally {
    for (const name of names) await Deno.remove(`${CERTIFICATES_FOLDER}/${name}`, { recursive: true }).catch(() => {});
  }
});
