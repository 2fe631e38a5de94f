import { type Command, InvalidArgumentError, Option } from "commander";
import { basename, join } from "node:path";
import { isFolder, OWN_FIGURES } from "./files.ts";
import type { Output } from "./output.ts";
import { DEPTH_FIGURE_SIZE, depthFigures, type NamedFigure } from "./report_command.ts";
import { addBenchmarkFlag, addScoredFlag, type Flags, names, openBenchmarks, readScored } from "./task_flags.ts";
import { opencompassMap, readOpencompassSummary } from "@/lib/papers/cdme/mod.ts";
import { readKamradtResults } from "@/lib/papers/prompt_dependence/mod.ts";
import { depthMap, saveFigure } from "@/lib/figures/mod.ts";
import { explainFileError, isSimulatedName, readRegularText } from "@/lib/models/mod.ts";
import { readScoredRun, runFolder } from "@/lib/records/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/** Adds `fathom heatmap`: needle heatmaps of a run, or of OpenCompass's summaries. */
export function addHeatmapCommand(program: Command, output: Output): void {
  const command = program.command("heatmap")
    .description(
      "Draws a heatmap for each model of each summary_….csv that OpenCompass wrote (rows such as " +
        "CDME_Length1000Depth0 or Length1000Depth0_origin_zh_8k), of each model in a folder of results of Kamradt's Needle In " +
        "A Haystack, or of each task of a run that goes through depths, and prints the overall score. No call is made.\n" +
        "To write a .png, use `deno task heatmap`: it has the permissions that drawing one needs.",
    )
    .option(
      "--path <files...>",
      "OpenCompass summaries, or Kamradt's results/ folders, separated by commas or spaces",
      collect,
    )
    .option("--run <name>", "a recorded run instead")
    .option("--dataset-length <text>", "the length named in the titles, such as 200K")
    .addOption(new Option("--dataset_length <text>").hideHelp())
    .option(
      "--out <folder>",
      "folder for the figures (default: results/runs/RUN/figures of a run, else results/reports/figures)",
    )
    .addOption(new Option("--format <endings>", "svg, png or svg,png").argParser(formats).default(["svg"], "svg"))
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom heatmap --path summary_20240119_161457.csv\n" +
        "  fathom heatmap --path a.csv,b.csv --dataset-length 200K --out figures\n" +
        "  fathom heatmap --path LLMTest_NeedleInAHaystack/results\n" +
        "  fathom heatmap --run cdme-8k\n" +
        "  deno task heatmap --run cdme-8k --format png",
    )
    .action(async (flags: HeatmapFlags) => {
      const figures = await drawFigures(flags, output);
      const folder = flags.out ?? (flags.run === undefined ? OWN_FIGURES : join(runFolder(flags.run), "figures"));
      for (const { name, figure } of figures) {
        for (const ending of flags.format) {
          const path = join(folder, `${name}.${ending}`);
          await save(() => saveFigure(figure, path));
          await output.write(`${path}: ${figure.caption.split(". ")[0]}\n`);
        }
      }
    });
  addScoredFlag(addBenchmarkFlag(command));
}

interface HeatmapFlags extends Flags {
  readonly path?: readonly string[];
  readonly run?: string;
  readonly datasetLength?: string;
  readonly "dataset_length"?: string;
  readonly out?: string;
  readonly format: readonly string[];
}

async function drawFigures(flags: HeatmapFlags, output: Output): Promise<readonly NamedFigure[]> {
  const { path, run, datasetLength = flags["dataset_length"] } = flags;
  if ((path === undefined) === (run === undefined)) {
    throw new RangeError("Cannot draw heatmaps as one of --path and --run must be given");
  }
  if (path !== undefined) return await drawSummaries(path, { datasetLength, output });
  const recorded = await readScoredRun(run!, { benchmarks: await openBenchmarks(flags), scored: readScored(flags) });
  const figures = depthFigures(recorded, datasetLength);
  if (figures.length > 0) return figures;
  throw new RangeError(
    `Cannot draw heatmaps as the run must have tasks that go through depths: current value is "${run}"`,
  );
}

/** Skipped rows that are named; a summary may have a hundred other datasets. */
const MOST_NAMED = 8;

