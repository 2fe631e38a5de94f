import { readRulerPublished, RULER_FILES, type RulerPublished, type RulerTexts } from "./published.ts";

const FOLDER = new URL("../../data/published/", import.meta.url);

/**
 * Opens what RULER published, from the CSV files of `data/published`. This is the one function of the room that reads
 * files; it needs permission to read that folder.
 *
 * @param folder Where the files are, if elsewhere; ends in a slash.
 * @returns The tables and figures, as typed rows.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file is not as wanted.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { rows } = await openPublished();
 * equal(rows.filter((row) => row.edition === "v1" && row.table === 3).length, 10);
 * ```
 */
export async function openPublished(folder: URL = FOLDER): Promise<RulerPublished> {
  const texts: Partial<Record<keyof RulerTexts, string>> = {};
  // One after the other, so that the first file that is missing is the one that is told.
  for (const file of RULER_FILES) texts[file] = await readText(file, folder);
  return readRulerPublished(texts as RulerTexts);
}

async function readText(file: string, folder: URL): Promise<string> {
  try {
    return await Deno.readTextFile(new URL(file, folder));
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Error(`Cannot open the published tables as ${file} must be there: there is none in ${folder.pathname}`, {
      cause,
    });
  }
}
