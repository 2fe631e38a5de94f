/** Where the published tables are. */
export const PUBLISHED_FOLDER: URL = new URL("../../../data/published/", import.meta.url);

/**
 * Reads files of published tables.
 *
 * @param files Their names.
 * @param folder Where they are; ends in a slash.
 * @returns The text of each.
 * @throws {Error} If one is missing; the message names the first that is.
 */
export async function readPublishedTexts<File extends string>(
  files: readonly File[],
  folder: URL,
): Promise<Readonly<Record<File, string>>> {
  const texts: Partial<Record<File, string>> = {};
  // One after the other, so that the first file that is missing is the one that is told.
  for (const file of files) texts[file] = await readText(file, folder);
  return texts as Record<File, string>;
}

async function readText(file: string, folder: URL): Promise<string> {
  try {
    return await Deno.readTextFile(new URL(file, folder));
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Error(`Cannot open the published tables as ${file} must be there: there is none in ${folder.pathname}`, {
      cause,
    });
  }
}
