import { dirname, isAbsolute, join } from "node:path";
import { parse, YAMLParseError } from "yaml";
import { isEncodingName } from "@/lib/text/mod.ts";
import { isEmbeddedEssays } from "./_embedded_essays.ts";
import { explainFileError } from "./_explain_file_error.ts";
import { checkStudy, type Study } from "./study.ts";

/**
 * Reads a study from a YAML file.
 *
 * Paths in it are taken from the folder it is in.
 *
 * @param path The file's path.
 * @returns The study.
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not YAML.
 * @throws {TypeError} If a key is unknown or its value is not what was wanted.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const study = await readStudyFile("data/studies/ruler-quick.yaml");
 * equal(study.seed, "42");
 * ```
 */
export async function readStudyFile(path: string): Promise<Study> {
  const study = checkStudy(parseYaml(await readFile(path), path), `"${path}"`);
  const besideFile = (place: string): string => isAbsolute(place) ? place : join(dirname(path), place);
  return {
    ...study,
    ...(isEncodingName(study.tokenizer) ? {} : { tokenizer: besideFile(study.tokenizer) }),
    ...(isEmbeddedEssays(study.essays) ? {} : { essays: besideFile(study.essays) }),
    ...(study.squad === undefined ? {} : { squad: besideFile(study.squad) }),
    ...(study.hotpotqa === undefined ? {} : { hotpotqa: besideFile(study.hotpotqa) }),
  };
}

async function readFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw new RangeError(
      `Cannot read the study as it must be a YAML file: current value is "${path}" (${explainFileError(error)})`,
    );
  }
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const line = error.linePos?.[0].line ?? 1;
    throw new SyntaxError(
      `Cannot read the study in "${path}" as line ${line} must be YAML: ${error.message.split("\n")[0]}`,
    );
  }
}
