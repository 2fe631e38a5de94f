import { formatNotebook } from "./format_notebook.ts";
import { injectParameters, type Parameters } from "./parameters.ts";
import { parseNotebook } from "./parse_notebook.ts";
import type { Progress } from "./progress.ts";
import { type CellFailure, runNotebook } from "./run_notebook.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { startClock } from "./_clock.ts";
import { writeReport } from "./write_report.ts";
import { readTimings, writeTimings } from "./_timings.ts";

/** How the reproduction of one notebook ended. */
export interface Reproduction {
  /** Name of the notebook, without folder and ending. */
  readonly name: string;
  /** Cells of the notebook. */
  readonly cells: number;
  /** Milliseconds the run took. */
  readonly elapsedMs: number;
  /** The report, as a path from the project's folder. */
  readonly report: string;
  /** The cell that failed; left out where every cell ran. */
  readonly failure?: CellFailure;
}

/** Options for {@linkcode reproduceNotebook}. */
export interface ReproduceOptions {
  /** An absolute path to the project's folder, which holds `notebooks/` and `results/`. */
  readonly folder: string;
  /** The Jupyter to run it with. */
  readonly jupyter: Jupyter;
  /**
   * Other values of the notebook's parameters. Where there are any, the committed notebook and its figures stay as they are.
   *
   * @default {{}}
   */
  readonly parameters?: Parameters;
  /** Told how far the run has come. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Runs one notebook in a fresh kernel, writes its outputs back into it, and exports its report to `results/reports/`.
 *
 * With parameters given, notebook and report both go to `results/reports/`, named for the values. A run that failed
 * changes no notebook; its report ends in `.failed.html` and shows the error.
 *
 * @param name Name of the notebook in `notebooks/`, without its ending.
 * @param options The project's folder, the Jupyter, parameters, and who is told of progress.
 * @returns How it ended.
 * @throws {Error} If Jupyter cannot run or export the notebook, or a parameter does not fit it.
 */
export async function reproduceNotebook(name: string, options: ReproduceOptions): Promise<Reproduction> {
  const { folder, jupyter, parameters = {}, onProgress = () => {} } = options;
  const file = `${folder}/notebooks/${name}.ipynb`;
  const committed = parseNotebook(await Deno.readTextFile(file));
  const isInjected = Object.keys(parameters).length > 0;
  const notebook = isInjected ? injectParameters(committed, parameters) : committed;
  const lastMs = await readTimings(folder, name);
  const clock = startClock({ label: name, total: notebook.cells.length, lastMs, onProgress });
  const working = `${folder}/notebooks`;
  const base = `results/reports/${name}${isInjected ? `.${nameOf(parameters)}` : ""}`;
  const place = isInjected ? { figures: `../${base}` } : {};
  const run = await runNotebook(notebook, { jupyter, folder: working, onCell: clock.tell, ...place }).finally(
    clock.stop,
  );
  const report = `${base}${run.failure === undefined ? "" : ".failed"}.html`;
  await writeReport(run.notebook, { folder, jupyter, name, report });
  const ended = { name, cells: notebook.cells.length, elapsedMs: clock.elapsedMs(), report };
  if (run.failure !== undefined) return { ...ended, failure: run.failure };
  await removeFile(`${folder}/${base}.failed.html`);
  await replaceFile(isInjected ? `${folder}/${base}.ipynb` : file, formatNotebook(run.notebook));
  if (!isInjected) await writeTimings(folder, name, clock.tookMs());
  return ended;
}

// Endpoints are left out of the name: an address says nothing of what was asked.
function nameOf(parameters: Parameters): string {
  const named = Object.entries(parameters).filter(([name]) => name !== "baseUrl");
  return named.map(([name, value]) => `${name}=${value}`.replaceAll(/[^\w=.,-]+/g, "-")).join(".") || "endpoint";
}

async function replaceFile(file: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${file}.part`, text);
  await Deno.rename(`${file}.part`, file);
}

async function removeFile(file: string): Promise<void> {
  try {
    await Deno.remove(file);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
