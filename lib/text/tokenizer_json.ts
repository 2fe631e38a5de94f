import { Tokenizer as ModelTokenizer } from "@huggingface/tokenizers";
import { safeCuts } from "./_vocabulary_reach.ts";
import type { Tokenizer } from "./tokenizer.ts";

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
 * Where texts may be cut is not assumed but read off the vocabulary: a cut is safe where no token can reach over it.
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
  const count = (text: string): number => text === "" ? 0 : model.tokenize(text, { add_special_tokens: false }).length;
  const isCut = safeCuts(readVocabulary(file));
  const anchorTokens = { [WORD_ANCHOR]: count(WORD_ANCHOR), [MARK_ANCHOR]: count(MARK_ANCHOR) };
  return {
    name,
    count,
    countAfterCut: (text) => {
      if (text === "") return 0;
      const anchor = text.startsWith(" ") ? WORD_ANCHOR : MARK_ANCHOR;
      return count(anchor + text) - anchorTokens[anchor];
    },
    isCut,
  };
}

/** Takes the marker that some tokenizers put before a text, and ends as a text before a cut ends. */
const [WORD_ANCHOR, MARK_ANCHOR] = ["a.", "天"] as const;

/** A bound on memory, and the longest pre-token that is worth remembering. */
const [MOST_REMEMBERED, LONGEST_REMEMBERED] = [100_000, 24];

/** Has a model remember the tokens of pre-tokens; what it brings along for that costs more than it saves where all are used. */
function rememberPreTokens(model: ModelTokenizer): void {
  const inner = model.model;
  if (inner === null) return;
  const encode = inner.encode.bind(inner);
  const remembered = new Map<string, string[]>();
  const encodeOne = (preToken: string): string[] => {
    const known = remembered.get(preToken);
    if (known !== undefined) return known;
    const tokens = encode([preToken]);
    if (preToken.length > LONGEST_REMEMBERED) return tokens;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(preToken, tokens);
    return tokens;
  };
  inner.encode = (preTokens) => preTokens.flatMap(encodeOne);
}

function openModel(file: TokenizerFile, name: string): ModelTokenizer {
  try {
    const model = new ModelTokenizer(file, {});
    rememberPreTokens(model);
    return model;
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
