import { isTagged, type Notebook, type NotebookCell } from "./notebook.ts";

/** Something in a notebook that a rule refuses. */
export interface NotebookProblem {
  /** The cell, counted from 1 over all cells; `0` for the notebook as a whole. */
  readonly cell: number;
  /** What is wanted, and what stands there. */
  readonly message: string;
}

const MOST_CELLS = 40;
const MOST_LINES = 12;

const REFUSED_IN_OUTPUTS: readonly (readonly [string, RegExp])[] = [
  ["an absolute path", /file:\/\/|(?:^|[\s"'(=])(?:\/(?:home|root|Users|tmp|work|mnt|var|opt)\/|[A-Z]:\\\\)[^\s"')]*/m],
  ["a key", /\b(?:sk|hf|gsk|xai|pk)[-_][\w-]{16,}|\bBearer\s+[\w.-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}/],
  ["a time", /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
];

/**
 * Checks a notebook against the form of this project's notebooks.
 *
 * It has at most 40 cells, code cells of at most 12 lines, a title first, a cell tagged `parameters`, a language named, and
 * the outputs of one run from top to bottom that hold no error, absolute path, key or time of day.
 *
 * @param notebook The notebook.
 * @returns Every problem found, in the order of the cells; none for a notebook in good form.
 *
 * @example A notebook without a title
 * ```ts
 * import { ok } from "node:assert/strict";
 *
 * const cell = { kind: "code", id: "a", source: "1", metadata: {}, executionCount: 1, outputs: [] } as const;
 * ok(checkNotebook({ cells: [cell], metadata: {} }).some((problem) => problem.message.includes("title")));
 * ```
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
  if (cells.length > MOST_CELLS) refuse(`it must have at most ${MOST_CELLS} cells: current value is ${cells.length}`);
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
  if (lines > MOST_LINES) refuse(`a code cell must have at most ${MOST_LINES} lines: current value is ${lines}`);
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
