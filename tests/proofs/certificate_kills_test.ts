import { deepEqual, equal, ok } from "node:assert/strict";
import { spawn } from "../cli/_shell.ts";
import { CERTIFICATES_FOLDER } from "@/lib/records/mod.ts";
import { type Certificate, recordedCertificate } from "@/lib/reports/mod.ts";

const KILLS = 10;

function certify(name: string): Deno.ChildProcess {
  const arms = ["--base", "before=sim:longalpaca", "--change", "after=sim:longalpaca", "--self", "--margin", "3"];
  const tasks = ["--tasks", "niah_multikey_1,niah_multikey_2,vt", "--lengths", "2K,4K", "--concurrency", "2"];
  return spawn(["certify", ...arms, ...tasks, "--between", "0-100", "--calibrate", "4", "--name", name]);
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
    const began = performance.now();
    equal((await certify(names[0]).output()).code, 0);
    const took = performance.now() - began;
    let kills = 0;
    while (kills < KILLS) {
      const process = certify(names[1]);
      const timer = setTimeout(() => process.kill("SIGKILL"), took * (0.2 + 0.6 * kills / KILLS));
      const { signal } = await process.output();
      clearTimeout(timer);
      if (signal === null) break;
      kills++;
    }
    ok(kills >= 5, `${kills} kills`);
    equal((await certify(names[1]).output()).code, 0);
    deepEqual(await settled(names[1]), await settled(names[0]));
  } finally {
    for (const name of names) await Deno.remove(`${CERTIFICATES_FOLDER}/${name}`, { recursive: true }).catch(() => {});
  }
});
