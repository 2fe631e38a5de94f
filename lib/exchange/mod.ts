/**
 * Exchange with other programs and colleagues: importers, tables of replies, data sets.
 *
 * @module
 */
export { type DataRow, type Dataset, writeDataset } from "./dataset.ts";
export type { ImportRunOptions } from "./_foreign.ts";
export { type InspectLogs, writeInspectLogs } from "./export_inspect.ts";
export { type ImportedRun, importRun } from "./import_run.ts";
export { jsonLine, openReplyRows, type ReplyRow, replyRows, ROW_FILES, type TableRow, writeRows } from "./rows.ts";
export { type ListenOptions, type LocalServer, Refusal, type ServedBody, serveLocal } from "./local_server.ts";
export { openVerifier, type Verdict, type Verifier } from "./verify_replies.ts";
export { serveVerifier, VERIFY_LIMITS } from "./verify_server.ts";
