/**
 * What every room needs: numbers and untrusted texts as text, reasons of file errors, files, hashes, and objects without `undefined`.
 *
 * @module
 */
export { type Defined, defined } from "./defined.ts";
export { explainFileError } from "./errors.ts";
export {
  gatherTexts,
  type GrowingFile,
  MAX_BYTES,
  openRegular,
  readRegular,
  readRegularText,
  readRegularTextSync,
  startFile,
  writePieces,
  writeWhole,
} from "./files.ts";
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
export { once } from "./once.ts";
export { checkRunFolder, isFile, plainName, realPath, userFolder, workFolder } from "./paths.ts";
export { mean, sum } from "./sums.ts";
