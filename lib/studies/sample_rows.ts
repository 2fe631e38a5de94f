import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import {
  explainFileError,
  type Fields,
  isFields,
  plainName,
  quoteText,
  readRegular,
  shortHash,
  sum,
} from "@/lib/base/mod.ts";
import { parseJson } from "@/lib/models/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";
import type { DocumentSet, Question } from "@/lib/generators/mod.ts";

/** Where something is in a file, in bytes. */
export type Place = readonly [from: number, to: number];

/** A row of a file: the place of its JSON object, or the fields of a table's row. */
export type Row = Place | Fields;

export interface FileRows {
  readonly rows: readonly Row[];
  /** Returns the fields of a row; `undefined` if its place holds no JSON object. */
  readonly read: (row: Row) => Fields | undefined;
}

const ROW_FILE = /\.(?:jsonl?|parquet|csv)$/i;

/** Returns the name of a file of rows without its folder's path and its ending. */
export function withoutEnding(name: string): string {
  return name.replace(ROW_FILE, "");
}

/** Whether a file is a table: its rows have columns, and are held in memory. */
export function isTable(path: string): boolean {
  return /\.(?:parquet|csv)$/i.test(path);
}

/**
 * Opens the rows of a file: JSON lines, one JSON list, Parquet (`.parquet`) or CSV (`.csv`). The objects of JSON are only found,
 * and read when they are needed, as a file can be larger than memory allows. Rows of tables are read as the same objects: the
 * values of CSV are texts, whole numbers of Parquet are numbers.
 */
export async function openRows(path: string): Promise<FileRows> {
  const bytes = await readRegular(path);
  if (/\.parquet$/i.test(path)) return ofTable(await readParquet(bytes, path));
  if (/\.csv$/i.test(path)) return ofTable(await readCsvRows(bytes, path));
  const rows = bytes.find((byte) => byte > 0x20) === OPENING_BRACKET ? findObjects(bytes) : findLines(bytes);
  const decoder = new TextDecoder();
  const parse = (place: Place): Fields | undefined => {
    const value = parseJson(decoder.decode(bytes.subarray(...place)));
    return isFields(value) ? value : undefined;
  };
  return { rows, read: (row) => isPlace(row) ? parse(row) : row };
}

function ofTable(rows: readonly Fields[]): FileRows {
  return { rows, read: (row) => row as Fields };
}

/** Whether a row is held as its place in the file. */
export function isPlace(row: Row): row is Place {
  return Array.isArray(row);
}

async function readParquet(bytes: Uint8Array, path: string): Promise<readonly Fields[]> {
  const { parquetReadObjects, toJson } = await import("hyparquet");
  const { brotliDecompressSync, gunzipSync, zstdDecompressSync } = (await import("node:zlib")).default;
  const file = {
    byteLength: bytes.length,
    slice: (from: number, to = bytes.length) => new Uint8Array(bytes.subarray(from, to)).buffer,
  };
  const compressors = {
    GZIP: (page: Uint8Array) => gunzipSync(page),
    BROTLI: (page: Uint8Array) => brotliDecompressSync(page),
    ZSTD: (page: Uint8Array) => zstdDecompressSync(page),
  };
  try {
    return (await parquetReadObjects({ file, compressors })).map((row) => toJson(row) as Fields);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(`Cannot read "${path}" as it must be a whole Parquet file: current value is ${reason}`);
  }
}

async function readCsvRows(bytes: Uint8Array, path: string): Promise<readonly Fields[]> {
  const { readCsv } = await import("@/lib/statistics/mod.ts");
  const [header, ...records] = readCsv(new TextDecoder().decode(bytes), `"${path}"`);
  return records.map(({ fields }) => Object.fromEntries(header!.fields.map((name, at) => [name, fields[at]!])));
}

const LINE_BREAK = 0x0a;
const [OPENING_BRACKET, QUOTE, BACKSLASH, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x22, 0x5c, 0x7b, 0x7d];

function findObjects(bytes: Uint8Array): readonly Place[] {
  const places: Place[] = [];
  let [depth, from, isText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPENING_BRACE && depth++ === 0) from = at;
    else if (byte === CLOSING_BRACE && --depth === 0) places.push([from, at + 1]);
  }
  return places;
}

