import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { setTimeout as timer } from "node:timers/promises";
import { explainFileError } from "@/lib/base/mod.ts";

/** The bytes of a file in order; a chunk is valid until the next one is read. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Reads the bytes of an open file from its start. */
export async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(1 << 16);
  for (let position = 0;;) {
    const { bytesRead } = await file.read(chunk, { position });
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
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

export const LINE_BREAK = 0x0a;

/** Reads a file line by line, holding no more than a line and a chunk of it; blank lines are left out. */
export async function* readLines(chunks: Chunks): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  // Parts of a line, joined at its end: a line can be longer than many chunks.
  let pending: Uint8Array[] = [];
  let number = 0;
  let start = 0;
  for await (const chunk of chunks) {
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

/** The end of a file of lines that a crash cut short. */
export interface TornEnd {
  /** How many bytes of the file are whole. */
  readonly wholeBytes: number;
  /** Whether the last line is whole and only its line break is missing. */
  readonly isWhole: boolean;
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
  // While another thread starts a program, that program holds copies of this process's locks for a few milliseconds.
  for (let tries = 0; tries < 5; tries++) {
    if (tries > 0) await timer(20);
    if (await file.tryLock(true)) return file;
  }
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

/** Repairs a torn end, then appends lines to the open file. */
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
export interface LineFile<Item> extends Pick<LineWriter, "append"> {
  /** What its lines held when it was opened. */
  readonly items: readonly Item[];
  /** Closes and unlocks it; an empty file is removed. */
  close(): Promise<void>;
}

/**
 * Opens a file of lines, which it creates if there is none. A last line that was cut is removed, and `read` returns `undefined` for a
 * line that is skipped.
 *
 * @throws {Error} If another process has it open.
 */
export async function openLineFile<Item>(
  path: string,
  read: (line: string) => Item | undefined,
): Promise<LineFile<Item>> {
  const file = (await openLocked(path, true))!;
  const items: Item[] = [];
  let torn: TornEnd | undefined;
  for await (const { text, isEnded, start } of readLines(readChunks(file))) {
    const item = read(text);
    if (!isEnded) torn = { wholeBytes: start, isWhole: item !== undefined };
    if (item !== undefined) items.push(item);
  }
  const writer = await writeLines(file, path, torn);
  return {
    items,
    append: writer.append,
    async close(): Promise<void> {
      await writer.finish();
      const { size } = await file.stat();
      await file.close();
      if (size === 0) await rm(path);
    },
  };
}
