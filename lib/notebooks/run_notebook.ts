import { KERNEL } from "./kernel.ts";
import type { JsonObject, Notebook } from "./notebook.ts";
import { parseNotebook } from "./parse_notebook.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { fileOf, talk } from "./_talk.ts";

/** A cell that did not run to its end. */
export interface CellFailure {
  /** The cell, counted from 1 over all cells. */
  readonly cell: number;
  /** The first line of its code. */
  readonly line: string;
  /** The error's name and message, in one line. */
  readonly error: string;
}

/** What a run of a notebook gave. */
export interface NotebookRun {
  /** The notebook with the outputs of this run. */
  readonly notebook: Notebook;
  /** The cell that stopped the run; left out where every cell ran. */
  readonly failure?: CellFailure;
}

/** Options for {@linkcode runNotebook}. */
export interface RunOptions {
  /** The Jupyter to run it with. */
  readonly jupyter: Jupyter;
  /** An absolute path to the folder the kernel works in. */
  readonly folder: string;
  /** Told when a cell begins (counted from 1), and what it says while it runs. */
  readonly onCell?: (cell: number, note: string) => void;
  /** Where `keepFigure` is to write, from the kernel's folder; `results/figures/` unless given. */
  readonly figures?: string;
  /**
   * Seconds that one cell may take.
   *
   * @default {86_400}
   */
  readonly cellTimeout?: number;
}

/**
 * Runs a notebook from top to bottom in a fresh Deno kernel.
 *
 * @param notebook The notebook; outputs it carries are dropped.
 * @param options The Jupyter, the kernel's folder, and who is told of progress.
 * @returns The notebook with its outputs, and the cell that failed where one did; no cell after that one has run.
 * @throws {Error} If the kernel does not start; the message is Jupyter's own.
 */
export async function runNotebook(notebook: Notebook, options: RunOptions): Promise<NotebookRun> {
  const { jupyter, folder, onCell, figures, cellTimeout = 86_400 } = options;
  let failure: CellFailure | undefined;
  let run: Notebook | undefined;
  const take = (event: JsonObject): void => {
    const cell = Number(event["cell"] ?? 0) + 1;
    if (event["event"] === "cell") onCell?.(cell, "");
    if (event["event"] === "note") onCell?.(cell, String(event["text"]));
    if (event["event"] === "error") failure = { cell, line: firstLine(notebook, cell), error: errorText(event) };
    if (event["event"] === "notebook") run = parseNotebook(JSON.stringify(event["notebook"]));
  };
  const place = figures === undefined ? {} : { figures };
  const settings = {
    action: "run",
    notebook: fileOf(cleared(notebook)),
    folder,
    kernel: KERNEL,
    cellTimeout,
    ...place,
  };
  await talk(jupyter, settings, take);
  if (run === undefined) throw new Error("Cannot run the notebook as Jupyter must give it back: current value is none");
  return failure === undefined ? { notebook: run } : { notebook: run, failure };
}

function cleared(notebook: Notebook): Notebook {
  return { ...notebook, cells: notebook.cells.map((cell) => ({ ...cell, executionCount: null, outputs: [] })) };
}

function firstLine(notebook: Notebook, cell: number): string {
  return notebook.cells[cell - 1]?.source.trim().split("\n")[0] ?? "";
}

function errorText(event: JsonObject): string {
  const message = String(event["message"]).trim().split("\n")[0] ?? "";
  return `${event["name"]}: ${message}`;
}
