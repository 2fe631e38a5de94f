/**
 * Reads the lines of a file, or of standard input where the path is `-`, one at a time.
 *
 * @throws {RangeError} If there is no such file.
 * @throws {SyntaxError} If it is not UTF-8 text.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const bytes = path === "-" ? Deno.stdin.readable : (await openFile(path)).readable;
  let rest = "";
  for await (const text of decode(bytes, path)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

async function* decode(bytes: ReadableStream<Uint8Array<ArrayBuffer>>, path: string): AsyncGenerator<string> {
  try {
    yield* bytes.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SyntaxError(`Cannot read the file as it must be UTF-8 text: current value is "${path}"`);
  }
}

async function openFile(path: string): Promise<Deno.FsFile> {
  try {
    const file = await Deno.open(path);
    if ((await file.stat()).isFile) return file;
    file.close();
  } catch (error) {
    if (
      !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied ||
        error instanceof Deno.errors.IsADirectory)
    ) throw error;
  }
  throw new RangeError(`Cannot read the file as it must be there and be readable: current value is "${path}"`);
}
