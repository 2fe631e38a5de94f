import { gatherTexts, writePieces } from "@/lib/base/mod.ts";
import type { Output } from "./output.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { dirname, join } from "node:path";
import process from "node:process";
import type { LocalServer } from "@/lib/exchange/mod.ts";
import { type ProgressView, RUNS_FOLDER, shellProgress } from "@/lib/studies/mod.ts";

/** Folder for figures about several runs; the figures of one run are in its own folder. */
export const OWN_FIGURES: string = join(RUNS_FOLDER, "../reports/figures");

/**
 * Writes lines to a file, by default to the output.
 *
 * A file is renamed to its path when it is complete. The first line is made before anything is written, so that wrong input leaves
 * no file.
 *
 * @returns The number of lines.
 */
export async function writeLines(
  lines: Iterable<string> | AsyncIterable<string>,
  { path, output }: { readonly path: string | undefined; readonly output: Output },
): Promise<number> {
  let count = 0;
  const pieces = gatherTexts(lines, (line) => {
    count++;
    return line;
  });
  if (path !== undefined) await writePieces(pieces, path);
  else for await (const piece of pieces) await output.write(piece);
  return count;
}

/** Writes small files below a folder, by their paths; creates missing folders. */
export async function writeFilesBelow(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Prints the address of a server, which runs until Ctrl-C. */
export async function untilInterrupted(server: LocalServer, output: Output): Promise<void> {
  await output.write(`${server.url}\n`);
  output.note("Ctrl-C ends it");
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await server.close();
}

/** Opens a view of progress on standard error, as wide as its terminal. */
export function openProgress({ redraw }: Output): ProgressView {
  const { isTTY: isTerminal = false, columns } = process.stderr;
  return shellProgress({ write: redraw, isTerminal, ...(isTerminal ? { columns } : {}) });
}
