import { readRecallPublished, RECALL_FILES, type RecallPublished, type RecallTexts } from "./recall_published.ts";

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
export async function openRecallPublished(
  folder: URL = new URL("../../../data/published/", import.meta.url),
): Promise<RecallPublished> {
  const texts: Partial<Record<keyof RecallTexts, string>> = {};
  for (const file of RECALL_FILES) texts[file] = await Deno.readTextFile(new URL(file, folder));
  return readRecallPublished(texts as RecallTexts);
}