async function drawSummaries(
  paths: readonly string[],
  { datasetLength, output }: { readonly datasetLength: string | undefined; readonly output: Output },
): Promise<NamedFigure[]> {
  const figures: NamedFigure[] = [];
  for (const path of paths) {
    if (await isFolder(path)) {
      figures.push(...await drawResults(path, figures));
      continue;
    }
    const { models, skipped } = readOpencompassSummary(await readText(path), path);
    if (skipped.length > 0) {
      const named = skipped.slice(0, MOST_NAMED).join(", ");
      const more = skipped.length > MOST_NAMED ? ` and ${skipped.length - MOST_NAMED} more` : "";
      const rows = skipped.length === 1 ? "1 row" : `${skipped.length} rows`;
      output.note(`${path}: skipped ${rows} without a length and depth: ${named}${more}`);
    }
    const isOne = new Set(models.map(({ dataset }) => dataset)).size === 1;
    for (const { model, dataset, cells } of models) {
      // A summary of several tests names the test, as a run names its task.
      const title = isOne ? model : `${model} on ${dataset}`;
      if (cells.every(({ score }) => score === null)) {
        output.note(`${path}: ${title} has no score`);
        continue;
      }
      const length = datasetLength === undefined ? {} : { datasetLength };
      const figure = opencompassMap(cells, {
        model: title,
        origin: originOfName(model),
        ...length,
        ...DEPTH_FIGURE_SIZE,
      });
      figures.push({ name: unlike(fileName(path, isOne ? model : `${model}-${dataset}`), figures), figure });
    }
  }
  return figures;
}

/** Draws the results of Kamradt's test in a folder, a heatmap for each model. */
async function drawResults(folder: string, others: readonly NamedFigure[]): Promise<readonly NamedFigure[]> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) if (isFile && name.endsWith(".json")) names.push(name);
  if (names.length === 0) {
    throw new RangeError(
      `Cannot draw heatmaps as the folder must have the .json results of Kamradt's test: current value is "${folder}"`,
    );
  }
  const files = names.toSorted().map(async (name) => {
    const path = join(folder, name);
    return { path, text: await readText(path) };
  });
  const models = Map.groupBy(readKamradtResults(await Promise.all(files)), ({ model }) => model);
  const figures: NamedFigure[] = [];
  for (const [model, cells] of models) {
    const mean = cells.reduce((sum, { score }) => sum + score, 0) / cells.length;
    const replies = cells.reduce((sum, { n }) => sum + n, 0);
    const figure = depthMap(cells, {
      title: `${model}: Needle In A Haystack`,
      caption: `Mean of ${model}: ${mean.toFixed(2)} of 10. Grades of a judge; repeats of a cell are averaged.`,
      ...{ n: `${replies} replies`, domain: [1, 10], valueTitle: "Score (1 to 10)" } as const,
      origin: originOfName(model),
      ...DEPTH_FIGURE_SIZE,
    });
    figures.push({ name: unlike(fileName(folder, model), [...others, ...figures]), figure });
  }
  return figures;
}

/** Where the scores of another program's file come from, which only the model's name can tell. */
function originOfName(model: string): Origin {
  return isSimulatedName([model]) ? "simulated" : "unknown";
}

/** Names a figure for its summary and model, in characters that every file system takes. */
function fileName(path: string, model: string): string {
  return `${basename(path).replace(/\.csv$/i, "")}-${model}`.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
}

function unlike(name: string, figures: readonly NamedFigure[]): string {
  let own = name;
  for (let twin = 2; figures.some((figure) => figure.name === own); twin++) own = `${name}-${twin}`;
  return own;
}

async function readText(path: string): Promise<string> {
  try {
    return await readRegularText(path);
  } catch (error) {
    throw new RangeError(
      `Cannot read the summary as it must be a CSV file: current value is "${path}" (${explainFileError(error)})`,
    );
  }
}

async function save(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable) || !/ffi|sys/.test(error.message)) throw error;
    throw new RangeError(
      "Cannot draw a .png as its renderer must be permitted: run `deno task heatmap` with the same flags",
    );
  }
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, ...names(text)];
}

function formats(text: string): string[] {
  const endings = names(text);
  if (endings.every((ending) => ending === "svg" || ending === "png")) return endings;
  throw new InvalidArgumentError("It must be svg, png or svg,png.");
}
