/**
 * What every room needs: numbers and untrusted texts as text, reasons of file errors, files, hashes, and the fields of objects.
 *
 * @module
 */
export { explainFileError } from "./errors.ts";
export {
  isFile,
  MAX_BYTES,
  openRegular,
  plainName,
  readRegular,
  readRegularText,
  readRegularTextSync,
  realPath,
  userFolder,
  workFolder,
  writeWhole,
} from "./files.ts";
export { gatherTexts, type GrowingFile, startFile, writePieces } from "./growing_files.ts";
export { hashBytes, hashOf, shortHash, shortName } from "./hashes.ts";
export {
  grouped,
  lengthText,
  percent,
  plural,
  rangeText,
  readLengthText,
  someOf,
  timeText,
  tokensText,
} from "./numbers.ts";
export {
  countCharacters,
  escapeHtml,
  escapeMarkdown,
  quoteText,
  shownJson,
  shownText,
  shownTexts,
} from "./shown_text.ts";
export { type Defined, defined, type Fields, isFields, mean, once, sum } from "./values.ts";
