import { resolve } from "node:path";
import { parseArgs, type ParseArgsConfig } from "node:util";
import type { JupyterNeed } from "./find_jupyter.ts";
import { copyNotebooks, fetchPackages, listNotebooks, openLab, OWN_FOLDER } from "./lab.ts";
import { parseNotebook } from "./notebook.ts";
import { declaredParameters, injectParameters, type Parameters, readParameters } from "./parameters.ts";
import { formatTime, type Progress, progressLine } from "./progress.ts";
import { findBrowser } from "./print_pdf.ts";
import { listReportSources, writeReport } from "./report.ts";
import { writeIndex } from "./report_index.ts";
import { reproduceNotebook, type Reproduction } from "./reproduce.ts";
import { type Jupyter, setUpJupyter } from "./set_up_jupyter.ts";

const COMMANDS: Readonly<Record<string, (args: readonly string[], folder: string) => Promise<number>>> = {
  lab: labCommand,
  report: reportCommand,
  reproduce: reproduceCommand,
  setup: setupCommand,
};

async function main([name = "", ...rest]: readonly string[]): Promise<number> {
  const folder = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  // deno task passes on the "--" before the arguments.
  const args = rest[0] === "--" ? rest.slice(1) : rest;
  try {
    const command = COMMANDS[name];
    if (command === undefined) {
      const names = Object.keys(COMMANDS).join(", ");
      throw new RangeError(`Cannot choose a command as it must be one of ${names}: current value is "${name}"`);
    }
    return await command(args, decodeURIComponent(folder));
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof Deno.errors.Interrupted) {
    console.error("Stopped");
    return 130;
  }
  if (!(error instanceof Error) || !error.message.startsWith("Cannot ")) throw error;
  console.error(error.message);
  return [RangeError, SyntaxError, TypeError].some((kind) => error instanceof kind) ? 2 : 1;
}

const REPRODUCE_HELP = `Runs the notebooks from top to bottom, each in a fresh kernel, and writes one report for each.

  deno task reproduce                                  every notebook
  deno task reproduce -- --only 01                     one, by number or name; --only 01,03 for two
  deno task reproduce -- --model NAME --base-url URL   with your own model behind an OpenAI-compatible endpoint
  deno task reproduce -- --models FILE --model NAME    with a model from your own file of models
  deno task reproduce -- --only 01 --set samples=5     with another value of a parameter

Options
  --only LIST      numbers or names of notebooks
  --model NAME     the parameter "model": a model's name at the endpoint, or sim:ideal and other simulated readers
  --models FILE    the parameter "models": your own file of models instead of data/models.yaml
  --base-url URL   the parameter "baseUrl": the address of the endpoint, such as http://127.0.0.1:8000/v1
  --set NAME=VALUE any other parameter; may be repeated
  --help           show this page

Without parameters, outputs are written back into notebooks/ and reports go to results/reports/. With parameters, outputs, reports and
figures go to results/reports/ and notebooks/ does not change. The notebook reads API keys from the environment; they are never written.
The first run sets up Jupyter in this project.
`;

async function reproduceCommand(args: readonly string[], folder: string): Promise<number> {
  const { values, positionals } = readArguments(args, {
    only: { type: "string", multiple: true },
    model: { type: "string" },
    models: { type: "string" },
    "base-url": { type: "string" },
    set: { type: "string", multiple: true },
  });
  if (values.help) {
    console.log(REPRODUCE_HELP);
    return 0;
  }
  const only = [...(values.only ?? []), ...positionals].flatMap((item) => item.split(",")).filter((item) =>
    item !== ""
  );
  const parameters = readParameters({
    model: values.model,
    // The kernel's working directory is notebooks/.
    models: values.models === undefined ? undefined : resolve(Deno.env.get("INIT_CWD") ?? "", values.models),
    baseUrl: values["base-url"],
    set: values.set,
  });
  const jobs = await planJobs(await listNotebooks(folder, only), parameters, folder);
  const screen = openScreen();
  const jupyter = await prepare("run", folder, screen);
  await fetchPackages(folder, (line) => screen.show(line));
  const reports = await runJobs(jobs, { folder, jupyter, screen });
  if (reports.length > 0) await writeIndex(folder);
  return summarise(reports, jobs, folder);
}

interface Tools {
  readonly folder: string;
  readonly jupyter: Jupyter;
  readonly screen: Screen;
}

