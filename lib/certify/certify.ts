import { existsSync } from "node:fs";
import { certifyRuns } from "./certify_runs.ts";
import { CERTIFICATES_FOLDER } from "./design.ts";
import { type Certificate, recordedCertificate } from "./judge.ts";
import type { CertificateRuns } from "./recorded_runs.ts";
import { runCertificate } from "./run_certificate.ts";
import {
  type CertificateAim,
  CertificatePaused,
  type CertifiedModel,
  NotEnoughData,
  type RunCertificateOptions,
} from "./session.ts";
import { defined, shownText } from "@/lib/base/mod.ts";
import { checkRunName, type OpenedModel, type Study } from "@/lib/studies/mod.ts";
import { nameRuns, readScoredRun, type ScoredRun } from "@/lib/records/mod.ts";

/** The most pairs of a certificate by default. */
export const CERTIFICATE_PAIRS = 4000;

/** The length of the samples if none is given, in tokens, or the window if that is smaller. */
const DEFAULT_LENGTH = 4096;

/** A server or a model as the user names it. */
export interface ArmChoice {
  /** The user's name for it, such as `q8_0`. */
  readonly name?: string;
  /** The model; by default the one that the server has. */
  readonly model?: string | undefined;
  readonly flags?: string;
  readonly open: (model: string) => Promise<OpenedModel>;
}

/** The session's options that follow from the base's model. */
export type PlannedByBase = Pick<RunCertificateOptions, "maxCost" | "concurrency"> & {
  /** The tasks and lengths that the mix is chosen from. */
  readonly study: Study;
};

/** Options for {@linkcode certify}: two servers, or two recorded runs. */
export interface CertifyOptions
  extends
    Partial<Omit<CertificateAim, "calibration">>,
    Omit<RunCertificateOptions, "path" | "base" | "change" | "aim" | "turns"> {
  readonly base?: ArmChoice;
  readonly change?: ArmChoice;
  /** The names of recorded runs. */
  readonly baseRun?: string;
  readonly changeRun?: string;
  /** A second run of the base on the same samples. */
  readonly againRun?: string;
  /** Whether base and change may be the same server and model, or the same run. */
  readonly self?: boolean;
  /** Returns the study and the limits, for the model of the base and the length that samples have by default. */
  readonly plan?: (model: OpenedModel, length: number) => Promise<PlannedByBase>;
  /** The name of a new certificate, or of one to resume; by default a new one after its arms. */
  readonly name?: string;
  /** The most pairs; `samples` makes a design of fixed size instead. */
  readonly maxSamples?: number;
  /** The samples of the calibration, and the scores in percent between which a task is kept. */
  readonly calibrate?: number;
  readonly between?: readonly [low: number, high: number];
  /** Whether knobs are turned where the base is at the ceiling or the floor; they are by default. */
  readonly turns?: boolean;
}

/** A certificate, and how its session ended. */
export interface Certified {
  readonly certificate: Certificate;
  /** The folder of its files; recorded runs have none. */
  readonly path?: string;
  /** Why asking ended before a verdict. */
  readonly stopped?: string;
}

/**
 * Certifies a change, of servers or of recorded runs.
 *
 * @throws {RangeError} If the options do not fit together, or for the reasons of {@linkcode runCertificate} and
 *   {@linkcode certifyRuns}.
 * @throws {NotEnoughData} If the session ended before its design was registered.
 */
export async function certify(options: CertifyOptions): Promise<Certified> {
  const { margin, base, change, baseRun, changeRun } = options;
  if (margin === undefined) {
    throw new RangeError(
      "Cannot certify a change as --margin must be the loss that is allowed, in points: current value is none",
    );
  }
  if (baseRun !== undefined && changeRun !== undefined) {
    if (base === undefined && change === undefined) {
      return { certificate: await certifyRecorded({ ...options, margin, baseRun, changeRun }) };
    }
    throw new RangeError(
      "Cannot certify recorded runs as --base and --change must be left out: current value is a server",
    );
  }
  const alone = baseRun ?? changeRun;
  if (alone !== undefined) {
    throw new RangeError(
      `Cannot certify recorded runs as --base-run and --change-run must both be given: current value is ${alone} alone`,
    );
  }
  if (base !== undefined && change !== undefined) return await certifyServers({ ...options, margin, base, change });
  const missing = base === undefined ? "base" : "change";
  throw new RangeError(
    `Cannot certify a change as --base and --change must both name a server, or --base-run and --change-run a run: current value is no ${missing}`,
  );
}

