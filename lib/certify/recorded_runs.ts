import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ArmServer, CertificateDesign, RegisteredCertificate } from "./design.ts";
import { defined, shownText } from "@/lib/base/mod.ts";
import type { Model, ModelSettings, Reply } from "@/lib/models/mod.ts";
import {
  readScoredRun,
  type RecordedScores,
  type RunRecord,
  type ScoringOptions,
  verifyRun,
} from "@/lib/records/mod.ts";

/** Describes how the server of an arm changed. */
function changeText(arm: string, fact: string, before: string, now: string): string {
  const [was, is] = [before, now].map((text) => shownText(text, 100));
  return `the server of ${arm} changed: its ${fact} was ${was} and then ${is}`;
}

/** The servers of a certificate. */
export type ArmServers = Readonly<Record<"base" | "change", ArmServer>>;

/** The names of both arms. */
export type ArmNames = Readonly<Record<"base" | "change", { readonly name: string }>>;

const ARMS = ["base", "change"] as const;

/** Lists how servers differ from what they were; a fact that one did not give then or does not give now is no difference. */
export function serverDifferences(arms: ArmNames, before: ArmServers, now: ArmServers): readonly string[] {
  return ARMS.flatMap((arm) => differences(arms[arm].name, before[arm], now[arm]));
}

function differences(arm: string, before: ArmServer, now: ArmServer): readonly string[] {
  const facts: readonly (keyof ArmServer)[] = ["address", "software", "model", "weights"];
  return facts.flatMap((fact) => {
    const [was, is] = [before[fact], now[fact]];
    return was === undefined || is === undefined || was === is ? [] : [changeText(arm, fact, was, is)];
  });
}

/** Finds the facts by which the servers of models are recognised; no question is asked. */
export async function findServers(
  { base, change }: Readonly<Record<"base" | "change", { readonly model: Pick<Model, "settings" | "probe"> }>>,
): Promise<ArmServers> {
  return { base: await findServer(base.model), change: await findServer(change.model) };
}

async function findServer({ settings, probe }: Pick<Model, "settings" | "probe">): Promise<ArmServer> {
  const { software, served = [], weights } = (await probe?.([], { asks: false, count: () => 0 }))?.report ?? {};
  return defined({ ...addressOf(settings), software, model: served.length === 1 ? served[0] : undefined, weights });
}

function addressOf({ baseUrl }: ModelSettings): ArmServer {
  return typeof baseUrl === "string" ? { address: baseUrl } : {};
}

/**
 * Lists how the servers of a certificate differ from those that were asked before.
 *
 * @throws {RangeError} If one is asked at another address.
 */
export function serverChanges(
  path: string,
  { arms, earlier: { runs, changes }, before, servers }: {
    readonly arms: ArmNames;
    readonly earlier: CertificateRuns;
    readonly before: Pick<CertificateDesign, "base" | "change"> | undefined;
    readonly servers: ArmServers;
  },
): readonly string[] {
  const began = { base: runs.calibration, change: runs.change };
  const found = ARMS.flatMap((arm) => {
    const was = before?.[arm].server ?? addressOf(began[arm]?.manifest.settings ?? {});
    const { address } = servers[arm];
    if (was.address === undefined || was.address === address) {
      return differences(arms[arm].name, was, servers[arm]);
    }
    throw new RangeError(
      `Cannot resume the certificate in "${path}" as ${
        arms[arm].name
      } must be at ${was.address}, as before: current value is ${address}; a command without --name asks the servers that run now`,
    );
  });
  return [...changes, ...found];
}

/** Returns a function that notes a reply of an arm, and returns how its server changed since the first one, if it did. */
function watchReplies(arm: string, earlier: Iterable<Reply> = []): (reply: Reply) => string | undefined {
  const known = new Map<string, string>();
  const note = (reply: Reply): string | undefined => {
    if (reply.kind === "failure") return undefined;
    const facts = { "served model": reply.servedModel, fingerprint: reply.fingerprint };
    const changes = Object.entries(facts).flatMap(([fact, now]) => {
      const before = now === undefined ? now : known.getOrInsert(fact, now);
      return before === now ? [] : [changeText(arm, fact, before!, now!)];
    });
    return changes[0];
  };
  for (const reply of earlier) note(reply);
  return note;
}

/** Returns such a function for the replies of base and change after those that are recorded. */
export function watchArms(
  { base, change }: Pick<CertificateDesign, "base" | "change">,
  { runs }: Pick<CertificateRuns, "runs">,
): Readonly<Record<"base" | "change", (reply: Reply) => string | undefined>> {
  const replies = (...names: readonly (keyof typeof runs)[]): readonly Reply[] =>
    names.flatMap((name) => runs[name]?.records.map(({ reply }) => reply) ?? []);
  return {
    base: watchReplies(base.name, replies("calibration", "base", "again")),
    change: watchReplies(change.name, replies("change")),
  };
}