// Two kernels in parallel, except with parameters: those may call a model, so notebooks run one at a time.
async function runJobs(jobs: readonly Job[], tools: Tools): Promise<readonly string[]> {
  const isPlain = jobs.every(({ parameters }) => Object.keys(parameters).length === 0);
  const parallel = isPlain ? Math.min(2, navigator.hardwareConcurrency) : 1;
  const reports = new Map<number, string>();
  const progresses = new Map<string, Progress>();
  const queue = jobs.entries();
  const work = async (): Promise<void> => {
    for (const [index, job] of queue) {
      const report = await runJob(job, { ...tools, place: `[${index + 1}/${jobs.length}]`, progresses });
      if (report !== undefined) reports.set(index, report);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return [...reports].toSorted(([first], [second]) => first - second).map(([, report]) => report);
}

interface JobTools extends Tools {
  /** Its position, such as `[1/10]`. */
  readonly place: string;
  /** The progress of each running notebook. */
  readonly progresses: Map<string, Progress>;
}

async function runJob({ name, parameters }: Job, tools: JobTools): Promise<string | undefined> {
  const { folder, jupyter, screen, place, progresses } = tools;
  const onProgress = (progress: Progress): void => {
    progresses.set(place, progress);
    screen.show(linesOf(progresses).join("  |  "));
  };
  const run = await tryJob(() => reproduceNotebook(name, { folder, jupyter, parameters, onProgress }));
  progresses.delete(place);
  screen.print(`${place} ${typeof run === "string" ? `${name}: ${run}` : verdict(run)}`);
  return typeof run === "string" || run.failure !== undefined ? undefined : run.report;
}

// Two notebooks fit into one line without their notes.
function linesOf(progresses: ReadonlyMap<string, Progress>): readonly string[] {
  return [...progresses].map(([place, progress]) => {
    const shown = progresses.size > 1 ? { ...progress, note: undefined } : progress;
    return `${place} ${progressLine(shown)}`;
  });
}

// A notebook that Jupyter cannot run does not stop the others.
async function tryJob(job: () => Promise<Reproduction>): Promise<Reproduction | string> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Cannot ")) return error.message;
    throw error;
  }
}

function verdict({ name, cells, elapsedMs, report, failure }: Reproduction): string {
  if (failure === undefined) return `${name}  ${cells} cells  ${formatTime(elapsedMs)}`;
  return `Cannot reproduce ${name} as every cell must run: cell ${failure.cell} (${failure.line}) ends with ` +
    `${failure.error}; see ${report}`;
}

function summarise(reports: readonly string[], jobs: readonly Job[], folder: string): number {
  const failed = jobs.length - reports.length;
  if (jobs.length === 0) console.log("There is no notebook to run");
  for (const report of reports) console.log(`Open ${report}\n     file://${encodeURI(`${folder}/${report}`)}`);
  if (failed > 0) console.error(`${failed} of ${jobs.length} notebooks failed`);
  return failed === 0 ? 0 : 1;
}

interface Job {
  readonly name: string;
  /** Values of the parameters that it declares; empty to run it as committed. */
  readonly parameters: Parameters;
}

