import { mkdir, open } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { type CsvValue, openCsv } from "./reply_rows.ts";

/** A row of a table: text, numbers, and `null` where there is none. */
export type TableRow = Readonly<Record<string, CsvValue>>;

/** Rows that are there, or are made one by one. */
type Rows = Iterable<TableRow> | AsyncIterable<TableRow>;

type Pieces = AsyncIterable<string | Uint8Array>;

/** The content of a file in each form, piece by piece. */
const FORMS: Readonly<Record<string, (rows: Rows) => Pieces>> = {
  ".csv": (rows) => linesOf(rows, openCsv()),
  ".jsonl": (rows) => linesOf(rows, (row) => [...jsonLines([row])]),
  ".parquet": parquetBytes,
};

/** The endings of the files that rows can be written to. */
export const ROW_FILES: readonly string[] = Object.keys(FORMS);

/**
 * Writes rows to a file in the form of its ending: `.csv`, `.jsonl` (an object a line) or `.parquet`; missing folders are created.
 *
 * In a Parquet file scores, intervals and depths are doubles; of other columns one of whole numbers is of 32-bit or 64-bit
 * integers, one of other numbers of doubles, any other of text. Every column may be null. In CSV a text that a spreadsheet would run is made harmless.
 *
 * @param rows At least one; every row has the fields of the first. Rows that are made one by one are not held.
 * @returns How many rows were written.
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
  const form = FORMS[extname(path).toLowerCase()];
  if (form === undefined) {
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
  const pieces = form(counted())[Symbol.asyncIterator]();
  // Nothing is written before there is something to write.
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

/** Writes rows as lines, gathered into pieces of this many characters, as each piece is a call of the system. */
const PIECE = 1 << 16;

async function* linesOf(rows: Rows, write: (row: TableRow) => readonly string[]): AsyncGenerator<string> {
  let gathered = "";
  for await (const row of rows) {
    for (const line of write(row)) {
      gathered += line;
      if (gathered.length < PIECE) continue;
      yield gathered;
      gathered = "";
    }
  }
  if (gathered !== "") yield gathered;
}

/** Writes rows as JSON, an object a line. */
export function* jsonLines(rows: Iterable<TableRow>): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

/** The rows of a Parquet file that are held at a time: so many, or fewer where their texts have so many characters together. */
const GROUP = { rows: 10_000, characters: 32_000_000 };

/** Writes rows as Parquet, group by group; the columns have the types that the first group shows. */
async function* parquetBytes(rows: Rows): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const taken = (): Uint8Array => {
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
      ...{ writer, createdBy: "Fathom" },
      schema: schemaFromColumnData({ columnData: columns.map((column) => ({ ...column, data: [], nullable: true })) }),
    });
    await file.write({ columnData, rowGroupSize: GROUP.rows });
    yield taken();
  }
  if (file === undefined) return;
  await file.finish();
  yield taken();
}

interface ParquetColumn {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "INT64" | "DOUBLE";
}

async function* groupsOf(rows: Rows): AsyncGenerator<readonly TableRow[]> {
  let group: TableRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    group.push(row);
    for (const value of Object.values(row)) characters += typeof value === "string" ? value.length : 8;
    if (group.length < GROUP.rows && characters < GROUP.characters) continue;
    yield group;
    [group, characters] = [[], 0];
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

/** Columns of one type in every file, whatever their values happen to be, so that files can be read together. */
const TYPES: Readonly<Record<string, "INT32" | "DOUBLE">> = {
  ...{ length: "INT32", index: "INT32", repeat: "INT32", promptTokens: "INT32", latencyMs: "INT32" },
  ...{ score: "DOUBLE", penalised: "DOUBLE", whole: "DOUBLE", depth: "DOUBLE", low: "DOUBLE", high: "DOUBLE" },
  ...{ nativePromptTokens: "INT32", nativeAnswerTokens: "INT32", promptCut: "INT32" },
};

const MOST_INT32 = 2 ** 31;

function typeOf(rows: readonly TableRow[], name: string): ParquetColumn["type"] {
  const known = rows.map((row) => row[name] ?? null).filter((value) => value !== null);
  if (known.length === 0 || !known.every((value) => typeof value === "number")) return "STRING";
  if (!known.every(Number.isSafeInteger)) return "DOUBLE";
  return known.every((value) => Math.abs(value) < MOST_INT32) ? "INT32" : "INT64";
}
