import { createHash } from "node:crypto";
import { readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { explainFileError, readRegularText } from "@/lib/models/mod.ts";

/** The size limit of a study or a file of models, in bytes. */
const MAX_YAML_BYTES = 16 * 2 ** 20;

/** Reads a YAML file. Errors name its content `what`, such as `the study`, and the `wanted` file. */
export async function readYaml(
  path: string,
  { what, wanted }: { readonly what: string; readonly wanted: string },
): Promise<unknown> {
  let text: string;
  try {
    text = await readRegularText(path, MAX_YAML_BYTES);
  } catch (error) {
    throw new RangeError(
      `Cannot read ${what} as ${wanted}: current value is "${path}" (${explainFileError(error)})`,
    );
  }
  // Imported on demand, as most commands read no YAML.
  const { parse, YAMLParseError } = await import("yaml");
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    const wanted = error instanceof YAMLParseError
      ? `line ${error.linePos?.[0].line ?? 1} must be YAML`
      : "its aliases and nesting must be within bounds";
    throw new SyntaxError(`Cannot read ${what} in "${path}" as ${wanted}: ${reason}`);
  }
}

/** Writes a value as YAML. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(value);
}

/** Writes a text file, whole or not at all; a link of that name is replaced and never followed. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, text, { flag: "wx" });
  await rename(`${path}.new`, path);
}

const USER_FOLDERS = { cache: ".cache", config: ".config", state: ".local/state" } as const;

/** Returns Fathom's folder of the user's own files of a kind; `undefined` where the environment names none or may not be read. */
export function userFolder(kind: "cache" | "config" | "state"): string | undefined {
  try {
    const variables = Deno.env.toObject();
    const { LOCALAPPDATA, HOME } = variables;
    const folder = variables[`XDG_${kind.toUpperCase()}_HOME`] || LOCALAPPDATA ||
      (HOME ? `${HOME}/${USER_FOLDERS[kind]}` : "");
    return folder === "" ? undefined : `${folder}/fathom`;
  } catch {
    return undefined;
  }
}

/** Returns a path without symbolic links; `undefined` where there is no such file or it may not be read. */
export async function realPath(path: string): Promise<string | undefined> {
  return await realpath(path).catch(() => undefined);
}

/**
 * Refuses the folder of a run that holds anything but regular files and folders. Writing to a link would change a file outside
 * the folder, and reading a pipe would block.
 *
 * @throws {RangeError} If it holds a link, a pipe or a device, which the message names; a folder that does not exist is accepted.
 */
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

/** Hashes a file's bytes to SHA-256 in hexadecimal, as `sha256sum` does. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Hashes texts or bytes to SHA-256 in hexadecimal. */
export function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  // A separator that no text contains.
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

/** Hashes texts to eight hexadecimal digits, enough to distinguish sets of texts. */
export function shortHash(texts: readonly string[]): string {
  return hashOf(texts).slice(0, 8);
}

/** The last name of a path, without characters that a sample's id cannot have. */
export function plainName(path: string): string {
  return basename(resolve(path)).replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