/** Finds the lines of a file that are not blank. */
function findLines(bytes: Uint8Array): readonly Place[] {
  const lines: Place[] = [];
  for (let from = 0; from < bytes.length;) {
    const next = bytes.indexOf(LINE_BREAK, from);
    const to = next < 0 ? bytes.length : next;
    if (bytes.subarray(from, to).some((byte) => byte > 0x20)) lines.push([from, to]);
    from = to + 1;
  }
  return lines;
}

/** Reads the text at a place of a file; synchronously, as samples are made synchronously. */
export function readPlace(path: string, [from, to]: Place): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(to - from);
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more) {
      more = readSync(file, bytes, read, bytes.length - read, from + read);
    }
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(file);
  }
}

/** Pieces of a long text that are counted first, and the characters of each. */
const PIECES = { count: 32, characters: 1024 };

/**
 * Returns the power of two at or above the token count of a text.
 *
 * A text of more than 131,072 characters is estimated from 32 pieces at even steps. It is counted whole if a power of two is within
 * four standard errors of the estimate, and two tokens a piece, for the tokens that its ends cut.
 */
export function powerAbove(text: string, tokenizer: Pick<Tokenizer, "count">): number {
  const { count, characters } = PIECES;
  if (text.length > 4 * count * characters) {
    const starts = Array.from({ length: count }, (_, at) => Math.floor(at * (text.length - characters) / (count - 1)));
    const tokens = starts.map((start) => tokenizer.count(text.slice(start, start + characters)));
    const mean = sum(tokens) / count;
    const variance = sum(tokens, (each) => (each - mean) ** 2) / (count - 1);
    const margin = 2 + 4 * Math.sqrt(variance / count);
    const [low, high] = [mean - margin, mean + margin].map((each) => nextPower(each * text.length / characters));
    if (low === high) return high!;
  }
  return nextPower(tokenizer.count(text));
}

function nextPower(tokens: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, tokens)));
}

const LETTERS = ["A", "B", "C", "D"];

/**
 * Opens questions with four choices, as MMLU's: rows of JSON lines, a JSON list, CSV or Parquet with `question`, `choices` (a list)
 * or `A` to `D`, and `answer` (0 to 3, or a letter). Each is a document and a question, whose answer is a letter.
 */
export async function openExam(path: string): Promise<DocumentSet> {
  const { rows, read } = await openRows(path).catch((error) => {
    if (error instanceof SyntaxError) throw error;
    throw new RangeError(
      `Cannot read the questions as they must be a file: current value is "${path}" (${explainFileError(error)})`,
    );
  });
  const questions = rows.map((row, number) => readQuestion(read(row) ?? {}, number, path));
  if (questions.length === 0) {
    throw new SyntaxError(`Cannot read "${path}" as it must have at least one question: current value is 0`);
  }
  const texts = questions.flatMap(({ question, answers }) => [question, ...answers]);
  return {
    name: `${withoutEnding(plainName(path))}-${shortHash(texts)}`,
    documentCount: questions.length,
    questionCount: questions.length,
    document: (number) => ({ title: "", text: questions[number]!.question }),
    question: (number) => questions[number]!,
  };
}

function readQuestion(row: Fields, number: number, path: string): Question {
  const { question, answer } = row;
  const choices = row["choices"] ?? LETTERS.map((letter) => row[letter]);
  const letter = LETTERS[Number(answer)] ?? String(answer).trim().toUpperCase();
  const isText = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
  const isWhole = typeof question === "string" && Array.isArray(choices) && choices.length === 4 &&
    choices.every(isText) && LETTERS.includes(letter);
  if (!isWhole) {
    const found = quoteText(JSON.stringify(row), 120);
    throw new SyntaxError(
      `Cannot read "${path}" as each row must have a question, four choices and an answer (0 to 3, or A to D): current value of row ${
        number + 1
      } is ${found}`,
    );
  }
  const text = [question, ...choices.map((choice, at) => `${LETTERS[at]}. ${choice}`)].join(" ");
  return { question: text.replaceAll(/\s+/g, " ").trim(), answers: [letter], gold: [number], near: [] };
}
