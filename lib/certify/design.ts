import { mkdir } from "node:fs/promises";
import type { CertificateRule } from "./decision.ts";
import { defined, hashOf, readRegularText, writeWhole } from "@/lib/base/mod.ts";
import {
  checkStudy,
  FATHOM_VERSION,
  findMisfit,
  RUNS_FOLDER,
  type Study,
  studyForFile,
  studyFromFile,
  v,
  wholeNumber,
} from "@/lib/studies/mod.ts";

/** The folder of certificates, beside that of the runs. */
export const CERTIFICATES_FOLDER: string = RUNS_FOLDER.replace(/runs$/, "certificates");

/** A task at a length that base and change are compared on. */
export interface MixCell {
  /** The name of a task of the study. */
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** Its weight in the mean of the mix. */
  readonly weight: number;
  /** The mean score of the base when it was calibrated, in percent. */
  readonly score: number;
  /** Samples behind that mean. */
  readonly n: number;
  /** The forecast share of its scores that a change flips without a loss, in percent. */
  readonly flips?: number;
}

/** A task at a length that the mix leaves out. */
export interface DroppedCell extends Pick<MixCell, "task" | "length"> {
  /** Such as `ceiling`, `floor` or `truncated replies`. */
  readonly reason: string;
  /** The settings that were tried, each with its mean score in percent; `null` if nothing could be scored. */
  readonly tried: readonly { readonly task: string; readonly score: number | null; readonly n: number }[];
}

/** Replies of the base to the same samples, asked twice. */
export interface SelfComparison {
  /** Samples with a score both times. */
  readonly pairs: number;
  /** Samples whose two replies have the same text. */
  readonly identical: number;
  /** Samples whose second score is higher. */
  readonly better: number;
  /** Samples whose second score is lower. */
  readonly worse: number;
  /** The second mean less the first, in points, with its 95% interval. */
  readonly difference: number;
  /** The lower end of the interval. */
  readonly low: number;
  /** The upper end. */
  readonly high: number;
  /** The two-sided p-value of no difference; older certificates have none. */
  readonly p?: number;
}

/** A server of a certificate. */
export interface CertificateArm {
  /** The user's name for it, such as `q8_0`. */
  readonly name: string;
  readonly model: string;
  /** The flags of the server as the user gives them; servers do not report them. */
  readonly flags?: string;
  /** Its server when the design was registered; certificates of earlier versions lack it. */
  readonly server?: ArmServer;
}

/** The facts by which a server is recognised; those that it does not give are left out. */
export interface ArmServer {
  readonly address?: string;
  readonly software?: string;
  /** The model that it serves, if it serves one. */
  readonly model?: string;
  /** The path or the name of its weights. */
  readonly weights?: string;
}

/** Everything that decides a certificate. It is written and hashed before the change is asked. */
export interface CertificateDesign extends Omit<CertificateRule, "cells"> {
  readonly base: CertificateArm;
  readonly change: CertificateArm;
  /** Names of settings in which the change may differ from the base. */
  readonly differs: readonly string[];
  /** The samples of the pairs: those from `firstPair` on. */
  readonly study: Study;
  /** The number of the first sample that is compared; earlier ones calibrated the mix. */
  readonly firstPair: number;
  /** Questions of each context. */
  readonly questions: number;
  /** The share of rounds in which the base is asked twice. */
  readonly again: number;
  /** The scores of the base, in percent, between which a cell is kept, and the samples that measured them. */
  readonly calibration: { readonly low: number; readonly high: number; readonly samples: number };
  readonly mix: readonly MixCell[];
  readonly dropped: readonly DroppedCell[];
  /** The base against itself on the samples of the calibration; `null` if it was not asked twice. */
  readonly itself: SelfComparison | null;
}

/** A certificate's design as it was registered. */
export interface RegisteredCertificate {
  readonly format: 1;
  readonly fathom: string;
  /** When it was registered, in ISO 8601. */
  readonly registered: string;
  /** SHA-256 of the design as JSON. */
  readonly sha256: string;
  readonly design: CertificateDesign;
}

const MAX_BYTES = 4 * 2 ** 20;

const TEXT = v.string("a text");
const NUMBER = v.pipe(v.number("a number"), v.finite("a number"));
const COUNT = wholeNumber(0);
const OBJECT = "an object";

/** A number between two others; `isOpen` leaves out both. */
function between(low: number, high: number, isOpen = false): v.GenericSchema<unknown, number> {
  const isInside = (value: number): boolean => isOpen ? low < value && value < high : low <= value && value <= high;
  const range = isOpen ? `in (${low}, ${high})` : `in [${low}, ${high}]`;
  return v.config(v.pipe(v.number(), v.check(isInside)), { message: `a number ${range}` });
}

