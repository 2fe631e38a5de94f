/** What a cell of a CSV file can hold; `null` is an empty cell. */
export type CsvValue = string | number | null;

/**
 * Writes rows as CSV (RFC 4180): a header of field names, commas, line ends of CR and LF, quotes where a text needs them.
 *
 * A text that a spreadsheet would take for a formula, as it begins with `=`, `+`, `-`, `@`, a tab or a carriage return, gets an
 * apostrophe before it: what a model replied is not to be run by whoever opens the file (OWASP, "CSV Injection"). Numbers stay
 * as they are.
 *
 * @param rows The rows; at least one. Every row has the fields of the first.
 * @returns The text of the file.
 * @throws {RangeError} If there are no rows, or one has other fields.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(csvText([{ reply: 'a "b", c', score: -1 }, { reply: "=1+1", score: null }]), 'reply,score\r\n"a ""b"", c",-1\r\n\'=1+1,\r\n');
 * ```
 */
export function csvText(rows: readonly Readonly<Record<string, CsvValue>>[]): string {
  const [first] = rows;
  if (first === undefined) {
    throw new RangeError("Cannot write CSV as there must be at least one row: current value is 0");
  }
  const fields = Object.keys(first);
  const lines = rows.map((row) => {
    if (Object.keys(row).join() !== fields.join()) {
      throw new RangeError(
        `Cannot write CSV as every row must have the fields ${fields.join(", ")}: current value is ${
          Object.keys(row).join(", ")
        }`,
      );
    }
    return fields.map((field) => cellText(row[field]!)).join(",");
  });
  return [fields.map(cellText).join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

function cellText(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