/** Gives each notebook the parameters that it declares; all values are checked before any notebook runs. */
async function planJobs(
  names: readonly string[],
  parameters: Parameters,
  folder: string,
): Promise<readonly Job[]> {
  if (Object.keys(parameters).length === 0) return names.map((name) => ({ name, parameters }));
  const jobs: Job[] = [];
  const known = new Set<string>();
  for (const name of names) {
    const notebook = parseNotebook(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`));
    const declared = declaredParameters(notebook);
    Object.keys(declared).forEach((parameter) => known.add(parameter));
    const fitting = Object.fromEntries(Object.entries(parameters).filter(([parameter]) => parameter in declared));
    injectParameters(notebook, fitting);
    if (Object.keys(fitting).length > 0) jobs.push({ name, parameters: fitting });
  }
  const unknown = Object.keys(parameters).find((parameter) => !known.has(parameter));
  if (unknown === undefined) return jobs;
  const list = [...known].join(", ") || "none";
  throw new RangeError(`Cannot set a parameter as its name must be one of ${list}: current value is "${unknown}"`);
}

const LAB_HELP = `Opens working copies of the notebooks in JupyterLab, with the Deno kernel of this project.

  deno task lab                                   opens a browser
  deno task lab -- --no-browser --port=8890       passes further arguments to JupyterLab
  deno task lab -- --originals                    opens notebooks/ itself, to change a notebook of the project

The copies are in own/, which git ignores: edit and run them freely. Figures go to results/reports/figures/, replies of models to
results/runs/. When a notebook of the project changes, its copy is updated unless you edited it; rename or delete an edited copy to
get the new version. Only deno task reproduce changes notebooks/ and results/figures/.

Ctrl-C stops it. It checks for no news or updates, and keeps its settings in .jupyter/ of this project.
`;

async function labCommand(args: readonly string[], folder: string): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(LAB_HELP);
    return 0;
  }
  const jupyter = await prepare("lab", folder, openScreen());
  const isOriginals = args.includes("--originals");
  if (!isOriginals) {
    for (const { name, state } of await copyNotebooks(folder)) {
      if (state !== "kept") continue;
      console.log(
        `Kept your edits in own/${name}.ipynb; notebooks/${name}.ipynb has changed since: rename your copy to get it`,
      );
    }
  }
  const onReady = (address: string): void => console.log(`JupyterLab: ${address}\nCtrl-C stops it.`);
  return await openLab({
    ...{ folder, jupyter, onReady },
    opens: isOriginals ? "notebooks" : OWN_FOLDER,
    args: args.filter((argument) => argument !== "--originals"),
  });
}

const REPORT_HELP = `Exports notebooks as pages in results/reports/, without running them. For the scores of a run, see
deno task fathom report RUN.

  deno task report                     all of them
  deno task report -- 01 02            some, by number or name
  deno task report -- 06 --pdf         also as a PDF
  deno task report -- 06 --md          also as Markdown, for a wiki or a repository
  deno task report -- 06 --no-code     without code
  deno task report -- 06-explore-a-run.run=first --pdf
                                       a report with your parameters, by its name in results/reports/
  deno task report -- own/01-ruler-leaderboard
                                       your working copy of deno task lab

Options
  --pdf       prints each page with headless Chromium, Chrome or Edge; folded code is omitted
  --md        writes NAME.md, and its figures as SVG to NAME.files/
  --no-code   omits code in every format
  --help      show this page

Each page is one self-contained file: it works offline and without scripts. Its one script adds tooltips, legend selection, zoom (Ctrl
and the wheel, or the buttons) and export of charts as SVG or PNG; a content security policy blocks any other. index.html lists all
reports. To run the notebooks first, use deno task reproduce.
`;

async function reportCommand(args: readonly string[], folder: string): Promise<number> {
  const { values, positionals } = readArguments(args, {
    pdf: { type: "boolean" },
    md: { type: "boolean" },
    "no-code": { type: "boolean" },
  });
  if (values.help) {
    console.log(REPORT_HELP);
    return 0;
  }
  const browser = values.pdf ? findBrowser(Deno.env.get("PATH") ?? "") : undefined;
  const forms = { browser, asMarkdown: values.md ?? false, withoutCode: values["no-code"] ?? false };
  const sources = await listReportSources(folder, positionals);
  const screen = openScreen();
  const jupyter = await prepare("run", folder, screen);
  for (const { name, base, file } of sources) {
    screen.show(`Report  ${base}`);
    const notebook = parseNotebook(await Deno.readTextFile(file));
    const report = `results/reports/${base}.html`;
    const files = await writeReport(notebook, { folder, jupyter, name, report, ...forms });
    files.forEach((written) => console.log(written));
  }
  await writeIndex(folder);
  console.log("results/reports/index.html");
  return 0;
}

const SETUP_HELP = `Sets up Jupyter for the notebooks; the other commands do so when needed.

  deno task setup

A Jupyter on the PATH (nbclient 0.7 and nbconvert 6.5, or newer) is used if there is one. Otherwise the versions pinned in
lib/jupyter/requirements.txt are installed into .venv/ of this project. The Deno kernel is registered in .jupyter/ of this
project. Nothing is written outside the project.
`;

async function setupCommand(args: readonly string[], folder: string): Promise<number> {
  const { values } = readArguments(args, {});
  if (values.help) {
    console.log(SETUP_HELP);
    return 0;
  }
  const jupyter = await prepare("run", folder, openScreen());
  console.log(
    `Jupyter is ready: ${jupyter.python} (${jupyter.origin === "PATH" ? "found on the PATH" : "in .venv"})`,
  );
  return 0;
}

/** Sets up Jupyter and shows the progress of an installation. */
function prepare(need: JupyterNeed, folder: string, screen: Screen): Promise<Jupyter> {
  const path = Deno.env.get("PATH") ?? "";
  return setUpJupyter(need, { folder, path, onProgress: (progress) => screen.show(progressLine(progress)) });
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Reads the arguments of a command; every command has --help. */
function readArguments<const Kinds extends Options>(
  args: readonly string[],
  options: Kinds,
): ReturnType<typeof parseArgs<{ options: Kinds & typeof HELP_OPTION; allowPositionals: true }>> {
  const all = { ...options, ...HELP_OPTION };
  try {
    return parseArgs({ args: [...args], options: all, allowPositionals: true });
  } catch (error) {
    const names = Object.keys(all).map((name) => `--${name}`).join(", ");
    const why = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new TypeError(`Cannot read the arguments as they must be among ${names}: current value gives "${why}"`);
  }
}

const HELP_OPTION = { help: { type: "boolean", short: "h" } } as const;

/** Shows progress: one line that is redrawn on a terminal, an occasional line elsewhere. */
interface Screen {
  /** Shows a progress line, replacing the previous one. */
  readonly show: (line: string) => void;
  /** Prints a permanent line. */
  readonly print: (line: string) => void;
}

/** Milliseconds between two lines of progress outside a terminal. */
const LINE_INTERVAL_MS = 5000;

/** Shows progress on standard error, so that results can be piped. */
function openScreen(): Screen {
  return Deno.stderr.isTerminal() ? terminalScreen() : plainScreen();
}

function terminalScreen(): Screen {
  const columns = (): number => Deno.consoleSize().columns;
  return {
    show: (line) => write(`\r\x1b[2K${line.slice(0, columns() - 1)}`),
    print: (line) => write(`\r\x1b[2K${line}\n`),
  };
}

function plainScreen(): Screen {
  let shown = 0;
  return {
    show: (line) => {
      if (Date.now() - shown < LINE_INTERVAL_MS) return;
      shown = Date.now();
      write(`${line}\n`);
    },
    print: (line) => write(`${line}\n`),
  };
}

function write(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

Deno.exit(await main(Deno.args));
