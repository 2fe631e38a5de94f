import { mkdir, open } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { type CsvValue, openCsv } from "./reply_rows.ts";

/** A row of a table; `null` is a missing value. */
export type TableRow = Readonly<Record<string, CsvValue>>;

type Rows = Iterable<TableRow> | AsyncIterable<TableRow>;

/** The formats of row files by their ending; each yields the content in pieces. */
const FORMATS: Readonly<Record<string, (rows: Rows) => AsyncIterable<string | Uint8Array>>> = {
  ".csv": (rows) => gatherLines(rows, openCsv()),
  ".jsonl": (rows) => gatherLines(rows, jsonLine),
  ".parquet": parquetBytes,
};

/** The endings of row files. */
export const ROW_FILES: readonly string[] = Object.keys(FORMATS);

/**
 * Writes rows to a file in the format of its ending: `.csv`, `.jsonl` (one object per line) or `.parquet`. Creates missing folders.
 *
 * In a Parquet file, scores, intervals and depths are doubles; other columns are 32-bit or 64-bit integers, doubles or text, by their
 * values. Every column is nullable. CSV escapes texts that a spreadsheet would run.
 *
 * @param rows At least one; every row has the fields of the first. They are not held in memory.
 * @returns The number of rows.
 * @throws {RangeError} If there are no rows or the path has another ending; nothing is written then.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * await writeRows([{ task: "vt", score: 0.5 }, { task: "cwe", score: null }], `${folder}/new/rows.jsonl`);
 * equal(await Deno.readTextFile(`${folder}/new/rows.jsonl`), '{"task":"vt","score":0.5}\n{"task":"cwe","score":null}\n');
 * await Deno.remove(folder, { recursive: true });
 * ```
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
  };
  const pieces = format(counted())[Symbol.asyncIterator]();
  // The first piece is made before the file, so that wrong input leaves no file.
  const first = await pieces.next();
  if (count === 0) throw new RangeError("Cannot write the rows as there must be at least one: current value is 0");
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "w");
  try {
    for (let next = first; !next.done; next = await pieces.next()) await file.writeFile(next.value);
  } finally {
    await file.close();
  }
  return count;
}

/** Characters of a piece, each of which costs a system call. */
const PIECE_CHARS = 1 << 16;

async function* gatherLines(rows: Rows, write: (row: TableRow) => string): AsyncGenerator<string> {
  let gathered = "";
  for await (const row of rows) {
    gathered += write(row);
    if (gathered.length < PIECE_CHARS) continue;
    yield gathered;
    gathered = "";
  }
  if (gathered !== "") yield gathered;
}

/** Formats a row as a line of JSON. */
export function jsonLine(row: TableRow): string {
  return `${JSON.stringify(row)}\n`;
}

/** Limits of a row group of a Parquet file, which is held in memory. */
const MAX_GROUP = { rows: 10_000, chars: 32_000_000 };

/** Writes Parquet one row group at a time; the first group determines the types of the columns. */
async function* parquetBytes(rows: Rows): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const takeBytes = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let columns: readonly ParquetColumn[] | undefined;
  let file: InstanceType<typeof ParquetWriter> | undefined;
  for await (const group of groupsOf(rows)) {
    columns ??= Object.keys(group[0]!).map((name) => ({ name, type: TYPES[name] ?? typeOf(group, name) }));
    const columnData = columns.map((column) => ({ name: column.name, data: valuesOf(group, column) }));
    file ??= new ParquetWriter({
      writer,
      createdBy: "Fathom",
      schema: schemaFromColumnData({ columnData: columns.map((column) => ({ ...column, data: [], nullable: true })) }),
    });
    await file.write({ columnData, rowGroupSize: MAX_GROUP.rows });
    yield takeBytes();
  }
  if (file === undefined) return;
  await file.finish();
  yield takeBytes();
}

interface ParquetColumn {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "INT64" | "DOUBLE";
}

async function* groupsOf(rows: Rows): AsyncGenerator<readonly TableRow[]> {
  let group: TableRow[] = [];
  let chars = 0;
  for await (const row of rows) {
    group.push(row);
    for (const value of Object.values(row)) chars += typeof value === "string" ? value.length : 8;
    if (group.length < MAX_GROUP.rows && chars < MAX_GROUP.chars) continue;
    yield group;
    [group, chars] = [[], 0];
  }
  if (group.length > 0) yield group;
}

function valuesOf(rows: readonly TableRow[], { name, type }: ParquetColumn): (CsvValue | bigint)[] {
  return rows.map((row) => {
    const value = row[name] ?? null;
    if (value !== null && (typeof value === "string") !== (type === "STRING")) {
      throw new RangeError(
        `Cannot write the rows as all of column ${name} must be ${
          type === "STRING" ? "text" : "numbers"
        }: current value is ${JSON.stringify(value)}`,
      );
    }
    return type === "INT64" && value !== null ? BigInt(value) : value;
  });
}

/** Columns whose type never depends on their values, so that files can be read together. */
const TYPES: Readonly<Record<string, "INT32" | "DOUBLE">> = {
  ...{ length: "INT32", index: "INT32", repeat: "INT32", promptTokens: "INT32", latencyMs: "INT32" },
  ...{ score: "DOUBLE", penalised: "DOUBLE", whole: "DOUBLE", depth: "DOUBLE", low: "DOUBLE", high: "DOUBLE" },
  ...{ nativePromptTokens: "INT32", nativeAnswerTokens: "INT32", promptCut: "INT32" },
};

const INT32_LIMIT = 2 ** 31;

function typeOf(rows: readonly TableRow[], name: string): ParquetColumn["type"] {
  const known = rows.map((row) => row[name] ?? null).filter((value) => value !== null);
  if (known.length === 0 || !known.every((value) => typeof value === "number")) return "STRING";
  if (!known.every(Number.isSafeInteger)) return "DOUBLE";
  return known.every((value) => Math.abs(value) < INT32_LIMIT) ? "INT32" : "INT64";
}
