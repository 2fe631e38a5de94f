import { explainFileError } from "./_explain_file_error.ts";
import type { TornEnd } from "./_records_file.ts";

/** Appends lines to a file, one after the other, each handed to the system before the next. */
export interface LineWriter {
  append(line: string): Promise<void>;
  /** Puts everything on the disk; the file stays open. */
  finish(): Promise<void>;
}

/** How often what was written is forced on to the disk, so that a power cut loses a second at most. */
const SYNC_EVERY_MS = 1000;

/** Makes a writer that goes on where a file ends, a torn end mended first. */
export async function writeLines(file: Deno.FsFile, path: string, torn?: TornEnd): Promise<LineWriter> {
  if (torn?.isWhole) await writeAll(file, "\n");
  else if (torn) await file.truncate(torn.wholeBytes);
  let last: Promise<void> = Promise.resolve();
  let synced = performance.now();
  const write = async (line: string): Promise<void> => {
    try {
      await writeAll(file, `${line}\n`);
      if (performance.now() - synced < SYNC_EVERY_MS) return;
      await file.syncData();
      synced = performance.now();
    } catch (error) {
      throw new Error(`Cannot write "${path}" as the disk must take it: ${explainFileError(error)}`, { cause: error });
    }
  };
  return {
    // Subtle: once a write has failed every later one fails too, or a record would stand behind half a line.
    append: (line) => last = last.then(() => write(line)),
    async finish(): Promise<void> {
      await last.catch(() => {});
      await file.syncData();
    },
  };
}

async function writeAll(file: Deno.FsFile, text: string): Promise<void> {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await file.write(bytes));
}
