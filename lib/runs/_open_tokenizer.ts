import { basename, dirname, resolve } from "node:path";
import { ENCODING_NAMES, isEncodingName, openEncoding, openTokenizerJson, type Tokenizer } from "@/lib/text/mod.ts";
import { explainFileError } from "./_explain_file_error.ts";
import { plainName, shortHash } from "./_names.ts";

/**
 * Opens an encoding by its name, or a model's tokenizer.json by its path or its folder's.
 *
 * @throws {RangeError} If it is neither.
 */
export async function openTokenizer(nameOrPath: string): Promise<Tokenizer> {
  if (isEncodingName(nameOrPath)) return await openEncoding(nameOrPath);
  const path = await isFolder(nameOrPath) ? `${nameOrPath}/tokenizer.json` : nameOrPath;
  let json: string;
  try {
    json = await Deno.readTextFile(path);
  } catch (error) {
    const encodings = ENCODING_NAMES.join(", ");
    throw new RangeError(
      `Cannot open the tokenizer as it must be one of ${encodings}, or the path of a model's tokenizer.json: current value is "${nameOrPath}" (${
        explainFileError(error)
      })`,
    );
  }
  const name = nameTokenizer(path, json);
  try {
    return openTokenizerJson(json, name);
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    // What the package behind it says of a file that has gaps or parts it does not know.
    throw new SyntaxError(
      `Cannot open tokenizer "${name}" as the file must be a whole tokenizer.json: ${(error as Error).message}`,
    );
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

/** Names a tokenizer for its model: the folder of a tokenizer.json, or the file where it is called otherwise. */
function nameTokenizer(path: string, json: string): string {
  const file = basename(path);
  const name = file === "tokenizer.json" ? dirname(resolve(path)) : file.replace(/\.json$/, "");
  return `${plainName(name)}-${shortHash([json])}`;
}
