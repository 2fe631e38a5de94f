/**
 * Opens a regular file. Anything else is refused: opening a pipe can block for ever, and a device may have no end.
 *
 * @param most The most bytes that it may have.
 * @throws {Deno.errors.InvalidData} If it is no regular file, or holds more than `most` bytes.
 */
export async function openRegular(path: string, most = Infinity): Promise<Deno.FsFile> {
  checkRegular(await Deno.stat(path), most);
  return await Deno.open(path);
}

/** Reads the bytes of a regular file; throws as {@linkcode openRegular} does. */
export async function readRegular(path: string, most = Infinity): Promise<Uint8Array<ArrayBuffer>> {
  checkRegular(await Deno.stat(path), most);
  return await Deno.readFile(path);
}

/** Reads the text of a regular file; throws as {@linkcode openRegular} does. */
export async function readRegularText(path: string, most = Infinity): Promise<string> {
  checkRegular(await Deno.stat(path), most);
  return await Deno.readTextFile(path);
}

/** Reads the text of a regular file at once; throws as {@linkcode openRegular} does. */
export function readRegularTextSync(path: string, most = Infinity): string {
  checkRegular(Deno.statSync(path), most);
  return Deno.readTextFileSync(path);
}

function checkRegular({ isFile, isDirectory, size }: Deno.FileInfo, most: number): void {
  if (isDirectory) throw new Deno.errors.IsADirectory("it is a folder");
  if (!isFile) throw new Deno.errors.InvalidData("it is a pipe or a device, not a regular file");
  if (size > most) throw new Deno.errors.InvalidData(`it has ${size} bytes, more than ${most}`);
}

/** Explains why a file could not be read or written, in a few words. */
export function explainFileError(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is nothing of that name";
  if (error instanceof Deno.errors.PermissionDenied) return "the system does not permit it";
  if (error instanceof Deno.errors.NotCapable) return "this task was not started with the permission to do so";
  if (error instanceof Deno.errors.NotADirectory) return "it is not a folder";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}
