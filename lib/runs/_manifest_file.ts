import { explainFileError } from "./_explain_file_error.ts";
import type { RunManifest } from "./manifest.ts";
import { checkStudy } from "./study.ts";

/**
 * Reads the manifest of a run.
 *
 * @returns The manifest, or `undefined` where there is none.
 * @throws {SyntaxError} If the file holds something else.
 */
export async function readManifest(runPath: string): Promise<RunManifest | undefined> {
  const path = `${runPath}/manifest.json`;
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new RangeError(`Cannot read "${path}" as the system must permit it: ${explainFileError(error)}`);
  }
  try {
    const manifest = JSON.parse(text) as RunManifest;
    // deno-lint-ignore fathom/error-message -- the catch below makes it part of a whole sentence
    if (manifest.format !== 1) throw new TypeError(`format must be 1: current value is ${manifest.format}`);
    return { ...manifest, study: checkStudy(manifest.study, `"${path}"`) };
  } catch (error) {
    throw new SyntaxError(`Cannot read "${path}" as it must be the manifest of a run: ${(error as Error).message}`);
  }
}

/** Writes the manifest of a run whole or not at all. */
export async function writeManifest(runPath: string, manifest: RunManifest): Promise<void> {
  const path = `${runPath}/manifest.json`;
  await Deno.writeTextFile(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`);
  await Deno.rename(`${path}.new`, path);
}
