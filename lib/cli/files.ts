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
export async function writeLines(
  lines: Iterable<string> | AsyncIterable<string>,
  options: LineFileOptions,
): Promise<number> {
  const { path, output, makesFolder = false } = options;
  const iterator = eachOf(lines);
  const next = await iterator.next();
  if (path === undefined) return await writeGathered({ next, iterator }, (text) => output.write(text));
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

async function* eachOf(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  yield* lines;
}

/** Lines with the first of them made. */
interface BegunLines {
  readonly next: IteratorResult<string>;
  readonly iterator: AsyncIterator<string>;
}

/** Lines are gathered into pieces of this many characters, as each piece is a call of the system. */
const PIECE = 1 << 16;

async function writeGathered(
  { next, iterator }: BegunLines,
  write: (text: string) => Promise<void>,
): Promise<number> {
  let [count, gathered] = [0, ""];
  for (let line = next; !line.done; line = await iterator.next(), count++) {
    gathered += line.value;
    if (gathered.length < PIECE) continue;
    await write(gathered);
    gathered = "";
  }
  if (gathered !== "") await write(gathered);
  return count;
}

async function writeAll(file: Deno.FsFile, lines: BegunLines): Promise<number> {
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  try {
    return await writeGathered(lines, (text) => writer.write(encoder.encode(text)));
  } finally {
    await writer.close();
  }
}

/** A file that is being written. */
export interface GrowingFile {
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the file its name, as it is complete. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  drop(): Promise<void>;
}

/** Starts a file, which gets its name when it is complete; missing folders are made with `makesFolder`. */
export async function startFile(
  path: string,
  { makesFolder = false }: { readonly makesFolder?: boolean } = {},
): Promise<GrowingFile> {
  await checkPlace(path);
  if (makesFolder) await Deno.mkdir(dirname(path), { recursive: true });
  const part = `${path}.part`;
  const file = await createFile(part, path);
  return {
    path,
    async write(bytes): Promise<void> {
      for (let left = bytes; left.length > 0;) left = left.subarray(await file.write(left));
    },
    async finish(): Promise<void> {
      file.close();
      await Deno.rename(part, path);
    },
    async drop(): Promise<void> {
      file.close();
      await Deno.remove(part).catch(() => {});
    },
  };
}

/** Refuses to replace anything but a file. */
async function checkPlace(path: string): Promise<void> {
  const there = await Deno.lstat(path).catch(() => undefined);
  if (there === undefined || there.isFile) return;
  const wanted = there.isDirectory
    ? "it must not be a folder (with / at its end it is laid out as RULER's)"
    : there.isSymlink
    ? "it must be the file itself, not a symbolic link to it"
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
