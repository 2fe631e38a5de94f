import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkFormat, checkNotebook, checkTypes } from "./check_notebook.ts";
import type { JupyterNeed } from "./find_jupyter.ts";
import { fetchPackages, listNotebooks, openLab } from "./lab.ts";
import { parseNotebook } from "./notebook.ts";
import { copyNotebooks, OWN_FOLDER } from "./own_copies.ts";
import { declaredParameters, injectParameters, type Parameters, readParameters } from "./parameters.ts";
import { formatTime, type Progress, progressLine } from "./progress.ts";
import { findBrowser } from "./print_pdf.ts";
import { listReportSources, writeReport } from "./report.ts";
import { writeIndex } from "./report_index.ts";
import { reproduceNotebook, type Reproduction } from "./reproduce.ts";
import { type Jupyter, setUpJupyter } from "./set_up_jupyter.ts";
import { plural } from "@/lib/text/mod.ts";

const COMMANDS: Readonly<Record<string, (args: readonly string[], folder: string) => Promise<number>>> = {
  check: checkCommand,
  lab: labCommand,
  report: reportCommand,
  reproduce: reproduceCommand,
  setup: setupCommand,
};

async function main([name = "", ...rest]: readonly string[]): Promise<number> {
  const folder = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  // A task passes on the "--" that separates its own arguments from ours.
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
  deno task reproduce -- --models FILE --model NAME    with a model of your own file of models
  deno task reproduce -- --only 01 --set samples=5     with another value of a notebook's parameter

Options
  --only LIST      numbers or names of notebooks
  --model NAME     the parameter "model": a model's name at the endpoint, or sim:ideal and other simulated readers
  --models FILE    the parameter "models": a file of models of your own, in place of data/models.yaml
  --base-url URL   the parameter "baseUrl": where the endpoint is, such as http://127.0.0.1:8000/v1
  --set NAME=VALUE any other parameter; may be given many times
  --help           this page

Without parameters, outputs are written back into notebooks/ and reports go to results/reports/. With parameters, both go
to results/reports/, figures beside them, and the notebooks stay as they are. A key is read from the environment by the notebook, and never
written. The first run sets up Jupyter in this project.
`;

async function reproduceCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, texts, lists, rest } = readArguments(args, {
    only: "list",
    model: "text",
    models: "text",
    "base-url": "text",
    set: "list",
    help: "flag",
  });
  if (flags.includes("help")) {
    console.log(REPRODUCE_HELP);
    return 0;
  }
  const only = [...(lists["only"] ?? []), ...rest].flatMap((item) => item.split(",")).filter((item) => item !== "");
  const { model, models } = texts;
  const parameters = readParameters({
    model,
    // The kernel's folder is notebooks/.
    models: models === undefined ? undefined : resolve(Deno.env.get("INIT_CWD") ?? "", models),
    baseUrl: texts["base-url"],
    set: lists["set"],
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

// Two kernels keep two cores busy. With parameters a model may be asked, so notebooks run one at a time.
async function runJobs(jobs: readonly Job[], tools: Tools): Promise<readonly string[]> {
  const isPlain = jobs.every(({ parameters }) => Object.keys(parameters).length === 0);
  const sideBySide = isPlain ? Math.min(2, navigator.hardwareConcurrency) : 1;
  const reports = new Map<number, string>();
  const progresses = new Map<string, Progress>();
  const queue = jobs.entries();
  const work = async (): Promise<void> => {
    for (const [index, job] of queue) {
      const report = await runJob(job, { ...tools, place: `[${index + 1}/${jobs.length}]`, progresses });
      if (report !== undefined) reports.set(index, report);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return [...reports].toSorted(([first], [second]) => first - second).map(([, report]) => report);
}

interface JobTools extends Tools {
  /** Its position, such as `[1/10]`. */
  readonly place: string;
  /** How far each notebook at work has come. */
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

// Two fit in a line without their notes.
function linesOf(progresses: ReadonlyMap<string, Progress>): readonly string[] {
  return [...progresses].map(([place, progress]) => {
    const shown = progresses.size > 1 ? { ...progress, note: undefined } : progress;
    return `${place} ${progressLine(shown)}`;
  });
}

// A notebook that Jupyter cannot run is reported, and the others still run.
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
  /** Values of parameters it declares; empty for a run as it is committed. */
  readonly parameters: Parameters;
}

/**
 * Plans which notebooks run with which parameters: each gets those it declares. Values are checked against each notebook before
 * any runs.
 */
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

const CHECK_HELP = `Checks the form, the format and the types of the notebooks.

  deno task check-notebooks              all of them
  deno task check-notebooks -- 01 02     some, by number or name
`;

async function checkCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, rest } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(CHECK_HELP);
    return 0;
  }
  const names = await listNotebooks(folder, rest);
  const notebooks = await Promise.all(
    names.map(async (name) => parseNotebook(await Deno.readTextFile(`${folder}/notebooks/${name}.ipynb`))),
  );
  const format = await checkFormat(notebooks, folder);
  const types = await checkTypes(notebooks, folder);
  let count = 0;
  for (const [index, name] of names.entries()) {
    const problems = [...checkNotebook(notebooks[index]!), ...format[index]!, ...types[index]!];
    count += problems.length;
    for (const { cell, message } of problems) {
      console.error(`notebooks/${name}.ipynb${cell === 0 ? "" : ` cell ${cell}`}: ${message}`);
    }
  }
  console.log(
    `Checked ${names.length} ${plural(names.length, "notebook")}: ${count} ${plural(count, "problem")}`,
  );
  return count === 0 ? 0 : 1;
}

const LAB_HELP = `Opens working copies of the notebooks in JupyterLab, with the Deno kernel of this project.

  deno task lab                                   opens a browser too
  deno task lab -- --no-browser --port=8890       further arguments go to JupyterLab
  deno task lab -- --originals                    opens notebooks/ itself, to change a notebook of the project

The copies are in own/, which git ignores: change and run them as you like. Their figures go to results/reports/figures/, and what
a model answers to results/runs/. A copy that you have not edited is renewed when its notebook changes; one that you have edited
stays, and to get the new notebook you rename or delete it. notebooks/ and results/figures/ change by deno task reproduce alone.

Ctrl-C stops it. No news and no updates are asked for; everything it keeps goes to .jupyter/ of this project.
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
        `own/${name}.ipynb stays as you edited it; rename it to get notebooks/${name}.ipynb, which has changed since`,
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

const REPORT_HELP =
  `Exports notebooks as they stand, without running them, as pages in results/reports/. The scores of a run
are another thing: deno task fathom report RUN.

  deno task report                     all of them
  deno task report -- 01 02            some, by number or name
  deno task report -- 06 --pdf         as a PDF too, for a colleague or for paper
  deno task report -- 06 --md          as Markdown too, for a wiki or a repository; its pictures are beside it
  deno task report -- 06 --no-code     without code, for readers of results
  deno task report -- 06-explore-a-run.run=first --pdf
                                       the report of a run of your own, by its name in results/reports/
  deno task report -- own/01-ruler-leaderboard
                                       your copy as deno task lab left it

Options
  --pdf       prints each page with Chromium, Chrome or Edge, without opening a window; folded code is left out
  --md        writes NAME.md, and its figures as SVG to NAME.files/
  --no-code   leaves code out, in every form
  --help      this page

Each page is one file that asks no network: it holds its figures and one script, which shows what a mark stands for, picks
series in a legend, looks closer (Ctrl and the wheel, or the buttons) and saves a chart as SVG or PNG. No other script can
run in it, and without scripts it is whole. index.html lists all reports. deno task reproduce runs the notebooks first.
`;

async function reportCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, rest } = readArguments(args, { pdf: "flag", md: "flag", "no-code": "flag", help: "flag" });
  if (flags.includes("help")) {
    console.log(REPORT_HELP);
    return 0;
  }
  const browser = flags.includes("pdf") ? findBrowser(Deno.env.get("PATH") ?? "") : undefined;
  const forms = { browser, asMarkdown: flags.includes("md"), withoutCode: flags.includes("no-code") };
  const sources = await listReportSources(folder, rest);
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

