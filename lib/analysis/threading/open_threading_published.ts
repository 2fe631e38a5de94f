import { PUBLISHED_FOLDER, readPublishedTexts } from "../published/_published_texts.ts";
import { readThreadingPublished, THREADING_FILES, type ThreadingPublished } from "./published_threading.ts";

/**
 * Opens what Needle Threading published, from the CSV files of `data/published`. It needs permission to read that folder.
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
 * const { limits } = await openThreadingPublished();
 * equal(limits.length, 15 * 5);
 * ```
 */
export async function openThreadingPublished(folder: URL = PUBLISHED_FOLDER): Promise<ThreadingPublished> {
  return readThreadingPublished(await readPublishedTexts(THREADING_FILES, folder));
}
