import { mkdir } from "node:fs/promises";
import type { CertificateRule } from "./decision.ts";
import { defined, hashOf, readRegularText, writeWhole } from "@/lib/base/mod.ts";
import {
  checkStudy,
  FATHOM_VERSION,
  findMisfit,
  placeStudy,
  RUNS_FOLDER,
  type Study,
  v,
  wholeNumber,
} from "@/lib/studies/mod.ts";

/** The folder of certificates, beside that of the runs. */
export const CERTIFICATES_FOLDER: string = RUNS_FOLDER.replace(/runs$/, "certificates");

const MAX_BYTES = 4 * 2 ** 20;

const TEXT = v.string("a text");
const NUMBER = v.pipe(v.number("a number"), v.finite("a number"));
const COUNT = wholeNumber(0);
const OBJECT = "an object";

/** A number between two others; `isOpen` leaves out both. */
function between(low: number, high: number, isOpen = false): v.GenericSchema<unknown, number> {
  const isInside = (value: number): boolean => isOpen ? low < value && value < high : low <= value && value <= high;
  const message = isOpen ? `a number in (${low}, ${high})` : `a number in [${low}, ${high}]`;
  return v.config(v.pipe(v.number(), v.check(isInside)), { message });
}

const PERCENT = between(0, 100);

const SERVER = v.object({
  address: v.exactOptional(TEXT),
  software: v.exactOptional(TEXT),
  model: v.exactOptional(TEXT),
  // The path or the name of its weights.
  weights: v.exactOptional(TEXT),
}, "an object of texts");

const ARM = v.object({
  // The user's name for it, such as `q8_0`.
  name: TEXT,
  model: TEXT,
  // The flags of the server as the user gives them; servers do not report them.
  flags: v.exactOptional(TEXT),
  // Its server when the design was registered; certificates of earlier versions lack it.
  server: v.exactOptional(SERVER),
}, OBJECT);

const CELL = v.object({
  task: TEXT,
  length: wholeNumber(1),
  weight: between(0, Infinity, true),
  // The mean score of the base when it was calibrated, and the samples behind it.
  score: PERCENT,
  n: COUNT,
  // The forecast share of its scores that a change flips without a loss.
  flips: v.exactOptional(PERCENT),
}, OBJECT);

const DROPPED = v.object({
  task: TEXT,
  length: wholeNumber(1),
  // Such as `ceiling`, `floor` or `truncated replies`.
  reason: TEXT,
  // The settings that were tried, each with its mean score; `null` if nothing could be scored.
  tried: v.array(v.object({ task: TEXT, score: v.nullable(PERCENT), n: COUNT }, OBJECT), "a list"),
}, OBJECT);

const ITSELF = v.object({
  // Samples with a score both times, and those whose two replies have the same text.
  pairs: COUNT,
  identical: COUNT,
  better: COUNT,
  worse: COUNT,
  // The second mean less the first, in points, with its 95% interval.
  difference: NUMBER,
  low: NUMBER,
  high: NUMBER,
  // The two-sided p-value of no difference; older certificates have none.
  p: v.exactOptional(between(0, 1)),
  // The mean square of the differences, in percent: the share that flips if scores are yes or no.
  spread: v.exactOptional(PERCENT),
}, OBJECT);

const DESIGN = v.object({
  base: ARM,
  change: ARM,
  // Names of settings in which the change may differ from the base.
  differs: v.array(TEXT, "a list of texts"),
  margin: between(0, 100, true),
  errorChance: v.exactOptional(between(0, 0.5, true)),
  method: v.exactOptional(v.picklist(["betting", "fixed"], "betting or fixed")),
  flips: v.exactOptional(PERCENT),
  samples: wholeNumber(1),
  // The number of the first sample that is compared; earlier ones calibrated the mix.
  firstPair: COUNT,
  questions: wholeNumber(1, 100),
  // The share of rounds in which the base is asked twice.
  again: between(0, 1),
  // The scores of the base between which a cell is kept, and the samples that measured them.
  calibration: v.object({ low: PERCENT, high: PERCENT, samples: wholeNumber(1) }, OBJECT),
  mix: v.pipe(v.array(CELL, "a list"), v.minLength(1, "a list of at least one cell")),
  dropped: v.array(DROPPED, "a list"),
  itself: v.nullable(ITSELF),
  // The mark of the replies of the base, if they are those of another certificate.
  reused: v.exactOptional(TEXT),
}, OBJECT);

const FILE = v.object({
  format: v.literal(1, "1"),
  fathom: TEXT,
  sha256: TEXT,
  design: DESIGN,
  registered: v.pipe(v.string("a time in ISO 8601"), v.isoTimestamp("a time in ISO 8601")),
}, OBJECT);

/** A value that nothing may change, with all its parts. */
export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;

/** A server of a certificate. */
export type CertificateArm = Frozen<v.InferOutput<typeof ARM>>;

/** The facts by which a server is recognised; those that it does not give are left out. */
export type ArmServer = Frozen<v.InferOutput<typeof SERVER>>;

/** A task at a length that base and change are compared on. */
export type MixCell = Frozen<v.InferOutput<typeof CELL>>;

/** A task at a length that the mix leaves out. */
export type DroppedCell = Frozen<v.InferOutput<typeof DROPPED>>;

/** Replies of the base to the same samples, asked twice. */
export type SelfComparison = Frozen<v.InferOutput<typeof ITSELF>>;

/** Everything that decides a certificate. It is written and hashed before the change is asked. */
export interface CertificateDesign extends Frozen<v.InferOutput<typeof DESIGN>> {
  /** The samples of the pairs: those from `firstPair` on. */
  readonly study: Study;
}

/** A certificate's design as it was registered: when, and with the SHA-256 of the design as JSON. */
export interface RegisteredCertificate extends Frozen<v.InferOutput<typeof FILE>> {
  readonly design: CertificateDesign;
}

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
      return { ...read, design: { ...read.design, study: placeStudy(read.design.study, { from: path }) } };
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
  const written = { ...design, study: placeStudy(design.study, { to: path }) };
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

export function cellName({ task, length }: Pick<MixCell, "task" | "length">): string {
  return `${task} at ${length}`;
}
