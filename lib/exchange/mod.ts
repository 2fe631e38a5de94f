/**
 * Runs exchanged with other programs: importers, exporters, bundles, shards merged.
 *
 * @module
 */
export { type Bundle, type BundledFile, bundleRun } from "./bundle.ts";
export { type ImportedRun, importRun, type ImportRunOptions } from "./import_run.ts";
export { type MergedRun, mergeShards, type MergeShardsOptions } from "./merge_shards.ts";
export {
  csvLines,
  type CsvRow,
  csvText,
  type CsvValue,
  openReplyRows,
  type ReplyRow,
  replyRows,
} from "./reply_rows.ts";
export { jsonLines, ROW_FILES, type TableRow, writeRows } from "./row_files.ts";
