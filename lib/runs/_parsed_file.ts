import { createHash } from "node:crypto";
import { appendJsonLine, readJsonLines } from "./_json_lines.ts";

/** What a model made of a reply, as a line of its file. */
export interface ParsedLine {
  /** The parser's name. */
  readonly parser: string;
  /** SHA-256 of the reply. */
  readonly reply: string;
  /** The reply rewritten. */
  readonly text: string;
}

/** Hashes a reply. */
export function replyHash(reply: string): string {
  return createHash("sha256").update(reply).digest("hex");
}

/** Reads what a parser made of replies, by their hash; a line that is none is passed over. */
export async function readParsed(path: string, parser: string): Promise<Map<string, string>> {
  const lines = await readJsonLines(path, readLine);
  return new Map(lines.filter((line) => line.parser === parser).map(({ reply, text }) => [reply, text]));
}

/** Adds a line to the file. */
export function appendParsed(path: string, line: ParsedLine): Promise<void> {
  return appendJsonLine(path, line);
}

function readLine(value: unknown): ParsedLine | null {
  const line = value as Partial<ParsedLine> | null;
  const fields = [line?.parser, line?.reply, line?.text];
  return fields.every((field) => typeof field === "string") ? line as ParsedLine : null;
}
