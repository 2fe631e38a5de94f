import type { NotebookProblem } from "./check_notebook.ts";
import { joinCells, type JoinedCells } from "./join_cells.ts";
import type { Notebook } from "./notebook.ts";
import { runProgram } from "./_programs.ts";

/**
 * Checks the types of a notebook's code, its cells joined into one program; a name bound twice is a problem too.
 *
 * @param notebook The notebook.
 * @param folder An absolute path to the project's folder; the program is kept in its `.jupyter/check/` for the check.
 * @returns Every problem the compiler names, with its cell.
 * @throws {Error} If what the notebook imports does not pass by itself.
 *
 * @example A number that is none
 * ```ts ignore
 * const problems = await checkTypes(notebook, Deno.cwd());
 * // [{ cell: 3, message: "line 1: Type 'string' is not assignable to type 'number'." }]
 * ```
 */
export async function checkTypes(notebook: Notebook, folder: string): Promise<readonly NotebookProblem[]> {
  const joined = joinCells(notebook);
  const parent = `${folder}/.jupyter/check`;
  await Deno.mkdir(parent, { recursive: true });
  const file = await Deno.makeTempFile({ dir: parent, suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, joined.program);
    const args = ["check", "--quiet", file];
    const end = await runProgram(Deno.execPath(), { args, folder, env: { NO_COLOR: "1" } });
    if (end.code === 0) return [];
    const problems = locate(end.stderr, file, joined);
    if (problems.length > 0) return problems;
    const reason = end.stderr.find((line) => line.includes("error") || line.includes("ERROR")) ??
      `exit code ${end.code}`;
    throw new Error(
      `Cannot check the types as what the notebook imports must pass too: current value is "${reason.trim()}"`,
    );
  } finally {
    await Deno.remove(file);
  }
}

// The compiler prints a message, the line at fault, a marker, and then the place.
function locate(lines: readonly string[], file: string, joined: JoinedCells): readonly NotebookProblem[] {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const problems: NotebookProblem[] = [];
  let message = "";
  for (const line of lines) {
    const said = /^(?:TS\d+ \[ERROR\]: |error: )(.*)$/.exec(line);
    if (said !== null) message = said[1] ?? "";
    const place = line.includes(name) ? /:(\d+):\d+\)?$/.exec(line.trim()) : null;
    if (place === null || message === "") continue;
    const row = Number(place[1]) - 1;
    problems.push({ cell: joined.cellOfLine[row] ?? 0, message: `line ${joined.lineInCell[row] ?? 0}: ${message}` });
    message = "";
  }
  return problems;
}
