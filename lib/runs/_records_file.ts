import { parseRecord } from "./_parse_record.ts";
import { readLines } from "./_read_lines.ts";
import type { RunRecord } from "./record.ts";

/** The end of a records file that a crash cut short. */
export interface TornEnd {
  /** How many bytes of the file are whole. */
  readonly wholeBytes: number;
  /** Whether the last record is whole and only its line break is missing. */
  readonly isWhole: boolean;
}

/**
 * Reads records one by one.
 *
 * @param file The opened file, at its beginning.
 * @param path Its path, for errors.
 * @param onTorn Told where the last line was cut short.
 * @throws {SyntaxError} If a line before the last holds no record.
 */
export async function* readRecords(
  file: Deno.FsFile,
  { path, onTorn }: { readonly path: string; readonly onTorn?: (end: TornEnd) => void },
): AsyncGenerator<RunRecord> {
  for await (const { text, number, start, isEnded } of readLines(file)) {
    const record = parseRecord(text);
    if (!isEnded) onTorn?.({ wholeBytes: start, isWhole: record !== undefined });
    if (record) yield record;
    else if (isEnded) {
      throw new SyntaxError(
        `Cannot read "${path}" as each line must be a record: line ${number} is ${JSON.stringify(shorten(text))}`,
      );
    }
  }
}

/** Tells the user what became of a torn end. */
export function explainTornEnd({ isWhole }: TornEnd, path: string): string[] {
  return isWhole
    ? []
    : [`The last line of "${path}" was cut short: it is left out, and its sample counts as not asked`];
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
