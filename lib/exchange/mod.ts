/**
 * Runs exchanged with other programs: importers, exporters, bundles, shards merged.
 *
 * @module
 */
export { type Bundle, type BundledFile, bundleRun } from "./bundle.ts";
export { checkMeasured, type CheckMeasuredOptions, type MeasuredCheck } from "./check_measured.ts";
export { type ImportedRun, importRun, type ImportRunOptions } from "./import_run.ts";
export {
  askMeasurements,
  type AskMeasurementsOptions,
  estimateMeasureTime,
  findMeasureWork,
  type MeasureOptions,
  type MeasureWork,
  tokensOf,
} from "./measure.ts";
export {
  MEASURE_FILE,
  type MeasuredStudy,
  type MeasurePlan,
  type MeasureStep,
  readMeasurePlan,
} from "./measure_plan.ts";
export { type MergedRun, mergeShards, type MergeShardsOptions } from "./merge_shards.ts";
export { type PackedRuns, packRuns, type PackRunsOptions } from "./pack_runs.ts";
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
