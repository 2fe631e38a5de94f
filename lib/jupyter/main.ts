import { resolve } from "node:path";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { listNotebooks, openLab, pathOf } from "./lab.ts";
import { parseNotebook } from "./notebook.ts";
import { declaredParameters, injectParameters, type Parameters, readParameters } from "./parameters.ts";
import { findBrowser, listReportSources, writeReport } from "./report.ts";
import { writeIndex } from "./report_index.ts";
import { type Progress, reproduceNotebook, type Reproduction } from "./reproduce.ts";
import { type Jupyter, setUpJupyter } from "./set_up_jupyter.ts";

async function main([name = "", ...rest]: readonly string[]): Promise<number> {
  const folder = decodeURIComponent(new URL("../..", import.meta.url).pathname.replace(/\/$/, ""));
  try {
    const command = COMMANDS[name];
    if (command === undefined) {
      const names = Object.keys(COMMANDS).join(", ");
      throw new RangeError(`Cannot choose a command as it must be one of ${names}: current value is "${name}"`);
    }
    // deno task passes on the "--" before the arguments.
    const args = rest[0] === "--" ? rest.slice(1) : rest;
    if (!args.includes("--help") && !args.includes("-h")) return await command.run(args, folder);
    console.log(command.help);
    return 0;
  } catch (error) {
    if (error instanceof Deno.errors.Interrupted) {
      console.error("Stopped");
      return 130;
    }
    if (!(error instanceof Error) || !error.message.startsWith("Cannot ")) throw error;
    console.error(error.message);
    return [RangeError, SyntaxError, TypeError].some((kind) => error instanceof kind) ? 2 : 1;
  }
}

function readArguments<const Kinds extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: Kinds,
): ReturnType<typeof parseArgs<{ options: Kinds; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const names = Object.keys({ ...options, help: true }).map((name) => `--${name}`).join(", ");
    const why = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new TypeError(`Cannot read the arguments as they must be among ${names}: current value gives "${why}"`);
  }
}

const REPRODUCE_HELP = `Runs the notebooks from top to bottom, each in a fresh kernel, and writes one report for each.

  deno task reproduce -- --only 01,03                  some, by number or name; all without it
  deno task reproduce -- --model NAME --base-url URL   with your own model behind an OpenAI-compatible endpoint
  deno task reproduce -- --models FILE --model NAME    with a model from your own file of models
  deno task reproduce -- --only 01 --set samples=5     with another value of a parameter

Options
  --only LIST      numbers or names of notebooks, or own/NAME
  --model NAME     the parameter "model": a model's name at the endpoint, or sim:ideal and other simulated readers
  --models FILE    the parameter "models": your own file of models instead of data/models.yaml
  --base-url URL   the parameter "baseUrl": the address of the endpoint, such as http://127.0.0.1:8000/v1
  --set NAME=VALUE any other parameter; may be repeated

Without parameters, outputs are written back into notebooks/. With parameters, outputs and figures go to results/reports/ too, beside the
reports. The notebook reads API keys from the environment; they are never written. The first run sets up Jupyter in this project.
`;

async function reproduce(args: readonly string[], folder: string): Promise<number> {
  const { values, positionals } = readArguments(args, {
    only: { type: "string", multiple: true },
    model: { type: "string" },
    models: { type: "string" },
    "base-url": { type: "string" },
    set: { type: "string", multiple: true },
  });
  const only = [...values.only ?? [], ...positionals].flatMap((item) => item.split(",").filter(Boolean));
  const parameters = readParameters({
    model: values.model,
    // The kernel's working directory is notebooks/.
    models: values.models === undefined ? undefined : resolve(Deno.env.get("INIT_CWD") ?? "", values.models),
    baseUrl: values["base-url"],
    set: values.set,
  });
  const jobs = await planJobs(await listNotebooks(folder, only), parameters, folder);
  const screen = openScreen();
  const jupyter = await setUpJupyter("run", { folder, onProgress: screen.show });
  const reports = await runJobs(jobs, { folder, jupyter, screen });
  if (reports.length > 0) await writeIndex(folder);
  const failed = jobs.length - reports.length;
  if (jobs.length === 0) console.log("There is no notebook to run");
  for (const report of reports) console.log(`Open ${report}\n     file://${encodeURI(`${folder}/${report}`)}`);
  if (failed > 0) console.error(`${failed} of ${jobs.length} notebooks failed`);
  return failed === 0 ? 0 : 1;
}

/** A notebook to run with values of the parameters that it declares; without any, as committed. */
type Job = { readonly name: string; readonly parameters: Parameters };

