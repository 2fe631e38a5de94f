import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { resolve } from "node:path";
import { readCertificate, type RegisteredCertificate } from "./design.ts";
import { readServerChanges } from "./servers.ts";
import { replyChanges } from "@/lib/asking/mod.ts";
import { shownText } from "@/lib/base/mod.ts";
import {
  readScoredRun,
  type RecordedScores,
  type RunRecord,
  type ScoringOptions,
  verifyRun,
} from "@/lib/records/mod.ts";

const RUNS = ["calibration", "base", "again", "change"] as const;

/** The end of a session that was killed while it wrote a reply, which is asked again. */
const TORN = /^line \d+ was cut short$/;

/** The runs of a certificate as they were recorded. */
export interface CertificateRuns {
  readonly runs: Readonly<Partial<Record<"calibration" | "base" | "again" | "change", RecordedScores>>>;
  /** The number of replies of all runs, and the times of the first and the last in ISO 8601. */
  readonly recorded: { readonly count: number; readonly from: string; readonly to: string };
  /** Why the runs are not what was recorded, a line each. */
  readonly faults: readonly string[];
  /** How the servers changed half-way, a line each. */
  readonly changes: readonly string[];
  /** The repairs of its runs. */
  readonly notes: readonly string[];
}

/** Reads the runs of a certificate, and checks that they are what was recorded, for its design and at its servers. */
export async function readCertificateRuns(
  path: string,
  certificate: RegisteredCertificate | undefined,
  options: ScoringOptions = {},
): Promise<CertificateRuns> {
  const runs: Partial<Record<typeof RUNS[number], RecordedScores>> = {};
  const [faults, notes]: [string[], string[]] = [[], []];
  for (const name of RUNS) {
    const folder = `${resolve(path)}/${name}`;
    if (!existsSync(`${folder}/manifest.json`)) continue;
    const check = await verifyRun(folder, options);
    const repairs = [
      ...check.faults.filter((fault) => TORN.test(fault)),
      ...check.notes.filter((note) => note.startsWith("repaired ")),
    ];
    const wrong = check.faults.filter((fault) => !TORN.test(fault));
    faults.push(...wrong.map((fault) => `${name}: ${fault}`));
    notes.push(...repairs.map((note) => `${name}: ${note}`));
    if (wrong.length > 0) continue;
    const run = await readScoredRun(folder, options);
    runs[name] = run;
    faults.push(...findStrangers(name, run, certificate));
  }
  const records = (names: readonly typeof RUNS[number][]): readonly RunRecord[] =>
    names.flatMap((name) => runs[name]?.records ?? []);
  const times = records(RUNS).flatMap(({ time }) => time ?? []).sort();
  const { base = { name: "base" }, change = { name: "change" } } = certificate?.design ?? {};
  return {
    runs,
    faults,
    notes,
    recorded: { count: records(RUNS).length, from: times[0] ?? "", to: times.at(-1) ?? "" },
    changes: [
      ...replyChanges(base.name, records(["calibration", "base", "again"])),
      ...replyChanges(change.name, records(["change"])),
      ...await readServerChanges(path),
    ],
  };
}

/** Refuses a certificate whose runs are not what was recorded, with the first fault. */
export function checkCertificateRuns(path: string, { faults }: Pick<CertificateRuns, "faults">): void {
  const [first] = faults;
  if (first === undefined) return;
  const others = faults.length === 1 ? "the details" : `all ${faults.length} faults`;
  throw new SyntaxError(
    `Cannot judge the certificate in "${path}" as its runs must be as they were recorded: ${first}; \`fathom verify ${path}\` lists ${others}`,
  );
}

/** Lists why a run is not the one of its certificate's design. */
function findStrangers(
  name: typeof RUNS[number],
  { manifest, records }: RecordedScores,
  certificate: RegisteredCertificate | undefined,
): readonly string[] {
  if (certificate === undefined) return [];
  const { base, change } = certificate.design;
  const arm = name === "change" ? change : base;
  const address = arm.server?.address;
  const isPaired = name === "base" || name === "change";
  // Certificates of earlier versions have no marks.
  const isMarked = manifest.settings["certificate"] !== undefined && isPaired;
  const mark = isMarked ? certificateMark(certificate, name) : "none";
  const elsewhere = records.find(({ settings }) => address !== undefined && settings["baseUrl"] !== address);
  const foreign = records.map(({ settings }) => settings["certificate"] ?? "none").find((each) => each !== mark);
  const faults = [
    manifest.model !== arm.model && `its model must be "${arm.model}": current value is "${manifest.model}"`,
    elsewhere && `it was asked at ${elsewhere.settings["baseUrl"]} too, not at ${address}`,
    foreign !== undefined && `replies were asked for another design or side: ${foreign}, not ${mark}`,
  ];
  return faults.flatMap((fault) => fault ? [`${name}: ${shownText(fault, 400)}`] : []);
}

/**
 * The setting by which each record of base and change names the design that it was asked for, and its side. Replies of the base that are
 * reused name the design that they were first asked for.
 */
export function certificateMark(
  { sha256, design: { reused } }: Pick<RegisteredCertificate, "sha256" | "design">,
  arm: "base" | "change",
): string {
  return arm === "base" && reused !== undefined ? reused : `${sha256.slice(0, 16)} ${arm}`;
}

/**
 * Copies the replies of another certificate's base into a new one, which asks the base again only where it has none, and for the
 * samples that are asked twice. Returns the other certificate.
 *
 * @throws {RangeError} If there is no such certificate, or its base was asked at another address.
 */
export async function reuseBase(from: string, path: string): Promise<RegisteredCertificate> {
  const earlier = await readCertificate(from);
  const copied = ["calibration", "base"].map((run) => [`${resolve(from)}/${run}`, `${resolve(path)}/${run}`] as const);
  const missing = copied.find(([folder]) => !existsSync(`${folder}/manifest.json`));
  if (earlier === undefined || missing !== undefined) {
    throw new RangeError(
      `Cannot reuse the base of a certificate as its folder must hold certificate.json and the runs calibration and base: current value is "${from}"`,
    );
  }
  for (const [source, target] of copied) if (!existsSync(target)) await cp(source, target, { recursive: true });
  return earlier;
}
