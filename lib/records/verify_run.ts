import { open, readFile, rename, writeFile } from "node:fs/promises";
import {
  type BenchmarkOptions,
  readManifestFile,
  type Repair,
  repairTexts,
  type RunManifest,
  RUNS_FOLDER,
  writeManifest,
} from "@/lib/studies/mod.ts";
import { answeredSamples, type CheckedFile, fileStates, markRecords, strayProblems } from "./integrity.ts";
import { readMeasuredName } from "./measured_files.ts";
import type { ReadRunOptions } from "./read_run.ts";
import { type ByteSource, heldBytes, openLocked, parseRecord, placeKey, readLines } from "./records_file.ts";
import { filesOf, type RecordsFile, runFolder, writeShardMark } from "./run_files.ts";
import { shardFaults } from "./shard_faults.ts";
import { ADDRESS, differingSettings } from "./store.ts";
import { explainFileError, type RunRecord } from "@/lib/models/mod.ts";
import { plural, quoteText } from "@/lib/text/mod.ts";

/** The result of {@linkcode verifyRun}. */
export interface RunCheck {
  /** The run's name. */
  readonly run: string;
  /** Readable records, including those of samples asked again. */
  readonly records: number;
  /** Samples with an answer. */
  readonly answered: number;
  /** The faults, each in a sentence. */
  readonly faults: readonly string[];
  /** Facts that are no faults. */
  readonly notes: readonly string[];
  /** The lines that hold no record. */
  readonly broken: readonly BrokenLine[];
}

/** A line of a file of records that holds none. */
export interface BrokenLine {
  /** From 1. */
  readonly number: number;
  /** The problem, such as `is no JSON`. */
  readonly problem: string;
  readonly text: string;
}

/** Broken lines that are listed one by one. */
const MAX_LISTED = 5;

/**
 * Checks the files of a run that came from elsewhere, or that a crash left behind: the type of each field, the hash of the records,
 * and whether each record belongs to the run. A run of several shards must also be complete: its plan is made again, and each of its
 * samples must have one record. No sample is made again except those without a record.
 *
 * @param name A name as for {@linkcode readRun}.
 * @throws {RangeError} If there is no such run.
 * @throws {SyntaxError} If its manifest holds something else.
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
  const read = await Promise.all((await files.records()).map(readWhole));
  const states = await fileStates(manifest, read);
  const records = read.flatMap((file) => file.records);
  const latest = new Map<string, RunRecord>();
  for (const record of records) {
    const key = placeKey(record);
    if (latest.get(key)?.reply.kind !== "answer") latest.set(key, record);
  }
  const isMarked = states.every(({ state }) => state !== undefined);
  return {
    run: name,
    records: records.length,
    answered: answeredSamples([...latest.values()]).count,
    faults: [
      ...nameFaults(manifest, name),
      ...read.flatMap(brokenFaults),
      ...stateFaults(manifest, { states, latest: [...latest.values()] }),
      ...strayProblems(manifest, records).map(({ wanted, found }) => `${wanted}: current value is ${shown(found)}`),
      ...settingFaults(manifest, records),
      ...await shardFaults(manifest, read, options),
    ],
    notes: [
      ...(records.length > latest.size ? [`${records.length - latest.size} records are of samples asked again`] : []),
      ...(states.some(({ state }) => state === "longer")
        ? ["records were added since the manifest was completed: the run is under way or was killed"]
        : []),
      ...(isMarked ? [] : ["its manifest has no hash of the replies, so that edits cannot be detected"]),
      ...versionNotes(records),
      ...repairTexts(manifest),
    ],
    broken: read.flatMap(({ broken }) => broken),
  };
}

interface ReadFile extends RecordsFile {
  readonly records: readonly RunRecord[];
  readonly broken: readonly BrokenLine[];
  /** Whether the last line was cut short. */
  readonly isTorn: boolean;
}

async function readWhole(file: RecordsFile): Promise<ReadFile> {
  using source = await file.open();
  return { ...file, ...await readLinesOf(source) };
}

