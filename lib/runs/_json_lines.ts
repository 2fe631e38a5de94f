import { dirname } from "node:path";

/**
 * Reads a file of JSON lines that is kept beside a run; none where there is no file.
 *
 * A line that a crash cut short is ended, so that what is added stands on a line of its own; its own content is passed over.
 *
 * @param path The file's path.
 * @param read Gives what a line's value holds, or `null` where it is not one of the file's.
 */
export async function readJsonLines<T>(path: string, read: (value: unknown) => T | null): Promise<T[]> {
  const text = await readText(path);
  if (text !== "" && !text.endsWith("\n")) await Deno.writeTextFile(path, "\n", { append: true });
  return text.split("\n").flatMap((line) => {
    const value = parse(line);
    return value === undefined ? [] : read(value) ?? [];
  });
}

/** Adds a line to such a file, which is made where there is none. */
export async function appendJsonLine(path: string, value: unknown): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `${JSON.stringify(value)}\n`, { append: true });
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