async function certifyRecorded(
  options: CertifyOptions & Readonly<Record<"baseRun" | "changeRun", string>> & { readonly margin: number },
): Promise<Certificate> {
  const { baseRun, changeRun, againRun, margin, method, errorChance, benchmarks, scored } = options;
  if (baseRun === changeRun && !options.self) {
    throw new RangeError(
      `Cannot certify a run against itself as --change-run must be another run, or --self must be given: current value is "${changeRun}"`,
    );
  }
  const notes: string[] = [];
  const read = async (name: string): Promise<ScoredRun> => {
    const run = await readScoredRun(name, { benchmarks, scored });
    notes.push(...run.notes.map((note) => shownText(`${name}: ${note}`, 500)));
    return run;
  };
  const [base, change] = [await read(baseRun), await read(changeRun)];
  const again = againRun === undefined ? undefined : await read(againRun);
  const [before = baseRun, after = changeRun] = nameRuns([base, change]);
  const names = [before, after] as const;
  const certificate = certifyRuns(base, change, { names, margin, ...defined({ method, errorChance, again }) });
  return { ...certificate, notes: [...notes, ...certificate.notes] };
}

async function certifyServers(
  options: CertifyOptions & Readonly<Record<"base" | "change", ArmChoice>> & { readonly margin: number },
): Promise<Certified> {
  const { benchmarks, scored, turns = true, onNote, plan } = options;
  const base = await openArm(options.base, "base");
  const change = await openArm(options.change, "change");
  checkArms(base, change, options.self === true);
  if (plan === undefined) {
    throw new RangeError("Cannot certify a change of servers as plan must be a function: current value is undefined");
  }
  const { study, ...limits } = await plan(base.model, defaultLength(base));
  const name = checkRunName(options.name ?? freeName(defaultName(base.name, change.name)));
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

/** Opens a server with the model that it has, unless another is named. */
async function openArm({ name, model, flags, open }: ArmChoice, role: "base" | "change"): Promise<CertifiedModel> {
  const opened = await open(model ?? "model");
  let probed = await opened.probe?.([], { asks: false, count: () => 0 });
  // A server that lists no model is asked, as it may be busy or not run.
  if (model === undefined && !probed?.report.served) probed = await opened.probe?.([], { count: () => 0 });
  const { report: { served = [], window = opened.window } = {}, failure } = probed ?? {};
  const called = name ?? model ?? role;
  if (model === undefined && served.length > 1) {
    const models = served.map((each) => shownText(each)).join(", ");
    throw new RangeError(
      `Cannot ask ${called} as --model must be one of ${models}, which its server has: current value is none`,
    );
  }
  const [only] = model === undefined ? served : [];
  if (only === undefined && failure !== undefined) throw new CertificatePaused(`${called}: ${failure.message}`);
  return { name: called, model: only === undefined ? opened : await open(only), ...defined({ flags, window }) };
}

/** Refuses one server for both sides, unless that is meant, and one name for both. */
function checkArms(base: CertifiedModel, change: CertifiedModel, isSelf: boolean): void {
  const [left, right] = [base, change].map(({ model }) =>
    `${model.name} at ${model.settings["baseUrl"] ?? "this machine"}`
  );
  if (left === right && !isSelf) {
    throw new RangeError(
      `Cannot certify a change as base and change must be two servers or models, or --self must be given: current value is ${left} for both`,
    );
  }
  if (base.name === change.name) {
    throw new RangeError(
      `Cannot certify a change as base and change must have names of their own, such as f16=URL and q8=URL: current value is "${base.name}" for both`,
    );
  }
}

/** Returns the first such name that no certificate has, as a new command asks the servers that run now. */
function freeName(name: string): string {
  let free = name;
  for (let number = 2; existsSync(`${CERTIFICATES_FOLDER}/${free}`); number++) free = `${name}-${number}`;
  return free;
}

/** Names a certificate after its arms, whose names may have characters that a folder's name must not have. */
function defaultName(base: string, change: string): string {
  return `${change}-against-${base}`.replaceAll(/[^\w.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 95);
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
