/** How one column of a CSV file is read. */
export interface CsvColumn<Value> {
  /** The name in the header. */
  readonly name: string;
  /** What a cell must be, for error messages. */
  readonly wanted: string;
  /** The value of a cell; `undefined` if the cell is not what is wanted. */
  readonly read: (cell: string) => Value | undefined;
}

/** Columns by the names that their values have in a row. */
export type Columns = Readonly<Record<string, CsvColumn<unknown>>>;

/** A row as its columns read it. */
export type Row<C extends Columns> = {
  readonly [Key in keyof C]: C[Key] extends CsvColumn<infer Value> ? Value : never;
};

/**
 * Reads the rows of a CSV file, each column by its own rule; other columns are skipped.
 *
 * @param options `file` is its name in error messages.
 * @throws {SyntaxError} If the text is not CSV, has no row, lacks a column, or a cell is not what is wanted; the
 * message names file, line and column.
 */
export function readRows<C extends Columns>(
  text: string,
  options: { readonly file: string; readonly columns: C },
): readonly Row<C>[] {
  const { file, columns } = options;
  const [header, ...records] = readCsv(text, file);
  const places = Object.entries(columns).map(([key, column]) => {
    const place = header!.fields.indexOf(column.name);
    if (place < 0) {
      throw new SyntaxError(
        `Cannot read ${file} as line 1 must have the column "${column.name}": current value is "${
          header!.fields.join(",")
        }"`,
      );
    }
    return { key, column, place };
  });
  if (records.length === 0) {
    throw new SyntaxError(`Cannot read ${file} as it must have at least one line below the header: current value is 0`);
  }
  return records.map(({ line, fields }) => {
    const row: Record<string, unknown> = {};
    for (const { key, column, place } of places) {
      const cell = fields[place]!;
      const value = column.read(cell);
      if (value === undefined) {
        throw new SyntaxError(
          `Cannot read ${file} as line ${line}, column "${column.name}" must be ${column.wanted}: ` +
            `current value is ${JSON.stringify(cell)}`,
        );
      }
      row[key] = value;
    }
    return row as Row<C>;
  });
}

/** A column of text that is not empty. */
export function textColumn(name: string): CsvColumn<string> {
  return { name, wanted: "a text", read: (cell) => cell === "" ? undefined : cell };
}

/** A column of decimal numbers in a range, both ends included. */
export function numberColumn(name: string, range: { readonly low: number; readonly high: number }): CsvColumn<number> {
  return { name, wanted: `a number from ${range.low} to ${range.high}`, read: (cell) => readNumber(cell, range) };
}

/** A column of whole numbers from 1. */
export function countColumn(name: string): CsvColumn<number> {
  const read = (cell: string): number | undefined => /^[1-9]\d*$/.test(cell) ? Number(cell) : undefined;
  return { name, wanted: "a whole number from 1", read };
}

/** A column of scores in percent. */
export function scoreColumn(name: string): CsvColumn<number> {
  return numberColumn(name, { low: 0, high: 100 });
}

/** A column of 1 for yes and 0 for no. */
export function yesNoColumn(name: string): CsvColumn<boolean> {
  return { name, wanted: "0 or 1", read: (cell) => cell === "1" ? true : cell === "0" ? false : undefined };
}

/** A column with a fixed set of values. */
export function choiceColumn<const Choice extends string>(name: string, choices: readonly Choice[]): CsvColumn<Choice> {
  const wanted = `one of ${choices.map((choice) => `"${choice}"`).join(", ")}`;
  return { name, wanted, read: (cell) => choices.find((choice) => choice === cell) };
}

/** A column whose cells may be empty, read as `null`. */
export function optional<Value>(column: CsvColumn<Value>): CsvColumn<Value | null> {
  return {
    name: column.name,
    wanted: `${column.wanted}, or empty`,
    read: (cell) => cell === "" ? null : column.read(cell),
  };
}

function readNumber(cell: string, range: { readonly low: number; readonly high: number }): number | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(cell)) return undefined;
  const value = Number(cell);
  return value >= range.low && value <= range.high ? value : undefined;
}

/** One record of a CSV text. */
export interface CsvRecord {
  /** The line it starts in, from 1. */
  readonly line: number;
  /** Its fields, without quotes. */
  readonly fields: readonly string[];
}

// One field, quoted or bare, and its end: a comma, a line end, or the end of the text. An unpaired quote fails in linear
// time.
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads CSV strictly (RFC 4180): quotes must pair, and every record has as many fields as the first.
 *
 * @param text A byte order mark is left out.
 * @param file Its name in error messages.
 * @returns The records, the header first.
 * @throws {SyntaxError} If the text is empty or a line is not CSV; the message names file and line.
 */
export function readCsv(text: string, file: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  const body = text.replace(/^\uFEFF/, "");
  let line = 1;
  let at = 0;
  while (at < body.length) {
    const record = readRecord(body, { at, line, file });
    const wanted = records[0]?.fields.length ?? record.fields.length;
    if (record.fields.length !== wanted) {
      throw new SyntaxError(
        `Cannot read ${file} as line ${line} must have ${wanted} fields: current value is ${record.fields.length}`,
      );
    }
    records.push({ line, fields: record.fields });
    line += body.slice(at, record.end).split("\n").length - 1;
    at = record.end;
  }
  if (records.length === 0) {
    throw new SyntaxError(`Cannot read ${file} as it must have a header line: current value is ""`);
  }
  return records;
}

function readRecord(
  text: string,
  start: { readonly at: number; readonly line: number; readonly file: string },
): { readonly fields: readonly string[]; readonly end: number } {
  const fields: string[] = [];
  let at = start.at;
  for (;;) {
    FIELD.lastIndex = at;
    const match = FIELD.exec(text);
    if (match === null) {
      throw new SyntaxError(
        `Cannot read ${start.file} as line ${start.line}, field ${fields.length + 1} must have its quotes in pairs, ` +
          `around the whole field: current value is ${JSON.stringify(text.slice(at, at + 40))}`,
      );
    }
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    at += match[0].length;
    if (match[3] !== ",") return { fields, end: at };
  }
}

/** The folder of the published tables. */
export const PUBLISHED_FOLDER: URL = new URL("../../data/published/", import.meta.url);

/**
 * Reads files of published tables from a folder, whose URL ends in a slash.
 *
 * @throws {Error} If a file is missing; the message names the first.
 */
export async function readPublishedTexts<File extends string>(
  files: readonly File[],
  folder: URL,
): Promise<Readonly<Record<File, string>>> {
  const texts: Partial<Record<File, string>> = {};
  // One after the other, so that the error names the first missing file.
  for (const file of files) texts[file] = await readText(file, folder);
  return texts as Record<File, string>;
}

/** Reads the rows of one published table, as {@linkcode readRows} does; `folder` is a URL that ends in a slash. */
export async function openRows<C extends Columns>(
  file: string,
  columns: C,
  folder: URL = PUBLISHED_FOLDER,
): Promise<readonly Row<C>[]> {
  return readRows(await readText(file, folder), { file, columns });
}

async function readText(file: string, folder: URL): Promise<string> {
  try {
    return await Deno.readTextFile(new URL(file, folder));
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Error(`Cannot open the published tables as ${file} must be there: there is none in ${folder.pathname}`, {
      cause,
    });
  }
}
