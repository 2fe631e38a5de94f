/**
 * Lists the notebooks of a project, in order of their numbers.
 *
 * @param folder An absolute path to the project's folder.
 * @param only Numbers or names to keep, such as `01` or `01-ruler-leaderboard`; empty keeps all.
 * @returns Names, without folder and ending.
 * @throws {RangeError} If one of `only` fits no notebook.
 */
export async function listNotebooks(folder: string, only: readonly string[] = []): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(`${folder}/notebooks`)) {
    const name = /^(\d\d-.+)\.ipynb$/.exec(entry.name)?.[1];
    if (name !== undefined) names.push(name);
  }
  names.sort();
  const unknown = only.find((wanted) => !names.some((name) => isCalled(name, wanted)));
  if (unknown !== undefined) {
    const known = names.join(", ") || "none";
    throw new RangeError(`Cannot choose a notebook as its name must be one of ${known}: current value is "${unknown}"`);
  }
  return only.length === 0 ? names : names.filter((name) => only.some((wanted) => isCalled(name, wanted)));
}

function isCalled(name: string, wanted: string): boolean {
  return name === wanted.replace(/\.ipynb$/, "") || name.startsWith(`${wanted}-`);
}
