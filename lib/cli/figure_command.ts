import { type Command, InvalidArgumentError, Option } from "commander";
import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { defined, explainFileError, plural, rangeText, readRegularText } from "@/lib/base/mod.ts";
import { OWN_FIGURES } from "./files.ts";
import type { Output } from "./output.ts";
import { names, number } from "./flag_values.ts";
import type { Flags } from "./flags.ts";
import { addReadingFlags, DEPTH_FIGURE_SIZE, depthFigures, type NamedFigure, readRuns } from "./recorded_runs.ts";
import { type Figure, saveFigure, scoreCurves } from "@/lib/figures/mod.ts";
import { isSimulatedName } from "@/lib/models/mod.ts";
import { opencompassMap, readOpencompassSummary } from "@/lib/papers/cdme/opencompass.ts";
import { nameRuns, runFolder, type ScoredRun } from "@/lib/records/mod.ts";
import { depthFigure, drawnFromAll, groupsOf, runReport } from "@/lib/reports/mod.ts";
import { lengthMeans, summarise } from "@/lib/statistics/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("figure")
    .description(
      "Draws runs, or OpenCompass's summary_….csv. With --width for a paper: the chart alone, with title, origin and caption in the " +
        "file's metadata and in a text beside it; without, they are in the picture. No call is made.\n" +
        "In a checkout, `deno task figure` can also write .png files, which need further permissions.",
    )
    .argument("[runs...]", "names of runs; several are the lines of one chart by length, over the tasks that all have")
    .addOption(
      new Option("--kind <name>", "scores by length, by length and depth of the target, or as a map of task and length")
        .choices(["length", "depth", "map"]).default("length"),
    )
    .option("--width <size>", "width for a paper, such as 8.5cm; in cm, mm, in or pt", points)
    .option("--font-size <points>", "size of labels for a paper", number(4, 24), 8)
    .option("--font <name>", "font for a paper: its family, or its .ttf or .otf file in a .pdf (default: Inter)")
    .option("--path <files...>", "OpenCompass summaries, a map by length and depth for each model")
    .option("--dataset-length <text>", "the length in the titles of maps by depth, such as 200K")
    .option("--out <path>", "file or folder (default: figures in the run's folder, otherwise results/reports/figures)")
    .addOption(
      new Option("--format <endings>", "formats in a folder, of svg, pdf and png").argParser(names).default(
        ["svg"],
        "svg",
      ),
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom figure first second --width 8.5cm --out scores.pdf\n" +
        "  fathom figure first --kind map --width 3.25in --font Times.ttf --font-size 7 --out map.pdf\n" +
        "  fathom figure --path a.csv,b.csv --dataset-length 200K --out figures\n" +
        "  deno task figure cdme-8k --kind depth --format svg,png",
    )
    .action(async (given: readonly string[], flags: FigureFlags) => {
      const [runs, { path: paths = [], width, fontSize, font }] = [given.flatMap(names), flags];
      if ((paths.length === 0) === (runs.length === 0)) {
        throw new RangeError("Cannot draw figures as either runs or --path must be given");
      }
      if (width === undefined && font !== undefined) {
        throw new RangeError(
          `Cannot use --font as --width must give the width for a paper: current value is "${font}"`,
        );
      }
      const drawn = runs.length > 0 ? await drawRuns(runs, flags, output) : await drawSummaries(paths, flags, output);
      const paper = width === undefined ? undefined : { width, fontSize, font };
      for (const [path, figure] of filesOf(drawn, flags, runs)) {
        await saveFigure(figure, path, paper).catch(explainPng);
        if (paper !== undefined) await writeFile(`${path.slice(0, -extname(path).length)}.txt`, `${figure.text}\n`);
        await output.write(`${path}: ${runs.length > 0 ? figure.title : figure.caption.split(". ")[0]}\n`);
      }
    });
  addReadingFlags(command);
}

interface FigureFlags extends Flags {
  readonly kind: "length" | "depth" | "map";
  readonly width?: number;
  readonly fontSize: number;
  readonly font?: string;
  readonly path?: readonly string[];
  readonly datasetLength?: string;
  readonly format: readonly string[];
}

/** Parses a size such as `8.5cm`; returns points. */
function points(text: string): number {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)\s*(cm|mm|in|pt)$/.exec(text.trim()) ?? [];
  const size = Number(digits) * ({ cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1 }[unit] ?? NaN);
  if (size > 0 && size <= 2000) return size;
  throw new InvalidArgumentError("It must be a size with its unit, such as 8.5cm, 85mm, 3.35in or 241pt.");
}

