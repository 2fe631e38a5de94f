/** One record of a CSV text, and the line it begins in, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

// One field, quoted or bare, and what ends it: a comma, a line end, or the end of the text.
// Written so that a quote without its pair is found out in one pass.
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads CSV strictly (RFC 4180): quotes must pair, and every record has as many fields as the first.
 *
 * @param text The whole text of the file; a byte order mark is left out.
 * @param file What the file is called in messages.
 * @returns The records, the header among them.
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
          `round the whole field: current value is ${JSON.stringify(text.slice(at, at + 40))}`,
      );
    }
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    at += match[0].length;
    if (match[3] !== ",") return { fields, end: at };
  }
}
