import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import {
  type Certificate,
  type CertificateAim,
  recordedCertificate,
  type RunCertificateOptions,
} from "@/lib/certify/mod.ts";
import { readCertificate } from "@/lib/certify/design.ts";
import { withFolder as inFolder } from "../asking/_fakes.ts";
import { runCertificate } from "@/lib/certify/run_certificate.ts";
import type { CertificateSession } from "@/lib/certify/session.ts";
import { readRun } from "@/lib/records/mod.ts";
import { checkStudy, type OpenedModel } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";

const STUDY = checkStudy({ tasks: ["niah_multikey_1", "vt"], lengths: [2048] });
const AIM: CertificateAim = {
  ...{ margin: 10, errorChance: 0.025, method: "betting", samples: 600, differs: [], questions: 1, again: 0.25 },
  calibration: { low: 20, high: 90, samples: 6 },
};

/** A simulated reader that answers a share of the samples with nothing, by their hash. */
function losing(share: number, profile = "longalpaca"): OpenedModel {
  const model = simulatedModel(profile);
  return {
    ...model,
    ask: async (sample, ...rest) => {
      const reply = await model.ask(sample, ...rest);
      const isLost = parseInt(sample.sha256.slice(0, 8), 16) / 2 ** 32 < share;
      return isLost && reply.kind === "answer" ? { ...reply, text: "" } : reply;
    },
  };
}

async function withFolder(use: (path: string) => Promise<void>): Promise<void> {
  await inFolder((folder) => use(`${folder}/certificate`));
}

async function certify(
  path: string,
  change: OpenedModel,
  options: Partial<RunCertificateOptions> = {},
): Promise<CertificateSession> {
  return await runCertificate(STUDY, {
    ...{
      path,
      aim: AIM,
      turns: true,
      base: { name: "base", model: losing(0) },
      change: { name: "change", model: change },
    },
    ...options,
  });
}

/** The parts of a certificate that do not depend on when its calls were made. */
function settled({ verdict, state, cells, itself, samples, registered }: Certificate): unknown {
  return { verdict, state, cells, itself, samples, sha256: registered?.sha256 };
}

Deno.test("runCertificate() finds no loss in a model against itself, and a loss of a half", async () => {
  await withFolder(async (path) => {
    equal((await certify(path, losing(0))).stopped, null);
    const { verdict, state, itself, cells, design } = await recordedCertificate(path);
    equal(verdict, "no worse");
    deepEqual([state.difference, state.better, state.worse], [0, 0, 0]);
    ok(state.low >= -10 && state.high >= 0 && state.pairs < 600);
    equal(itself?.identical, itself?.pairs);
    ok(design.mix.every(({ score }) => score >= 20 && score <= 90));
    const flips = design.mix.map((cell) => cell.flips!);
    equal(design.flips, flips.reduce((sum, each) => sum + each, 0) / flips.length);
    equal(cells.reduce((sum, { pairs }) => sum + pairs, 0), state.pairs);
  });
  await withFolder(async (path) => {
    await certify(path, losing(0.5));
    const { verdict, state, headline } = await recordedCertificate(path);
    equal(verdict, "worse");
    ok(state.high < 0);
    match(headline, /^change loses more than 10 points against base: −\d+\.\d points \[−.*\] on \d+ pairs$/);
  });
});

Deno.test("a certificate that is interrupted ten times is the same certificate", async () => {
  const change = losing(0.2);
  await withFolder(async (whole) => {
    await certify(whole, change);
    await withFolder(async (broken) => {
      let session: CertificateSession = { certificate: null, stopped: "not begun", hasAsked: false };
      let sessions = 0;
      while (session.stopped !== null) {
        const stop = new AbortController();
        let asked = 0;
        const limit = ++sessions <= 10 ? 2 + sessions : Infinity;
        const counting = (model: OpenedModel): OpenedModel => ({
          ...model,
          ask: (...call) => {
            if (++asked >= limit) stop.abort();
            return model.ask(...call);
          },
        });
        session = await certify(broken, counting(change), {
          base: { name: "base", model: counting(losing(0)) },
          stop: stop.signal,
        });
      }
      ok(sessions > 10, `${sessions} sessions`);
      deepEqual(settled(await recordedCertificate(broken)), settled(await recordedCertificate(whole)));
    });
  });
});

