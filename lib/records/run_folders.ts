import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { defined, explainFileError, openRegular, readRegular } from "@/lib/base/mod.ts";
import { type Chunks, readChunks } from "./line_files.ts";
import { checkRunName, RUNS_FOLDER, type Shard } from "@/lib/studies/mod.ts";

/** The folders of runs. */
export interface RunFolderOptions {
  /** The folder of the recorded runs, by default `results/runs`. */
  readonly folder?: string;
  /** The folder of measured runs, whose names begin with `measured/`, by default `data/measured`. */
  readonly measured?: string;
}

/** The folder of measured runs that come with Fathom. */
export const MEASURED_FOLDER: string = fileURLToPath(new URL("../../data/measured", import.meta.url));

/** The parts of the name of a measured run. */
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
  const runs = names.filter((name) => existsSync(`${folder}/${name}/manifest.json`));
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
  /** Reads its bytes. */
  read(): Chunks;
}

/** Returns the manifest of a run, and lists its files of records: `records.jsonl.gz` and `records.jsonl`, then those of shards. */
export function filesOf(
  name: string,
  options: RunFolderOptions,
): { readonly manifest: string; records(): Promise<readonly RecordsFile[]> } {
  const measured = readMeasuredName(name);
  if (measured === undefined) {
    const path = runFolder(name, options);
    return { manifest: `${path}/manifest.json`, records: () => listRecordsFiles(path) };
  }
  const base = `${options.measured ?? MEASURED_FOLDER}/${measured.model}/${measured.benchmark}`;
  const path = `${base}.jsonl.gz`;
  return { manifest: `${base}.json`, records: () => Promise.resolve([{ path, read: () => readPacked(path) }]) };
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
    return { path, ...defined({ shard }), read: () => readPlain(path) };
  });
  return [...packed.map((path): RecordsFile => ({ path, read: () => readPacked(path) })), ...plain];
}

async function* readPlain(path: string): AsyncGenerator<Uint8Array> {
  await using file = await openRegular(path).catch((error) => refuseMissing(path, error));
  yield* readChunks(file);
}

async function* readPacked(path: string): AsyncGenerator<Uint8Array> {
  const packed = await readRegular(path).catch((error) => refuseMissing(path, error));
  yield await promisify(gunzip)(packed).catch((error) => {
    throw new SyntaxError(`Cannot read "${path}" as it must be a whole gzip file: ${error.message}`);
  });
}

function refuseMissing(path: string, error: unknown): never {
  throw new RangeError(`Cannot read "${path}" as records must be beside the manifest: ${explainFileError(error)}`);
}