const PERCENT = between(0, 100);
const PLACE = { task: TEXT, length: wholeNumber(1) };
const ARM = v.object({
  name: TEXT,
  model: TEXT,
  flags: v.optional(TEXT),
  server: v.optional(v.record(v.string(), TEXT, "an object of texts")),
}, OBJECT);
const CELL = {
  ...PLACE,
  weight: between(0, Infinity, true),
  score: PERCENT,
  n: COUNT,
  flips: v.optional(PERCENT),
};
const TRIED = v.object({ task: TEXT, score: v.nullable(PERCENT), n: COUNT }, OBJECT);
const DESIGN = v.object({
  base: ARM,
  change: ARM,
  differs: v.array(TEXT, "a list of texts"),
  margin: between(0, 100, true),
  errorChance: v.optional(between(0, 0.5, true)),
  method: v.optional(v.picklist(["betting", "fixed"], "betting or fixed")),
  flips: v.optional(PERCENT),
  samples: wholeNumber(1),
  firstPair: COUNT,
  questions: wholeNumber(1, 100),
  again: between(0, 1),
  calibration: v.object({ low: PERCENT, high: PERCENT, samples: wholeNumber(1) }, OBJECT),
  mix: v.pipe(
    v.array(v.object(CELL, OBJECT), "a list"),
    v.minLength(1, "a list of at least one cell"),
  ),
  dropped: v.array(v.object({ ...PLACE, reason: TEXT, tried: v.array(TRIED, "a list") }, OBJECT), "a list"),
  itself: v.nullable(
    v.object({
      pairs: COUNT,
      identical: COUNT,
      better: COUNT,
      worse: COUNT,
      difference: NUMBER,
      low: NUMBER,
      high: NUMBER,
      p: v.optional(between(0, 1)),
    }, OBJECT),
  ),
}, OBJECT);
const FILE = v.object({
  format: v.literal(1, "1"),
  fathom: TEXT,
  sha256: TEXT,
  design: DESIGN,
  registered: v.pipe(v.string("a time in ISO 8601"), v.isoTimestamp("a time in ISO 8601")),
}, OBJECT);

/**
 * Reads the registered design in a certificate's folder; `undefined` if there is none.
 *
 * @throws {SyntaxError} If the file has other content, or its design was changed after it was registered.
 */
export async function readCertificate(path: string): Promise<RegisteredCertificate | undefined> {
  const file = `${path}/certificate.json`;
  let text: string;
  try {
    text = await readRegularText(file, MAX_BYTES);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
  let found: string | undefined;
  try {
    const read = JSON.parse(text) as RegisteredCertificate;
    found = findMisfit(FILE, read);
    if (found === undefined && hashDesign(read.design) !== read.sha256) {
      found = "its design was changed since, so its hash is another";
    }
    if (found === undefined) {
      checkStudy(read.design.study, { where: `"${file}"` });
      return { ...read, design: { ...read.design, study: studyFromFile(path, read.design.study) } };
    }
  } catch (error) {
    found = (error as Error).message;
  }
  throw new SyntaxError(`Cannot read "${file}" as it must be a certificate as it was registered: ${found}`);
}

function hashDesign(design: CertificateDesign): string {
  return hashOf([JSON.stringify(design)]);
}

/** Writes a design with its hash and the time, whole or not at all. The file's paths are relative to the project of its folder. */
export async function registerCertificate(path: string, design: CertificateDesign): Promise<RegisteredCertificate> {
  const written = { ...design, study: studyForFile(path, design.study) };
  const certificate = {
    format: 1,
    fathom: FATHOM_VERSION,
    registered: new Date().toISOString(),
    sha256: hashDesign(written),
    design: written,
  } as const;
  await mkdir(path, { recursive: true });
  await writeWhole(`${path}/certificate.json`, `${JSON.stringify(certificate, null, 2)}\n`);
  return { ...certificate, design };
}

/** Returns the rule that decides a certificate. */
export function ruleOf(
  { margin, errorChance, method, flips, samples, mix }: Omit<CertificateRule, "cells"> & Pick<CertificateDesign, "mix">,
): CertificateRule {
  return {
    margin,
    samples,
    ...defined({ errorChance, method, flips }),
    cells: mix.map((cell) => ({ name: cellName(cell), weight: cell.weight })),
  };
}

/** Names a cell. */
export function cellName({ task, length }: Pick<MixCell, "task" | "length">): string {
  return `${task} at ${length}`;
}
