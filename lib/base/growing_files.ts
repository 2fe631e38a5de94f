import { type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Characters of a piece, each of which costs a system call. */
const PIECE_CHARS = 1 << 16;

/** Gathers texts to pieces that are worth a write. */
export async function* gatherTexts<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  write: (item: Item) => string,
): AsyncGenerator<string> {
  let gathered = "";
  for await (const item of items) {
    gathered += write(item);
    if (gathered.length < PIECE_CHARS) continue;
    yield gathered;
    gathered = "";
  }
  if (gathered !== "") yield gathered;
}

/** Writes the pieces of a file. The first is made before the file, so that wrong input leaves none. */
export async function writePieces(made: AsyncIterable<string | Uint8Array>, path: string): Promise<void> {
  const pieces = made[Symbol.asyncIterator]();
  let next = await pieces.next();
  const file = await startFile(path);
  try {
    for (; !next.done; next = await pieces.next()) await file.write(next.value);
    await file.finish();
  } catch (error) {
    await file.drop();
    throw error;
  }
}

/** A file that is being written. */
export interface GrowingFile {
  readonly path: string;
  /** Appends a piece. */
  write(piece: string | Uint8Array): Promise<void>;
  /** Closes the complete file and renames it to its path. */
  finish(): Promise<void>;
  /** Closes and removes the incomplete file. */
  drop(): Promise<void>;
}

/** Starts a file and its folder; the file is renamed to its path when it is complete. */
export async function startFile(path: string): Promise<GrowingFile> {
  await checkPlace(path);
  const part = `${path}.part`;
  let file: FileHandle;
  try {
    await mkdir(dirname(path), { recursive: true });
    file = await open(part, "w");
  } catch (error) {
    const { code = "" } = error as { readonly code?: string };
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code)) throw error;
    throw new RangeError(`Cannot write the file as its folder must be writable: current value is "${path}"`);
  }
  return {
    path,
    write: (piece) => file.writeFile(piece),
    async finish(): Promise<void> {
      await file.close();
      await rename(part, path);
    },
    async drop(): Promise<void> {
      // It may be closed by `finish`, whose rename failed.
      await file.close().catch(() => {});
      await rm(part, { force: true });
    },
  };
}

/** Refuses to replace anything but a regular file. */
async function checkPlace(path: string): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  const isFolder = path.endsWith("/");
  if (!isFolder && (there === undefined || there.isFile())) return;
  let wanted = isFolder ? "name a file, without / at its end" : "be a file";
  if (!isFolder && there?.isDirectory()) wanted = "not be a folder (with / at its end it is laid out as RULER's)";
  if (there?.isSymbolicLink()) wanted = "be the file itself, not a symbolic link to it";
  throw new RangeError(`Cannot write the file as it must ${wanted}: current value is "${path}"`);
}
