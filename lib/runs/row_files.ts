import { mkdir, open } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { csvLines, type CsvValue } from "./reply_rows.ts";

/** A row of a table: text, numbers, and `null` where there is none. */
export type TableRow = Readonly<Record<string, CsvValue>>;

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>;

/** The content of a file in each form, piece by piece. */
const FORMS: Readonly<Record<string, (rows: readonly TableRow[]) => Pieces>> = {
  ".csv": csvLines,
  ".jsonl": jsonLines,
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
 * @param rows At least one; every row has the fields of the first.
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
export async function writeRows(rows: readonly TableRow[], path: string): Promise<void> {
  const form = FORMS[extname(path).toLowerCase()];
  if (form === undefined) {
    throw new RangeError(
      `Cannot write the rows as the file name must end in ${ROW_FILES.join(", ")}: current value is "${path}"`,
    );
  }
  if (rows.length === 0) {
    throw new RangeError("Cannot write the rows as there must be at least one: current value is 0");
  }
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "w");
  try {
    for await (const piece of form(rows)) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

/** Writes rows as JSON, an object a line. */
export function* jsonLines(rows: Iterable<TableRow>): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

async function* parquetBytes(rows: readonly TableRow[]): AsyncGenerator<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = Object.keys(rows[0]!).map((name) => {
    const values = rows.map((row) => row[name] ?? null);
    const type = TYPES[name] ?? typeOf(values);
    const data = type === "INT64" ? values.map((value) => value === null ? null : BigInt(value)) : values;
    return { name, data, type };
  });
  yield new Uint8Array(parquetWriteBuffer({ columnData, createdBy: "Fathom" }));
}

/** Columns of one type in every file, whatever their values happen to be, so that files can be read together. */
const TYPES: Readonly<Record<string, "INT32" | "DOUBLE">> = {
  ...{ score: "DOUBLE", penalised: "DOUBLE", whole: "DOUBLE", depth: "DOUBLE", low: "DOUBLE", high: "DOUBLE" },
  ...{ nativePromptTokens: "INT32", nativeAnswerTokens: "INT32", promptCut: "INT32" },
};

const MOST_INT32 = 2 ** 31;

function typeOf(values: readonly CsvValue[]): "STRING" | "INT32" | "INT64" | "DOUBLE" {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || !known.every((value) => typeof value === "number")) return "STRING";
  if (!known.every(Number.isSafeInteger)) return "DOUBLE";
  return known.every((value) => Math.abs(value) < MOST_INT32) ? "INT32" : "INT64";
}
