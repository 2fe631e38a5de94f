import { readdir } from "node:fs/promises";
import { type FilePlace, parseObject, refuse } from "./_fields.ts";
import { explainFileError, openRegular, readRegular } from "@/lib/base/mod.ts";
import type { Fields } from "@/lib/models/mod.ts";
import { readChunks, readLines } from "@/lib/records/mod.ts";

/** Reads a file with one JSON object per line; blank lines are skipped. */
export async function* readJsonLines(
  path: string,
): AsyncGenerator<{ readonly place: FilePlace; readonly row: Fields }> {
  await using file = await openRegular(path).catch((error) => {
    throw cannotRead(path, error);
  });
  for await (const { text, number } of readLines(readChunks(file))) {
    const place = { path, where: `line ${number}` };
    if (text.trim() !== "") yield { place, row: parseObject(number === 1 ? text.replace(/^\uFEFF/, "") : text, place) };
  }
}

export async function readObject(path: string): Promise<Fields> {
  return parseBytes(await readBytes(path), { path });
}

export function parseBytes(bytes: Uint8Array, place: FilePlace): Fields {
  return parseObject(decodeText(bytes, place), place);
}

/** Decodes UTF-8; a byte order mark is left out. */
export function decodeText(bytes: Uint8Array, place: FilePlace): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse(place, "its text must be UTF-8 of less than 512 MiB", `${bytes.length} bytes`);
  }
}

export async function readBytes(path: string): Promise<Uint8Array> {
  return await readRegular(path).catch((error) => {
    throw cannotRead(path, error);
  });
}

function cannotRead(path: string, error: unknown): RangeError {
  return new RangeError(`Cannot import "${path}" as it must be a readable file: ${explainFileError(error)}`);
}

/** Lists the files below a folder, sorted; hidden files and links are skipped. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.filter(({ name }) => !name.startsWith(".")).map((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat().sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}
