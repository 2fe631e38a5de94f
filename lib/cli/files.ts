import type { Output } from "./output.ts";
import { type FileHandle, lstat, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { type ProgressView, RUNS_FOLDER, shellProgress } from "@/lib/studies/mod.ts";

/** Folder for figures about several runs; the figures of one run are in its own folder. */
export const OWN_FIGURES: string = join(RUNS_FOLDER, "../reports/figures");

/** Characters that are gathered before a write, each of which costs a system call. */
const PIECE_CHARS = 1 << 16;

/**
 * Writes lines to a file, by default to the output.
 *
 * A file is renamed to its path when it is complete. The first line is made before anything is written, so that wrong input leaves
 * no file.
 *
 * @returns The number of lines.
 */
export async function writeLines(
  lines: Iterable<string> | AsyncIterable<string>,
  { path, output }: { readonly path: string | undefined; readonly output: Output },
): Promise<number> {
  const iterator = (async function* (): AsyncGenerator<string> {
    yield* lines;
  })();
  let line = await iterator.next();
  const file = path === undefined ? undefined : await startFile(path);
  const encoder = new TextEncoder();
  const write = (text: string): Promise<void> => file?.write(encoder.encode(text)) ?? output.write(text);
  let [count, gathered] = [0, ""];
  try {
    for (; !line.done; line = await iterator.next(), count++) {
      gathered += line.value;
      if (gathered.length < PIECE_CHARS) continue;
      await write(gathered);
      gathered = "";
    }
    if (gathered !== "") await write(gathered);
    await file?.finish();
    return count;
  } catch (error) {
    await file?.drop();
    throw error;
  }
}

/** Writes small files below a folder, by their paths; creates missing folders. */
export async function writeFilesBelow(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Whether a path is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isDirectory(), () => false);
}

/** A file that is being written. */
export interface GrowingFile {
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the complete file and renames it to its path. */
  finish(): Promise<void>;
  /** Closes and removes the incomplete file. */
  drop(): Promise<void>;
}

/** Starts a file and its folder; the file is renamed to its path when it is complete. */
export async function startFile(path: string): Promise<GrowingFile> {
  await checkPlace(path);
  const part = `${path}.part`;
  let file: FileHandle;
  try {
    await mkdir(dirname(path), { recursive: true });
    file = await open(part, "w");
  } catch (error) {
    const { code = "" } = error as { readonly code?: string };
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code)) throw error;
    throw new RangeError(`Cannot write the file as its folder must be writable: current value is "${path}"`);
  }
  return {
    path,
    async write(bytes): Promise<void> {
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray((await file.write(rest)).bytesWritten);
    },
    async finish(): Promise<void> {
      await file.close();
      await rename(part, path);
    },
    async drop(): Promise<void> {
      // It may be closed by `finish`, whose rename failed.
      await file.close().catch(() => {});
      await rm(part, { force: true });
    },
  };
}

/** Refuses to replace anything but a regular file. */
async function checkPlace(path: string): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (there === undefined || there.isFile()) return;
  const wanted = there.isDirectory()
    ? "it must not be a folder (with / at its end it is laid out as RULER's)"
    : there.isSymbolicLink()
    ? "it must be the file itself, not a symbolic link to it"
    : "it must be a file";
  throw new RangeError(`Cannot write the file as ${wanted}: current value is "${path}"`);
}

/** Opens a view of progress on standard error, as wide as its terminal. */
export function openProgress({ redraw }: Output): ProgressView {
  const { isTTY: isTerminal = false, columns } = process.stderr;
  return shellProgress({ ...{ write: redraw, isTerminal }, ...(isTerminal ? { columns } : {}) });
}
