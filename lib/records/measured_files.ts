import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { checkRunName } from "@/lib/studies/mod.ts";
import { type ByteSource, heldBytes } from "./records_file.ts";
import { explainFileError, readRegular, type RunRecord } from "@/lib/models/mod.ts";

/** The folder of measured runs that come with Fathom. */
export const MEASURED_FOLDER: string = fileURLToPath(new URL("../../data/measured", import.meta.url));

/** Where measured runs are. */
export interface MeasuredFolderOptions {
  /**
   * The folder of measured runs, whose names begin with `measured/`.
   *
   * @default {data/measured}
   */
  readonly measured?: string;
}

/** The files of a measured run. */
export interface MeasuredFiles {
  /** The folder of its model. */
  readonly folder: string;
  readonly manifest: string;
  /** The records, one a line, compressed with gzip. */
  readonly records: string;
}

/** A measured run's model and benchmark. */
export interface MeasuredName {
  readonly model: string;
  readonly benchmark: string;
}

/** The name by which a measured run is opened, such as `measured/gemma-3-270m/ruler`. */
export function measuredRunName({ model, benchmark }: MeasuredName): string {
  return `measured/${model}/${benchmark}`;
}

/** The run in results/runs that a measured run is packed from. */
export function runOf({ model, benchmark }: MeasuredName): string {
  return `measured-${model}-${benchmark}`;
}

/** Reads the name of a measured run; `undefined` for any other run's. */
export function readMeasuredName(name: string): MeasuredName | undefined {
  const [first, model = "", benchmark = "", ...rest] = name.split("/");
  if (first !== "measured" || rest.length > 0) return undefined;
  return { model: checkRunName(model), benchmark: checkRunName(benchmark) };
}

/** Returns the paths of the files of a measured run. */
export function measuredFiles(
  { model, benchmark }: MeasuredName,
  { measured = MEASURED_FOLDER }: MeasuredFolderOptions = {},
): MeasuredFiles {
  const folder = `${measured}/${model}`;
  return { folder, manifest: `${folder}/${benchmark}.json`, records: `${folder}/${benchmark}.jsonl.gz` };
}

/** Lists the measured runs, sorted by name. */
export async function listMeasured({ measured = MEASURED_FOLDER }: MeasuredFolderOptions = {}): Promise<
  readonly MeasuredName[]
> {
  const found: MeasuredName[] = [];
  for (const model of await listNames(measured, ({ isDirectory }) => isDirectory)) {
    // Other files, such as labels, have no manifest and are no runs.
    const files = await listNames(`${measured}/${model}`, ({ isFile }) => isFile);
    const benchmarks = files.filter((name) => name.endsWith(".json")).map((name) => name.replace(/\.json$/, ""));
    for (const benchmark of benchmarks.filter((name) => files.includes(`${name}.jsonl.gz`))) {
      found.push({ model, benchmark });
    }
  }
  return found;
}

async function listNames(folder: string, isWanted: (entry: Deno.DirEntry) => boolean): Promise<readonly string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).filter(isWanted).map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Opens the records of a measured run, to be read as those of any other. */
export async function openPackedRecords(path: string): Promise<ByteSource & Disposable> {
  let packed: Uint8Array;
  try {
    packed = await readRegular(path);
  } catch (error) {
    throw new RangeError(`Cannot read "${path}" as records must be beside the manifest: ${explainFileError(error)}`);
  }
  try {
    return heldBytes(gunzipSync(packed));
  } catch (error) {
    throw new SyntaxError(`Cannot read "${path}" as it must be a whole gzip file: ${(error as Error).message}`);
  }
}

/** The byte for the system that wrote a gzip file; 255 means unknown, so that the same records give the same bytes anywhere. */
const SYSTEM = { at: 9, unknown: 255 } as const;

/** Compresses records, one a line; the same records give the same bytes. */
export function packRecords(records: readonly RunRecord[]): Uint8Array {
  const packed = gzipSync(records.map((record) => `${JSON.stringify(record)}\n`).join(""), { level: 9 });
  packed[SYSTEM.at] = SYSTEM.unknown;
  return packed;
}
