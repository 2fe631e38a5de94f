import type { Output } from "./_guard.ts";

/**
 * Writes lines one by one, to a file or to the output; none is held.
 *
 * A file appears under its name when it is whole. The first line is made before anything is written, so that wrong input
 * leaves nothing behind.
 */
export async function writeLines(
  lines: Iterable<string>,
  { path, output }: { readonly path: string | undefined; readonly output: Output },
): Promise<void> {
  const iterator = lines[Symbol.iterator]();
  let next = iterator.next();
  if (path === undefined) {
    for (; !next.done; next = iterator.next()) await output.write(next.value);
    return;
  }
  await checkPlace(path);
  const part = `${path}.part`;
  const file = await createFile(part, path);
  try {
    const count = await writeAll(file, { next, iterator });
    await Deno.rename(part, path);
    output.tell(`${path}: ${count} ${count === 1 ? "line" : "lines"}`);
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    throw error;
  }
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

/** Refuses what a file cannot take the place of: a folder, or a device. */
async function checkPlace(path: string): Promise<void> {
  const there = await Deno.stat(path).catch(() => undefined);
  if (there === undefined || there.isFile) return;
  throw new RangeError(
    `Cannot write the file as ${
      there.isDirectory ? "it must not be a folder" : "it must be a file"
    }: current value is "${path}"`,
  );
}

async function createFile(part: string, path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(part, { write: true, create: true, truncate: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new RangeError(
      `Cannot write the file as its folder must be there and be writable: current value is "${path}"`,
    );
  }
}
