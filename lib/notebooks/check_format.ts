import type { NotebookProblem } from "./check_notebook.ts";
import type { Notebook } from "./notebook.ts";
import { runProgram } from "./_programs.ts";

/**
 * Checks that the cells of a notebook are as `deno fmt` writes them.
 *
 * Each cell is checked as a file of its own: of a notebook, `deno fmt --check` calls a cell unformatted that has no line
 * feed at its end, which `deno fmt` then leaves as it is.
 *
 * @param notebook The notebook.
 * @param folder An absolute path to the project's folder; the cells are kept in its `.jupyter/check/` for the check.
 * @returns A problem for each cell that would be changed.
 *
 * @example Single quotes
 * ```ts ignore
 * const problems = await checkFormat(notebook, Deno.cwd());
 * // [{ cell: 3, message: "must be as deno fmt writes it" }]
 * ```
 */
export async function checkFormat(notebook: Notebook, folder: string): Promise<readonly NotebookProblem[]> {
  const parent = `${folder}/.jupyter/check`;
  await Deno.mkdir(parent, { recursive: true });
  const place = await Deno.makeTempDir({ dir: parent });
  try {
    for (const [index, { kind, source }] of notebook.cells.entries()) {
      const text = source === "" || source.endsWith("\n") ? source : `${source}\n`;
      if (kind !== "raw") await Deno.writeTextFile(`${place}/${index + 1}.${kind === "code" ? "ts" : "md"}`, text);
    }
    const args = ["fmt", "--check", place];
    const { stderr } = await runProgram(Deno.execPath(), { args, folder, env: { NO_COLOR: "1" } });
    const cells = stderr.flatMap((line) => /^from .*\/(\d+)\.(?:ts|md):$/.exec(line)?.[1] ?? []);
    return cells.map(Number).toSorted((first, second) => first - second)
      .map((cell) => ({ cell, message: "must be as deno fmt writes it" }));
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}
