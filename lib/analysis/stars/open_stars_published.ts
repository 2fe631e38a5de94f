import { PUBLISHED_FOLDER, readPublishedTexts } from "../published/_published_texts.ts";
import { readStarsPublished, STAR_FILES, type StarsPublished } from "./published_stars.ts";

/**
 * Opens what Counting-Stars published, from the CSV files of `data/published`. It needs permission to read that folder.
 *
 * @param folder Where the files are, if elsewhere; ends in a slash.
 * @returns The figures, tables and replies, as typed rows.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file is not as wanted.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { panels } = await openStarsPublished();
 * equal(panels.length, 24);
 * ```
 */
export async function openStarsPublished(folder: URL = PUBLISHED_FOLDER): Promise<StarsPublished> {
  return readStarsPublished(await readPublishedTexts(STAR_FILES, folder));
}
