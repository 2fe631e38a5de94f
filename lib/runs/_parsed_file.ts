import { createHash } from "node:crypto";
import { dirname } from "node:path";

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

/** Reads what a parser made of replies, by their hash; a line that is none, as after a crash, is ended and passed over. */
export async function readParsed(path: string, parser: string): Promise<Map<string, string>> {
  const text = await readText(path);
  if (text !== "" && !text.endsWith("\n")) await Deno.writeTextFile(path, "\n", { append: true });
  const lines = text.split("\n").flatMap((line) => readLine(line) ?? []);
  return new Map(lines.filter((line) => line.parser === parser).map(({ reply, text }) => [reply, text]));
}

/** Adds a line to the file. */
export async function appendParsed(path: string, line: ParsedLine): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `${JSON.stringify(line)}\n`, { append: true });
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function readLine(text: string): ParsedLine | null {
  try {
    const line = JSON.parse(text) as Partial<ParsedLine> | null;
    const fields = [line?.parser, line?.reply, line?.text];
    return fields.every((field) => typeof field === "string") ? line as ParsedLine : null;
  } catch {
    return null;
  }
}
