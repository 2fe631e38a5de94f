/**
 * Exchange with other programs and colleagues: importers, tables of replies, bundles.
 *
 * @module
 */
export { type Bundle, type BundledFile, bundleRun } from "./bundle.ts";
export { type ImportedRun, importRun, type ImportRunOptions } from "./import_run.ts";
export { joinShardFolders } from "./merge_shards.ts";
export {
  csvLines,
  type CsvRow,
  csvText,
  type CsvValue,
  openReplyRows,
  REPLY_COLUMNS,
  type ReplyRow,
  replyRows,
  type RowSource,
} from "./reply_rows.ts";
export { jsonLine, ROW_FILES, type TableRow, writeRows } from "./row_files.ts";
