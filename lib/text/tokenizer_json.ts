import { Tokenizer as ModelTokenizer } from "@huggingface/tokenizers";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";

/** The parts of a `tokenizer.json` that decide where tokens can reach. */
interface TokenizerFile {
  readonly model?: {
    readonly vocab?:
      | Record<string, number>
      | readonly (readonly [string, number])[];
  };
}

/**
 * Opens a model's own `tokenizer.json`, the file that Hugging Face models carry.
 *
 * Where texts may be cut is not assumed but read off the vocabulary: a cut is safe if no token reaches over such a place.
 * Start markers and other special tokens are not counted; give their number with the chat template.
 *
 * @param json The file's text.
 * @param name What to call the tokenizer in sample ids and records.
 * @returns The tokenizer.
 * @throws {SyntaxError} If the text is not a `tokenizer.json`.
 *
 * @example A file that is something else is refused
 * ```ts
 * import { throws } from "node:assert/strict";
 *
 * throws(() => openTokenizerJson("{}", "mine"), SyntaxError);
 * ```
 */
export function openTokenizerJson(json: string, name: string): Tokenizer {
  const file = parseFile(json, name);
  const model = openModel(file, name);
  const count = (text: string): number =>
    text === "" ? 0 : model.encode(text, { add_special_tokens: false }).ids.length;
  const tokens = readVocabulary(file);
  const wordCuts = !tokens.some((token) => /[^\s▁Ġ][ ▁Ġ][^\s▁Ġ]/u.test(token));
  const markCuts = !tokens.some((token) => /[\u4e00-\u9fff][。，、；：？！“”‘’（）《》【】…—]/u.test(token));
  return {
    name,
    count,
    countAfterCut: (text) => {
      if (text === "") return 0;
      // The anchor takes the marker that some tokenizers put before a text, and ends as a text before a cut ends.
      const anchor = text.startsWith(" ") ? "a." : "天";
      return count(anchor + text) - count(anchor);
    },
    isCut: (text, at) =>
      (wordCuts && isCutBeforeWord(text, at)) ||
      (markCuts && isCutBeforeMark(text, at)),
  };
}

function openModel(file: TokenizerFile, name: string): ModelTokenizer {
  try {
    return new ModelTokenizer(file, {});
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SyntaxError(`Cannot open tokenizer "${name}" as the file must be a whole tokenizer.json: ${reason}`);
  }
}

function parseFile(json: string, name: string): TokenizerFile {
  let file: TokenizerFile;
  try {
    file = JSON.parse(json);
  } catch {
    throw new SyntaxError(
      `Cannot open tokenizer "${name}" as the file must hold JSON`,
    );
  }
  if (
    typeof file !== "object" || file === null || file.model?.vocab === undefined
  ) {
    throw new SyntaxError(
      `Cannot open tokenizer "${name}" as the file must be a tokenizer.json with model.vocab in it`,
    );
  }
  return file;
}

function readVocabulary(file: TokenizerFile): string[] {
  const vocab = file.model?.vocab ?? {};
  return Array.isArray(vocab) ? vocab.map(([token]) => String(token)) : Object.keys(vocab);
}