/** Lists how the server of an arm changed between its first reply and the others. */
export function replyChanges(arm: string, records: readonly RunRecord[]): readonly string[] {
  const inTime = records.toSorted(({ time: left = "" }, { time: right = "" }) => left.localeCompare(right, "en"));
  const note = watchReplies(arm);
  return [...new Set(inTime.flatMap(({ reply }) => note(reply) ?? []))];
}

const CHANGES_FILE = "server-changes.txt";

/** Adds changes of servers that no reply shows to those of a certificate, a line each. */
export async function noteServerChanges(path: string, changes: readonly string[]): Promise<void> {
  await appendFile(`${path}/${CHANGES_FILE}`, changes.map((change) => `${change}\n`).join(""));
}

async function readServerChanges(path: string): Promise<readonly string[]> {
  const text = await readFile(`${path}/${CHANGES_FILE}`, "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "").map((line) => shownText(line, 400));
}

const RUNS = ["calibration", "base", "again", "change"] as const;

/** The end of a session that was killed while it wrote a reply, which is asked again. */
const TORN = /^line \d+ was cut short$/;

/** The runs of a certificate as they were recorded. */
export interface CertificateRuns {
  /** Those that were begun; `calibration` and `again` ask the base too. */
  readonly runs: Readonly<Partial<Record<typeof RUNS[number], RecordedScores>>>;
  /** The number of replies of all runs, and the times of the first and the last in ISO 8601. */
  readonly recorded: { readonly count: number; readonly from: string; readonly to: string };
  /** Why the runs are not what was recorded, a line each. */
  readonly faults: readonly string[];
  /** How the servers changed half-way, a line each. */
  readonly changes: readonly string[];
  /** The repairs of its runs. */
  readonly notes: readonly string[];
}

/**
 * Reads the runs of a certificate, and checks the hashes of their records, and that base and change were asked for its design at its
 * servers.
 */
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
    const [torn = [], wrong = []] = [true, false].map((isTorn) =>
      check.faults.filter((fault) => TORN.test(fault) === isTorn)
    );
    for (const fault of wrong) faults.push(`${name}: ${fault}`);
    const repairs = check.notes.filter((note) => note.startsWith("repaired "));
    for (const note of [...torn, ...repairs]) notes.push(`${name}: ${note}`);
    if (wrong.length > 0) continue;
    const run = await readScoredRun(folder, options);
    runs[name] = run;
    for (const fault of findStrangers(name, run, certificate)) faults.push(fault);
  }
  const records = (names: readonly typeof RUNS[number][]): readonly RunRecord[] =>
    names.flatMap((name) => runs[name]?.records ?? []);
  const times = records(RUNS).flatMap(({ time }) => time ?? []).sort();
  const { base = { name: "base" }, change = { name: "change" } } = certificate?.design ?? {};
  return {
    ...{ runs, faults, notes },
    recorded: { count: records(RUNS).length, from: times[0] ?? "", to: times.at(-1) ?? "" },
    changes: [
      ...replyChanges(base.name, records(["calibration", "base", "again"])),
      ...replyChanges(change.name, records(["change"])),
      ...await readServerChanges(path),
    ],
  };
}

/**
 * Refuses a certificate whose runs are not what was recorded.
 *
 * @throws {SyntaxError} If there are faults; the message has the first.
 */
export function checkCertificateRuns(path: string, { faults }: Pick<CertificateRuns, "faults">): void {
  if (faults.length === 0) return;
  throw new SyntaxError(
    `Cannot judge the certificate in "${path}" as its runs must be as they were recorded: ${
      faults[0]
    }; \`fathom verify ${path}\` lists ${faults.length === 1 ? "the details" : `all ${faults.length} faults`}`,
  );
}

/** The setting by which each record of base and change names the design that it was asked for, and its side. */
export function certificateMark({ sha256 }: Pick<RegisteredCertificate, "sha256">, arm: "base" | "change"): string {
  return `${sha256.slice(0, 16)} ${arm}`;
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
  const mark = isMarked ? certificateMark(certificate, name) : undefined;
  const elsewhere = records.find(({ settings }) => address !== undefined && settings["baseUrl"] !== address);
  const foreign = records.find(({ settings }) => settings["certificate"] !== mark);
  const faults: readonly (readonly [isFault: boolean, fault: string])[] = [
    [manifest.model !== arm.model, `its model must be "${arm.model}": current value is "${manifest.model}"`],
    [elsewhere !== undefined, `it was asked at ${elsewhere?.settings["baseUrl"]} too, not at ${address}`],
    [
      foreign !== undefined,
      `replies were asked for another design or side: ${foreign?.settings["certificate"] ?? "none"}, not ${
        mark ?? "none"
      }`,
    ],
  ];
  return faults.flatMap(([isFault, fault]) => isFault ? [`${name}: ${shownText(fault, 400)}`] : []);
}
