import { readFile, writeFile } from "node:fs/promises";
import { defined, explainFileError, writeWhole } from "@/lib/base/mod.ts";
import { openLocked } from "./line_files.ts";
import { answeredSamples, markRecords, writeShardMark } from "./marks.ts";
import type { ReadRunOptions } from "./read_run.ts";
import type { RunRecord } from "./record.ts";
import { readContents } from "./records_file.ts";
import { filesOf, readMeasuredName, runFolder } from "./run_folders.ts";
import { type RunCheck, verifyRun } from "./verify_run.ts";
import { readManifestFile, type Repair, RUNS_FOLDER, writeManifest } from "@/lib/studies/mod.ts";

/** The result of {@linkcode repairRun}. */
export interface RunRepair {
  readonly before: RunCheck;
  /** The files that keep what was cut and replaced; empty if nothing was wrong. */
  readonly kept: readonly string[];
}

/**
 * Makes a run readable again. Lines that hold no record and the previous manifest move to files beside the others, and the manifest
 * records what was found and when. Lost records cannot be restored, and edited ones stay as they are.
 *
 * @throws {RangeError} If there is no such run, or it is one that comes with Fathom.
 * @throws {SyntaxError} If its manifest has other content.
 * @throws {Error} If another process is adding to the run.
 */
export async function repairRun(name: string, options: ReadRunOptions = {}): Promise<RunRepair> {
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
    await using _lock = await openLocked(file.path, false);
    const { records, broken } = await readContents([await readFile(file.path)]);
    for (const record of records) latest.push(record);
    if (broken.length > 0) {
      kept.push(await writeBeside(path, "records-cut", broken.map(({ text }) => `${text}\n`).join("")));
      await writeWhole(file.path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    }
    const now = await markRecords(file.read());
    if (file.shard === undefined) mark = now;
    else await writeShardMark(file.path, now);
  }
  const repair: Repair = { time: new Date().toISOString(), found: before.faults, kept };
  await writeManifest(path, {
    ...manifest,
    ...(name.includes("/") ? {} : { name }),
    samples: answeredSamples(latest),
    ...defined({ records: mark }),
    repairs: [...manifest.repairs ?? [], repair],
  });
  return { before, kept: kept.map((file) => `${path}/${file}`) };
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
