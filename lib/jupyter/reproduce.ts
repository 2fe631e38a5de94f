import { KERNEL } from "./find_jupyter.ts";
import { formatNotebook, type JsonObject, type Notebook, parseNotebook } from "./notebook.ts";
import { injectParameters, type Parameters, parametersName } from "./parameters.ts";
import { type Progress, shareIn, timeLeft } from "./progress.ts";
import { writeReport } from "./report.ts";
import type { Jupyter } from "./set_up_jupyter.ts";
import { fileOf, talk } from "./talk.ts";

/** How the reproduction of one notebook ended. */
export interface Reproduction {
  /** Name of the notebook, without folder and ending. */
  readonly name: string;
  /** Cells of the notebook. */
  readonly cells: number;
  readonly elapsedMs: number;
  /** The report, as a path from the project's folder. */
  readonly report: string;
  /** The cell that failed; left out where every cell ran. */
  readonly failure?: CellFailure;
}

/** Options for {@linkcode reproduceNotebook}. */
interface ReproduceOptions {
  /** An absolute path to the project's folder, which holds `notebooks/` and `results/`. */
  readonly folder: string;
  /** The Jupyter to run it with. */
  readonly jupyter: Jupyter;
  /**
   * Other values of the notebook's parameters. With any, the committed notebook and its figures stay as they are.
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
 * With parameters, notebook and report both go to `results/reports/`, named after the values. A failed run changes no
 * notebook; its report ends in `.failed.html` and shows the error.
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
  const run = await runNotebook(notebook, { jupyter, folder: working, onCell: clock.tell, figures }).finally(
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
  /** The cell, counted from 1 over all cells. */
  readonly cell: number;
  /** The first line of its code. */
  readonly line: string;
  /** The error's name and message, in one line. */
  readonly error: string;
}

interface NotebookRun {
  /** The notebook with the outputs of this run. */
  readonly notebook: Notebook;
  /** The cell that stopped the run; left out where every cell ran. */
  readonly failure?: CellFailure;
}

/** Options for {@linkcode runNotebook}. */
interface RunOptions {
  readonly jupyter: Jupyter;
  /** An absolute path to the folder the kernel works in. */
  readonly folder: string;
  /** Called when a cell begins (counted from 1), and with what it prints while it runs. */
  readonly onCell?: (cell: number, note: string) => void;
  /** Where `keepFigure` is to write, from the kernel's folder. */
  readonly figures: string;
}

/** Seconds that one cell may take. */
const SECONDS_A_CELL = 86_400;

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
    cellTimeout: SECONDS_A_CELL,
    figures,
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

/** Times the cells of one run and reports its progress. */
interface Clock {
  /** A cell (counted from 1) has begun, or says something. */
  readonly tell: (cell: number, note: string) => void;
  /** The run is over. */
  readonly stop: () => void;
  /** Milliseconds since the run began. */
  readonly elapsedMs: () => number;
  /** Milliseconds each cell took. */
  readonly tookMs: () => readonly number[];
}

/** Options for {@linkcode startClock}. */
interface ClockOptions {
  /** What is being run. */
  readonly label: string;
  /** Cells in all. */
  readonly total: number;
  /** Milliseconds each cell took the last time; empty where there was none. */
  readonly lastMs: readonly number[];
  /** Called every second, and at each cell. */
  readonly onProgress: (progress: Progress) => void;
}

/** Starts the clock of one run. */
function startClock(options: ClockOptions): Clock {
  const { label, total, lastMs, onProgress } = options;
  const began = performance.now();
  const starts: number[] = [];
  let said = "";
  let ended: number | undefined;
  const elapsedMs = (): number => (ended ?? performance.now()) - began;
  const tookMs = (): readonly number[] => starts.map((start, index) => (starts[index + 1] ?? elapsedMs()) - start);
  const show = (): void => {
    const took = tookMs();
    const currentMs = took.at(-1) ?? 0;
    const leftMs = timeLeft({ tookMs: took.slice(0, -1), total, lastMs, currentMs, share: shareIn(said) });
    onProgress({ label, done: Math.max(0, starts.length - 1), total, elapsedMs: elapsedMs(), leftMs, note: said });
  };
  const timer = setInterval(show, 1000);
  return {
    tell: (cell, note) => {
      while (starts.length < cell) starts.push(elapsedMs());
      said = note;
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

// How long each cell took the last time, kept locally so that the next run can estimate the time left.

/** Reads the times of a notebook's last run, in milliseconds a cell; empty where there was none. */
async function readTimings(folder: string, name: string): Promise<readonly number[]> {
  try {
    const times = JSON.parse(await Deno.readTextFile(timingsFile(folder, name)));
    return Array.isArray(times) && times.every((time) => typeof time === "number") ? times : [];
  } catch {
    return [];
  }
}

/** Keeps the times of a notebook's run, in milliseconds a cell. */
async function writeTimings(folder: string, name: string, tookMs: readonly number[]): Promise<void> {
  await Deno.mkdir(`${folder}/.jupyter/timings`, { recursive: true });
  await Deno.writeTextFile(timingsFile(folder, name), JSON.stringify(tookMs.map(Math.round)) + "\n");
}

function timingsFile(folder: string, name: string): string {
  return `${folder}/.jupyter/timings/${name}.json`;
}
