import { explainFileError } from "./_explain_file_error.ts";
import { plainName, shortHash } from "./_names.ts";

/** The text of a file, or the texts of a folder in the order of their names. */
export interface FolderTexts {
  readonly texts: readonly string[];
  /** The file's or folder's name and a short hash of the texts, so that different texts have different names. */
  readonly name: string;
}

/**
 * Reads a .txt file, or every .txt file of a folder and of the folders in it.
 *
 * @throws {RangeError} If there is no such file or folder, or nothing in it to read.
 * @throws {SyntaxError} If a file is not UTF-8 text.
 */
export async function readTexts(path: string): Promise<FolderTexts> {
  const files = TEXT_FILE.test(path) && await isFile(path) ? [path] : (await listTexts(path)).sort();
  if (files.length === 0) throw cannotRead(path, "there is no .txt file in it");
  const texts: string[] = [];
  for (const file of files) texts.push(await readText(file));
  if (texts.every((text) => text.trim() === "")) throw cannotRead(path, "there is nothing but white space in it");
  return { texts, name: `${plainName(path).replace(TEXT_FILE, "")}-${shortHash(texts)}` };
}

const TEXT_FILE = /\.txt$/i;

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch {
    // What is wrong with it shows when it is listed.
    return false;
  }
}

async function listTexts(folder: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      const path = `${folder.replace(/\/+$/, "")}/${entry.name}`;
      // A link to a folder is not followed, as it may lead round in a circle.
      if (entry.isDirectory) paths.push(...await listTexts(path));
      else if (TEXT_FILE.test(entry.name)) paths.push(path);
    }
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw cannotRead(folder, explainFileError(error));
  }
  return paths;
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof TypeError) {
      throw new SyntaxError(`Cannot read the essays as every .txt file must be UTF-8 text: current value is "${path}"`);
    }
    throw cannotRead(path, explainFileError(error));
  }
}

function cannotRead(path: string, reason: string): RangeError {
  return new RangeError(
    `Cannot read the essays as they must be essays_en, essays_zh, a readable .txt file or a folder of them: current value is "${path}" (${reason})`,
  );
}
