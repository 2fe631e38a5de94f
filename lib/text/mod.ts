/**
 * Text measured in tokens: tokenizers, sentences, and haystacks cut to an exact length without being encoded again.
 *
 * @module
 */
export { isCutBeforeMark, isCutBeforeWord, type Tokenizer } from "./tokenizer.ts";
export { ENCODING_NAMES, type EncodingName, isEncodingName, openEncoding } from "./encodings.ts";
export { openTokenizerJson } from "./tokenizer_json.ts";
export { countTokens, EMPTY, join, type Joining, measure, type Measured, repeat, startJoin } from "./measured.ts";
export { measureForm } from "./measure_form.ts";
export { growIndex, type GrowingIndex, type Indexed, indexUnits } from "./indexed.ts";
export { normaliseSpace, splitSentences } from "./sentences.ts";
export { type Haystack, makeHaystack } from "./haystack.ts";
