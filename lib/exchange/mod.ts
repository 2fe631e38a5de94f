/**
 * Exchange with other programs and colleagues: importers, tables of replies, data sets.
 *
 * @module
 */
export { type Dataset, type DatasetConfig, writeDataset } from "./dataset.ts";
export type { ImportRunOptions } from "./_foreign.ts";
export { writeInspectLogs } from "./export_inspect.ts";
export { type ImportedRun, importRun } from "./import_run.ts";
export {
  csvLines,
  type DataRow,
  jsonLine,
  openReplyRows,
  REPLY_COLUMNS,
  type ReplyRow,
  replyRows,
  ROW_FILES,
  type RowSource,
  type TableRow,
  writeRows,
} from "./rows.ts";
export { type ListenOptions, type LocalServer, Refusal, type ServedBody, serveLocal } from "./local_server.ts";
export { openVerifier, type Verdict, type Verifier } from "./verify_replies.ts";
export { serveVerifier, VERIFY_LIMITS } from "./verify_server.ts";