const SETUP_HELP = `Sets up Jupyter for the notebooks; the other commands do so by themselves.

  deno task setup

A Jupyter on the PATH (nbclient 0.7 and nbconvert 6.5, or newer) is used as it is. Otherwise the versions pinned in
lib/jupyter/requirements.txt go into .venv/ of this project. The Deno kernel is registered in .jupyter/ of this
project. Nothing is written outside the project.
`;

async function setupCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags } = readArguments(args, { help: "flag" });
  if (flags.includes("help")) {
    console.log(SETUP_HELP);
    return 0;
  }
  const jupyter = await prepare("run", folder, openScreen());
  console.log(
    `Jupyter is ready: ${jupyter.python} (${jupyter.origin === "PATH" ? "on the PATH, as it is" : "in .venv"})`,
  );
  return 0;
}

/** Sets up Jupyter, showing progress where something is to be installed. */
function prepare(need: JupyterNeed, folder: string, screen: Screen): Promise<Jupyter> {
  const path = Deno.env.get("PATH") ?? "";
  return setUpJupyter(need, { folder, path, onProgress: (progress) => screen.show(progressLine(progress)) });
}

type OptionKinds = Readonly<Record<string, "text" | "list" | "flag">>;

/** Arguments by option; items of `lists` may be comma-separated. */
interface Arguments {
  readonly texts: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly flags: readonly string[];
  readonly rest: readonly string[];
}

function readArguments(args: readonly string[], kinds: OptionKinds): Arguments {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, {
      type: kind === "flag" ? "boolean" as const : "string" as const,
      multiple: kind === "list",
      ...(name === "help" ? { short: "h" } : {}),
    }]),
  );
  const { values, positionals } = parse(args, options);
  const given = Object.entries(values);
  return {
    texts: Object.fromEntries(given.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : [])),
    lists: Object.fromEntries(
      given.flatMap(([name, value]) => Array.isArray(value) ? [[name, value.map(String)]] : []),
    ),
    flags: given.flatMap(([name, value]) => value === true ? [name] : []),
    rest: positionals,
  };
}

function parse(
  args: readonly string[],
  options: Readonly<Record<string, { readonly type: "boolean" | "string"; readonly multiple: boolean }>>,
): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...args], options: { ...options }, allowPositionals: true, strict: true });
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`).join(", ");
    const why = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new TypeError(`Cannot read the arguments as they must be among ${names}: current value gives "${why}"`);
  }
}

/** Where progress is shown: one line redrawn on a terminal; elsewhere an occasional line. */
interface Screen {
  /** Shows a progress line, in place of the one before. */
  readonly show: (line: string) => void;
  /** Prints a line that stays. */
  readonly print: (line: string) => void;
}

const QUIET_MS = 5000;

/** Shows progress on standard error, so that results may go to a pipe. */
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
      if (Date.now() - shown < QUIET_MS) return;
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
