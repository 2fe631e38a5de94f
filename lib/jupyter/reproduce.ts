import { KERNEL } from "./find_jupyter.ts";
import { formatNotebook, type JsonObject, type Notebook, parseNotebook } from "./notebook.ts";
import { injectParameters, type Parameters, parametersName } from "./parameters.ts";
import { type Progress, remainingTime, shareIn } from "./progress.ts";
import { writeReport } from "./report.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { fileOf, runScript } from "./run_script.ts";

/** The result of one notebook. */
export interface Reproduction {
  /** Name of the notebook, without folder and ending. */
  readonly name: string;
  /** Number of cells. */
  readonly cells: number;
  readonly elapsedMs: number;
  /** The report, as a path from the project's folder. */
  readonly report: string;
  /** The cell that failed, if any. */
  readonly failure?: CellFailure;
}

/** Options for {@linkcode reproduceNotebook}. */
interface ReproduceOptions {
  /** An absolute path to the project's folder. */
  readonly folder: string;
  readonly jupyter: Jupyter;
  /**
   * Other values of the notebook's parameters. If there are any, the committed notebook and its figures do not change.
   *
   * @default {{}}
   */
  readonly parameters?: Parameters;
  /** Called with the progress of the run. */
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
  const file = `${folder}/notebooks/${name}.ipynb`;
  const committed = parseNotebook(await Deno.readTextFile(file));
  const isInjected = Object.keys(parameters).length > 0;
  const notebook = isInjected ? injectParameters(committed, parameters) : committed;
  const lastMs = await readTimings(folder, name);
  const clock = startClock({ label: name, total: notebook.cells.length, lastMs, onProgress });
  const working = `${folder}/notebooks`;
  const base = `results/reports/${name}${isInjected ? `.${parametersName(parameters)}` : ""}`;
  const figures = isInjected ? `../${base}` : "../results/figures";
  const run = await runNotebook(notebook, { jupyter, folder: working, onCell: clock.note, figures }).finally(
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

interface CellFailure {
  /** Number of the cell, from 1. */
  readonly cell: number;
  /** The first line of its code. */
  readonly line: string;
  /** The error's name and message, in one line. */
  readonly error: string;
}

interface NotebookRun {
  /** The notebook with the outputs of this run. */
  readonly notebook: Notebook;
  /** The cell that stopped the run, if any. */
  readonly failure?: CellFailure;
}

/** Options for {@linkcode runNotebook}. */
interface RunOptions {
  readonly jupyter: Jupyter;
  /** An absolute path to the kernel's working directory. */
  readonly folder: string;
  /** Called when a cell starts (numbered from 1), and with each line that it prints. */
  readonly onCell?: (cell: number, note: string) => void;
  /** The folder of `keepFigure`, relative to the kernel's working directory. */
  readonly figures: string;
}

/** Time limit of a cell, in seconds. */
const CELL_TIMEOUT = 86_400;

/** Runs a notebook from top to bottom in a fresh Deno kernel. */
async function runNotebook(notebook: Notebook, options: RunOptions): Promise<NotebookRun> {
  const { jupyter, folder, onCell, figures } = options;
  let failure: CellFailure | undefined;
  let run: Notebook | undefined;
  const take = (event: JsonObject): void => {
    const cell = Number(event["cell"] ?? 0) + 1;
    if (event["event"] === "cell") onCell?.(cell, "");
    if (event["event"] === "note") onCell?.(cell, String(event["text"]));
    if (event["event"] === "error") failure = { cell, line: firstLine(notebook, cell), error: errorText(event) };
    if (event["event"] === "notebook") run = parseNotebook(JSON.stringify(event["notebook"]));
  };
  const settings = {
    action: "run",
    notebook: fileOf(cleared(notebook)),
    folder,
    kernel: KERNEL,
    cellTimeout: CELL_TIMEOUT,
    figures,
  };
  await runScript(jupyter, settings, take);
  if (run === undefined) throw new Error("Cannot run the notebook as Jupyter must return it: current value is none");
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

/** Times the cells of one run and reports its progress. */
interface Clock {
  /** Records that a cell (numbered from 1) started or printed a line. */
  readonly note: (cell: number, note: string) => void;
  readonly stop: () => void;
  /** Milliseconds since the start. */
  readonly elapsedMs: () => number;
  /** Milliseconds of each cell. */
  readonly tookMs: () => readonly number[];
}

/** Options for {@linkcode startClock}. */
interface ClockOptions {
  readonly label: string;
  /** Number of cells. */
  readonly total: number;
  /** Milliseconds of each cell in the last run; empty if there was none. */
  readonly lastMs: readonly number[];
  /** Called every second, and at each cell. */
  readonly onProgress: (progress: Progress) => void;
}

/** Starts the clock of one run. */
function startClock(options: ClockOptions): Clock {
  const { label, total, lastMs, onProgress } = options;
  const began = performance.now();
  const starts: number[] = [];
  let lastNote = "";
  let ended: number | undefined;
  const elapsedMs = (): number => (ended ?? performance.now()) - began;
  const tookMs = (): readonly number[] => starts.map((start, index) => (starts[index + 1] ?? elapsedMs()) - start);
  const show = (): void => {
    const took = tookMs();
    const currentMs = took.at(-1) ?? 0;
    const remainingMs = remainingTime({
      tookMs: took.slice(0, -1),
      total,
      lastMs,
      currentMs,
      share: shareIn(lastNote),
    });
    onProgress({
      label,
      done: Math.max(0, starts.length - 1),
      total,
      elapsedMs: elapsedMs(),
      remainingMs,
      note: lastNote,
    });
  };
  const timer = setInterval(show, 1000);
  return {
    note: (cell, note) => {
      while (starts.length < cell) starts.push(elapsedMs());
      lastNote = note;
      show();
    },
    stop: () => {
      ended = performance.now();
      clearInterval(timer);
    },
    elapsedMs,
    tookMs,
  };
}

/** Reads the milliseconds of each cell in the last run, for estimates of the remaining time; empty if there was none. */
async function readTimings(folder: string, name: string): Promise<readonly number[]> {
  try {
    const times = JSON.parse(await Deno.readTextFile(timingsFile(folder, name)));
    return Array.isArray(times) && times.every((time) => typeof time === "number") ? times : [];
  } catch {
    return [];
  }
}

/** Writes the milliseconds of each cell of a run. */
async function writeTimings(folder: string, name: string, tookMs: readonly number[]): Promise<void> {
  await Deno.mkdir(`${folder}/.jupyter/timings`, { recursive: true });
  await Deno.writeTextFile(timingsFile(folder, name), JSON.stringify(tookMs.map(Math.round)) + "\n");
}

function timingsFile(folder: string, name: string): string {
  return `${folder}/.jupyter/timings/${name}.json`;
}
