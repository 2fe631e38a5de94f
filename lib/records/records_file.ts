import { explainFileError, type Fields, isFields, isReplyOrigin, type RunRecord } from "@/lib/models/mod.ts";

/** The end of a records file that a crash cut short. */
export interface TornEnd {
  /** How many bytes of the file are whole. */
  readonly wholeBytes: number;
  /** Whether the last record is whole and only its line break is missing. */
  readonly isWhole: boolean;
}

/** A source of bytes: an open file, or {@linkcode heldBytes}. */
export interface ByteSource {
  /** Fills part of a buffer and returns the number of bytes; `null` at the end. */
  read(into: Uint8Array): Promise<number | null>;
}

/** Returns a source of bytes in memory. */
export function heldBytes(bytes: Uint8Array): ByteSource & Disposable {
  let at = 0;
  return {
    read(into): Promise<number | null> {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      at += part.length;
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
    [Symbol.dispose](): void {},
  };
}

/**
 * Reads records one by one.
 *
 * @param file The open file, at its start. `path` is for errors; `onTorn` is called if the last line was cut short.
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
        `Cannot read "${path}" as each line must be a record: line ${number} ${problem}: ${
          JSON.stringify(shorten(text))
        }; \`fathom verify\` lists all that is wrong, and with --repair puts such lines into a file of their own`,
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

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

/** The description and the test of a field of a record. */
type Check = readonly [wanted: string, isWanted: (value: unknown) => boolean];

const TEXT: Check = ["a text", (value) => typeof value === "string"];
const NUMBER: Check = ["a number", Number.isFinite];
const COUNT: Check = ["a whole number from 0", (value) => Number.isInteger(value) && Number(value) >= 0];
const TEXTS: Check = ["a list of texts", (value) => Array.isArray(value) && value.every((one) => TEXT[1](one))];
const LIST: Check = ["a list", Array.isArray];
const ORIGIN: Check = ["measured, simulated or unknown", isReplyOrigin];

const OBJECT: Check = ["an object", isFields];

const RESENT: Check = [
  "a list of reasons with failure, message, times and waitedMs",
  (value) => Array.isArray(value) && value.every(isReason),
];

function isReason(value: unknown): boolean {
  if (!isFields(value)) return false;
  return [value["failure"], value["message"]].every(TEXT[1]) && [value["times"], value["waitedMs"]].every(NUMBER[1]);
}

/** The fields of a record. */
const RECORD: Checks = {
  needed: {
    ...{ sample: TEXT, sha256: TEXT, suite: TEXT, task: TEXT, length: COUNT, index: COUNT, seed: TEXT },
    ...{ promptTokens: NUMBER, references: TEXTS, scoring: TEXT, model: TEXT, settings: OBJECT, reply: OBJECT },
  },
  known: {
    repeat: COUNT,
    nominal: COUNT,
    depth: NUMBER,
    cluster: TEXT,
    targetDepth: NUMBER,
    distractors: TEXTS,
    paths: LIST,
    origin: ORIGIN,
    fathom: TEXT,
    batch: TEXT,
  },
};

const ANSWER: Checks = {
  needed: { text: TEXT, finishReason: TEXT, latencyMs: NUMBER, attempts: COUNT },
  known: {
    ...{ thinking: TEXT, servedModel: TEXT, fingerprint: TEXT, server: TEXT, resent: RESENT },
    ...{ promptTokens: NUMBER, cachedTokens: NUMBER, completionTokens: NUMBER, firstTokenMs: NUMBER },
  },
};

const FAILURE: Checks = {
  needed: { failure: TEXT, message: TEXT, latencyMs: NUMBER, attempts: COUNT },
  known: { server: TEXT, resent: RESENT },
};

interface Checks {
  readonly needed: Readonly<Record<string, Check>>;
  /** These may be left out. */
  readonly known: Readonly<Record<string, Check>>;
}

/** The record on a line, or the problem of the line. */
export type ParsedRecord =
  | { readonly record: RunRecord; readonly problem?: undefined }
  | { readonly record?: undefined; readonly problem: string };

/** Reads the record on a line and checks the type of each field, as files can come from elsewhere. */
export function parseRecord(line: string): ParsedRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: "is no JSON" };
  }
  if (!isFields(value)) return { problem: "is no JSON object" };
  const { reply } = value;
  const problem = findWrong(value, RECORD, "") ?? (isFields(reply) ? wrongReply(reply) : undefined);
  return problem === undefined ? { record: value as unknown as RunRecord } : { problem };
}

function wrongReply(reply: Fields): string | undefined {
  if (reply["kind"] === "answer") return findWrong(reply, ANSWER, "reply.");
  if (reply["kind"] === "failure") return findWrong(reply, FAILURE, "reply.");
  return "has a reply.kind that is neither answer nor failure";
}

function findWrong(fields: Fields, { needed, known }: Checks, place: string): string | undefined {
  const given = Object.entries(known).filter(([name]) => Object.hasOwn(fields, name));
  const wrong = [...Object.entries(needed), ...given].find(([name, [, isWanted]]) => !isWanted(fields[name]));
  if (wrong === undefined) return undefined;
  const [name, [wanted]] = wrong;
  return Object.hasOwn(fields, name) ? `has ${place}${name} that is not ${wanted}` : `has no ${place}${name}`;
}

/** A line of a file. */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** The bytes of the file before it. */
  readonly start: number;
  /** Whether a line break ends it. */
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
  const chunk = new Uint8Array(1 << 16);
  for (let size = await file.read(chunk); size !== null; size = await file.read(chunk)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0 && end < size; end = chunk.indexOf(LINE_BREAK, from)) {
      const bytes = concatenate([...pending, chunk.subarray(from, end)]);
      pending = [];
      from = end + 1;
      number++;
      if (bytes.length > 0) yield { text: decoder.decode(bytes), number, start, isEnded: true };
      start += bytes.length + 1;
    }
    if (from < size) pending.push(chunk.slice(from, size));
  }
  const rest = concatenate(pending);
  if (rest.length > 0) yield { text: decoder.decode(rest), number: number + 1, start, isEnded: false };
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A file of records, open for appending. */
export interface FoundRecords {
  readonly file: Deno.FsFile;
  readonly torn: TornEnd | undefined;
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
): Promise<FoundRecords | undefined> {
  const file = await openLocked(path, isNew);
  if (file === undefined) return undefined;
  try {
    let torn: TornEnd | undefined;
    for await (const record of readRecords(file, { path, onTorn: (end) => torn = end })) noteRecord(known, record);
    return { file, torn };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Opens a file for reading and appending with an exclusive lock; `undefined` if there is no file and none is created. */
export async function openLocked(path: string, isNew: boolean): Promise<Deno.FsFile | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(path, { read: true, append: true, create: isNew });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound && !isNew) return undefined;
    throw new RangeError(`Cannot open "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
  if (await file.tryLock(true)) return file;
  file.close();
  throw new Error(`Cannot add to "${path}" as one process at a time must write it: another one is at it`);
}
