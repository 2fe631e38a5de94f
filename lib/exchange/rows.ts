import { extname } from "node:path";
import { gatherTexts, type sum, writePieces } from "@/lib/base/mod.ts";
import { type ExplainedRecord, openExplainer, openPlacer } from "@/lib/reports/mod.ts";
import { type OpenedOptions, openStudy, rememberLast, type RunManifest } from "@/lib/studies/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { type Answer, replyOrigin } from "@/lib/models/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

/** A reply with the values of its run and place, from which a row is made. */
export interface RowSource extends ExplainedRecord {
  readonly manifest: RunManifest;
  readonly settings: string;
  /** Share of the context before the target, in [0, 1]. */
  readonly depth: number | null;
  readonly answer: Partial<Answer>;
}

/** The columns of a table of replies, in their order; docs/data.md describes each. */
export const REPLY_COLUMNS = {
  run: ({ manifest }: RowSource): string => manifest.name,
  sample: ({ record }: RowSource): string => record.sample,
  sha256: ({ record }: RowSource): string => record.sha256,
  model: ({ record }: RowSource): string => record.model,
  origin: ({ record }: RowSource): string => replyOrigin(record, record.reply),
  suite: ({ record }: RowSource): string => record.suite,
  task: ({ record }: RowSource): string => record.task,
  length: ({ record }: RowSource): number => record.length,
  index: ({ record }: RowSource): number => record.index,
  cluster: ({ cluster, record }: RowSource): string => cluster ?? record.sample,
  repeat: ({ record }: RowSource): number => record.repeat ?? 0,
  promptTokens: ({ record }: RowSource): number => record.promptTokens,
  nativePromptTokens: ({ answer }: RowSource): number | null => answer.promptTokens ?? null,
  nativeAnswerTokens: ({ answer }: RowSource): number | null => answer.completionTokens ?? null,
  depth: ({ depth }: RowSource): number | null => depth,
  score: ({ value }: RowSource): number | null => value,
  penalised: ({ penalised }: RowSource): number | null => penalised?.value ?? null,
  scored: ({ scored }: RowSource): string | null => scored ?? null,
  whole: ({ whole }: RowSource): number | null => whole?.value ?? null,
  why: ({ record: { reply }, score }: RowSource): string =>
    reply.kind === "failure" ? `${reply.failure}: ${reply.message}` : score?.why ?? "",
  failure: ({ modes }: RowSource): string | null => modes[0]?.class ?? null,
  finish: ({ answer }: RowSource): string | null => answer.finishReason ?? null,
  latencyMs: ({ record }: RowSource): number => record.reply.latencyMs,
  wanted: ({ record }: RowSource): string => record.references.join(" | "),
  promptCut: ({ promptCut }: RowSource): number | null => promptCut?.counted ?? null,
  firstAnswer: ({ first }: RowSource): string => first?.text ?? "",
  reply: ({ answer }: RowSource): string => answer.text ?? "",
  settings: ({ settings }: RowSource): string => settings,
} satisfies Record<string, (source: RowSource) => string | number | null>;

/** One reply as a flat row, for a spreadsheet or a data frame. */
export type ReplyRow = { readonly [Column in keyof typeof REPLY_COLUMNS]: ReturnType<typeof REPLY_COLUMNS[Column]> };

/**
 * Returns the replies of a run as flat rows: place, score, reason, failure class and text.
 *
 * @throws {RangeError} If the run's study or one of its files has changed.
 */
export async function replyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<ReplyRow[]> {
  return [...await openReplyRows(run, options)];
}

/** Returns the rows of {@linkcode replyRows} lazily. */
export async function openReplyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<Iterable<ReplyRow>> {
  // Failure and depth need the same sample.
  const opened = rememberLast(options.opened ?? await openStudy(run.manifest.study, run));
  const [{ explain }, { depthOf }] = [openExplainer(run, { opened }), openPlacer(run, opened)];
  const { manifest } = run;
  const settings = JSON.stringify(manifest.settings);
  return Iterator.from(run.replies).map((reply) => {
    const { reply: answer } = reply.record;
    const source = {
      ...{ ...explain(reply), manifest, settings, depth: depthOf(reply) },
      answer: answer.kind === "failure" ? {} : answer,
    };
    return Object.fromEntries(Object.entries(REPLY_COLUMNS).map(([name, read]) => [name, read(source)])) as ReplyRow;
  });
}

