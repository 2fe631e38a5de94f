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
  const part = `${path}.part`;
  const file = await createFile(part, path);
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  let count = 0;
  for (; !next.done; next = iterator.next()) {
    await writer.write(encoder.encode(next.value));
    count++;
  }
  await writer.close();
  await Deno.rename(part, path);
  output.tell(`${path}: ${count} ${count === 1 ? "line" : "lines"}`);
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
