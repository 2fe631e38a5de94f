import { readFileSync, type Stats, statSync } from "node:fs";
import { type FileHandle, open, readFile, stat } from "node:fs/promises";

/**
 * Opens a regular file. Others are refused: opening a pipe can block forever, and a device may have no end.
 *
 * @param maxBytes Maximum file size.
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
export const MAX_TEXT_BYTES = 2 ** 29 - 24;

/** Reads the text of a regular file. */
export async function readRegularText(path: string, maxBytes = MAX_TEXT_BYTES): Promise<string> {
  checkRegular(await stat(path), maxBytes);
  return await readFile(path, "utf8");
}

/** Reads the text of a regular file synchronously. */
export function readRegularTextSync(path: string, maxBytes = MAX_TEXT_BYTES): string {
  checkRegular(statSync(path), maxBytes);
  return readFileSync(path, "utf8");
}

/** Returns whether there is a file at a path, through links too; what cannot be looked at is none. */
export async function isFile(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isFile(), () => false);
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

/** Explanations of errors by Deno's names and by the codes of `node:fs`. */
const REASONS: readonly (readonly [names: readonly string[], reason: string])[] = [
  [["NotFound", "ENOENT"], "there is nothing of that name"],
  [["PermissionDenied", "EACCES", "EPERM"], "the system does not permit it"],
  [["NotCapable"], "this task was not started with the permission to do so"],
  [["NotADirectory", "ENOTDIR"], "it is not a folder"],
  [["IsADirectory", "EISDIR"], "it is a folder"],
  [["ENOSPC", "EDQUOT"], "there is no space left on the disk"],
  [["ENAMETOOLONG"], "its name is too long for the file system"],
  [["EROFS"], "its file system is read-only"],
  [["EMFILE", "ENFILE"], "too many files are open"],
  [["ELOOP", "FilesystemLoop"], "its links lead in a circle"],
];

/** Explains in a few words why a file could not be read or written. */
export function explainFileError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, code } = error as Error & { readonly code?: string };
  const [, reason] = REASONS.find(([names]) => names.includes(name) || names.includes(code ?? "")) ?? [];
  return reason ?? error.message;
}