/** A row of a table; `null` is a missing value. */
export type TableRow = Readonly<Record<string, string | number | null>>;

type CellValue = TableRow[string];

type Rows = Iterable<TableRow> | AsyncIterable<TableRow>;

/**
 * Formats rows as CSV (RFC 4180), lazily, with a header of field names.
 *
 * A text that a spreadsheet would run as a formula gets a leading apostrophe, so that opening the file never runs a model's reply
 * (OWASP, "CSV Injection").
 *
 * @param rows At least one; every row has the fields of the first.
 * @throws {RangeError} If there are no rows, or one has other fields.
 */
export function* csvLines(rows: Iterable<TableRow>): Generator<string> {
  const lineOf = openCsv();
  let isEmpty = true;
  for (const row of rows) {
    isEmpty = false;
    yield lineOf(row);
  }
  if (isEmpty) throw new RangeError("Cannot write CSV as there must be at least one row: current value is 0");
}

/** Returns a function that formats one row after another, the first with the header. */
function openCsv(): (row: TableRow) => string {
  let fields: readonly string[] | undefined;
  const lineOf = (values: readonly CellValue[]): string => `${csvFormatRow(values.map(cellText))}\r\n`;
  return (row) => {
    const own = Object.keys(row);
    const head = fields === undefined ? lineOf(own) : "";
    fields ??= own;
    if (own.join() === fields.join()) return head + lineOf(Object.values(row));
    throw new RangeError(
      `Cannot write CSV as every row must have the fields ${fields.join(", ")}: current value is ${own.join(", ")}`,
    );
  };
}

function cellText(value: CellValue): CellValue {
  return typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/** The formats of row files by their ending; each yields the content in pieces. */
const FORMATS: Readonly<Record<string, (rows: Rows) => AsyncIterable<string | Uint8Array>>> = {
  ".csv": (rows) => gatherTexts(rows, openCsv()),
  ".jsonl": (rows) => gatherTexts(rows, jsonLine),
  ".parquet": parquetBytes,
};

/** The endings of row files. */
export const ROW_FILES: readonly string[] = Object.keys(FORMATS);

/**
 * Writes rows to a file in the format of its ending: `.csv`, `.jsonl` (one object per line) or `.parquet`. Creates missing folders.
 *
 * In a Parquet file, lengths, token counts and the like are 32-bit integers, other numbers are doubles. Every column is nullable. CSV
 * escapes texts that a spreadsheet would run.
 *
 * @param rows At least one; every row has the fields of the first. They are not held in memory.
 * @returns The number of rows.
 * @throws {RangeError} If there are no rows or the path has another ending; nothing is written then.
 */
export async function writeRows(rows: Iterable<TableRow> | AsyncIterable<TableRow>, path: string): Promise<number> {
  const format = FORMATS[extname(path).toLowerCase()];
  if (format === undefined) {
    throw new RangeError(
      `Cannot write the rows as the file name must end in ${ROW_FILES.join(", ")}: current value is "${path}"`,
    );
  }
  let count = 0;
  const counted = async function* (): AsyncGenerator<TableRow> {
    for await (const row of rows) {
      count++;
      yield row;
    }
    if (count === 0) throw new RangeError("Cannot write the rows as there must be at least one: current value is 0");
  };
  await writePieces(format(counted()), path);
  return count;
}

/** Formats a row as a line of JSON. */
export function jsonLine(row: TableRow): string {
  return `${JSON.stringify(row)}\n`;
}

/** A row of a Parquet file: texts, numbers, lists of texts, and messages of a prompt; `null` is a missing value. */
export type DataRow = Readonly<
  Record<
    string,
    string | number | null | readonly string[] | readonly { readonly role: string; readonly content: string }[]
  >
>;

type DataValue = DataRow[string];

type DataRows = Iterable<DataRow> | AsyncIterable<DataRow>;

/** Limits of a row group of a Parquet file, which is held in memory. */
const MAX_GROUP = { rows: 10_000, chars: 32_000_000 };

/** Writes Parquet one row group at a time; the first group determines the types of the columns. */
export async function* parquetBytes(rows: DataRows): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const takeBytes = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let columns: readonly ParquetColumn[] = [];
  let file: InstanceType<typeof ParquetWriter> | undefined;
  for await (const group of groupsOf(rows)) {
    if (file === undefined) {
      columns = Object.keys(group[0]!).map((name) => ({ name, type: TYPES[name] ?? typeOf(group, name) }));
      const schema = [{ name: "root", num_children: columns.length }, ...columns.flatMap(schemaOf)];
      file = new ParquetWriter({ writer, createdBy: "Fathom", schema });
    }
    const columnData = columns.map((column) => ({ name: column.name, data: valuesOf(group, column) }));
    await file.write({ columnData, rowGroupSize: MAX_GROUP.rows });
    yield takeBytes();
  }
  if (file === undefined) return;
  await file.finish();
  yield takeBytes();
}