Deno.test("runCertificate() registers its design before the change is asked, and resumes with no other", async () => {
  await withFolder(async (path) => {
    const change = losing(0);
    let registered: string | undefined;
    const ask: OpenedModel["ask"] = async (...call) => {
      registered ??= (await readCertificate(path))?.sha256;
      return await change.ask(...call);
    };
    await certify(path, { ...change, ask });
    const certificate = (await readCertificate(path))!;
    equal(registered, certificate.sha256);
    await rejects(certify(path, change, { aim: { ...AIM, margin: 2 } }), {
      name: "RangeError",
      message:
        /^Cannot resume the certificate in ".*" as its margin must be 10, as registered: current value is 2; another --name/,
    });
  });
});

Deno.test("runCertificate() turns knobs away from the floor, and names what it drops", async () => {
  await withFolder(async (path) => {
    const base = { name: "base", model: simulatedModel("mute") };
    await rejects(certify(path, losing(0), { base }), {
      name: "RangeError",
      message:
        /^Cannot certify a change as the base must score 20 to 90% in at least one task .*niah_multikey_1 at 2048: floor/,
    });
    equal(await readCertificate(path), undefined);
    const tasks = new Set((await readRun("calibration", { folder: path })).records.map(({ task }) => task));
    ok([...tasks].some((task) => /^niah_multikey_1 keys=[12]/.test(task)), [...tasks].join());
  });
});

Deno.test("a change whose window is too small has not enough data, and says what would follow", async () => {
  await withFolder(async (path) => {
    const place = { latencyMs: 1, attempts: 1, message: "too long" };
    const failure = { ...place, kind: "failure", failure: "context_length" } as const;
    await certify(path, { ...losing(0), ask: () => Promise.resolve(failure) });
    const { verdict, change, bounds, state } = await recordedCertificate(path);
    equal(verdict, "not enough data");
    equal(change.overflowed, change.asked);
    ok(change.asked < 100);
    equal(bounds?.forBase, "worse");
    equal(state.pairs, 0);
  });
});

Deno.test("runCertificate() refuses arms that are asked differently, unless that is the change", async () => {
  const hotter = { ...losing(0), settings: { ...losing(0).settings, temperature: 1 } };
  const base = { name: "base", model: { ...losing(0), settings: { ...losing(0).settings, temperature: 0 } } };
  await withFolder(async (path) => {
    await rejects(certify(path, hotter, { base }), {
      name: "RangeError",
      message:
        /^Cannot compare base and change as they must be asked with the same settings, unless --differs names temperature/,
    });
  });
  await withFolder(async (path) => {
    equal((await certify(path, hotter, { base, aim: { ...AIM, differs: ["temperature"] } })).stopped, null);
  });
});

Deno.test("runCertificate() compares as many rounds of all cells as the limit of the cost leaves after the calibration", async () => {
  const prices = { input: 1000, output: 0 };
  const aim = { ...AIM, calibration: { low: 0, high: 100, samples: 6 } };
  const within = async (path: string, amount: number): Promise<number> => {
    await certify(path, losing(0), { aim, turns: false, maxCost: { amount, prices } });
    return (await readCertificate(path))!.design.samples;
  };
  await withFolder(async (path) => {
    const tooLittle = await within(path, 30).catch(({ message }: Error) => message);
    const [, least] = /must allow at least one pair of each of 2 cells, ([\d.]+): current value is 30$/.exec(
      `${tooLittle}`,
    )!;
    const { records } = await readRun(`${path}/calibration`);
    const spent = records.reduce((sum, { promptTokens }) => sum + promptTokens, 0) / 1000;
    // A round asks two prompts for each cell, and a quarter of them again.
    const round = 2.25 * 2 * spent / records.length;
    ok(Math.abs(Number(least) / (spent + round) - 1) < 0.02, `${least}, ${spent}, ${round}`);
    equal(await within(path, spent + 1.5 * round), 2);
  });
});