/** Gives each notebook the parameters that it declares; all values are checked before any notebook runs. */
async function planJobs(names: readonly string[], parameters: Parameters, folder: string): Promise<readonly Job[]> {
  if (Object.keys(parameters).length === 0) return names.map((name) => ({ name, parameters }));
  const known = new Set<string>();
  const jobs: Job[] = [];
  for (const name of names) {
    const notebook = parseNotebook(await Deno.readTextFile(`${folder}/${pathOf(name)}`));
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

/** Runs notebooks, two at a time unless parameters are given, as those may call a model; returns the reports of those that ran. */
async function runJobs(
  jobs: readonly Job[],
  { folder, jupyter, screen }: { readonly folder: string; readonly jupyter: Jupyter; readonly screen: Screen },
): Promise<readonly string[]> {
  const isPlain = jobs.every(({ parameters }) => Object.keys(parameters).length === 0);
  const reports: (string | undefined)[] = [];
  const lines = new Map<string, string>();
  const queue = jobs.entries();
  const work = async (): Promise<void> => {
    for (const [at, { name, parameters }] of queue) {
      const place = `[${at + 1}/${jobs.length}]`;
      const onProgress = (progress: Progress): void => {
        lines.set(place, `${place} ${progressLine(progress)}`);
        screen.show([...lines.values()].join("  |  "));
      };
      const run = await reproduceNotebook(name, { folder, jupyter, parameters, onProgress }).catch((error) => {
        // A notebook that Jupyter cannot run does not stop the others.
        if (!(error instanceof Error) || !error.message.startsWith("Cannot ")) throw error;
        return error.message;
      });
      lines.delete(place);
      screen.print(`${place} ${typeof run === "string" ? `${name}: ${run}` : verdict(run)}`);
      if (typeof run !== "string" && run.failure === undefined) reports[at] = run.report;
    }
  };
  await Promise.all(Array.from({ length: isPlain ? Math.min(2, navigator.hardwareConcurrency) : 1 }, work));
  return reports.filter((report) => report !== undefined);
}

function verdict({ name, cells, elapsedMs, report, failure }: Reproduction): string {
  if (failure === undefined) return `${name}  ${cells} cells  ${clockText(elapsedMs)}`;
  return `Cannot reproduce ${name} as every cell must run: cell ${failure.cell} (${failure.line}) ends with ` +
    `${failure.error}; see ${report}`;
}

function progressLine({ name, done, total, elapsedMs, note }: Progress): string {
  return `${name}  ${done}/${total}  ${clockText(elapsedMs)}  ${note}`.trimEnd();
}

/** Formats a duration as `m:ss`. */
function clockText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const LAB_HELP = `Opens working copies of the notebooks in JupyterLab, with the Deno kernel of this project.

  deno task lab                                   opens a browser
  deno task lab -- --no-browser --port=8890       passes further arguments to JupyterLab

The copies are in own/, which git ignores: edit and run them freely. Figures go to results/reports/figures/, replies of models to
results/runs/. A copy is never replaced: rename or delete it to get a new one. JupyterLab checks for no news or updates, and keeps its
settings in .jupyter/ of this project.
`;

async function startLab(args: readonly string[], folder: string): Promise<number> {
  const jupyter = await setUpJupyter("lab", { folder, onProgress: openScreen().show });
  const onReady = (address: string): void => console.log(`JupyterLab: ${address}\nCtrl-C stops it.`);
  return await openLab({ folder, jupyter, args, onReady });
}

const EXPORT_HELP = `Exports notebooks as pages in results/reports/, without running them. For the scores of a run, see
deno task fathom report RUN.

  deno task export-notebooks -- 01 02             some, by number or name; all without any
  deno task export-notebooks -- 06-explore-a-run.run=first --pdf
                                                  one with your parameters, by its name in results/reports/
  deno task export-notebooks -- own/01-ruler-leaderboard
                                                  your working copy of deno task lab

Options
  --pdf       prints each page with headless Chromium, Chrome or Edge; folded code is omitted

Each page is one self-contained file, which works offline: marks of charts lead to the replies of its runs at its end. A content security
policy blocks scripts but its own; without them pictures and tables stay. index.html lists all reports.
`;

async function exportNotebooks(args: readonly string[], folder: string): Promise<number> {
  const { values, positionals } = readArguments(args, { pdf: { type: "boolean" } });
  const browser = values.pdf ? await findBrowser(Deno.env.get("PATH") ?? "") : undefined;
  const sources = await listReportSources(folder, positionals);
  const screen = openScreen();
  const jupyter = await setUpJupyter("run", { folder, onProgress: screen.show });
  for (const { name, base, file } of sources) {
    screen.show(`Report  ${base}`);
    const notebook = parseNotebook(await Deno.readTextFile(file));
    const report = `results/reports/${base}.html`;
    const files = await writeReport(notebook, { folder, jupyter, name, report, browser });
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

async function setUp(args: readonly string[], folder: string): Promise<number> {
  readArguments(args, {});
  const { python } = await setUpJupyter("run", { folder, onProgress: openScreen().show });
  console.log(`Jupyter is ready: ${python}`);
  return 0;
}

/** Shows on standard error lines that stay, and progress: on a terminal one line, elsewhere one every few seconds. */
interface Screen {
  readonly show: (progress: string) => void;
  readonly print: (line: string) => void;
}

const LINE_INTERVAL_MS = 5000;

function openScreen(): Screen {
  const isTerminal = Deno.stderr.isTerminal();
  const begin = isTerminal ? "\r\x1b[2K" : "";
  const write = (text: string): void => void Deno.stderr.writeSync(new TextEncoder().encode(begin + text));
  let shownMs = 0;
  return {
    print: (line) => write(`${line}\n`),
    show(line): void {
      if (isTerminal) return write(line.slice(0, Deno.consoleSize().columns - 1));
      if (Date.now() - shownMs < LINE_INTERVAL_MS) return;
      shownMs = Date.now();
      write(`${line}\n`);
    },
  };
}

type Command = { readonly help: string; readonly run: (args: readonly string[], folder: string) => Promise<number> };

const COMMANDS: Readonly<Record<string, Command>> = {
  "export-notebooks": { help: EXPORT_HELP, run: exportNotebooks },
  lab: { help: LAB_HELP, run: startLab },
  reproduce: { help: REPRODUCE_HELP, run: reproduce },
  setup: { help: SETUP_HELP, run: setUp },
};

Deno.exit(await main(Deno.args));
