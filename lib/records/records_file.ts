import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { explainFileError, quoteText } from "@/lib/base/mod.ts";
import { findMisfit, type PlannedSample, v, wholeNumber } from "@/lib/studies/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import { isReplyOrigin } from "@/lib/models/mod.ts";
import type { RunRecord } from "./record.ts";

/** The end of a records file that a crash cut short. */
export interface TornEnd {
  /** How many bytes of the file are whole. */
  readonly wholeBytes: number;
  /** Whether the last record is whole and only its line break is missing. */
  readonly isWhole: boolean;
}

/** A source of bytes: an open file, or {@linkcode heldBytes}. */
export interface ByteSource {
  /** Fills part of a buffer with the bytes from a position on; `bytesRead` is 0 at the end. */
  read(into: Uint8Array, from: { readonly position: number }): Promise<{ readonly bytesRead: number }>;
}

/** Returns a source of bytes in memory. */
export function heldBytes(bytes: Uint8Array): ByteSource & AsyncDisposable {
  return {
    read(into, { position }): Promise<{ readonly bytesRead: number }> {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return Promise.resolve({ bytesRead: part.length });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Reads bytes from the start to the end. Each chunk is valid until the next one is read. */
export async function* readChunks(file: ByteSource): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(1 << 16);
  for (let position = 0;;) {
    const { bytesRead } = await file.read(chunk, { position });
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/**
 * Reads records one by one.
 *
 * @param file The open file. `path` is for errors; `onTorn` is called if the last line was cut short.
 * @throws {SyntaxError} If a line before the last holds no record.
 */
export async function* readRecords(
  file: ByteSource,
  { path, onTorn }: { readonly path: string; readonly onTorn?: (end: TornEnd) => void },
): AsyncGenerator<RunRecord> {
  for await (const { text, number, start, isEnded } of readLines(file)) {
    const { record, problem } = parseRecord(text);
    if (!isEnded) onTorn?.({ wholeBytes: start, isWhole: record !== undefined });
    if (record) yield record;
    else if (isEnded) {
      throw new SyntaxError(
        `Cannot read "${path}" as each line must be a record: line ${number}: ${problem}; \`fathom verify\` lists all that is wrong, and with --repair puts such lines into a file of their own`,
      );
    }
  }
}

/** Describes a torn end for the user. */
export function explainTornEnd({ isWhole }: TornEnd, path: string): string[] {
  return isWhole
    ? []
    : [`The last line of "${path}" was cut short: it is left out, and its sample counts as not asked`];
}

const TEXT = v.string("a text");
const NUMBER = v.pipe(v.number("a number"), v.finite("a number"));
const COUNT = wholeNumber(0);
const TEXTS = v.array(TEXT, "a list of texts");
const WANTED_REASONS = "a list of reasons with failure, message, times and waitedMs";
const RESENT = v.optional(v.array(
  v.object({ failure: TEXT, message: TEXT, times: NUMBER, waitedMs: NUMBER }, WANTED_REASONS),
  WANTED_REASONS,
));

const ADAPTED = v.optional(TEXTS);

const REPLY = v.variant("kind", [
  v.object({
    kind: v.literal("answer"),
    ...{ text: TEXT, finishReason: TEXT, latencyMs: NUMBER, attempts: COUNT, resent: RESENT },
    adapted: ADAPTED,
    ...{ thinking: v.optional(TEXT), servedModel: v.optional(TEXT), fingerprint: v.optional(TEXT) },
    ...{ server: v.optional(TEXT), promptTokens: v.optional(NUMBER), cachedTokens: v.optional(NUMBER) },
    ...{ completionTokens: v.optional(NUMBER), firstTokenMs: v.optional(NUMBER) },
  }),
  v.object({
    kind: v.literal("failure"),
    ...{ failure: TEXT, message: TEXT, latencyMs: NUMBER, attempts: COUNT, resent: RESENT, server: v.optional(TEXT) },
    adapted: ADAPTED,
  }),
], "answer or failure");

const RECORD = v.object({
  ...{ sample: TEXT, sha256: TEXT, suite: TEXT, task: TEXT, length: COUNT, index: COUNT, seed: TEXT },
  ...{ promptTokens: NUMBER, references: TEXTS, scoring: TEXT, model: TEXT, reply: REPLY },
  settings: v.record(v.string(), v.unknown(), "an object"),
  ...{ repeat: v.optional(COUNT), nominal: v.optional(COUNT), depth: v.optional(NUMBER), cluster: v.optional(TEXT) },
  ...{ targetDepth: v.optional(NUMBER), distractors: v.optional(TEXTS), paths: v.optional(v.array(v.unknown())) },
  origin: v.optional(v.custom(isReplyOrigin, "measured, simulated or unknown")),
  ...{ fathom: v.optional(TEXT), batch: v.optional(TEXT) },
});

export type ParsedRecord =
  | { readonly record: RunRecord; readonly problem?: undefined }
  | { readonly record?: undefined; readonly problem: string };

/** Reads the record on a line and checks the type of each field, as files can come from elsewhere. */
export function parseRecord(line: string): ParsedRecord {
  try {
    const value: unknown = JSON.parse(line);
    const problem = findMisfit(RECORD, value);
    return problem === undefined ? { record: value as RunRecord } : { problem };
  } catch {
    return { problem: `it must be JSON: current value is ${quoteText(line, 60)}` };
  }
}

/** A line of a file. */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** The bytes of the file before it. */
  readonly start: number;
  readonly isEnded: boolean;
}

const LINE_BREAK = 0x0a;

/** Reads a file line by line, holding no more than a line and a chunk of it; blank lines are left out. */
export async function* readLines(file: ByteSource): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  // Parts of a line, joined at its end: a line can be longer than many chunks.
  let pending: Uint8Array[] = [];
  let number = 0;
  let start = 0;
  for await (const chunk of readChunks(file)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, from)) {
      const bytes = Buffer.concat([...pending, chunk.subarray(from, end)]);
      pending = [];
      from = end + 1;
      number++;
      if (bytes.length > 0) yield { text: decoder.decode(bytes), number, start, isEnded: true };
      start += bytes.length + 1;
    }
    if (from < chunk.length) pending.push(chunk.slice(from));
  }
  const rest = Buffer.concat(pending);
  if (rest.length > 0) yield { text: decoder.decode(rest), number: number + 1, start, isEnded: false };
}

