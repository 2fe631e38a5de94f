import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Output } from "./output.ts";

/** Where figures go that belong to no single run; the figures of a run go to its own folder. */
export const OWN_FIGURES: string = fileURLToPath(new URL("../../results/reports/figures", import.meta.url));

/** Where lines go. */
export interface LineFileOptions {
  /** The file; standard output without one. */
  readonly path: string | undefined;
  readonly output: Output;
  /**
   * Whether the folder of the file is made where it is missing.
   *
   * @default {false}
   */
  readonly makesFolder?: boolean;
}

/**
 * Writes lines one by one, to a file or to the output.
 *
 * A file gets its name when it is complete. The first line is made before anything is written, so that wrong input leaves
 * nothing behind.
 *
 * @returns How many lines were written.
 */
export async function writeLines(lines: Iterable<string>, options: LineFileOptions): Promise<number> {
  const { path, output, makesFolder = false } = options;
  const iterator = lines[Symbol.iterator]();
  let next = iterator.next();
  if (path === undefined) {
    let count = 0;
    for (; !next.done; next = iterator.next(), count++) await output.write(next.value);
    return count;
  }
  await checkPlace(path);
  if (makesFolder) await Deno.mkdir(dirname(path), { recursive: true });
  const part = `${path}.part`;
  const file = await createFile(part, path);
  try {
    const count = await writeAll(file, { next, iterator });
    await Deno.rename(part, path);
    return count;
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  }
}

/** Writes small files below a folder, by their paths; missing folders are made. */
export async function writeFilesBelow(
  folder: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const { path, text } of files) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}

/** Whether there is a folder of this path. */
export async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}

async function writeAll(
  file: Deno.FsFile,
  lines: { readonly next: IteratorResult<string>; readonly iterator: Iterator<string> },
): Promise<number> {
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  let count = 0;
  let { next } = lines;
  try {
    for (; !next.done; next = lines.iterator.next()) {
      await writer.write(encoder.encode(next.value));
      count++;
    }
  } finally {
    await writer.close();
  }
  return count;
}

/** Refuses to replace a folder or a device. */
async function checkPlace(path: string): Promise<void> {
  const there = await Deno.stat(path).catch(() => undefined);
  if (there === undefined || there.isFile) return;
  const wanted = there.isDirectory
    ? "it must not be a folder (with / at its end it is laid out as RULER's)"
    : "it must be a file";
  throw new RangeError(`Cannot write the file as ${wanted}: current value is "${path}"`);
}

async function createFile(part: string, path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(part, { write: true, create: true, truncate: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new RangeError(
      `Cannot write the file as its folder must exist and be writable: current value is "${path}"`,
    );
  }
}
