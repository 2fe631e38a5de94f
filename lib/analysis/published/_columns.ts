import { readCsv } from "./_csv.ts";

/** How one column of a CSV file is read. */
export interface Column<Value> {
  /** The name in the header. */
  readonly name: string;
  /** What a cell must be, for the message. */
  readonly wanted: string;
  /** Gives the value of a cell, or `undefined` where the cell is not what is wanted. */
  readonly read: (cell: string) => Value | undefined;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
/** A row as its columns read it. */
export type Row<C extends Columns> = { readonly [Key in keyof C]: C[Key] extends Column<infer Value> ? Value : never };

/**
 * Reads the rows of a CSV file, each column by its own rule; columns that are not asked for are passed over.
 *
 * @param text The whole text of the file.
 * @param options What the file is called in messages, and the columns wanted.
 * @returns One object a row.
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

/** A column of any text that is not empty. */
export function textColumn(name: string): Column<string> {
  return { name, wanted: "a text", read: (cell) => cell === "" ? undefined : cell };
}

/** A column of decimal numbers in a range, both ends included. */
export function numberColumn(name: string, range: { readonly low: number; readonly high: number }): Column<number> {
  return { name, wanted: `a number from ${range.low} to ${range.high}`, read: (cell) => readNumber(cell, range) };
}

/** A column of whole numbers from 1. */
export function countColumn(name: string): Column<number> {
  const read = (cell: string): number | undefined => /^[1-9]\d*$/.test(cell) ? Number(cell) : undefined;
  return { name, wanted: "a whole number from 1", read };
}

/** A column of scores in percent. */
export function scoreColumn(name: string): Column<number> {
  return numberColumn(name, { low: 0, high: 100 });
}

/** A column of 1 for yes and 0 for no. */
export function yesNoColumn(name: string): Column<boolean> {
  return { name, wanted: "0 or 1", read: (cell) => cell === "1" ? true : cell === "0" ? false : undefined };
}

/** A column of some named values. */
export function choiceColumn<const Choice extends string>(name: string, choices: readonly Choice[]): Column<Choice> {
  const wanted = `one of ${choices.map((choice) => `"${choice}"`).join(", ")}`;
  return { name, wanted, read: (cell) => choices.find((choice) => choice === cell) };
}

/** A column whose cells may be empty, which gives `null`. */
export function optional<Value>(column: Column<Value>): Column<Value | null> {
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