/** The records of a run so far. */
export interface KnownRecords {
  /** The answer of each sample, or its last failure, by {@linkcode placeKey}. */
  readonly latest: Map<string, RunRecord>;
  /** The samples that were recorded from a batch, by the id of the batch. */
  readonly batches: Map<string, Set<string>>;
}

/** The place of a sample in a run. */
export type SamplePlace = Pick<RunRecord, "suite" | "task" | "length" | "index" | "repeat">;

/** Returns a key for the place of a record; older records have no number of the repeat. */
export function placeKey({ suite, task, length, index, repeat = 0 }: SamplePlace): string {
  return `${suite}/${task}/${length}/${index}/${repeat}`;
}

/** The place of a planned sample in its run. */
export function placeOf({ task, length, index, repeat = 0 }: PlannedSample): SamplePlace {
  return { suite: task.suite, task: task.name, length, index, repeat };
}

/** Returns the depth of the one target of a sample, or why it has none. */
export function targetDepth({ facts }: Pick<Sample, "facts">): number | string {
  const targets = facts.filter(({ role }) => role === "target");
  if (targets.length !== 1) return `it asks for ${targets.length} facts`;
  return targets[0]!.depth ?? "what it asks for is spread over the context";
}

/** Notes a record; an answer is never replaced. */
export function noteRecord({ latest, batches }: KnownRecords, record: RunRecord): void {
  const key = placeKey(record);
  if (record.batch !== undefined) batches.getOrInsertComputed(record.batch, () => new Set<string>()).add(key);
  if (latest.get(key)?.reply.kind !== "answer") latest.set(key, record);
}