/** Returns the paths of figures; of several in one file, each has its name in that of the file. */
function filesOf(
  drawn: readonly NamedFigure[],
  { out, format }: FigureFlags,
  runs: readonly string[],
): [string, Figure][] {
  const ending = extname(out ?? "");
  const folder = out ?? (runs.length === 1 ? join(runFolder(runs[0]!), "figures") : OWN_FIGURES);
  const start = ending === "" ? `${folder}/` : `${out!.slice(0, -ending.length)}-`;
  const endings = ending === "" ? format.map((each) => `.${each}`) : [ending];
  if (ending !== "" && drawn.length === 1) return [[out!, drawn[0]!.figure]];
  return drawn.flatMap(({ name, figure }) => endings.map((each): [string, Figure] => [start + name + each, figure]));
}

async function drawRuns(given: readonly string[], flags: FigureFlags, output: Output): Promise<readonly NamedFigure[]> {
  const { kind, width, datasetLength } = flags;
  const runs = await readRuns(given, flags, output);
  if (kind === "length") return [{ name: kind, figure: curvesOf(runs) }];
  const drawn = await Promise.all(runs.map(async (run) => {
    const size = width === undefined ? DEPTH_FIGURE_SIZE : {};
    const maps = kind === "map" ? [] : await depthFigures(run, datasetLength, size);
    const whole = kind === "map" ? runReport(run).cells : (await depthFigure(run)).figure;
    const own = maps.length > 0 || whole === null ? maps : [{ name: kind, figure: whole }];
    return runs.length === 1 ? own : own.map(({ name, figure }) => ({ name: `${run.manifest.name}-${name}`, figure }));
  }));
  if (drawn.flat().length > 0) return drawn.flat();
  throw new RangeError(`Cannot draw figures as runs must have scores by ${kind}: current value is ${given.join(", ")}`);
}

/** Draws the scores of a run by length, or of several runs over the tasks that all have. */
function curvesOf(runs: readonly ScoredRun[]): Figure {
  const rows = runs.map(({ replies }) => summarise(replies));
  const scored = rows.map((ofRun) => new Set(ofRun.flatMap(({ task, score }) => score === null ? [] : [task])));
  const tasks = [...scored.reduce((all, own) => all.intersection(own))];
  const models = nameRuns(runs);
  if (tasks.length === 0) {
    const wanted = "the runs must have a scored task in common";
    throw new RangeError(`Cannot draw figures as ${wanted}: current value is ${models.join(", ")}`);
  }
  if (runs.length === 1) return runReport(runs[0]!).curves!;
  const groups = groupsOf(runs[0]!, tasks.map((task) => ({ task })));
  const [group = { name: tasks[0]!, tasks }] = groups.toSorted((one, other) => other.tasks.length - one.tasks.length);
  const means = rows.flatMap((ofRun, at) =>
    lengthMeans(ofRun, { groups: [group] }).filter(({ score }) => score !== null)
      .map((row) => ({ ...row, model: models[at]! }))
  );
  const n = `n = ${rangeText(means.map((row) => row.n))} samples a point`;
  return scoreCurves(means, {
    title: `Score by length, ${group.name}`,
    series: "model",
    n,
    ...drawnFromAll(runs, models),
  });
}

async function drawSummaries(
  paths: readonly string[],
  { datasetLength, width }: FigureFlags,
  output: Output,
): Promise<readonly NamedFigure[]> {
  const figures = new Map<string, Figure>();
  for (const path of paths.flatMap(names)) {
    const text = await readRegularText(path).catch((error) => {
      const wanted = `it must be a CSV file: current value is "${path}" (${explainFileError(error)})`;
      throw new RangeError(`Cannot read the summary as ${wanted}`);
    });
    const { models, skipped } = readOpencompassSummary(text, path);
    const rows = `${skipped.length} ${plural(skipped.length, "row")}`;
    if (skipped.length > 0) output.note(`${path}: skipped ${rows} without a length and depth, such as ${skipped[0]}`);
    const isOne = new Set(models.map(({ dataset }) => dataset)).size === 1;
    for (const { model, dataset, cells } of models) {
      // Titles of a summary of several datasets include the dataset.
      const title = isOne ? model : `${model} on ${dataset}`;
      if (cells.every(({ score }) => score === null)) {
        output.note(`${path}: ${title} has no score`);
        continue;
      }
      // In characters that every file system accepts.
      const name = `${basename(path).replace(/\.csv$/i, "")}-${isOne ? model : `${model}-${dataset}`}`
        .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
      const unique = figures.has(name) ? `${name}-${figures.size + 1}` : name;
      // Of another program's scores, only the model's name is evidence of their origin.
      const origin = isSimulatedName([model]) ? "simulated" : "unknown";
      const size = width === undefined ? DEPTH_FIGURE_SIZE : {};
      figures.set(unique, opencompassMap(cells, { model: title, origin, ...defined({ datasetLength }), ...size }));
    }
  }
  return Array.from(figures, ([name, figure]) => ({ name, figure }));
}

/** Explains which task has the permissions that a .png needs. */
function explainPng(error: Error): never {
  if (error.name !== "NotCapable" || !/ffi|sys/.test(error.message)) throw error;
  throw new RangeError("Cannot draw a .png as its renderer must be permitted: run `deno task figure` with these flags");
}
