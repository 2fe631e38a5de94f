// How long each cell took the last time, kept on this machine alone so that the next run can tell the time left.

/** Reads the times of a notebook's last run, in milliseconds a cell; empty where there was none. */
export async function readTimings(folder: string, name: string): Promise<readonly number[]> {
  try {
    const times = JSON.parse(await Deno.readTextFile(timingsFile(folder, name)));
    return Array.isArray(times) && times.every((time) => typeof time === "number") ? times : [];
  } catch {
    return [];
  }
}

/** Keeps the times of a notebook's run, in milliseconds a cell. */
export async function writeTimings(folder: string, name: string, tookMs: readonly number[]): Promise<void> {
  await Deno.mkdir(`${folder}/.jupyter/timings`, { recursive: true });
  await Deno.writeTextFile(timingsFile(folder, name), JSON.stringify(tookMs.map(Math.round)) + "\n");
}

function timingsFile(folder: string, name: string): string {
  return `${folder}/.jupyter/timings/${name}.json`;
}
