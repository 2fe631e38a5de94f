import {
  type ArmChoice,
  certificateFolder,
  type Certified,
  type CertifyOptions,
  checkArms,
  newName,
  openArm,
} from "./arms.ts";
import { certifyRuns } from "./certify_runs.ts";
import { CERTIFICATES_FOLDER } from "./design.ts";
import { type Certificate, recordedCertificate } from "./judge.ts";
import type { CertificateRuns } from "./recorded_runs.ts";
import { runCertificate } from "./run_certificate.ts";
import { type CertificateAim, type CertifiedModel, NotEnoughData } from "./session.ts";
import { QUANTISED_LOSS, smokeTest } from "./smoke.ts";
import { defined, shownText } from "@/lib/base/mod.ts";
import { checkRunName } from "@/lib/studies/mod.ts";
import { nameRuns, readScoredRun, type ScoredRun } from "@/lib/records/mod.ts";

/** The most pairs of a certificate by default. */
export const CERTIFICATE_PAIRS = 4000;

/** The length of the samples if none is given, in tokens, or the window if that is smaller. */
const DEFAULT_LENGTH = 4096;

/**
 * Certifies a change, of servers or of recorded runs.
 *
 * @throws {RangeError} If the options do not fit together, or for the reasons of {@linkcode runCertificate} and
 *   {@linkcode certifyRuns}.
 * @throws {NotEnoughData} If the session ended before its design was registered.
 */
export async function certify(options: CertifyOptions): Promise<Certified> {
  const { base, change, baseRun, changeRun } = options;
  const margin = options.margin ?? (options.smoke ? QUANTISED_LOSS.points : undefined);
  if (margin === undefined) {
    throw new RangeError(
      "Cannot certify a change as --margin must be the loss that is allowed, in points: current value is none",
    );
  }
  if (baseRun !== undefined && changeRun !== undefined) {
    if (base === undefined && change === undefined) {
      return { certificate: await certifyRecorded({ ...options, margin, baseRun, changeRun }) };
    }
    throw new RangeError("Cannot certify two runs as --base and --change must be left out: current value is a server");
  }
  const alone = baseRun ?? changeRun;
  if (alone !== undefined) {
    throw new RangeError(
      `Cannot certify recorded runs as --base-run and --change-run must both be given: current value is ${alone} alone`,
    );
  }
  if (base !== undefined && change !== undefined) {
    const arms = { ...options, margin, base, change };
    return options.smoke ? await smokeTest(arms) : await certifyServers(arms);
  }
  const missing = base === undefined ? "base" : "change";
  throw new RangeError(
    `Cannot certify a change as --base and --change must both name a server, or --base-run and --change-run a run: current value is no ${missing}`,
  );
}

async function certifyRecorded(
  options: CertifyOptions & Readonly<Record<"baseRun" | "changeRun", string>> & { readonly margin: number },
): Promise<Certificate> {
  const { baseRun, changeRun, againRun, margin, method, errorChance, benchmarks, scored, measure } = options;
  if (baseRun === changeRun && !options.self) {
    throw new RangeError(
      `Cannot certify a run against itself as --change-run must be another run, or --self must be given: current value is "${changeRun}"`,
    );
  }
  const notes: string[] = [];
  const read = async (name: string): Promise<ScoredRun> => {
    const run = await readScoredRun(name, { benchmarks, scored, measure });
    notes.push(...run.notes.map((note) => shownText(`${name}: ${note}`, 500)));
    return run;
  };
  const [base, change] = [await read(baseRun), await read(changeRun)];
  const again = againRun === undefined ? undefined : await read(againRun);
  const [before = baseRun, after = changeRun] = nameRuns([base, change]);
  const names = [before, after] as const;
  const certificate = certifyRuns(base, change, { names, margin, ...defined({ method, errorChance, again, measure }) });
  return { ...certificate, notes: [...notes, ...certificate.notes] };
}

async function certifyServers(
  options: CertifyOptions & Readonly<Record<"base" | "change", ArmChoice>> & { readonly margin: number },
): Promise<Certified> {
  const { benchmarks, scored, turns = true, onNote, plan } = options;
  const base = await openArm(options.base, "base");
  const change = await openArm(options.change, "change");
  checkArms(base, change, options.self === true);
  if (options.reuse !== undefined && options.again === 0) {
    throw new RangeError(
      "Cannot reuse the replies of a base as --again must be above 0, so that a changed base is noticed: current value is 0",
    );
  }
  if (plan === undefined) {
    throw new RangeError("Cannot certify a change of servers as plan must be a function: current value is undefined");
  }
  const { study, ...limits } = await plan(base.model, defaultLength(base));
  const name = checkRunName(options.name ?? newName(base, change));
  const path = `${CERTIFICATES_FOLDER}/${name}`;
  const resuming = `the same command with --name ${name} resumes it`;
  if (options.name === undefined) onNote?.(`A new certificate, ${name}: ${resuming}`);
  let recorded: CertificateRuns["recorded"] | undefined;
  const session = await runCertificate(study, {
    ...options,
    ...limits,
    path,
    base,
    change,
    turns,
    aim: aimOf(options),
    ...defined({ reuse: options.reuse && certificateFolder(options.reuse) }),
    onEarlier: (earlier) => {
      recorded = earlier;
      onNote?.(earlierText(earlier));
    },
  });
  if (session.certificate === null) throw new NotEnoughData(`No verdict yet as ${session.stopped}; ${resuming}`);
  const certificate = await recordedCertificate(path, { benchmarks, scored });
  const earlier = recorded && earlierText(recorded, session.hasAsked);
  const stopped = session.stopped === null ? undefined : `${session.stopped}; ${resuming}`;
  return { certificate: { ...certificate, ...defined({ earlier }) }, path, ...defined({ stopped }) };
}

function defaultLength({ window = Infinity }: CertifiedModel): number {
  return window >= DEFAULT_LENGTH ? DEFAULT_LENGTH : 2 ** Math.floor(Math.log2(window));
}

/** Describes the replies of earlier sessions, which are not asked again. */
function earlierText({ count, from, to }: CertificateRuns["recorded"], hasAsked = true): string {
  const span = `from ${shownText(from, 40)} to ${shownText(to, 40)}`;
  return hasAsked
    ? `${count} replies, ${span}, are of earlier sessions and not asked now`
    : `No question was asked now: all ${count} replies, ${span}, are of the servers as they were then`;
}

function aimOf(options: CertifyOptions & { readonly margin: number }): CertificateAim {
  const { margin, errorChance = 0.025, questions = 1, differs = [], samples, again = 0.2 } = options;
  const [low, high] = options.between ?? [20, 100];
  return {
    margin,
    errorChance,
    questions,
    differs,
    method: options.method ?? (samples === undefined ? "betting" : "fixed"),
    samples: samples ?? options.maxSamples ?? CERTIFICATE_PAIRS,
    again,
    calibration: { low, high, samples: options.calibrate ?? 8 },
  };
}
