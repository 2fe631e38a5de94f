/**
 * Text measured in tokens: tokenizers, sentences, and haystacks that are cut to an exact length without encoding them again.
 *
 * @module
 */
export { AsciiSheet, type CountBytes, hexCounter, pairCounter } from "./ascii_sheet.ts";
export { ENCODING_NAMES, type EncodingName, encodingOf, openEncoding } from "./encodings.ts";
export {
  growIndex,
  type GrowingIndex,
  type Haystack,
  makeHaystack,
  normaliseSpace,
  splitSentences,
} from "./haystack.ts";
export {
  countTokens,
  EMPTY,
  join,
  type Joining,
  measure,
  type Measured,
  measureForm,
  measureLine,
  type Meetings,
  repeater,
  startJoin,
  writeLazily,
} from "./measured.ts";
export { type GgufHeader, readGgufHeader } from "./gguf.ts";
export type { MergeTable } from "./merges.ts";
export {
  type CompiledTokenizer,
  compileRankFile,
  compileTokenizerJson,
  openCompiled,
  openTokenizerJson,
  PACKED_VERSION,
  packTokenizer,
  unpackTokenizer,
} from "./model_tokenizer.ts";
export type { TextRules } from "./quick_counts.ts";
export { isCutOfAscii, type Tokenizer } from "./tokenizer.ts";
