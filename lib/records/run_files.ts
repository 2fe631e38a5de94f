import { link, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { defined, explainFileError, openRegular, quoteText, readRegular, writeWhole } from "@/lib/base/mod.ts";
import {
  type ByteSource,
  heldBytes,
  type KnownRecords,
  noteRecord,
  readChunks,
  readRecords,
  type TornEnd,
} from "./records_file.ts";
import {
  checkRunName,
  manifestText,
  readManifest,
  type RecordsMark,
  type RunManifest,
  RUNS_FOLDER,
  type Shard,
} from "@/lib/studies/mod.ts";
import type { RunRecord } from "./record.ts";

/** The folders of runs. */
export interface RunFolderOptions {
  /** The folder of the recorded runs, by default `results/runs`. */
  readonly folder?: string;
  /** The folder of measured runs, whose names begin with `measured/`, by default `data/measured`. */
  readonly measured?: string;
}

/** The folder of measured runs that come with Fathom. */
export const MEASURED_FOLDER: string = fileURLToPath(new URL("../../data/measured", import.meta.url));

export interface MeasuredName {
  readonly model: string;
  readonly benchmark: string;
}

/** Returns the name by which a measured run is opened, such as `measured/gemma-3-270m/ruler`. */
export function measuredRunName({ model, benchmark }: MeasuredName): string {
  return `measured/${model}/${benchmark}`;
}

/** Returns the run in results/runs that a measured run is packed from. */
export function runOf({ model, benchmark }: MeasuredName): string {
  return `measured-${model}-${benchmark}`;
}

/** Reads the name of a measured run; `undefined` for that of any other run. */
export function readMeasuredName(name: string): MeasuredName | undefined {
  const [first, model = "", benchmark = "", ...rest] = name.split("/");
  if (first !== "measured" || rest.length > 0) return undefined;
  return { model: checkRunName(model), benchmark: checkRunName(benchmark) };
}

/** Lists the measured runs, sorted by name; other files, such as labels, have no manifest and are no runs. */
export async function listMeasured({ measured = MEASURED_FOLDER }: RunFolderOptions = {}): Promise<
  readonly MeasuredName[]
> {
  const found: MeasuredName[] = [];
  for (const model of await listFolders(measured)) {
    const files = (await readdir(`${measured}/${model}`)).sort();
    for (const file of files.filter((name) => name.endsWith(".json"))) {
      const benchmark = file.replace(/\.json$/, "");
      if (files.includes(`${benchmark}.jsonl.gz`)) found.push({ model, benchmark });
    }
  }
  return found;
}

async function listFolders(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Lists the names of the recorded runs, sorted, then those of the measured runs that come with Fathom. With `folder`, lists only the
 * runs in it; a folder that does not exist has none.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(await listRuns({ folder: "no/such/folder" }), []);
 * ```
 */
export async function listRuns(options: RunFolderOptions = {}): Promise<string[]> {
  const { folder = RUNS_FOLDER } = options;
  // A name with a dot first is a folder that an import is still writing.
  const names = (await listFolders(folder)).filter((name) => !name.startsWith("."));
  // A folder with an unreadable manifest is listed, so that reading it reports the error.
  const manifests = await Promise.all(names.map((name) => readManifest(`${folder}/${name}`).catch(() => null)));
  const runs = names.filter((_, at) => manifests[at] !== undefined);
  return options.folder === undefined ? [...runs, ...(await listMeasured(options)).map(measuredRunName)] : runs;
}

/**
 * Returns the folder for files derived from a run, such as its figures: the run's own, or `results/runs/NAME` for a measured run.
 *
 * @param name A name as for {@linkcode readRun}.
 * @throws {RangeError} If the name cannot be a run's.
 */
export function runFolder(name: string, { folder = RUNS_FOLDER }: RunFolderOptions = {}): string {
  if (readMeasuredName(name) !== undefined) return `${folder}/${name}`;
  return name.includes("/") ? resolve(name) : `${folder}/${checkRunName(name)}`;
}

/** A file of records of a run. */
export interface RecordsFile {
  readonly path: string;
  /** The shard that wrote it; left out for `records.jsonl`. */
  readonly shard?: Shard;
  /** Opens it for reading. */
  open(): Promise<ByteSource & AsyncDisposable>;
}

/** The files of a run. */
export interface RunFiles {
  readonly manifest: string;
  /** Lists the files of records: `records.jsonl.gz` and `records.jsonl` where there are any, then those of shards. */
  records(): Promise<readonly RecordsFile[]>;
}

/** Returns the files of a run, by its name. */
export function filesOf(name: string, options: RunFolderOptions): RunFiles {
  const measured = readMeasuredName(name);
  if (measured === undefined) {
    const path = runFolder(name, options);
    return { manifest: `${path}/manifest.json`, records: () => listRecordsFiles(path) };
  }
  const base = `${options.measured ?? MEASURED_FOLDER}/${measured.model}/${measured.benchmark}`;
  const path = `${base}.jsonl.gz`;
  return { manifest: `${base}.json`, records: () => Promise.resolve([{ path, open: () => openPacked(path) }]) };
}

/** Returns the path of the file that a run, or one shard of it, writes its records to, such as `…/records.3-of-8.jsonl`. */
export function recordsPath(runPath: string, shard?: Shard): string {
  return `${runPath}/records${shard === undefined ? "" : `.${shard.index}-of-${shard.of}`}.jsonl`;
}

async function listRecordsFiles(runPath: string): Promise<readonly RecordsFile[]> {
  const names: readonly string[] = await readdir(runPath).catch(() => []);
  const shards = names.flatMap((name): Shard[] => {
    const [, index, of] = /^records\.(\d+)-of-(\d+)\.jsonl$/.exec(name) ?? [];
    return index === undefined ? [] : [{ index: Number(index), of: Number(of) }];
  }).sort((left, right) => left.of - right.of || left.index - right.index);
  const packed = names.filter((name) => name === "records.jsonl.gz").map((name) => `${runPath}/${name}`);
  const hasWhole = names.includes("records.jsonl") || (shards.length === 0 && packed.length === 0);
  const plain = [...(hasWhole ? [undefined] : []), ...shards].map((shard): RecordsFile => {
    const path = recordsPath(runPath, shard);
    return { path, ...defined({ shard }), open: () => openRegular(path).catch((error) => refuseMissing(path, error)) };
  });
  return [...packed.map((path): RecordsFile => ({ path, open: () => openPacked(path) })), ...plain];
}

async function openPacked(path: string): Promise<ByteSource & AsyncDisposable> {
  const packed = await readRegular(path).catch((error) => refuseMissing(path, error));
  try {
    return heldBytes(gunzipSync(packed));
  } catch (error) {
    throw new SyntaxError(`Cannot read "${path}" as it must be a whole gzip file: ${(error as Error).message}`);
  }
}

function refuseMissing(path: string, error: unknown): never {
  throw new RangeError(`Cannot read "${path}" as records must be beside the manifest: ${explainFileError(error)}`);
}

/** Reads files of records; `onTorn` is called for each whose last line was cut short. */
export async function readKnown(
  files: readonly RecordsFile[],
  onTorn?: (end: TornEnd, path: string) => void,
): Promise<KnownRecords> {
  const known: KnownRecords = { latest: new Map(), batches: new Map() };
  for (const { path, open } of files) {
    await using file = await open();
    const options = { path, ...defined({ onTorn: onTorn && ((end: TornEnd): void => onTorn(end, path)) }) };
    for await (const record of readRecords(file, options)) noteRecord(known, record);
  }
  return known;
}

/**
 * Returns the mark of a file of records: the manifest's, or for a shard that of the file next to it; `undefined` if there is none, as
 * for a packed file.
 */
export async function readMark(
  { path, shard }: Pick<RecordsFile, "path" | "shard">,
  manifest: Pick<RunManifest, "records"> | undefined,
): Promise<RecordsMark | undefined> {
  if (path.endsWith(".gz")) return undefined;
  if (shard === undefined) return manifest?.records;
  try {
    const { bytes, sha256 } = JSON.parse(await readFile(markPath(path), "utf8"));
    return typeof bytes === "number" && typeof sha256 === "string" ? { bytes, sha256 } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the mark of a shard's file of records next to it, atomically. */
export async function writeShardMark(path: string, mark: RecordsMark): Promise<void> {
  await writeWhole(markPath(path), `${JSON.stringify(mark)}\n`);
}

function markPath(path: string): string {
  return path.replace(/\.jsonl$/, ".mark.json");
}

/**
 * Creates the manifest of a run unless another process has created it: several jobs can begin the shards of a run at once.
 *
 * @returns Whether this call created it.
 */
export async function createManifest(runPath: string, manifest: RunManifest): Promise<boolean> {
  const path = `${runPath}/manifest.json`;
  const unfinished = `${path}.${crypto.randomUUID()}`;
  await writeFile(unfinished, manifestText(runPath, manifest), { flag: "wx", flush: true });
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "EEXIST") return false;
    // Some file systems have no hard links.
    await rename(unfinished, path);
  } finally {
    await unlink(unfinished).catch(() => {});
  }
  return true;
}

/** Hashes a set of samples by their ids and the hashes of their texts, in any order. */
export function hashSamples(hashes: ReadonlyMap<string, string>): RunManifest["samples"] {
  const lines = [...hashes].map(([id, sha256]) => `${id} ${sha256}\n`).sort();
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line);
  return { count: lines.length, sha256: hash.digest("hex") };
}

/** Counts and hashes the answered samples among records, in the form of a manifest. */
export function answeredSamples(records: readonly RunRecord[]): RunManifest["samples"] {
  const answered = records.filter(({ reply }) => reply.kind === "answer");
  return hashSamples(new Map(answered.map(({ sample, sha256 }) => [sample, sha256])));
}

/** The state of a file compared with its mark; `longer`: only whole records were added. */
export type FileState = "same" | "longer" | "cut" | "changed";

/** A file of records with its state; `undefined` for a file without a mark. */
export interface CheckedFile extends Pick<RecordsFile, "path" | "shard"> {
  readonly state: FileState | undefined;
}

/** Compares each file of records of a run with its mark. */
export async function fileStates(
  manifest: Pick<RunManifest, "records">,
  files: readonly RecordsFile[],
): Promise<readonly CheckedFile[]> {
  return await Promise.all(files.map(async (each): Promise<CheckedFile> => {
    const mark = await readMark(each, manifest);
    if (mark === undefined) return { ...each, state: undefined };
    await using file = await each.open();
    return { ...each, state: await compareMark(file, mark) };
  }));
}

/** Returns a note if the folder of a run was copied or renamed; a path is no name. */
export function renamedNotes(manifest: RunManifest, name: string): readonly string[] {
  if (name.includes("/") || manifest.name === name) return [];
  return [`its folder was copied or renamed: it was "${manifest.name}"`];
}

/**
 * Lists differences between records and their marks: they can have been edited or cut. Records added by a run that is under
 * way or was killed are no change.
 *
 * @param run The answer of each sample or its last failure, and the states of the files.
 */
export function findChanges(
  manifest: RunManifest,
  { records, states }: {
    readonly records: readonly RunRecord[];
    readonly states: readonly Pick<CheckedFile, "state" | "shard">[];
  },
): readonly string[] {
  const changes = states.flatMap(explainState);
  const isWhole = changes.length === 0 && states.every(({ shard }) => shard === undefined);
  return [
    ...(isWhole ? explainSamples(manifest, records, states[0]?.state) : changes),
    ...explainStrays(manifest, records),
  ];
}

/** Describes how a file of records changed; added records are no change. */
export function explainState({ state, shard }: Pick<CheckedFile, "state" | "shard">): readonly string[] {
  const its = shard === undefined ? "its records" : `the records of shard ${shard.index}/${shard.of}`;
  if (state === "cut") return [`${its} were cut: the file is shorter than it was when the run ended`];
  return state === "changed" ? [`${its} were changed since the run ended: the hash of the file is another`] : [];
}

/** Compares the answered samples with those in the manifest; runs without a mark can have more. */
function explainSamples({ samples }: RunManifest, records: readonly RunRecord[], state?: FileState): readonly string[] {
  const { count, sha256 } = answeredSamples(records);
  if (sha256 === samples.sha256 || state === "longer" || (state === undefined && count > samples.count)) return [];
  return [
    count < samples.count
      ? `answers are missing: ${count} of ${samples.count}`
      : "its answered samples are others than those that were recorded",
  ];
}

/** Lists the tasks, lengths and models of single records that the manifest does not have. */
function explainStrays(manifest: RunManifest, records: readonly RunRecord[]): readonly string[] {
  const stray = <Name extends "task" | "length" | "model">(
    name: Name,
    isWanted: (value: RunRecord[Name]) => boolean,
  ): readonly string[] => {
    const found = records.find((record) => !isWanted(record[name]));
    if (found === undefined) return [];
    return [
      `each record's ${name} must be in its manifest: current value is ${quoteText(JSON.stringify(found[name]), 100)}`,
    ];
  };
  return [
    ...stray("task", (task) => Object.hasOwn(manifest.tasks, task)),
    ...stray("length", (length) => manifest.study.lengths.includes(length)),
    ...stray("model", (model) => model === manifest.model),
  ];
}

