import { createHash } from "node:crypto";
import type { RecordsMark, RunManifest } from "@/lib/studies/mod.ts";
import type { ByteSource } from "./records_file.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** Something in which records are not those of their manifest. */
export interface RecordProblem {
  /** What must hold. */
  readonly wanted: string;
  /** What is there instead. */
  readonly found: unknown;
}

/** Hashes a set of samples by their ids and the hashes of their texts, in any order. */
export function hashSamples(hashes: ReadonlyMap<string, string>): RunManifest["samples"] {
  const lines = [...hashes].map(([id, sha256]) => `${id} ${sha256}\n`).sort();
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line);
  return { count: lines.length, sha256: hash.digest("hex") };
}

/** Counts and hashes the answered samples among records, as a manifest has them. */
export function answeredSamples(records: readonly RunRecord[]): RunManifest["samples"] {
  const answered = records.filter(({ reply }) => reply.kind === "answer");
  return hashSamples(new Map(answered.map(({ sample, sha256 }) => [sample, sha256])));
}

/** Lists in what records are not those of a manifest: tasks, lengths, the model, and the hash of the answered samples. */
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

/** Lists in what single records are not of a manifest: their tasks, lengths and model. */
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

/**
 * Says what became of records since a manifest was completed; empty where they are those it has, or more of them, as in a run
 * that is under way or was killed.
 */
export function changesSince(
  { samples, records: mark }: RunManifest,
  { records, state }: { readonly records: readonly RunRecord[]; readonly state: FileState | undefined },
): readonly string[] {
  if (mark !== undefined && state !== undefined) return explainState(state);
  // Runs without a mark: older ones, imported ones and those that come with Fathom.
  const answered = answeredSamples(records);
  if (answered.sha256 === samples.sha256 || answered.count > samples.count) return [];
  return [
    answered.count < samples.count
      ? `answers are missing: ${answered.count} of ${samples.count}`
      : "its answered samples are others than those that were recorded",
  ];
}

/** What became of a file of records since it was marked. */
export type FileState = "same" | "longer" | "cut" | "changed";

/** Says what is wrong with a file of records; nothing where more was added, as in a run that is under way or was killed. */
export function explainState(state: FileState): readonly string[] {
  if (state === "cut") return ["its records were cut: the file is shorter than it was when the run ended"];
  if (state === "changed") return ["its records were changed since the run ended: the hash of the file is another"];
  return [];
}

const LINE_BREAK = 0x0a;

/** Marks a file of records as it stands, opened at its start, up to the end of its last whole line. */
export async function markRecords(file: ByteSource): Promise<RecordsMark> {
  const hash = createHash("sha256");
  // What stands after the last line break so far.
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
  // A last line break that is missing is put back when the run goes on.
  if (bytes === mark.bytes - 1) hash.update("\n");
  else if (bytes < mark.bytes) return "cut";
  if (hash.digest("hex") !== mark.sha256) return "changed";
  return bytes <= mark.bytes ? "same" : "longer";
}

async function* readChunks(file: ByteSource): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(1 << 16);
  for (let size = await file.read(chunk); size !== null; size = await file.read(chunk)) yield chunk.subarray(0, size);
}
