import { cannotDraw, readNumber, shown } from "./_rows.ts";
import { plainText } from "./_text.ts";
import type { Column, TableOptions } from "./table.ts";

/** One cell as it is shown. */
export interface TableCell {
  readonly text: string;
  readonly bold: boolean;
}

/** A table as it is shown, before it has a form. */
export interface TableCells {
  readonly heads: readonly string[];
  readonly aligns: readonly ("left" | "right" | "center")[];
  readonly body: readonly (readonly TableCell[])[];
}

/** Writes every cell of a table. */
export function cellsOf<Row extends object>(rows: readonly Row[], options: TableOptions<Row>): TableCells {
  const { title, columns } = options;
  if (columns.length === 0) throw cannotDraw(title, "columns must hold at least one", 0);
  const best = columns.map((column) => bestOf(rows, column));
  return {
    heads: columns.map(({ label }) => plainText(label)),
    aligns: columns.map((column) =>
      column.align ?? (rows.some((row) => typeof row[column.field] === "number") ? "right" : "left")
    ),
    body: rows.map((row) =>
      columns.map((column, index) => {
        const text = textOf(row, { column, title });
        return { text, bold: best[index] !== undefined && best[index] === rounded(row[column.field], column.digits) };
      })
    ),
  };
}

function textOf<Row extends object>(
  row: Row,
  { column, title }: { readonly column: Column<Row>; readonly title: string },
): string {
  const { field, digits, low, high, write } = column;
  const value: unknown = row[field];
  if (write !== undefined) return plainText(write(value, row), 1000);
  if (digits !== undefined && !(Number.isInteger(digits) && digits >= 0 && digits <= 20)) {
    throw cannotDraw(title, `digits of ${field} must be a whole number from 0 to 20`, digits);
  }
  const written = (number: unknown): string =>
    typeof number === "number" && Number.isFinite(number) && digits !== undefined
      // A difference that rounds to 0 has no sign.
      ? number.toFixed(digits).replace(/^-(0(?:\.0*)?)$/, "$1")
      : shown(number);
  if (low === undefined || high === undefined || value === null || value === undefined) return written(value);
  const [from, to] = [readNumber(row, low, { title }), readNumber(row, high, { title })];
  return from === null || to === null ? written(value) : `${written(value)} [${written(from)}, ${written(to)}]`;
}

/** The best value as it is written, so that what looks equal is equally bold. */
function bestOf<Row extends object>(rows: readonly Row[], { field, digits, best }: Column<Row>): number | undefined {
  if (best === undefined) return undefined;
  const values = rows.map((row) => rounded(row[field], digits)).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  return best === "highest" ? Math.max(...values) : Math.min(...values);
}

function rounded(value: unknown, digits: number | undefined): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return digits === undefined ? value : Number(value.toFixed(digits));
}
