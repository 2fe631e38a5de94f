import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { quoteText, writeWhole } from "@/lib/base/mod.ts";
import { type Chunks, LINE_BREAK } from "./line_files.ts";
import type { RunRecord } from "./record.ts";
import type { RecordsFile } from "./run_folders.ts";
import type { RecordsMark, RunManifest } from "@/lib/studies/mod.ts";

/** Returns the mark of a file of records: length and hash up to the end of its last whole line. */
export async function markRecords(chunks: Chunks): Promise<RecordsMark> {
  const hash = createHash("sha256");
  let [bytes, read, whole] = [0, 0, hash.copy()];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end > 0) [bytes, whole] = [read + end, hash.update(chunk.subarray(0, end)).copy()];
    hash.update(chunk.subarray(end));
    read += chunk.length;
  }
  return { bytes, sha256: whole.digest("hex") };
}

/** Compares a file of records with its mark. */
export async function compareMark(chunks: Chunks, mark: RecordsMark): Promise<FileState> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk.subarray(0, Math.max(0, mark.bytes - bytes)));
    bytes += chunk.length;
  }
  // A missing last line break is added when the run resumes.
  if (bytes === mark.bytes - 1) hash.update("\n");
  else if (bytes < mark.bytes) return "cut";
  if (hash.digest("hex") !== mark.sha256) return "changed";
  return bytes <= mark.bytes ? "same" : "longer";
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
    return { ...each, state: await compareMark(each.read(), mark) };
  }));
}

/** Counts the answered samples among records, and hashes them by their ids and the hashes of their texts, in any order. */
export function answeredSamples(records: readonly RunRecord[]): RunManifest["samples"] {
  const answered = records.filter(({ reply }) => reply.kind === "answer");
  const lines = [...new Map(answered.map(({ sample, sha256 }) => [sample, `${sample} ${sha256}\n`])).values()].sort();
  return { count: lines.length, sha256: createHash("sha256").update(lines.join("")).digest("hex") };
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
  const isWanted = {
    task: ({ task }: RunRecord): boolean => Object.hasOwn(manifest.tasks, task),
    length: ({ length }: RunRecord): boolean => manifest.study.lengths.includes(length),
    model: ({ model }: RunRecord): boolean => model === manifest.model,
  };
  return (["task", "length", "model"] as const).flatMap((name) => {
    const stray = records.find((record) => !isWanted[name](record));
    if (stray === undefined) return [];
    const value = quoteText(JSON.stringify(stray[name]), 100);
    return [`each record's ${name} must be in its manifest: current value is ${value}`];
  });
}

/** Notes that several versions of Fathom asked. */
export function versionNotes(records: readonly RunRecord[]): readonly string[] {
  const versions = [...Map.groupBy(records, ({ fathom = "unknown" }) => fathom)];
  if (versions.length < 2) return [];
  const counts = versions.map(([version, { length }]) => `${version} ${length}`).join(", ");
  return [`several versions of Fathom asked: ${counts} of ${records.length} samples`];
}

/** Returns a line for each repair of a run. */
export function repairTexts({ repairs = [] }: Pick<RunManifest, "repairs">): readonly string[] {
  return repairs.map(({ time, found }) => `repaired ${time.slice(0, 10)}: ${found.join("; ")}`);
}
