import { readFileSync, type Stats, statSync } from "node:fs";
import { type FileHandle, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * Opens a regular file. Others are refused: opening a pipe can block forever, and a device may have no end.
 * @throws {RangeError} If it is not a regular file, or too large.
 */
export async function openRegular(path: string, maxBytes = Infinity): Promise<FileHandle> {
  checkRegular(await stat(path), maxBytes);
  return await open(path);
}

/** Reads a regular file; throws as {@linkcode openRegular} does. */
export async function readRegular(path: string, maxBytes = Infinity): Promise<Uint8Array> {
  checkRegular(await stat(path), maxBytes);
  return await readFile(path);
}

/** The most bytes of a text that is read whole: V8's longest string has 2^29 - 24 characters. */
export const MAX_BYTES = 2 ** 29 - 24;

/** Reads the text of a regular file. */
export async function readRegularText(path: string, maxBytes = MAX_BYTES): Promise<string> {
  checkRegular(await stat(path), maxBytes);
  return await readFile(path, "utf8");
}

/** Reads the text of a regular file synchronously. */
export function readRegularTextSync(path: string, maxBytes = MAX_BYTES): string {
  checkRegular(statSync(path), maxBytes);
  return readFileSync(path, "utf8");
}

/** Writes a file whole or not at all, even after a power cut; a link of that name is replaced and never followed. */
export async function writeWhole(path: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, content, { flag: "wx", flush: true });
  await rename(`${path}.new`, path);
}

function checkRegular(found: Stats, maxBytes: number): void {
  // Callers put the reason into a sentence of theirs.
  const refuse = (reason: string): never => {
    throw new RangeError(reason);
  };
  if (found.isDirectory()) refuse("it is a folder");
  if (!found.isFile()) refuse("it is a pipe or a device, not a regular file");
  if (found.size > maxBytes) refuse(`it has ${found.size} bytes, more than ${maxBytes}`);
}

/** Returns whether there is a file at a path, through links too; what cannot be looked at is none. */
export async function isFile(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isFile(), () => false);
}

/** Returns a path without symbolic links; `undefined` if there is no such file or it may not be read. */
export async function realPath(path: string): Promise<string | undefined> {
  return await realpath(path).catch(() => undefined);
}

/** Returns the path of a folder for the user's files: of this project, or of the current folder if the library is a package. */
export function workFolder(path: string): string {
  return import.meta.url.endsWith(".ts") ? fileURLToPath(new URL(`../../${path}`, import.meta.url)) : path;
}

const USER_FOLDERS = { cache: ".cache", config: ".config", state: ".local/state" } as const;

/** Returns Fathom's folder of the user's own files of a kind; `undefined` if the environment names none or may not be read. */
export function userFolder(kind: "cache" | "config" | "state"): string | undefined {
  try {
    const variables = { ...process.env };
    const { LOCALAPPDATA, HOME } = variables;
    const folder = variables[`XDG_${kind.toUpperCase()}_HOME`] || LOCALAPPDATA ||
      (HOME ? `${HOME}/${USER_FOLDERS[kind]}` : "");
    return folder === "" ? undefined : `${folder}/fathom`;
  } catch {
    return undefined;
  }
}

/** The last name of a path, without characters that a sample's id cannot have. */
export function plainName(path: string): string {
  return basename(resolve(path)).replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