async function* groupsOf(rows: DataRows): AsyncGenerator<readonly DataRow[]> {
  let group: DataRow[] = [];
  let chars = 0;
  for await (const row of rows) {
    group.push(row);
    for (const value of Object.values(row)) chars += charsOf(value);
    if (group.length < MAX_GROUP.rows && chars < MAX_GROUP.chars) continue;
    yield group;
    [group, chars] = [[], 0];
  }
  if (group.length > 0) yield group;
}

function charsOf(value: DataValue): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value === "number") return 8;
  return value.reduce((sum, each) => sum + (typeof each === "string" ? each : each.content).length, 0);
}

type ColumnType = "STRING" | "INT32" | "DOUBLE" | "TEXTS" | "MESSAGES";

interface ParquetColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Columns whose type never depends on their values, so that files can be read together. */
const TYPES: Readonly<Record<string, "INT32" | "DOUBLE">> = {
  ...{ length: "INT32", index: "INT32", repeat: "INT32", promptTokens: "INT32", latencyMs: "INT32" },
  ...{ nativePromptTokens: "INT32", nativeAnswerTokens: "INT32", promptCut: "INT32", "max_new_tokens": "INT32" },
  ...{ "token_position_answer": "INT32" },
  ...{ score: "DOUBLE", penalised: "DOUBLE", whole: "DOUBLE", depth: "DOUBLE", low: "DOUBLE", high: "DOUBLE" },
};

function typeOf(rows: readonly DataRow[], name: string): ColumnType {
  const values = rows.map((row) => row[name] ?? null);
  const list = values.find((value) => Array.isArray(value) && value.length > 0) as readonly unknown[] | undefined;
  if (list !== undefined) return typeof list[0] === "string" ? "TEXTS" : "MESSAGES";
  if (values.some((value) => Array.isArray(value))) return "TEXTS";
  return values.some((value) => typeof value === "number") ? "DOUBLE" : "STRING";
}

/** An element of a Parquet schema; every value may be missing. */
interface SchemaElement {
  readonly name: string;
  readonly type?: "BYTE_ARRAY" | "INT32" | "DOUBLE";
  readonly "converted_type"?: "UTF8" | "LIST";
  readonly "repetition_type": "OPTIONAL" | "REPEATED";
  readonly "num_children"?: number;
}

function schemaOf({ name, type }: ParquetColumn): SchemaElement[] {
  if (type === "INT32" || type === "DOUBLE") return [{ name, type, "repetition_type": "OPTIONAL" }];
  if (type === "STRING") return [textElement(name)];
  const elements = type === "TEXTS" ? [textElement("element")] : [
    { name: "element", "repetition_type": "OPTIONAL", "num_children": 2 } as const,
    ...[textElement("role"), textElement("content")],
  ];
  return [
    { name, "converted_type": "LIST", "repetition_type": "OPTIONAL", "num_children": 1 },
    { name: "list", "repetition_type": "REPEATED", "num_children": 1 },
    ...elements,
  ];
}

function textElement(name: string): SchemaElement {
  return { name, type: "BYTE_ARRAY", "converted_type": "UTF8", "repetition_type": "OPTIONAL" };
}

function valuesOf(rows: readonly DataRow[], { name, type }: ParquetColumn): DataValue[] {
  const [wanted, kind] = WANTED[type];
  return rows.map((row) => {
    const value = row[name] ?? null;
    if (value === null || (Array.isArray(value) ? "list" : typeof value) === kind) return value;
    throw new RangeError(
      `Cannot write the rows as all of column ${name} must be ${wanted}: current value is ${JSON.stringify(value)}`,
    );
  });
}

/** What the values of a column must be, in words, and as JavaScript has it. */
const WANTED: Readonly<Record<ColumnType, readonly [string, string]>> = {
  STRING: ["text", "string"],
  INT32: ["numbers", "number"],
  DOUBLE: ["numbers", "number"],
  TEXTS: ["lists", "list"],
  MESSAGES: ["lists", "list"],
};
