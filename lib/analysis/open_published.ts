import { readRulerPublished, RULER_FILES, type RulerPublished, type RulerTexts } from "./published.ts";

const FOLDER = new URL("../../data/published/", import.meta.url);

/**
 * Opens what RULER published, from the CSV files of `data/published`. This is the one function of the room that reads files; it needs
 * permission to read that folder.
 *
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
export async function openPublished(): Promise<RulerPublished> {
  const texts = await Promise.all(RULER_FILES.map(async (file) => [file, await readText(file)] as const));
  return readRulerPublished(Object.fromEntries(texts) as RulerTexts);
}

async function readText(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(new URL(file, FOLDER));
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Error(`Cannot open the published tables as data/published/${file} must be there: it is missing`, {
      cause,
    });
  }
}
