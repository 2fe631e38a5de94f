/** Hands over an empty folder, removes it afterwards, and returns what was made in it. */
export async function inFolder<Made>(use: (folder: string) => Promise<Made>): Promise<Made> {
  const folder = await Deno.makeTempDir();
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Hands over a folder with these files, by their paths in it, and removes it afterwards. */
export async function withFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    for (const [path, content] of Object.entries(files)) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeFile(
        `${folder}/${path}`,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
    }
    await use(folder);
  });
}
