import { existsSync } from "node:fs";
import { CERTIFICATES_FOLDER } from "./design.ts";
import type { Certificate } from "./judge.ts";
import { type CertificateAim, CertificatePaused, type CertifiedModel, type RunCertificateOptions } from "./session.ts";
import { defined, shownText } from "@/lib/base/mod.ts";
import type { OpenedModel, Study } from "@/lib/studies/mod.ts";

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
  /** The name of a certificate whose replies of the base are reused; a fifth of them is asked again to see that it is the same. */
  readonly reuse?: string;
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
  /** Whether to look for a loss for a few minutes, without a certificate: {@linkcode smokeTest}. */
  readonly smoke?: boolean;
}

/** A certificate, and how its session ended. */
export interface Certified {
  readonly certificate: Certificate;
  /** The folder of its files; recorded runs have none. */
  readonly path?: string;
  /** Why asking ended before a verdict. */
  readonly stopped?: string;
}

/** Opens a server with the model that it has, unless another is named. */
export async function openArm({ name, model, flags, open }: ArmChoice, role: string): Promise<CertifiedModel> {
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
export function checkArms(base: CertifiedModel, change: CertifiedModel, isSelf: boolean): void {
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

/** Returns the folder of a certificate by its name, or by a path. */
export function certificateFolder(name: string): string {
  return name.includes("/") ? name : `${CERTIFICATES_FOLDER}/${name}`;
}

/** Names a new certificate after its arms, whose names may have characters that a folder's name must not have. */
export function newName(...[base, change]: readonly [base: CertifiedModel, change: CertifiedModel]): string {
  const plain = `${change.name}-against-${base.name}`.replaceAll(/[^\w.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const name = plain.slice(0, 90);
  let free = name;
  // Each command asks the servers that run now.
  for (let number = 2; existsSync(`${CERTIFICATES_FOLDER}/${free}`); number++) free = `${name}-${number}`;
  return free;
}
