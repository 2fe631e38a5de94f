import {
  readManifestFile,
  type Repair,
  repairTexts,
  type RunManifest,
  RUNS_FOLDER,
  writeManifest,
} from "@/lib/studies/mod.ts";
import { readMeasuredName } from "./measured_files.ts";
import { filesOf, type ReadRunOptions, runFolder } from "./read_run.ts";
import { answeredSamples, compareMark, type FileState, markRecords, strayProblems } from "./record_problems.ts";
import { type ByteSource, heldBytes, openLocked, parseRecord, placeKey, readLines } from "./records_file.ts";
import { ADDRESS, differingSettings } from "./store.ts";
import { explainFileError, type RunRecord } from "@/lib/models/mod.ts";
import { plural, quoteText } from "@/lib/text/mod.ts";

/** What a look at the files of a run found. */
export interface RunCheck {
  /** The run's name. */
  readonly run: string;
  /** Records that can be read, answers asked again included. */
  readonly records: number;
  /** Samples that are answered. */
  readonly answered: number;
  /** What is wrong, each in a sentence; empty where nothing is. */
  readonly faults: readonly string[];
  /** What is worth knowing and no fault. */
  readonly notes: readonly string[];
  /** The lines that hold no record. */
  readonly broken: readonly BrokenLine[];
}

/** A line of a file of records that holds none. */
export interface BrokenLine {
  /** From 1. */
  readonly number: number;
  /** What is wrong with it. */
  readonly problem: string;
  readonly text: string;
}

/** The most broken lines that are told one by one. */
const MOST_TOLD = 5;

/**
 * Checks the files of a run that somebody sent, or that a crash left behind: the types of all fields, whether the records are
 * those that the manifest has, by the hash of the file, and whether each is of the run. No sample is made again.
 *
 * @param name As for {@linkcode readRun}.
 * @throws {RangeError} If there is no such run.
 * @throws {SyntaxError} If its manifest is none.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual((await verifyRun("measured/gemma-3-270m/cdme")).faults, []);
 * ```
 */
export async function verifyRun(name: string, options: ReadRunOptions = {}): Promise<RunCheck> {
  const files = filesOf(name, options);
  const manifest = await readManifestFile(files.manifest);
  if (manifest === undefined) {
    throw new RangeError(`Cannot verify the run as there must be a file "${files.manifest}": there is none`);
  }
  const { records, broken, isTorn } = await readAll(files);
  const state = await stateOf(manifest, files);
  const latest = new Map<string, RunRecord>();
  for (const record of records) {
    const key = placeKey(record);
    if (latest.get(key)?.reply.kind !== "answer") latest.set(key, record);
  }
  const answered = answeredSamples([...latest.values()]).count;
  return {
    run: name,
    records: records.length,
    answered,
    faults: [
      ...nameFaults(manifest, name),
      ...brokenFaults(broken, isTorn),
      ...stateFaults(manifest, { state, latest: [...latest.values()] }),
      ...strayProblems(manifest, records).map(({ wanted, found }) => `${wanted}: current value is ${said(found)}`),
      ...settingFaults(manifest, records),
    ],
    notes: [
      ...(records.length > latest.size ? [`${records.length - latest.size} records are of samples asked again`] : []),
      ...(state === "longer"
        ? ["records were added since the manifest was completed: the run goes on, or was killed"]
        : []),
      ...(state === undefined ? ["its manifest has no hash of the replies, so that an edited one cannot be told"] : []),
      ...versionNotes(records),
      ...repairTexts(manifest),
    ],
    broken,
  };
}

interface AllRecords {
  readonly records: readonly RunRecord[];
  readonly broken: readonly BrokenLine[];
  /** Whether the last line was cut short. */
  readonly isTorn: boolean;
}

async function readAll({ records: path, open }: ReturnType<typeof filesOf>): Promise<AllRecords> {
  using file = await open(path);
  return await readLinesOf(file);
}

async function readLinesOf(file: ByteSource): Promise<AllRecords> {
  const records: RunRecord[] = [];
  const broken: BrokenLine[] = [];
  let isTorn = false;
  for await (const { text, number, isEnded } of readLines(file)) {
    const { record, problem } = parseRecord(text);
    if (record !== undefined) records.push(record);
    else broken.push({ number, problem, text });
    isTorn = !isEnded && record === undefined;
  }
  return { records, broken, isTorn };
}

async function stateOf(
  { records: mark }: RunManifest,
  { records: path, open }: ReturnType<typeof filesOf>,
): Promise<FileState | undefined> {
  if (mark === undefined) return undefined;
  using file = await open(path);
  return await compareMark(file, mark);
}

function said(value: unknown): string {
  return quoteText(JSON.stringify(value) ?? "none", 100);
}

function nameFaults(manifest: RunManifest, name: string): readonly string[] {
  if (name.includes("/") || manifest.name === name) return [];
  return [`its folder was copied or renamed: its manifest calls it "${manifest.name}"`];
}

function brokenFaults(broken: readonly BrokenLine[], isTorn: boolean): readonly string[] {
  const told = broken.slice(0, MOST_TOLD).map(({ number, problem, text }, at) =>
    isTorn && at === broken.length - 1
      ? `line ${number} was cut short`
      : `line ${number} ${problem}: ${quoteText(text, 60)}`
  );
  const more = broken.length - told.length;
  return [...told, ...(more > 0 ? [`${more} more ${plural(more, "line")} hold no record`] : [])];
}

