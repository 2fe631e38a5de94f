import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { type FilePlace, parseObject, refuse, refuseRun } from "./_fields.ts";
import { explainFileError, type Fields, openRegular, readRegular } from "@/lib/base/mod.ts";
import { readChunks, readLines } from "@/lib/records/mod.ts";

export async function* readJsonLines(
  path: string,
): AsyncGenerator<{ readonly place: FilePlace; readonly row: Fields }> {
  await using file = await openRegular(path).catch((error) => cannotRead(path, error));
  for await (const { text, number } of readLines(readChunks(file))) {
    const place = { path, where: `line ${number}` };
    if (text.trim() !== "") yield { place, row: parseObject(number === 1 ? text.replace(/^\uFEFF/, "") : text, place) };
  }
}

/** Returns the first row of a file of JSON lines; without fields if there is none. */
export async function firstRow(path: string): Promise<Fields> {
  for await (const { row } of readJsonLines(path)) return row;
  return {};
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
  return await readRegular(path).catch((error) => cannotRead(path, error));
}

function cannotRead(path: string, error: unknown): never {
  throw refuseRun(`"${path}"`, "it must be a readable file", explainFileError(error));
}

/** Lists the files below a folder, sorted; hidden files and links are skipped. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/(^|\/)\./.test(relative(folder, path)))
    .sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}
