import { explainFileError } from "./_explain_file_error.ts";
import { plainName, shortHash } from "./_names.ts";

/** The texts of a file, or of a folder in the order of their files' names. */
export interface FolderTexts {
  readonly texts: readonly string[];
  /** The path of each text's file, and the line where a file has several. */
  readonly textNames: readonly string[];
  /** The file's or folder's name and a short hash of the texts, so that different texts have different names. */
  readonly name: string;
}

/**
 * Reads a .txt or .jsonl file, or every such file of a folder and of the folders in it. A .txt file is one text; a .jsonl file
 * has a text in each line, as the `text` of a JSON object.
 *
 * @throws {RangeError} If there is no such file or folder, or nothing in it to read.
 * @throws {SyntaxError} If a file is not UTF-8 text, or a line of a .jsonl file is not such an object.
 */
export async function readTexts(path: string): Promise<FolderTexts> {
  const files = TEXT_FILE.test(path) && await isFile(path) ? [path] : (await listTexts(path)).sort();
  if (files.length === 0) throw cannotRead(path, "there is no .txt or .jsonl file in it");
  const found: NamedText[] = [];
  for (const file of files) found.push(...textsOf(file, await readText(file)));
  const [texts, textNames] = [found.map(({ text }) => text), found.map(({ name }) => name)];
  if (texts.every((text) => text.trim() === "")) throw cannotRead(path, "there is nothing but white space in it");
  return { texts, textNames, name: `${plainName(path).replace(TEXT_FILE, "")}-${shortHash(texts)}` };
}

const TEXT_FILE = /\.(?:txt|jsonl)$/i;

interface NamedText {
  readonly text: string;
  readonly name: string;
}

/** Gives the texts of a file by its kind. */
function textsOf(path: string, content: string): NamedText[] {
  if (!/l$/i.test(path)) return [{ text: content, name: path }];
  return content.replace(/^\uFEFF/, "").split("\n").flatMap((line, at) =>
    line.trim() === "" ? [] : [{ text: textOfLine(line, { path, number: at + 1 }), name: `${path}, line ${at + 1}` }]
  );
}

function textOfLine(line: string, { path, number }: { readonly path: string; readonly number: number }): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Said below, for text that is no JSON and for JSON without a text alike.
  }
  if (typeof value === "object" && value !== null && "text" in value && typeof value.text === "string") {
    return value.text;
  }
  const start = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  throw new SyntaxError(
    `Cannot read the essays as line ${number} of "${path}" must be a JSON object with a text: current value is ${start.trim()}`,
  );
}

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
      throw new SyntaxError(`Cannot read the essays as every file must be UTF-8 text: current value is "${path}"`);
    }
    throw cannotRead(path, explainFileError(error));
  }
}

function cannotRead(path: string, reason: string): RangeError {
  return new RangeError(
    `Cannot read the essays as they must be essays_en, essays_zh, a readable .txt or .jsonl file or a folder of them: current value is "${path}" (${reason})`,
  );
}