function stateFaults(
  { samples }: RunManifest,
  { state, latest }: { readonly state: FileState | undefined; readonly latest: readonly RunRecord[] },
): readonly string[] {
  if (state === "cut") return ["the file of records is shorter than when the run ended: records were cut off"];
  if (state === "changed") {
    return ["the file of records is another than when the run ended: something in it was changed"];
  }
  const { count, sha256 } = answeredSamples(latest);
  if (sha256 === samples.sha256 || state === "longer") return [];
  if (state === undefined && count > samples.count) return [];
  return [
    `the manifest has ${samples.count} answered ${plural(samples.count, "sample")} with the hash ${
      samples.sha256.slice(0, 12)
    }…, the records ${count} with ${sha256.slice(0, 12)}…`,
  ];
}

/** Records whose settings are not those of the run; each line has them, and only one of them decides what was asked. */
function settingFaults(manifest: RunManifest, records: readonly RunRecord[]): readonly string[] {
  const known = new Set<string>();
  const names = new Set<string>();
  for (const { settings } of records) {
    const text = JSON.stringify(settings);
    if (known.has(text)) continue;
    known.add(text);
    // A setting that one of them lacks came into being later.
    const shared = Object.fromEntries(
      Object.entries(settings).filter(([name]) => Object.hasOwn(manifest.settings, name)),
    );
    const differing = differingSettings(manifest, { ...manifest, settings: { ...manifest.settings, ...shared } });
    for (const { name, before, now } of differing.filter(({ name }) => name !== ADDRESS)) {
      names.add(`${name} is ${before} in the manifest and ${now} in records`);
    }
  }
  return [...names];
}

function versionNotes(records: readonly RunRecord[]): readonly string[] {
  const versions = [...Map.groupBy(records, ({ fathom }) => fathom)];
  if (versions.length < 2) return [];
  return [
    `several versions of Fathom asked: ${versions.map(([version, { length }]) => `${version} ${length}`).join(", ")}`,
  ];
}

/** What a repair did. */
export interface RunRepair {
  /** What was found before it. */
  readonly before: RunCheck;
  /** The files that keep what was cut and replaced; empty where nothing was wrong. */
  readonly kept: readonly string[];
}

/**
 * Makes a run readable again: lines that hold no record go into a file beside the others, the manifest before it into another,
 * and the manifest says from then on what was found and when. What is lost cannot be brought back, and what was changed stays
 * as it is.
 *
 * @throws {RangeError} If there is no such run, or it is one that comes with Fathom.
 * @throws {SyntaxError} If its manifest is none: then nothing tells what was asked.
 * @throws {Error} If another process is adding to the run.
 */
export async function repairRun(name: string, options: ReadRunOptions = {}): Promise<RunRepair> {
  if (readMeasuredName(name) !== undefined) {
    throw new RangeError(`Cannot repair the run as it must be one of ${RUNS_FOLDER}: current value is "${name}"`);
  }
  const before = await verifyRun(name, options);
  if (before.faults.length === 0) return { before, kept: [] };
  const path = runFolder(name, options);
  const { manifest: manifestPath, records: recordsPath } = filesOf(name, options);
  const manifest = (await readManifestFile(manifestPath))!;
  using _lock = await openLocked(recordsPath, false);
  const content = await Deno.readFile(recordsPath);
  const { records, broken } = await readLinesOf(heldBytes(content));
  const kept: string[] = [];
  const keep = async (base: string, text: string): Promise<void> => {
    kept.push(await writeBeside(path, { base, text }));
  };
  await keep("manifest-before-repair", await Deno.readTextFile(manifestPath));
  if (broken.length > 0) {
    await keep("records-cut", broken.map(({ text }) => `${text}\n`).join(""));
    await writeRecords(recordsPath, records);
  }
  const repair: Repair = { time: new Date().toISOString(), found: before.faults, kept };
  using file = await Deno.open(recordsPath);
  await writeManifest(path, {
    ...manifest,
    ...(name.includes("/") ? {} : { name }),
    samples: answeredSamples(records),
    records: await markRecords(file),
    repairs: [...manifest.repairs ?? [], repair],
  });
  return { before, kept: kept.map((file) => `${path}/${file}`) };
}

/** Writes a file of records, whole or not at all. */
async function writeRecords(path: string, records: readonly RunRecord[]): Promise<void> {
  const writer = (await Deno.create(`${path}.new`)).writable.getWriter();
  const encoder = new TextEncoder();
  for (const record of records) await writer.write(encoder.encode(`${JSON.stringify(record)}\n`));
  await writer.close();
  await Deno.rename(`${path}.new`, path);
}

/** Writes a file that is not there yet, such as `records-cut-2.txt`; gives its name. */
async function writeBeside(
  folder: string,
  { base, text }: { readonly base: string; readonly text: string },
): Promise<string> {
  for (let number = 1;; number++) {
    const name = `${base}-${number}.txt`;
    try {
      await Deno.writeTextFile(`${folder}/${name}`, text, { createNew: true });
      return name;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) continue;
      throw new Error(`Cannot write "${folder}/${name}" as the system must permit it: ${explainFileError(error)}`);
    }
  }
}
