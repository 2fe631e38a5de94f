import { explainFileError } from "./_explain_file_error.ts";
import { plainName, shortHash } from "./_names.ts";

/** The texts of a folder, in the order of their names. */
export interface FolderTexts {
  readonly texts: readonly string[];
  /** The folder's name and a short hash of the texts, so that different texts have different names. */
  readonly name: string;
}

/**
 * Reads every .txt file of a folder and of the folders in it.
 *
 * @throws {RangeError} If there is no such folder, or nothing in it to read.
 * @throws {SyntaxError} If a file is not UTF-8 text.
 */
export async function readTexts(folder: string): Promise<FolderTexts> {
  const paths = (await listTexts(folder)).sort();
  if (paths.length === 0) throw cannotRead(folder, "there is no .txt file in it");
  const texts: string[] = [];
  for (const path of paths) texts.push(await readText(path));
  if (texts.every((text) => text.trim() === "")) throw cannotRead(folder, "its .txt files are empty");
  return { texts, name: `${plainName(folder)}-${shortHash(texts)}` };
}

async function listTexts(folder: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      const path = `${folder.replace(/\/+$/, "")}/${entry.name}`;
      // A link to a folder is not followed, as it may lead round in a circle.
      if (entry.isDirectory) paths.push(...await listTexts(path));
      else if (/\.txt$/i.test(entry.name)) paths.push(path);
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
    `Cannot read the essays as they must be essays_en, essays_zh, or a folder with readable .txt files: current value is "${path}" (${reason})`,
  );
}
