import { resolve } from "node:path";
import { parseArgs, type ParseArgsConfig } from "node:util";
import EXPORT_HELP from "./help/export_notebooks.txt" with { type: "text" };
import LAB_HELP from "./help/lab.txt" with { type: "text" };
import REPRODUCE_HELP from "./help/reproduce.txt" with { type: "text" };
import SETUP_HELP from "./help/setup.txt" with { type: "text" };
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

async function startLab(args: readonly string[], folder: string): Promise<number> {
  const jupyter = await setUpJupyter("lab", { folder, onProgress: openScreen().show });
  const onReady = (address: string): void => console.log(`JupyterLab: ${address}\nCtrl-C stops it.`);
  return await openLab({ folder, jupyter, args, onReady });
}

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