/** Notes that several versions of Fathom asked. */
export function versionNotes(records: readonly RunRecord[]): readonly string[] {
  const versions = [...Map.groupBy(records, ({ fathom = "unknown" }) => fathom)];
  if (versions.length < 2) return [];
  const counts = versions.map(([version, { length }]) => `${version} ${length}`).join(", ");
  return [`several versions of Fathom asked: ${counts} of ${records.length} samples`];
}

const LINE_BREAK = 0x0a;

/** Returns the mark of a file of records: length and hash up to the end of its last whole line. */
export async function markRecords(file: ByteSource): Promise<RecordsMark> {
  const hash = createHash("sha256");
  let [bytes, read, whole] = [0, 0, hash.copy()];
  for await (const chunk of readChunks(file)) {
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end > 0) [bytes, whole] = [read + end, hash.update(chunk.subarray(0, end)).copy()];
    hash.update(chunk.subarray(end));
    read += chunk.length;
  }
  return { bytes, sha256: whole.digest("hex") };
}

/** Compares a file of records with its mark. */
export async function compareMark(file: ByteSource, mark: RecordsMark): Promise<FileState> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of readChunks(file)) {
    hash.update(chunk.subarray(0, Math.max(0, mark.bytes - bytes)));
    bytes += chunk.length;
  }
  // A missing last line break is added when the run resumes.
  if (bytes === mark.bytes - 1) hash.update("\n");
  else if (bytes < mark.bytes) return "cut";
  if (hash.digest("hex") !== mark.sha256) return "changed";
  return bytes <= mark.bytes ? "same" : "longer";
}
