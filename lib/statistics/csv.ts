import * as d3 from "d3-dsv";
import { readFile } from "node:fs/promises";

/** The package has no types. */
const d3Csv = d3 as unknown as {
  readonly csvParseRows: (text: string) => string[][];
  readonly csvFormatRow: (fields: readonly (string | number | null)[]) => string;
};

/** Formats the fields of a record as a line of CSV without its end; `null` is empty. */
export const csvFormatRow: (fields: readonly (string | number | null)[]) => string = d3Csv.csvFormatRow;

/** How one column of a CSV file is read. */
export interface CsvColumn<Value> {
  readonly name: string;
  /** The expected kind of cell, for error messages. */
  readonly wanted: string;
  /** Returns the value of a cell, or `undefined` if the cell is of another kind. */
  readonly read: (cell: string) => Value | undefined;
  /** Whether a file may lack the column; its cells are then read as empty. */
  readonly isExtra?: boolean;
}

/** Columns by the names that their values have in a row. */
export type Columns = Readonly<Record<string, CsvColumn<unknown>>>;

/** A row, with the types of its columns. */
export type Row<C extends Columns> = {
  readonly [Key in keyof C]: C[Key] extends CsvColumn<infer Value> ? Value : never;
};

/**
 * Reads the rows of a CSV file, each column by its own rule; other columns are skipped.
 *
 * @param options `file`: its name in error messages. `columns`: by the names that their values have in a row.
 * @throws {SyntaxError} If the text is not CSV, has no row, lacks a column, or a cell is of the wrong kind; the message names
 *   file, line and column.
 */
export function readRows<C extends Columns>(
  text: string,
  { file, columns }: { readonly file: string; readonly columns: C },
): readonly Row<C>[] {
  const [header, ...records] = readCsv(text, file);
  const places = Object.entries(columns).map(([key, column]) => {
    const place = header!.fields.indexOf(column.name);
    if (place < 0 && column.isExtra !== true) {
      throw unreadable(file, `line 1 must have the column "${column.name}"`, `"${header!.fields.join()}"`);
    }
    return { key, column, place };
  });
  if (records.length === 0) throw unreadable(file, "it must have at least one line below the header", 0);
  return records.map(({ line, fields }) => {
    const cells = places.map(({ key, column: { name, wanted, read }, place }) => {
      const value = read(fields[place] ?? "");
      if (value !== undefined) return [key, value];
      throw unreadable(file, `line ${line}, column "${name}" must be ${wanted}`, JSON.stringify(fields[place]));
    });
    return Object.fromEntries(cells) as Row<C>;
  });
}

function unreadable(file: string, wanted: string, value: string | number): SyntaxError {
  return new SyntaxError(`Cannot read ${file} as ${wanted}: current value is ${value}`);
}

/** Makes the columns of {@linkcode readRows}. */
export const column = {
  text(name: string): CsvColumn<string> {
    return { name, wanted: "a text", read: (cell) => cell === "" ? undefined : cell };
  },
  /** Returns a column of decimal numbers in a range, both ends included. */
  number(name: string, { low, high }: { readonly low: number; readonly high: number }): CsvColumn<number> {
    const read = (cell: string): number | undefined => {
      const value = Number(cell);
      return /^-?\d+(\.\d+)?$/.test(cell) && value >= low && value <= high ? value : undefined;
    };
    return { name, wanted: `a number from ${low} to ${high}`, read };
  },
  count(name: string): CsvColumn<number> {
    const read = (cell: string): number | undefined => /^[1-9]\d*$/.test(cell) ? Number(cell) : undefined;
    return { name, wanted: "a whole number from 1", read };
  },
  score(name: string): CsvColumn<number> {
    return column.number(name, { low: 0, high: 100 });
  },
  yesNo(name: string): CsvColumn<boolean> {
    return { name, wanted: "0 or 1", read: (cell) => ["0", "1"].includes(cell) ? cell === "1" : undefined };
  },
  choice<const Choice extends string>(name: string, choices: readonly Choice[]): CsvColumn<Choice> {
    const wanted = `one of ${choices.map((each) => `"${each}"`).join(", ")}`;
    return { name, wanted, read: (cell) => choices.find((each) => each === cell) };
  },
  /** Returns a column whose cells may be empty, read as `null`. */
  optional<Value>({ name, wanted, read }: CsvColumn<Value>): CsvColumn<Value | null> {
    return { name, wanted: `${wanted}, or empty`, read: (cell) => cell === "" ? null : read(cell) };
  },
};

/**
 * Reads CSV strictly (RFC 4180): quotes must pair, and every record has the same number of fields as the first.
 *
 * @param text A byte order mark is skipped.
 * @param file Its name in error messages.
 * @returns The fields of each record without quotes, and the line where it starts, from 1; the header first.
 * @throws {SyntaxError} If the text is empty or a line is not CSV; the message names file and line.
 */
export function readCsv(
  text: string,
  file: string,
): readonly { readonly line: number; readonly fields: readonly string[] }[] {
  const body = text.replace(/^\uFEFF/, "");
  const openIn = body.split("\n").map((line) => line.split('"').length % 2 === 0);
  if (openIn.filter(Boolean).length % 2 === 1) {
    const wanted = `line ${openIn.indexOf(true) + 1} must have its quotes in pairs`;
    throw unreadable(file, wanted, "a quote without its pair");
  }
  const [header, ...rows] = d3Csv.csvParseRows(body);
  if (header === undefined) throw unreadable(file, "it must have a header line", '""');
  let line = 1;
  return [header, ...rows].map((fields) => {
    if (fields.length !== header.length) {
      throw unreadable(file, `line ${line} must have ${header.length} fields`, fields.length);
    }
    const record = { line, fields };
    line += fields.join().split("\n").length;
    return record;
  });
}

/** The folder of the published tables. */
export const PUBLISHED_FOLDER: URL = new URL("../../data/published/", import.meta.url);

/** Reads the rows of one published table, as {@linkcode readRows} does; an error if the file is missing. */
export async function openRows<C extends Columns>(
  file: string,
  columns: C,
  folder: URL = PUBLISHED_FOLDER,
): Promise<readonly Row<C>[]> {
  const text = await readFile(new URL(file, folder), "utf8").catch((cause) => {
    if (cause.code !== "ENOENT") throw cause;
    const message = `Cannot open the published tables as ${file} must exist: there is none in ${folder.pathname}`;
    throw new Error(message, { cause });
  });
  return readRows(text, { file, columns });
}
