import { deepEqual, equal } from "node:assert/strict";
import { spawn, withCertificates } from "../cli/_shell.ts";
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
  await withCertificates(2, async (undisturbed, killed) => {
    equal((await certify(undisturbed!).output()).code, 0);
    const whole = await countRecords(undisturbed!);
    for (let kill = 1; kill <= KILLS; kill++) {
      const process = certify(killed!);
      const output = process.output();
      while (await countRecords(killed!) < whole * kill / (KILLS + 2)) await new Promise((go) => setTimeout(go, 5));
      process.kill("SIGKILL");
      equal((await output).signal, "SIGKILL");
    }
    equal((await certify(killed!).output()).code, 0);
    deepEqual(await settled(killed!), await settled(undisturbed!));
  });
});
