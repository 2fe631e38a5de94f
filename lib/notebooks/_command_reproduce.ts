import { prepare } from "./_command_setup.ts";
import { readArguments } from "./_read_arguments.ts";
import { type Job, planJobs } from "./_plan_jobs.ts";
import { readParameters } from "./_read_parameters.ts";
import { openScreen, type Screen } from "./_screen.ts";
import { fetchPackages } from "./fetch_packages.ts";
import { listNotebooks } from "./list_notebooks.ts";
import { formatTime, type Progress, progressLine } from "./progress.ts";
import { reproduceNotebook, type Reproduction } from "./reproduce.ts";
import type { Jupyter } from "./set_up_jupyter.ts";

const HELP = `Runs the notebooks from top to bottom, each in a fresh kernel, and writes one report for each.

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
    console.log(HELP);
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

async function runJobs(jobs: readonly Job[], tools: Tools): Promise<readonly string[]> {
  const { folder, jupyter, screen } = tools;
  const reports: string[] = [];
  for (const [index, { name, parameters }] of jobs.entries()) {
    const place = `[${index + 1}/${jobs.length}]`;
    const onProgress = (progress: Progress): void => screen.show(`${place} ${progressLine(progress)}`);
    const run = await tryJob(() => reproduceNotebook(name, { folder, jupyter, parameters, onProgress }));
    if (typeof run === "string") screen.print(`${place} ${name}: ${run}`);
    else {
      screen.print(`${place} ${verdict(run)}`);
      if (run.failure === undefined) reports.push(run.report);
    }
  }
  return reports;
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
