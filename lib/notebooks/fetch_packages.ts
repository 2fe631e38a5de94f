import { runProgram } from "./_programs.ts";

/**
 * Fetches the packages that the rooms of lib import, so that no cell of a notebook waits for them unseen.
 *
 * @param folder An absolute path to the project's folder.
 * @param onLine Told how many files have been fetched, whenever one more has.
 * @throws {Error} If a package is out of reach.
 */
export async function fetchPackages(folder: string, onLine: (line: string) => void): Promise<void> {
  const doors = (await listDoors(`${folder}/lib`)).map((room) => `lib/${room}/mod.ts`);
  if (doors.length === 0) return;
  let fetched = 0;
  const end = await runProgram(Deno.execPath(), {
    args: ["cache", ...doors],
    folder,
    env: { "NO_COLOR": "1" },
    onLine: (line) => {
      if (line.startsWith("Download ")) onLine(`Packages  ${++fetched} files fetched`);
    },
  });
  if (end.code === 0) return;
  const reason = end.stderr.find((line) => line.startsWith("error")) ?? end.stderr.at(-1) ?? "no reason";
  throw new Error(`Cannot fetch the packages as the npm registry must be within reach: current value is "${reason}"`);
}

async function listDoors(folder: string): Promise<readonly string[]> {
  const rooms: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory && await hasDoor(`${folder}/${entry.name}`)) rooms.push(entry.name);
  }
  return rooms.sort();
}

async function hasDoor(room: string): Promise<boolean> {
  try {
    return (await Deno.stat(`${room}/mod.ts`)).isFile;
  } catch {
    return false;
  }
}
