import { link, readdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  listMeasured,
  measuredFiles,
  type MeasuredFolderOptions,
  measuredRunName,
  openPackedRecords,
  readMeasuredName,
} from "./measured_files.ts";
import type { ByteSource } from "./records_file.ts";
import {
  checkRunName,
  readManifest,
  type RecordsMark,
  type RunManifest,
  RUNS_FOLDER,
  type Shard,
  writeWhole,
} from "@/lib/studies/mod.ts";
import { explainFileError, openRegular } from "@/lib/models/mod.ts";

/** The folder that holds runs. */
export interface RunFolderOptions {
  /**
   * The folder that holds the runs.
   *
   * @default {results/runs}
   */
  readonly folder?: string;
}

/** A file of records of a run. */
export interface RecordsFile {
  readonly path: string;
  /** The shard that wrote it; left out for `records.jsonl`. */
  readonly shard?: Shard;
  open(): Promise<ByteSource & Disposable>;
}

/** The files of a run. */
export interface RunFiles {
  /** The path of the manifest. */
  readonly manifest: string;
  /** Lists the files of records: `records.jsonl` if there is one, then those of shards. */
  records(): Promise<readonly RecordsFile[]>;
}

/** Returns the files of a run, by its name. */
export function filesOf(name: string, options: RunFolderOptions & MeasuredFolderOptions): RunFiles {
  const measured = readMeasuredName(name);
  if (measured !== undefined) {
    const { manifest, records: path } = measuredFiles(measured, options);
    return { manifest, records: () => Promise.resolve([{ path, open: () => openPackedRecords(path) }]) };
  }
  const path = runFolder(name, options);
  return { manifest: `${path}/manifest.json`, records: () => listRecordsFiles(path) };
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
  const hasWhole = names.includes("records.jsonl") || shards.length === 0;
  return [...(hasWhole ? [undefined] : []), ...shards].map((shard): RecordsFile => {
    const path = recordsPath(runPath, shard);
    return { path, ...(shard === undefined ? {} : { shard }), open: () => openRecords(path) };
  });
}

async function openRecords(path: string): Promise<Deno.FsFile> {
  try {
    return await openRegular(path);
  } catch (error) {
    throw new RangeError(`Cannot read "${path}" as records must be beside the manifest: ${explainFileError(error)}`);
  }
}

/** Returns the mark of a file of records: the manifest's, or for a shard that of the file beside it; `undefined` if there is none. */
export async function readMark(
  { path, shard }: Pick<RecordsFile, "path" | "shard">,
  manifest: Pick<RunManifest, "records"> | undefined,
): Promise<RecordsMark | undefined> {
  if (shard === undefined) return manifest?.records;
  try {
    const { bytes, sha256 } = JSON.parse(await readFile(markPath(path), "utf8"));
    return typeof bytes === "number" && typeof sha256 === "string" ? { bytes, sha256 } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the mark of a shard's file of records beside it, whole or not at all. */
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
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { flag: "wx", flush: true });
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "EEXIST") return false;
    // Some file systems have no hard links.
    await rename(unfinished, path);
    return true;
  } finally {
    await unlink(unfinished).catch(() => {});
  }
  return true;
}

/**
 * Returns the folder for what is made of a run, such as its figures: the run's own, or `results/runs/NAME` for a measured run.
 *
 * @param name A name as for {@linkcode readRun}.
 * @throws {RangeError} If the name cannot be a run's.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * match(runFolder("first"), /results\/runs\/first$/);
 * match(runFolder("measured/gemma/ruler"), /results\/runs\/measured\/gemma\/ruler$/);
 * ```
 */
export function runFolder(name: string, { folder = RUNS_FOLDER }: RunFolderOptions = {}): string {
  if (readMeasuredName(name) !== undefined) return `${folder}/${name}`;
  return name.includes("/") ? resolve(name) : `${folder}/${checkRunName(name)}`;
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
export async function listRuns(options: RunFolderOptions & MeasuredFolderOptions = {}): Promise<string[]> {
  const { folder } = options;
  if (folder !== undefined) return await listFolder(folder);
  return [...await listFolder(RUNS_FOLDER), ...(await listMeasured(options)).map(measuredRunName)];
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    // A name with a dot first is a folder that an import is still writing.
    const names = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name).sort();
    const manifests = await Promise.all(names.map((name) => readManifest(`${folder}/${name}`).catch(() => null)));
    // A folder with an unreadable manifest is listed, so that reading it reports the error.
    return names.filter((_, at) => manifests[at] !== undefined);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return [];
    throw error;
  }
}
