import { createHash } from "node:crypto";
import type { RecordsMark, RunManifest } from "@/lib/studies/mod.ts";
import type { ByteSource } from "./records_file.ts";
import { readMark, type RecordsFile } from "./run_files.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** A way in which records do not match their manifest. */
export interface RecordProblem {
  /** The requirement. */
  readonly wanted: string;
  /** The value that violates it. */
  readonly found: unknown;
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

/** Lists the ways in which records do not match a manifest: tasks, lengths, the model, and the hash of the answered samples. */
export function recordProblems(manifest: RunManifest, records: readonly RunRecord[]): readonly RecordProblem[] {
  const { samples } = manifest;
  const answered = answeredSamples(records);
  const isSame = answered.sha256 === samples.sha256;
  return [
    ...strayProblems(manifest, records),
    ...(isSame ? [] : [{
      wanted: `the hash of its answered samples must be that of its manifest, ${samples.sha256}`,
      found: answered.sha256,
    }]),
  ];
}

/** Lists the tasks, lengths and models of single records that the manifest does not have. */
export function strayProblems(manifest: RunManifest, records: readonly RunRecord[]): readonly RecordProblem[] {
  const { tasks, study: { lengths }, model } = manifest;
  const stray = <Value>(
    wanted: string,
    valueOf: (record: RunRecord) => Value,
    isWanted: (value: Value) => boolean,
  ): RecordProblem[] => {
    const found = records.find((record) => !isWanted(valueOf(record)));
    return found === undefined ? [] : [{ wanted, found: valueOf(found) }];
  };
  return [
    ...stray(
      "each record must be of a task of its manifest",
      ({ task }) => task,
      (task) => Object.hasOwn(tasks, task),
    ),
    ...stray(
      "each record must be of a length of its manifest",
      ({ length }) => length,
      (length) => lengths.includes(length),
    ),
    ...stray(
      "each record must be of the model of its manifest",
      (record) => record.model,
      (name) => name === model,
    ),
  ];
}

/** The state of a file of records since it was marked. */
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
    using file = await each.open();
    return { ...each, state: await compareMark(file, mark) };
  }));
}

/**
 * Lists what changed in the records since the manifest was completed. Records added by a run that is under way or was killed are no
 * change.
 */
export function changesSince(
  { samples }: Pick<RunManifest, "samples">,
  { records, states }: { readonly records: readonly RunRecord[]; readonly states: readonly CheckedFile[] },
): readonly string[] {
  if (states.some(({ state }) => state !== undefined)) return states.flatMap(explainState);
  // Runs without a mark: older ones, imported ones and those that come with Fathom.
  const answered = answeredSamples(records);
  if (answered.sha256 === samples.sha256 || answered.count > samples.count) return [];
  return [
    answered.count < samples.count
      ? `answers are missing: ${answered.count} of ${samples.count}`
      : "its answered samples are others than those that were recorded",
  ];
}

/** Describes what is wrong with a file of records; added records are nothing wrong. */
export function explainState({ state, shard }: Pick<CheckedFile, "state" | "shard">): readonly string[] {
  const its = shard === undefined ? "its records" : `the records of shard ${shard.index}/${shard.of}`;
  if (state === "cut") return [`${its} were cut: the file is shorter than it was when the run ended`];
  if (state === "changed") return [`${its} were changed since the run ended: the hash of the file is another`];
  return [];
}

/** Lists the ways in which a run differs from what was recorded: anybody can have renamed, edited or cut it since. */
export function explainChanges(
  manifest: RunManifest,
  { name, ...files }: {
    readonly name: string;
    readonly records: readonly RunRecord[];
    readonly states: readonly CheckedFile[];
  },
): string[] {
  const isRenamed = !name.includes("/") && name !== manifest.name;
  const stray = strayProblems(manifest, files.records).map(({ wanted, found }) =>
    `${wanted}: current value is ${JSON.stringify(found)}`
  );
  return [
    ...(isRenamed ? [`its folder was copied or renamed: it was "${manifest.name}"`] : []),
    ...[...changesSince(manifest, files), ...stray].map((change) =>
      `Warning: this is not the run that was recorded, as ${change}; \`fathom verify ${name}\` lists the details`
    ),
  ];
}

const LINE_BREAK = 0x0a;

/** Returns the mark of a file of records, opened at its start: length and hash up to the end of its last whole line. */
export async function markRecords(file: ByteSource): Promise<RecordsMark> {
  const hash = createHash("sha256");
  // Bytes after the last line break so far.
  let pending: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(file)) {
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end > 0) {
      for (const part of [...pending, chunk.subarray(0, end)]) {
        hash.update(part);
        bytes += part.length;
      }
      pending = [];
    }
    if (end < chunk.length) pending.push(chunk.slice(end));
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Compares a file of records, opened at its start, with its mark. */
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

async function* readChunks(file: ByteSource): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(1 << 16);
  for (let size = await file.read(chunk); size !== null; size = await file.read(chunk)) yield chunk.subarray(0, size);
}