/** Opens a file of records for appending and notes the records in it; `undefined` if there is no file and none is created. */
export async function findRecords(
  path: string,
  { isNew, known }: { readonly isNew: boolean; readonly known: KnownRecords },
): Promise<{ readonly file: FileHandle; readonly torn: TornEnd | undefined } | undefined> {
  const file = await openLocked(path, isNew);
  if (file === undefined) return undefined;
  try {
    let torn: TornEnd | undefined;
    for await (const record of readRecords(file, { path, onTorn: (end) => torn = end })) noteRecord(known, record);
    return { file, torn };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Opens a file for reading and appending; `undefined` if there is no file and none is created. Until the file is closed, it has an
 * exclusive lock where the runtime has locks.
 */
export async function openLocked(path: string, isNew: boolean): Promise<FileHandle | undefined> {
  const flags = constants.O_RDWR | constants.O_APPEND | (isNew ? constants.O_CREAT : 0);
  let lock: Disposable | null | undefined;
  try {
    // The lock comes first: a repair that ends meanwhile replaces the file.
    lock = await takeLock(path, isNew);
    if (lock !== null) {
      const file = await open(path, flags);
      file.once("close", () => lock?.[Symbol.dispose]());
      return file;
    }
  } catch (error) {
    lock?.[Symbol.dispose]();
    if ((error as { readonly code?: string }).code === "ENOENT" && !isNew) return undefined;
    throw new RangeError(`Cannot open "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
  throw new Error(`Cannot add to "${path}" as one process at a time must write it: another one has it open`);
}

/** Locks a file until the result is disposed; `null` if another process has locked it, `undefined` where there are no locks. */
async function takeLock(path: string, create: boolean): Promise<Disposable | null | undefined> {
  // Node has no locks of files.
  if (!("Deno" in globalThis)) return undefined;
  const file = await Deno.open(path, { read: true, append: true, create });
  if (await file.tryLock(true)) return file;
  file.close();
  return null;
}

/** Appends lines to a file in order. */
export interface LineWriter {
  /** Appends one line, after those before it. */
  append(line: string): Promise<void>;
  /** Syncs everything to the disk; the file stays open. */
  finish(): Promise<void>;
}

/** How often writes are synced to the disk, so that a power cut loses a second at most. */
const SYNC_EVERY_MS = 1000;

/** Repairs a torn end, then opens the file for more lines. */
export async function writeLines(file: FileHandle, path: string, torn?: TornEnd): Promise<LineWriter> {
  if (torn?.isWhole) await file.appendFile("\n");
  else if (torn) await file.truncate(torn.wholeBytes);
  let last: Promise<void> = Promise.resolve();
  let synced = performance.now();
  const waiting: string[] = [];
  /** Writes all waiting lines at once (group commit). */
  const write = async (): Promise<void> => {
    const lines = waiting.splice(0);
    if (lines.length === 0) return;
    try {
      await file.appendFile(lines.join(""));
      if (performance.now() - synced < SYNC_EVERY_MS) return;
      await file.datasync();
      synced = performance.now();
    } catch (error) {
      throw new Error(
        `Cannot write "${path}" as it must be writable, with room on the disk: ${explainFileError(error)}`,
        { cause: error },
      );
    }
  };
  return {
    // Subtle: after a failed write every later one fails too, so that no record follows half a line.
    append(line): Promise<void> {
      waiting.push(`${line}\n`);
      return last = last.then(write);
    },
    async finish(): Promise<void> {
      await last.catch(() => {});
      await file.datasync();
    },
  };
}

/** A file of lines that one process at a time adds to. */
export interface LineFile<Line> extends Pick<LineWriter, "append"> {
  /** The lines that the file had. */
  readonly lines: readonly Line[];
  /** Closes and unlocks it; an empty file is removed. */
  close(): Promise<void>;
}

/**
 * Opens a file of lines, which it creates if there is none. A last line that was cut is removed, and `read` returns `undefined` for a
 * line that is skipped.
 *
 * @throws {Error} If another process has it open.
 */
export async function openLineFile<Line>(
  path: string,
  read: (line: string) => Line | undefined,
): Promise<LineFile<Line>> {
  const file = (await openLocked(path, true))!;
  const lines: Line[] = [];
  let torn: TornEnd | undefined;
  for await (const { text, isEnded, start } of readLines(file)) {
    const line = read(text);
    if (!isEnded) torn = { wholeBytes: start, isWhole: line !== undefined };
    if (line !== undefined) lines.push(line);
  }
  const writer = await writeLines(file, path, torn);
  return {
    lines,
    append: writer.append,
    async close(): Promise<void> {
      await writer.finish();
      const { size } = await file.stat();
      await file.close();
      if (size === 0) await rm(path);
    },
  };
}
