import { readdir, realpath, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { explainFileError } from "./errors.ts";

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

/** Refuses the folder of a run that holds a link, a pipe or a device: writing to a link would change a file outside of it. */
export async function checkRunFolder(path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (["ENOENT", "ENOTDIR"].includes(error.code)) return [];
    throw new RangeError(`Cannot read "${path}" as the system must permit it: ${explainFileError(error)}`);
  });
  const odd = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (odd === undefined) return;
  const kind = odd.isSymbolicLink() ? "a symbolic link" : "a pipe or a device";
  throw new RangeError(
    `Cannot use the run in "${path}" as its folder must hold only regular files and folders: current value is ${kind}, "${odd.parentPath}/${odd.name}"; remove it to use the run`,
  );
}