async function readLinesOf(file: ByteSource): Promise<Pick<ReadFile, "records" | "broken" | "isTorn">> {
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

function shown(value: unknown): string {
  return quoteText(JSON.stringify(value) ?? "none", 100);
}

function nameFaults(manifest: RunManifest, name: string): readonly string[] {
  if (name.includes("/") || manifest.name === name) return [];
  return [`its folder was copied or renamed: its manifest calls it "${manifest.name}"`];
}

function brokenFaults({ broken, isTorn, shard }: ReadFile): readonly string[] {
  const place = shard === undefined ? "" : ` of shard ${shard.index}/${shard.of}`;
  const listed = broken.slice(0, MAX_LISTED).map(({ number, problem, text }, at) =>
    isTorn && at === broken.length - 1
      ? `line ${number}${place} was cut short`
      : `line ${number}${place} ${problem}: ${quoteText(text, 60)}`
  );
  const more = broken.length - listed.length;
  return [...listed, ...(more > 0 ? [`${more} more ${plural(more, "line")}${place} hold no record`] : [])];
}

function stateFaults(
  { samples }: RunManifest,
  { states, latest }: { readonly states: readonly CheckedFile[]; readonly latest: readonly RunRecord[] },
): readonly string[] {
  const faults = states.flatMap(({ state, shard }) => {
    const file = shard === undefined ? "the file of records" : `the file of shard ${shard.index}/${shard.of}`;
    if (state === "cut") return [`${file} is shorter than when the run ended: records were cut off`];
    return state === "changed" ? [`${file} is another than when the run ended: something in it was changed`] : [];
  });
  if (faults.length > 0 || states.some(({ shard }) => shard !== undefined)) return faults;
  const { count, sha256 } = answeredSamples(latest);
  const [{ state } = { state: undefined }] = states;
  if (sha256 === samples.sha256 || state === "longer" || (state === undefined && count > samples.count)) return [];
  return [
    `the manifest has ${samples.count} answered ${plural(samples.count, "sample")} with the hash ${
      samples.sha256.slice(0, 12)
    }…, the records ${count} with ${sha256.slice(0, 12)}…`,
  ];
}

/** Lists settings of records that differ from those of the manifest; address and settings added by later versions aside. */
function settingFaults(manifest: RunManifest, records: readonly RunRecord[]): readonly string[] {
  const known = new Set<string>();
  const names = new Set<string>();
  for (const { settings } of records) {
    const text = JSON.stringify(settings);
    if (known.has(text)) continue;
    known.add(text);
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

/** The result of {@linkcode repairRun}. */
export interface RunRepair {
  /** The check before the repair. */
  readonly before: RunCheck;
  /** The files that keep what was cut and replaced; empty if nothing was wrong. */
  readonly kept: readonly string[];
}

/**
 * Makes a run readable again. Lines that hold no record and the previous manifest move to files beside the others, and the manifest
 * records what was found and when. Lost records cannot be restored, and edited ones stay as they are.
 *
 * @throws {RangeError} If there is no such run, or it is one that comes with Fathom.
 * @throws {SyntaxError} If its manifest holds something else.
 * @throws {Error} If another process is adding to the run.
 */
export async function repairRun(name: string, options: ReadRunOptions & BenchmarkOptions = {}): Promise<RunRepair> {
  if (readMeasuredName(name) !== undefined) {
    throw new RangeError(`Cannot repair the run as it must be one of ${RUNS_FOLDER}: current value is "${name}"`);
  }
  const before = await verifyRun(name, options);
  if (before.faults.length === 0) return { before, kept: [] };
  const path = runFolder(name, options);
  const files = filesOf(name, options);
  const manifest = (await readManifestFile(files.manifest))!;
  const kept = [await writeBeside(path, "manifest-before-repair", await readFile(files.manifest, "utf8"))];
  let { records: mark } = manifest;
  const latest: RunRecord[] = [];
  for (const file of await files.records()) {
    using _lock = await openLocked(file.path, false);
    const { records, broken } = await readLinesOf(heldBytes(await readFile(file.path)));
    latest.push(...records);
    if (broken.length > 0) {
      kept.push(await writeBeside(path, "records-cut", broken.map(({ text }) => `${text}\n`).join("")));
      await writeRecords(file.path, records);
    }
    using repaired = await file.open();
    const now = await markRecords(repaired);
    if (file.shard === undefined) mark = now;
    else await writeShardMark(file.path, now);
  }
  const repair: Repair = { time: new Date().toISOString(), found: before.faults, kept };
  await writeManifest(path, {
    ...manifest,
    ...(name.includes("/") ? {} : { name }),
    samples: answeredSamples(latest),
    ...(mark === undefined ? {} : { records: mark }),
    repairs: [...manifest.repairs ?? [], repair],
  });
  return { before, kept: kept.map((file) => `${path}/${file}`) };
}

/** Writes a file of records, whole or not at all. */
async function writeRecords(path: string, records: readonly RunRecord[]): Promise<void> {
  const file = await open(`${path}.new`, "w");
  try {
    for (const record of records) await file.write(`${JSON.stringify(record)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/** Writes a new file, such as `records-cut-2.txt`, and returns its name. */
async function writeBeside(folder: string, base: string, text: string): Promise<string> {
  for (let number = 1;; number++) {
    const name = `${base}-${number}.txt`;
    try {
      await writeFile(`${folder}/${name}`, text, { flag: "wx" });
      return name;
    } catch (error) {
      if ((error as { readonly code?: string }).code === "EEXIST") continue;
      throw new Error(`Cannot write "${folder}/${name}" as the system must permit it: ${explainFileError(error)}`);
    }
  }
}
