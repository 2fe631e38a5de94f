import { PUBLISHED_FOLDER, readPublishedTexts } from "../published/_published_texts.ts";
import { readRecallPublished, RECALL_FILES, type RecallPublished } from "./recall_published.ts";

/**
 * Opens what was published about prompt-dependent recall, from the CSV files of `data/published`; it needs permission to read
 * that folder.
 *
 * @param folder Where the files are, if elsewhere; ends in a slash.
 * @returns The tables, as typed rows.
 * @throws {Error} If a file is missing.
 * @throws {SyntaxError} If a file is not as wanted.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal((await openRecallPublished()).recalls.length, 27);
 * ```
 */
export async function openRecallPublished(folder: URL = PUBLISHED_FOLDER): Promise<RecallPublished> {
  return readRecallPublished(await readPublishedTexts(RECALL_FILES, folder));
}
