import { findDifference, widenHeader } from "./_compare_headers.ts";
import { explainFileError } from "./_explain_file_error.ts";
import { findRecords, noteRecord, placeKey } from "./_find_records.ts";
import { readManifest, writeManifest } from "./_manifest_file.ts";
import { explainTornEnd } from "./_records_file.ts";
import { hashSamples } from "./_sample_hash.ts";
import { type LineWriter, writeLines } from "./_write_lines.ts";
import type { RunHeader, RunManifest } from "./manifest.ts";
import type { PlannedSample } from "./plan.ts";
import type { RunRecord } from "./record.ts";
import { checkRunName } from "./run_name.ts";
import { RUNS_FOLDER } from "./runs_folder.ts";
import { FATHOM_VERSION } from "./version.ts";

/** The place of a sample in a run; together with the run's settings it names the question. */
export type SamplePlace = Pick<RunRecord, "suite" | "task" | "length" | "index">;

/**
 * Tells the place of a planned sample in a run.
 *
 * @param planned The sample, before it is made.
 * @returns What names it in the run's records.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { niahTask } from "@/lib/generators/mod.ts";
 *
 * const place = placeOf({ task: niahTask(), length: 4096, index: 3 });
 * deepEqual(place, { suite: niahTask().suite, task: "niah", length: 4096, index: 3 });
 * ```
 */
export function placeOf({ task, length, index }: PlannedSample): SamplePlace {
  return { suite: task.suite, task: task.name, length, index };
}

/** Options for {@linkcode openRun}. */
export interface OpenRunOptions {
  /**
   * The path of the folder that holds the runs.
   *
   * @default {RUNS_FOLDER}
   */
  readonly folder?: string;
}

/** A run's folder, open for more records. */
export interface RunStore {
  /** The run's name. */
  readonly name: string;
  /** The path of the run's own folder. */
  readonly path: string;
  /** What the user should be told about the state in which the run was found. */
  readonly notes: readonly string[];
  /** Tells what came back for a sample so far, if it was asked. */
  outcome(place: SamplePlace): "answer" | "failure" | undefined;
  /** Adds one record. The folder and its manifest are made when the first one comes. */
  append(record: RunRecord): Promise<void>;
  /** Completes the manifest and lets go of the files. */
  close(): Promise<void>;
}

/**
 * Opens a run to go on with it, or to begin it.
 *
 * Nothing is written before the first record. A run that exists goes on only with the settings it began with; more tasks,
 * lengths and samples may be asked, and its manifest then tells all of them.
 *
 * @param name The run's name.
 * @param header What decides its samples and answers.
 * @param options Where the runs are.
 * @returns The store, to be closed in the end.
 * @throws {RangeError} If the name cannot be one, or the run exists with other settings, which the message names.
 * @throws {SyntaxError} If a file of the run holds something else.
 * @throws {Error} If another process is adding to the run.
 *
 * @example A name is checked before anything is written
 * ```ts
 * import { rejects } from "node:assert/strict";
 * import type { RunHeader } from "@/lib/runs/mod.ts";
 *
 * await rejects(openRun("../elsewhere", {} as RunHeader), RangeError);
 * ```
 */
export async function openRun(name: string, header: RunHeader, options: OpenRunOptions = {}): Promise<RunStore> {
  const path = `${options.folder ?? RUNS_FOLDER}/${checkRunName(name)}`;
  const recordsPath = `${path}/records.jsonl`;
  const before = await readManifest(path);
  if (before) checkSame(name, before, header);
  let records = await findRecords(recordsPath, { isNew: false });
  if (!before && records && records.outcomes.kinds.size > 0) {
    records.file.close();
    throw new RangeError(
      `Cannot go on with run "${name}" as a manifest.json must stand beside its records: there is none`,
    );
  }
  const originBefore = (before ?? header).origin;
  let manifest = before ? { ...before, ...widenHeader(before, header) } : beginManifest(name, header);
  let writer: Promise<LineWriter> | undefined;
  const begin = async (): Promise<LineWriter> => {
    await makeFolder(path);
    records ??= (await findRecords(recordsPath, { isNew: true }))!;
    manifest = { ...manifest, started: manifest.started || new Date().toISOString() };
    await writeManifest(path, manifest);
    return await writeLines(records.file, recordsPath, records.torn);
  };
  return {
    name,
    path,
    notes: records?.torn ? explainTornEnd(records.torn, recordsPath) : [],
    outcome: (place) => records?.outcomes.kinds.get(placeKey(place)),
    async append(record): Promise<void> {
      if (record.origin === "simulated") manifest = { ...manifest, origin: "simulated" };
      writer ??= begin();
      await (await writer).append(JSON.stringify(record));
      noteRecord(records!.outcomes, record);
    },
    async close(): Promise<void> {
      if (records === undefined) return;
      await (await writer?.catch(() => undefined))?.finish();
      const samples = hashSamples(records.outcomes.hashes);
      // A run that was killed has a manifest from before its last records.
      const isTold = samples.sha256 === manifest.samples.sha256 && manifest.origin === originBefore;
      if (!isTold) await writeManifest(path, { ...manifest, samples });
      records.file.close();
    },
  };
}

function beginManifest(name: string, header: RunHeader): RunManifest {
  return { format: 1, name, fathom: FATHOM_VERSION, started: "", ...header, samples: hashSamples(new Map()) };
}

async function makeFolder(path: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true });
  } catch (error) {
    throw new Error(`Cannot make the folder "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
}

function checkSame(name: string, before: RunManifest, header: RunHeader): void {
  const difference = findDifference(before, header);
  if (difference === undefined) return;
  throw new RangeError(
    `Cannot go on with run "${name}" as its ${difference.name} must be ${difference.before}: current value is ${difference.now}. Ask with the settings it began with, or give the new run another name`,
  );
}
