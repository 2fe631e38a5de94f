import { type Command, InvalidArgumentError, Option } from "commander";
import { basename, join } from "node:path";
import { defined, explainFileError, plural, readRegularText } from "@/lib/base/mod.ts";
import { OWN_FIGURES } from "./files.ts";
import type { Output } from "./output.ts";
import { names } from "./flag_values.ts";
import type { Flags } from "./flags.ts";
import { addReadingFlags, DEPTH_FIGURE_SIZE, depthFigures, type NamedFigure, readRuns } from "./recorded_runs.ts";
import { saveFigure } from "@/lib/figures/mod.ts";
import { isSimulatedName } from "@/lib/models/mod.ts";
import { opencompassMap, readOpencompassSummary } from "@/lib/papers/cdme/opencompass.ts";
import { runFolder } from "@/lib/records/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("heatmap")
    .description(
      "Draws a heatmap for each model of OpenCompass's summary_….csv (rows such as CDME_Length1000Depth0 or " +
        "Length1000Depth0_origin_zh_8k), or for each task of a run that varies the depth, and prints the overall score. No call is " +
        "made.\n" +
        "In a checkout, `deno task heatmap` can also write .png files, which need further permissions.",
    )
    .option(
      "--path <files...>",
      "OpenCompass summaries, separated by commas or spaces",
      (text: string, before: readonly string[] = []) => [...before, ...names(text)],
    )
    .option("--run <name>", "a recorded run instead")
    .option("--dataset-length <text>", "the length in the titles, such as 200K")
    .option(
      "--out <folder>",
      "folder for the figures (default: results/runs/RUN/figures for a run, otherwise results/reports/figures)",
    )
    .addOption(
      new Option("--format <endings>", "svg, png or svg,png").argParser((text) => {
        const endings = names(text);
        if (endings.every((ending) => ending === "svg" || ending === "png")) return endings;
        throw new InvalidArgumentError("It must be svg, png or svg,png.");
      }).default(["svg"], "svg"),
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom heatmap --path summary_20240119_161457.csv\n" +
        "  fathom heatmap --path a.csv,b.csv --dataset-length 200K --out figures\n" +
        "  fathom heatmap --run cdme-8k\n" +
        "  deno task heatmap --run cdme-8k --format png",
    )
    .action(async (flags: HeatmapFlags) => {
      const figures = await drawFigures(flags, output);
      const folder = flags.out ?? (flags.run === undefined ? OWN_FIGURES : join(runFolder(flags.run), "figures"));
      for (const { name, figure } of figures) {
        for (const ending of flags.format) {
          const path = join(folder, `${name}.${ending}`);
          await explainPng(saveFigure(figure, path));
          await output.write(`${path}: ${figure.caption.split(". ")[0]}\n`);
        }
      }
    });
  addReadingFlags(command);
}

interface HeatmapFlags extends Flags {
  readonly path?: readonly string[];
  readonly datasetLength?: string;
  readonly format: readonly string[];
}

async function drawFigures(flags: HeatmapFlags, output: Output): Promise<readonly NamedFigure[]> {
  const { path: paths, run, datasetLength } = flags;
  if ((paths === undefined) === (run === undefined)) {
    throw new RangeError("Cannot draw heatmaps as one of --path and --run must be given");
  }
  const figures: NamedFigure[] = [];
  for (const path of paths ?? []) {
    for (const { name, figure } of await drawSummary(path, { datasetLength, output })) {
      let unique = name;
      for (let twin = 2; figures.some((other) => other.name === unique); twin++) unique = `${name}-${twin}`;
      figures.push({ name: unique, figure });
    }
  }
  if (run === undefined) return figures;
  const [recorded] = await readRuns([run], flags, output);
  const drawn = await depthFigures(recorded!, datasetLength);
  if (drawn.length > 0) return drawn;
  throw new RangeError(
    `Cannot draw heatmaps as the run must have tasks that vary the depth: current value is "${run}"`,
  );
}

/** Skipped rows that are named, as a summary may have a hundred other datasets. */
const MAX_NAMED = 8;

async function drawSummary(
  path: string,
  { datasetLength, output }: { readonly datasetLength: string | undefined; readonly output: Output },
): Promise<readonly NamedFigure[]> {
  const text = await readRegularText(path).catch((error) => {
    throw new RangeError(
      `Cannot read the summary as it must be a CSV file: current value is "${path}" (${explainFileError(error)})`,
    );
  });
  const { models, skipped } = readOpencompassSummary(text, path);
  if (skipped.length > 0) {
    const more = skipped.length > MAX_NAMED ? ` and ${skipped.length - MAX_NAMED} more` : "";
    const named = skipped.slice(0, MAX_NAMED).join(", ");
    const rows = `${skipped.length} ${plural(skipped.length, "row")}`;
    output.note(`${path}: skipped ${rows} without a length and depth: ${named}${more}`);
  }
  const isOne = new Set(models.map(({ dataset }) => dataset)).size === 1;
  return models.flatMap(({ model, dataset, cells }): NamedFigure[] => {
    // Titles of a summary of several datasets include the dataset.
    const title = isOne ? model : `${model} on ${dataset}`;
    if (cells.every(({ score }) => score === null)) {
      output.note(`${path}: ${title} has no score`);
      return [];
    }
    const figure = opencompassMap(cells, {
      model: title,
      // Of another program's scores, only the model's name is evidence of their origin.
      origin: isSimulatedName([model]) ? "simulated" : "unknown",
      ...defined({ datasetLength }),
      ...DEPTH_FIGURE_SIZE,
    });
    const name = `${basename(path).replace(/\.csv$/i, "")}-${isOne ? model : `${model}-${dataset}`}`;
    // In characters that every file system accepts.
    return [{ name: name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-"), figure }];
  });
}

/** Explains which task has the permissions that a .png needs. */
async function explainPng(saved: Promise<void>): Promise<void> {
  await saved.catch((error) => {
    if (error.name !== "NotCapable" || !/ffi|sys/.test(error.message)) throw error;
    throw new RangeError(
      "Cannot draw a .png as its renderer must be permitted: run `deno task heatmap` with the same flags",
    );
  });
}
