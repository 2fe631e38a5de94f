import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";

/** Reads a YAML file; errors call what it holds `what`, such as `the study`, and say what the file must be. */
export async function readYaml(
  path: string,
  { what, wanted }: { readonly what: string; readonly wanted: string },
): Promise<unknown> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    throw new RangeError(
      `Cannot read ${what} as ${wanted}: current value is "${path}" (${explainFileError(error)})`,
    );
  }
  // Imported here, as many who import this room read no YAML.
  const { parse, YAMLParseError } = await import("yaml");
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const line = error.linePos?.[0].line ?? 1;
    throw new SyntaxError(
      `Cannot read ${what} in "${path}" as line ${line} must be YAML: ${error.message.split("\n")[0]}`,
    );
  }
}

/** Says in plain words why a file could not be read or written. */
export function explainFileError(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is nothing of that name";
  if (error instanceof Deno.errors.PermissionDenied) return "the system does not permit it";
  if (error instanceof Deno.errors.NotCapable) return "this task was not started with the permission to do so";
  if (error instanceof Deno.errors.NotADirectory) return "it is not a folder";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}

/** Where the user's own files of a kind are below the home folder, unless the environment names another place. */
const USER_FOLDERS = { cache: ".cache", config: ".config", state: ".local/state" } as const;

/** Returns Fathom's folder of the user's own files of a kind; `undefined` where the environment names none or may not be read. */
export function userFolder(kind: keyof typeof USER_FOLDERS): string | undefined {
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
  return await Deno.realPath(path).catch(() => undefined);
}

/** Writes a text file, whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${path}.new`, text);
  await Deno.rename(`${path}.new`, path);
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
