import { PUBLISHED_FOLDER, readPublishedTexts } from "./_published_texts.ts";
import { readRulerPublished, RULER_FILES, type RulerPublished } from "./published.ts";

/**
 * Opens what RULER published, from the CSV files of `data/published`. It needs permission to read that
 * folder.
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
export async function openPublished(folder: URL = PUBLISHED_FOLDER): Promise<RulerPublished> {
  return readRulerPublished(await readPublishedTexts(RULER_FILES, folder));
}
