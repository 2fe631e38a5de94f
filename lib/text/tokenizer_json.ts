import { Tokenizer as ModelTokenizer } from "@huggingface/tokenizers";
import { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";

/** The part of a `tokenizer.json` that decides where tokens can reach. */
interface TokenizerFile {
  readonly model?: { readonly vocab?: Record<string, number> | readonly (readonly [string, number])[] };
}

/**
 * Opens a model's own `tokenizer.json`, the file that Hugging Face models carry.
 *
 * A cut is safe if no token of the vocabulary can span it. Start markers and other special tokens are not counted; their
 * number belongs to the chat template.
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

/** Texts before a cut: they take the marker that some tokenizers put before a text. */
const [WORD_ANCHOR, MARK_ANCHOR] = ["a.", "天"] as const;

function parseFile(json: string, name: string): TokenizerFile {
  let file: TokenizerFile;
  try {
    file = JSON.parse(json);
  } catch {
    throw new SyntaxError(`Cannot open tokenizer "${name}" as the file must hold JSON`);
  }
  if (typeof file !== "object" || file === null || file.model?.vocab === undefined) {
    throw new SyntaxError(
      `Cannot open tokenizer "${name}" as the file must be a tokenizer.json with model.vocab in it`,
    );
  }
  return file;
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

/** A bound on memory, and the longest pre-token worth caching. */
const [MOST_REMEMBERED, LONGEST_REMEMBERED] = [100_000, 24];

/** Caches the tokens of pre-tokens for a model, as its own cache costs more than it saves. */
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

function readVocabulary(file: TokenizerFile): string[] {
  const vocab = file.model?.vocab ?? {};
  return Array.isArray(vocab) ? vocab.map(([token]) => String(token)) : Object.keys(vocab);
}

/**
 * Finds from a vocabulary where tokens can reach: a place is a safe cut if its characters allow one and no token holds those
 * same characters on both sides of it.
 */
function safeCuts(tokens: readonly string[]): (text: string, at: number) => boolean {
  const isByteLevel = tokens.some((token) => token.startsWith("Ġ"));
  const decode = isByteLevel ? byteDecoder() : (token: string): string => token.replaceAll("▁", " ");
  const reached = new Set<string>();
  for (const token of tokens) {
    if (token.length < 2) continue;
    const text = decode(token);
    for (let at = 1; at < text.length; at++) {
      if (isCutBeforeWord(text, at)) reached.add(around(text, at, 1));
      if (isCutBeforeMark(text, at)) reached.add(around(text, at, 0));
    }
  }
  return (text, at) =>
    (isCutBeforeWord(text, at) && !reached.has(around(text, at, 1))) ||
    (isCutBeforeMark(text, at) && !reached.has(around(text, at, 0)));
}

/** The character before a place, the one at it, and `more` after that. */
function around(text: string, at: number, more: number): string {
  // A token can end inside a character that is not ASCII, so beside a space all of those count as one.
  const shown = text.slice(at - 1, at + 1 + more);
  // deno-lint-ignore no-control-regex -- all of ASCII is meant
  return more === 0 ? shown : shown.replace(/[^\u0000-\u007f]/g, "\ufffd");
}

/** Makes a decoder of GPT-2's printable stand-ins for bytes; bytes that are no whole character become U+FFFD. */
function byteDecoder(): (token: string) => string {
  const bytes = new Map<string, number>();
  let spare = 256;
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
    bytes.set(String.fromCharCode(isPrintable ? byte : spare++), byte);
  }
  const utf8 = new TextDecoder();
  return (token) => utf8.decode(Uint8Array.from(token, (letter) => bytes.get(letter) ?? 0x3f));
}
