import { fetchPackages, listNotebooks } from "./lab.ts";
import { openScreen, prepare, readArguments, type Screen } from "./main.ts";
import { parseNotebook } from "./notebook.ts";
import { declaredParameters, injectParameters, type Parameters, readParameters } from "./parameters.ts";
import { formatTime, type Progress, progressLine } from "./progress.ts";
import { reproduceNotebook, type Reproduction } from "./reproduce.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

const REPRODUCE_HELP = `Runs the notebooks from top to bottom, each in a fresh kernel, and writes one report for each.

  deno task reproduce                                  every notebook
  deno task reproduce -- --only 01                     one, by number or name; --only 01,03 for two
  deno task reproduce -- --model NAME --base-url URL   with your own model behind an OpenAI-compatible endpoint
  deno task reproduce -- --only 01 --set samples=5     with another value of a notebook's parameter

Options
  --only LIST      numbers or names of notebooks
  --model NAME     the parameter "model": a model's name at the endpoint, or sim:ideal and other simulated readers
  --base-url URL   the parameter "baseUrl": where the endpoint is, such as http://127.0.0.1:8000/v1
  --set NAME=VALUE any other parameter; may be given many times
  --help           this page

Without parameters, outputs are written back into notebooks/ and reports go to results/reports/. With parameters, both go
to results/reports/, figures beside them, and the notebooks stay as they are. A key is read from the environment by the notebook, and never
written. The first run sets up Jupyter in this project.
`;

/** The command `reproduce`. */
export async function reproduceCommand(args: readonly string[], folder: string): Promise<number> {
  const { flags, texts, lists, rest } = readArguments(args, {
    only: "list",
    model: "text",
    "base-url": "text",
    set: "list",
    help: "flag",
  });
  if (flags.includes("help")) {
    console.log(REPRODUCE_HELP);
    return 0;
  }
  const only = [...(lists["only"] ?? []), ...rest].flatMap((item) => item.split(",")).filter((item) => item !== "");
  const parameters = readParameters({ model: texts["model"], baseUrl: texts["base-url"], set: lists["set"] });
  const jobs = await planJobs(await listNotebooks(folder, only), parameters, folder);
  const screen = openScreen();
  const jupyter = await prepare("run", folder, screen);
  await fetchPackages(folder, (line) => screen.show(line));
  return summarise(await runJobs(jobs, { folder, jupyter, screen }), jobs, folder);
}

interface Tools {
  readonly folder: string;
  readonly jupyter: Jupyter;
  readonly screen: Screen;
}

// Two kernels keep two cores busy. With other parameters a model may be asked, and then by one notebook at a time.
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
  /** Which of how many. */
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

// Two fit in a line where they leave out what their cells say.
function linesOf(progresses: ReadonlyMap<string, Progress>): readonly string[] {
  return [...progresses].map(([place, progress]) => {
    const told = progresses.size > 1 ? { ...progress, note: undefined } : progress;
    return `${place} ${progressLine(told)}`;
  });
}

// A notebook that Jupyter cannot run is told, and the others run all the same.
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

/** One notebook to run. */
interface Job {
  /** Name of the notebook. */
  readonly name: string;
  /** Values for the parameters it declares; empty for a run as it is committed. */
  readonly parameters: Parameters;
}

/**
 * Plans which notebooks run with which parameters: each with those it declares, none without any.
 *
 * Values are tried on each notebook before any is run, so that a wrong one is told at once.
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
