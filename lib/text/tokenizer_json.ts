import { compileMerges, type MergeSource } from "./merges.ts";
import { type CompiledTokenizer, openByLibrary, openCompiled, reachedPlaces } from "./model_tokenizer.ts";
import type { TextRules } from "./quick_counts.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** The fields of a `tokenizer.json` that decide token counts. */
interface TokenizerFile extends TextRules {
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Record<string, number> | readonly (readonly [string, number])[];
    readonly merges?: readonly (string | readonly [string, string])[];
    readonly "unk_token"?: string | null;
    readonly "fuse_unk"?: boolean;
    readonly "byte_fallback"?: boolean;
    readonly "ignore_merges"?: boolean;
    readonly "continuing_subword_prefix"?: string | null;
    readonly "end_of_word_suffix"?: string | null;
  };
}

/**
 * Opens the `tokenizer.json` of a Hugging Face model.
 *
 * A cut is safe if no token of the vocabulary can span it. Special tokens such as a start marker are not counted; they belong to the
 * chat template.
 */
export function openTokenizerJson(json: string, name: string): Tokenizer {
  const file = parseFile(json, name);
  const compiled = compileFile(file);
  return compiled === undefined
    ? openByLibrary(file, { name, reached: reachedPlaces(readVocabulary(file)) })
    : openCompiled(compiled, name);
}

/** Compiles a `tokenizer.json`, so that it can be cached; `undefined` for other kinds than byte pairs (Unigram, WordPiece). */
export function compileTokenizerJson(json: string, name: string): CompiledTokenizer | undefined {
  return compileFile(parseFile(json, name));
}

function parseFile(json: string, name: string): TokenizerFile {
  let file: TokenizerFile;
  try {
    file = JSON.parse(json);
  } catch {
    throw new SyntaxError(
      `Cannot open tokenizer "${name}" as the file must contain JSON: instead of SentencePiece's tokenizer.model, give the tokenizer.json or .gguf file of the same model, or "server"`,
    );
  }
  if (typeof file !== "object" || file === null || file.model?.vocab === undefined) {
    throw new SyntaxError(
      `Cannot open tokenizer "${name}" as the file must be a tokenizer.json with model.vocab in it`,
    );
  }
  return file;
}

function compileFile(file: TokenizerFile): CompiledTokenizer | undefined {
  const { model = {}, normalizer, pre_tokenizer, added_tokens } = file;
  const { type, merges, unk_token, byte_fallback, continuing_subword_prefix, end_of_word_suffix } = model;
  if (type !== "BPE" || !Array.isArray(merges) || continuing_subword_prefix || end_of_word_suffix) return undefined;
  const tokens = readVocabulary(file);
  const source: MergeSource = {
    tokens,
    merges: merges.map((merge) => typeof merge === "string" ? splitMerge(merge) : merge),
    ignoreMerges: model.ignore_merges ?? false,
    unknown: byte_fallback && hasBytes(tokens) ? "bytes" : unk_token ? "token" : "nothing",
    fuseUnknown: model.fuse_unk ?? false,
  };
  return {
    rules: { normalizer, pre_tokenizer, added_tokens },
    merges: compileMerges(source),
    reached: reachedPlaces(tokens),
  };
}

function splitMerge(merge: string): readonly [string, string] {
  const at = merge.indexOf(" ");
  return [merge.slice(0, at), merge.slice(at + 1)];
}

/** Whether every byte has a token, such as `<0x0A>`. */
function hasBytes(tokens: readonly string[]): boolean {
  const found = new Set(tokens.filter((token) => /^<0x[0-9A-F]{2}>$/.test(token)));
  return found.size === 256;
}

function readVocabulary(file: TokenizerFile): string[] {
  const vocab = file.model?.vocab ?? {};
  return Array.isArray(vocab) ? vocab.map(([token]) => String(token)) : Object.keys(vocab);
}
