import { runProgram } from "@/lib/jupyter/run_program.ts";
import { isTagged, type Notebook, type NotebookCell } from "@/lib/jupyter/notebook.ts";

interface NotebookProblem {
  /** Number of the cell, from 1; `0` for the notebook as a whole. */
  readonly cell: number;
  /** The rule, and what was found. */
  readonly message: string;
}

const MAX_CELLS = 40;
const MAX_LINES = 30;

/** A literal that is spread: its entries can stand where it is. */
const SPREAD_LITERAL = /\.\.\.(?:\{|\[[^\]]*\](?!\.))/;

// Strings, templates and comments.
const NO_CODE = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/.*$|\/\*[\s\S]*?\*\//gm;

const REFUSED_IN_OUTPUTS: readonly (readonly [string, RegExp])[] = [
  ["an absolute path", /file:\/\/|(?:^|[\s"'(=])(?:\/(?:home|root|Users|tmp|work|mnt|var|opt)\/|[A-Z]:\\\\)[^\s"')]*/m],
  ["a key", /\b(?:sk|hf|gsk|xai|pk)[-_][\w-]{16,}|\bBearer\s+[\w.-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}/],
  ["a time", /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
];

/**
 * Checks that a notebook follows the rules of this project: at most 40 cells, code cells of at most 30 lines without spread literals,
 * a title first, one cell tagged `parameters`, a language, and outputs of one run from top to bottom without errors, absolute paths,
 * API keys or times of day.
 */
export function checkNotebook(notebook: Notebook): readonly NotebookProblem[] {
  return [
    ...checkWhole(notebook),
    ...notebook.cells.flatMap((cell, index) => cell.kind === "code" ? checkCode(cell, index + 1) : []),
    ...checkOrder(notebook),
  ];
}

function checkWhole({ cells, metadata }: Notebook): readonly NotebookProblem[] {
  const problems: NotebookProblem[] = [];
  const refuse = (message: string): number => problems.push({ cell: 0, message });
  if (cells.length > MAX_CELLS) refuse(`it must have at most ${MAX_CELLS} cells: current value is ${cells.length}`);
  const first = cells[0];
  if (first?.kind !== "markdown" || !/^# \S/.test(first.source)) refuse("its first cell must be a title (# …)");
  const parameters = cells.filter((cell) => isTagged(cell, "parameters")).length;
  if (parameters !== 1) refuse(`it must have one cell tagged "parameters": current value is ${parameters}`);
  const language = metadata["language_info"];
  if (typeof language !== "object" || language === null || !("name" in language)) {
    refuse("its metadata must name its language (language_info.name), or its code is never formatted");
  }
  return problems;
}

function checkCode(cell: NotebookCell, place: number): readonly NotebookProblem[] {
  const problems: NotebookProblem[] = [];
  const refuse = (message: string): number => problems.push({ cell: place, message });
  const lines = cell.source.split("\n").length;
  const code = cell.source.replaceAll(NO_CODE, '""');
  const spread = code.split("\n").find((line) => SPREAD_LITERAL.test(line));
  if (spread !== undefined) {
    refuse(
      `a code cell must not spread a literal, but write its entries, or name it: current value is ${spread.trim()}`,
    );
  }
  if (lines > MAX_LINES) refuse(`a code cell must have at most ${MAX_LINES} lines: current value is ${lines}`);
  if (cell.outputs.some((output) => output["output_type"] === "error")) refuse("an output must not be an error");
  const shown = JSON.stringify(cell.outputs);
  for (const [name, pattern] of REFUSED_IN_OUTPUTS) {
    const found = pattern.exec(shown);
    if (found !== null) refuse(`an output must not hold ${name}: current value is "${found[0].trim()}"`);
  }
  return problems;
}

function checkOrder({ cells }: Notebook): readonly NotebookProblem[] {
  const run = cells.map((cell, index) => ({ cell, place: index + 1 }))
    .filter(({ cell }) => cell.kind === "code" && cell.source.trim() !== "");
  const wrong = run.findIndex(({ cell }, index) => cell.executionCount !== index + 1);
  const found = run[wrong];
  if (found === undefined) return [];
  const message =
    `outputs must come from one run, top to bottom: this cell must be number ${wrong + 1}, current value is ` +
    String(found.cell.executionCount);
  return [{ cell: found.place, message }];
}

/**
 * Checks the format of cells with `deno fmt`; returns the problems of each notebook.
 *
 * Each cell is checked as its own file, because `deno fmt --check` rejects notebook cells without a final line feed although `deno fmt`
 * does not add one. One process checks all notebooks.
 */
export async function checkFormat(
  notebooks: readonly Notebook[],
  folder: string,
): Promise<readonly (readonly NotebookProblem[])[]> {
  return await inCheckFolder(folder, async (place) => {
    for (const [number, { cells }] of notebooks.entries()) {
      await Deno.mkdir(`${place}/${number}`);
      for (const [index, { kind, source }] of cells.entries()) {
        const text = source === "" || source.endsWith("\n") ? source : `${source}\n`;
        const file = `${place}/${number}/${index + 1}.${kind === "code" ? "ts" : "md"}`;
        if (kind !== "raw") await Deno.writeTextFile(file, text);
      }
    }
    const args = ["fmt", "--check", place];
    const { stderr } = await runProgram(Deno.execPath(), { args, folder, env: { NO_COLOR: "1" } });
    const found = stderr.flatMap((line) => {
      const [, notebook, cell] = /^from .*\/(\d+)\/(\d+)\.(?:ts|md):$/.exec(line) ?? [];
      return cell === undefined ? [] : [{ notebook: Number(notebook), cell: Number(cell) }];
    });
    return notebooks.map((_, number) =>
      found.filter(({ notebook }) => notebook === number)
        .toSorted((first, second) => first.cell - second.cell)
        .map(({ cell }) => ({ cell, message: "must be formatted by deno fmt" }))
    );
  });
}

/**
 * Checks the types of code cells, each notebook as one program; returns the problems of each notebook. A name bound twice is a problem.
 * One process checks all notebooks, since checking their imports takes most of the time.
 *
 * @param also Further arguments of `deno check`, such as `lib`.
 * @throws {Error} If there is a type error outside the notebooks; its cause is the output of the compiler.
 */
export async function checkTypes(
  notebooks: readonly Notebook[],
  folder: string,
  also: readonly string[] = [],
): Promise<readonly (readonly NotebookProblem[])[]> {
  return await inCheckFolder(folder, async (place) => {
    const programs = notebooks.map((notebook, number) => ({ ...joinCells(notebook), file: `${place}/${number}.ts` }));
    for (const { file, program } of programs) await Deno.writeTextFile(file, program);
    const args = ["check", "--quiet", ...also, ...programs.map(({ file }) => file)];
    const end = await runProgram(Deno.execPath(), { args, folder, env: { NO_COLOR: "1" } });
    const problems = programs.map((joined) => locate(end.stderr, joined.file, joined));
    if (end.code === 0 || problems.some((each) => each.length > 0)) return problems;
    const reason = end.stderr.find((line) => line.includes("error") || line.includes("ERROR")) ??
      `exit code ${end.code}`;
    throw new Error(
      `Cannot check the types as what the notebooks import must pass too: current value is "${reason.trim()}"`,
      { cause: new Error(end.stderr.join("\n")) },
    );
  });
}

/** Hands over an empty folder within the project, where its import map holds, and removes it afterwards. */
async function inCheckFolder<Found>(folder: string, use: (place: string) => Promise<Found>): Promise<Found> {
  const parent = `${folder}/.jupyter/check`;
  await Deno.mkdir(parent, { recursive: true });
  const place = await Deno.makeTempDir({ dir: parent });
  try {
    return await use(place);
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

// The compiler prints a message, the line, a marker, and then the place.
function locate(lines: readonly string[], file: string, joined: JoinedCells): readonly NotebookProblem[] {
  const problems: NotebookProblem[] = [];
  let message = "";
  for (const line of lines) {
    message = /^(?:TS\d+ \[ERROR\]: |error: )(.*)$/.exec(line)?.[1] ?? message;
    const place = line.includes(`${file}:`) ? /:(\d+):\d+\)?$/.exec(line.trim()) : null;
    if (place === null || message === "") continue;
    const row = Number(place[1]) - 1;
    problems.push({ cell: joined.cellOfLine[row] ?? 0, message: `line ${joined.lineInCell[row] ?? 0}: ${message}` });
    message = "";
  }
  return problems;
}

interface JoinedCells {
  readonly program: string;
  /** Number of the cell of each line, from 1; `0` outside cells. */
  readonly cellOfLine: readonly number[];
  /** Number of each line in its cell, from 1; `0` outside cells. */
  readonly lineInCell: readonly number[];
}

/**
 * Joins the code cells of a notebook into one TypeScript module. A kernel checks no types and lets a `const` be bound again in a
 * later cell; one module allows neither.
 */
function joinCells(notebook: Notebook): JoinedCells {
  const lines: string[] = [];
  const cellOfLine: number[] = [];
  const lineInCell: number[] = [];
  const add = (line: string, cell: number, place: number): void => {
    lines.push(line);
    cellOfLine.push(cell);
    lineInCell.push(place);
  };
  for (const [index, cell] of notebook.cells.entries()) {
    if (cell.kind !== "code") continue;
    cell.source.split("\n").forEach((line, place) => add(line, index + 1, place + 1));
    // A last expression may lack its semicolon, and the next cell may open with a bracket.
    add(";", 0, 0);
  }
  add("export {};", 0, 0);
  return { program: lines.join("\n") + "\n", cellOfLine, lineInCell };
}
