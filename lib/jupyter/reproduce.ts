import { pathOf } from "./lab.ts";
import { formatNotebook, type JsonObject, type Notebook, parseNotebook } from "./notebook.ts";
import { injectParameters, type Parameters, parametersName } from "./parameters.ts";
import { writeReport } from "./report.ts";
import { withAnswer } from "./report_lead.ts";
import { runScript } from "./run_program.ts";
import { type Jupyter, KERNEL } from "./set_up_jupyter.ts";

/** The progress of a notebook. */
export interface Progress {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** The last line that the current cell printed; empty if none. */
  readonly note: string;
}

/** The result of one notebook. */
export interface Reproduction {
  readonly name: string;
  readonly cells: number;
  readonly elapsedMs: number;
  /** The report, as a path from the project's folder. */
  readonly report: string;
  readonly failure?: CellFailure;
}

/** A failed cell: its number from 1, the first line of its code, and the error in one line. */
interface CellFailure {
  readonly cell: number;
  readonly line: string;
  readonly error: string;
}

/** Options for {@linkcode reproduceNotebook}. */
interface ReproduceOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  /** Other values of the notebook's parameters. If there are any, the committed notebook and its figures do not change. */
  readonly parameters?: Parameters;
  /** Called every second, when a cell starts, and with each line that it prints. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Runs one notebook in a fresh kernel, writes its outputs back into it, and exports its report to `results/reports/`.
 *
 * With parameters, both go to `results/reports/`, named after the values. A failed run changes no notebook; its report ends in
 * `.failed.html` and shows the error.
 */
export async function reproduceNotebook(name: string, options: ReproduceOptions): Promise<Reproduction> {
  const { folder, jupyter, parameters = {}, onProgress = () => {} } = options;
  const file = `${folder}/${pathOf(name)}`;
  const committed = parseNotebook(await Deno.readTextFile(file));
  const isInjected = Object.keys(parameters).length > 0;
  const notebook = isInjected ? injectParameters(committed, parameters) : committed;
  const called = name.replace(/^own\/(.+)$/, "$1.own");
  const base = `results/reports/${called}${isInjected ? `.${parametersName(parameters)}` : ""}`;
  const total = notebook.cells.length;
  const began = performance.now();
  let [done, note] = [0, ""];
  const show = (): void => onProgress({ name, done, total, elapsedMs: performance.now() - began, note });
  const timer = setInterval(show, 1000);
  const run = await runNotebook(notebook, {
    jupyter,
    folder: file.replace(/\/[^/]+$/, ""),
    figures: isInjected ? `../${base}` : "../results/figures",
    onCell: (cell, printed) => {
      [done, note] = [cell - 1, printed];
      show();
    },
  }).finally(() => clearInterval(timer));
  const elapsedMs = performance.now() - began;
  const report = `${base}${run.failure === undefined ? "" : ".failed"}.html`;
  await writeReport(run.notebook, { folder, jupyter, name, report });
  const ended = { name, cells: total, elapsedMs, report };
  if (run.failure !== undefined) return { ...ended, failure: run.failure };
  await Deno.remove(`${folder}/${base}.failed.html`).catch(() => {});
  const written = isInjected ? `${folder}/${base}.ipynb` : file;
  await Deno.writeTextFile(`${written}.part`, formatNotebook(withAnswer(run.notebook)));
  await Deno.rename(`${written}.part`, written);
  return ended;
}

interface RunOptions {
  readonly jupyter: Jupyter;
  /** An absolute path to the kernel's working directory, and the folder of `keepFigure` relative to it. */
  readonly folder: string;
  readonly figures: string;
  /** Called when a cell starts (numbered from 1), and with each line that it prints. */
  readonly onCell: (cell: number, note: string) => void;
}

/** Runs a notebook from top to bottom in a fresh Deno kernel; returns it with its outputs, and the cell that stopped it, if any. */
async function runNotebook(
  notebook: Notebook,
  { jupyter, folder, figures, onCell }: RunOptions,
): Promise<{ readonly notebook: Notebook; readonly failure?: CellFailure }> {
  let failure: CellFailure | undefined;
  let run: Notebook | undefined;
  const take = (event: JsonObject): void => {
    const cell = Number(event["cell"] ?? 0) + 1;
    if (event["event"] === "cell") onCell(cell, "");
    if (event["event"] === "note") onCell(cell, String(event["text"]));
    if (event["event"] === "notebook") run = parseNotebook(JSON.stringify(event["notebook"]));
    if (event["event"] === "error") {
      const [line = ""] = (notebook.cells[cell - 1]?.source ?? "").trim().split("\n");
      const [message = ""] = String(event["message"]).trim().split("\n");
      failure = { cell, line, error: `${event["name"]}: ${message}` };
    }
  };
  const cleared = notebook.cells.map((cell) => ({ ...cell, executionCount: null, outputs: [] }));
  const settings = { action: "run", folder, kernel: KERNEL, figures };
  await runScript(jupyter, { ...settings, notebook: { ...notebook, cells: cleared } }, take);
  if (run === undefined) throw new Error("Cannot run the notebook as Jupyter must return it: current value is none");
  return failure === undefined ? { notebook: run } : { notebook: run, failure };
}
