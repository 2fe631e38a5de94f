import { explainFileError } from "./_files.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** The end of a records file that a crash cut short. */
export interface TornEnd {
  /** How many bytes of the file are whole. */
  readonly wholeBytes: number;
  /** Whether the last record is whole and only its line break is missing. */
  readonly isWhole: boolean;
}

/** Where bytes are read from: an opened file, or {@linkcode heldBytes}. */
export interface ByteSource {
  /** Fills some of a buffer, and gives how many bytes; `null` at the end. */
  read(into: Uint8Array): Promise<number | null>;
}

/** Bytes that are in memory already, to be read as a file is. */
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
 * @param file The opened file, at its start; `path` is for errors, `onTorn` is told where the last line was cut short.
 * @throws {SyntaxError} If a line before the last holds no record.
 */
export async function* readRecords(
  file: ByteSource,
  { path, onTorn }: { readonly path: string; readonly onTorn?: (end: TornEnd) => void },
): AsyncGenerator<RunRecord> {
  for await (const { text, number, start, isEnded } of readLines(file)) {
    const record = parseRecord(text);
    if (!isEnded) onTorn?.({ wholeBytes: start, isWhole: record !== undefined });
    if (record) yield record;
    else if (isEnded) {
      throw new SyntaxError(
        `Cannot read "${path}" as each line must be a record: line ${number} is ${JSON.stringify(shorten(text))}`,
      );
    }
  }
}

/** What the user should know of a torn end. */
export function explainTornEnd({ isWhole }: TornEnd, path: string): string[] {
  return isWhole
    ? []
    : [`The last line of "${path}" was cut short: it is left out, and its sample counts as not asked`];
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

const KINDS: Readonly<Partial<Record<keyof RunRecord, string>>> = {
  sample: "string",
  sha256: "string",
  suite: "string",
  task: "string",
  length: "number",
  index: "number",
  seed: "string",
  promptTokens: "number",
  references: "object",
  scoring: "string",
  model: "string",
  settings: "object",
  reply: "object",
};

/** The record on a line; `undefined` where it holds none. */
function parseRecord(line: string): RunRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const isWhole = Object.entries(KINDS).every(([key, kind]) => typeof fields[key] === kind && fields[key] !== null);
  const reply = fields["reply"] as { readonly kind?: unknown } | undefined;
  return isWhole && (reply?.kind === "answer" || reply?.kind === "failure") ? value as RunRecord : undefined;
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
  // Parts of a line, joined once it is whole: a line can be as long as many chunks.
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

interface FoundRecords {
  readonly file: Deno.FsFile;
  readonly torn: TornEnd | undefined;
  readonly outcomes: Outcomes;
}

/** What came back for each sample of a run, so far. */
interface Outcomes {
  /** By {@linkcode placeKey}. */
  readonly kinds: Map<string, "answer" | "failure">;
  /** The hash of each answered sample's text, by its id. */
  readonly hashes: Map<string, string>;
}

/** The place of a sample in a run. */
export type SamplePlace = Pick<RunRecord, "suite" | "task" | "length" | "index" | "repeat">;

/** Names the place of a record; records from before samples could be asked again are of their first time. */
export function placeKey({ suite, task, length, index, repeat = 0 }: SamplePlace): string {
  return `${suite}/${task}/${length}/${index}/${repeat}`;
}

/** Counts a record; an answer stands, whatever else was recorded for the sample. */
export function noteRecord({ kinds, hashes }: Outcomes, record: RunRecord): void {
  const key = placeKey(record);
  if (kinds.get(key) !== "answer") kinds.set(key, record.reply.kind);
  if (record.reply.kind === "answer") hashes.set(record.sample, record.sha256);
}

/** Opens the records file of a run for appending and reads what is in it; `undefined` where there is no file to be found. */
export async function findRecords(
  path: string,
  { isNew }: { readonly isNew: boolean },
): Promise<FoundRecords | undefined> {
  const file = await openLocked(path, isNew);
  if (file === undefined) return undefined;
  try {
    const outcomes: Outcomes = { kinds: new Map(), hashes: new Map() };
    let torn: TornEnd | undefined;
    for await (const record of readRecords(file, { path, onTorn: (end) => torn = end })) noteRecord(outcomes, record);
    return { file, torn, outcomes };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function openLocked(path: string, isNew: boolean): Promise<Deno.FsFile | undefined> {
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
