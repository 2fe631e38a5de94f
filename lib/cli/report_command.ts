import { type Command, Option } from "commander";
import { join } from "node:path";
import { addPriceFlags, readPrices } from "./cost_flags.ts";
import { printFailedCalls } from "./failed_calls.ts";
import { writeFilesBelow, writeLines } from "./files.ts";
import { type Output, writeTables } from "./output.ts";
import { writeRulerFiles } from "./ruler_files.ts";
import { asksLeaderboard, checkLeaderboardFlags, EDITIONS, printLeaderboard } from "./report_leaderboard.ts";
import { printMemory } from "./report_memory.ts";
import {
  addBenchmarkFlag,
  addScoredFlag,
  type Flags,
  keptAs,
  lengths,
  names,
  openBenchmarks,
  readScored,
} from "./task_flags.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { opencompassFiles, opencompassMap } from "@/lib/papers/cdme/mod.ts";
import { depthMap, type Figure, saveFigure, type Table } from "@/lib/figures/mod.ts";
import { csvLines, openReplyRows, type TableRow } from "@/lib/exchange/mod.ts";
import {
  depthFigure,
  drawnFrom,
  jointName,
  runFailures,
  runLimits,
  runLimitTable,
  type RunReport,
  runReport,
} from "@/lib/reports/mod.ts";
import {
  describeRuns,
  modelName,
  readScoredRun,
  type RecordedScores,
  retryReasons,
  retryTable,
  runCost,
  runCostTable,
  runFolder,
  runListTable,
  runsOfStudy,
  scoredPart,
  type ScoredRun,
} from "@/lib/records/mod.ts";
import { priceOfModel, type Prices, readStudyFile, suiteText } from "@/lib/studies/mod.ts";
import { depthCells, failureFinding, type FailureRow, originText } from "@/lib/statistics/mod.ts";
import { lengthText, plural } from "@/lib/text/mod.ts";

/** Adds `fathom report`: the scores of a recorded run, or a leaderboard of several. */
export function addReportCommand(program: Command, output: Output): void {
  const command = program.command("report")
    .description(
      "Scores the replies of a run, prints them as a table and writes figures to results/runs/RUN/figures/. Several runs are ranked, " +
        "in the form of RULER's Table 3: claimed and effective length, averages with intervals, ranks. No call is made.",
    )
    .argument("[runs...]", "names of runs, separated by spaces or commas; without one, the runs are listed")
    .option(
      "--study <file>",
      "the recorded runs of that study, beside those named: the same tasks, knobs, seed and texts",
    )
    .addOption(
      new Option(
        "--published [edition]",
        "rank the runs among the models of RULER's Table 3: v1 or v3 of the paper, or repository",
      )
        .choices(EDITIONS).preset("v1"),
    )
    .option(
      "--lengths <list>",
      "rank over these lengths, such as 4K,8K (default: those that all have)",
      lengths,
    )
    .option(
      "--json",
      "print one JSON object: rows of task, length, n, score, low, high (percent, 95% interval) and failed; also what was cut, times, effective lengths, lengths in the model's own tokens and claims; of several runs, the leaderboard",
    )
    .option(
      "--leaderboard <file>",
      "also write the leaderboard to a file, a row for each model: .csv, .parquet or .jsonl",
    )
    .option("--no-figures", "write no figures")
    .option("--failures", "print how replies failed instead, by task and length, with examples")
    .option(
      "--closed-book <run>",
      "print which wrong answers come from prior knowledge instead, by a run of the questions without a text (prompt dependence)",
    )
    .option("--depths", "print scores by depth of the needle instead, and whether a third of the context is lost")
    .option(
      "--level <share>",
      "print effective context limits instead: the length at which each task's score falls through this accuracy, such as 0.75",
      Number,
    )
    .option("--cost", "print what the run took instead, by task and length: tokens, cache, retries, time, money")
    .option("--csv", "print one CSV row per reply instead: sample, depth, score, why, failure, reply")
    .option(
      "--opencompass <folder>",
      "write CDME's scores as OpenCompass does instead: summary/summary_RUN.csv, a column for each run, and results/",
    )
    .option(
      "--ruler <folder>",
      "write predictions and scores as RULER's code does instead: LENGTH/pred/TASK.jsonl, summary.csv, submission.csv; of whole replies unless --scored first is given",
    )
    .option("--dump-eval-details", "with --opencompass, each reply too: its score, edit distance and compared text")
    .option(
      "--abbr <names>",
      "with --opencompass, the models' short names, comma-separated (default: those of their entries, or their names)",
      names,
    )
    .addHelpText(
      "after",
      "\nExamples:\n  fathom report\n  fathom report first\n  fathom report first second third --published\n  fathom report --study data/studies/ruler.yaml --published repository\n  fathom report first second --leaderboard board.csv\n  fathom report first --failures\n  fathom report tests --closed-book alone\n  fathom report first --depths\n  fathom report first --cost --price-in 0.15 --price-out 0.6\n  fathom report first --level 0.8\n  fathom report first --csv > first.csv\n  fathom report cdme-a cdme-b --opencompass outputs/cdme --dump-eval-details\n  fathom report first --ruler outputs/first\n  fathom report first --json | jq '.rows[] | select(.length == 4096)'",
    )
    .action((given: readonly string[], flags: Flags) => report(given, flags, output));
  addScoredFlag(addBenchmarkFlag(addPriceFlags(command)));
  command.option("--models <file>", "with --cost, your own file of models, for the price of its entry");
}

/** Reports the runs that are named, or lists all runs. */
async function report(given: readonly string[], flags: Flags, output: Output): Promise<void> {
  const benchmarks = await openBenchmarks(flags);
  const wanted = await readRunNames(given, { flags, benchmarks });
  if (wanted.length === 0) return await printRuns(flags, output);
  checkOpencompassFlags(flags);
  checkLeaderboardFlags(flags);
  const read = (name: string): Promise<RecordedScores> =>
    readScoredRun(name, { benchmarks, scored: readScored(flags) ?? (flags.ruler === undefined ? undefined : "whole") });
  const runs = await Promise.all(wanted.map(read));
  for (const { manifest, notes } of runs) {
    for (const note of notes) output.note(runs.length === 1 ? note : `${manifest.name}: ${note}`);
  }
  if (flags.csv) return await printCsv(runs, output);
  if (flags.opencompass !== undefined) return await writeOpencompass(runs, { flags, output });
  if (flags.ruler !== undefined) {
    const folder = flags.ruler as string;
    for (const [at, run] of runs.entries()) {
      await writeRulerFiles(run, { folder: runs.length === 1 ? folder : join(folder, wanted[at]!), output });
    }
    return;
  }
  const isPart = [flags.level, flags.depths, flags.failures, flags.closedBook, flags.cost].some((flag) =>
    flag !== undefined
  );
  if (!isPart && (runs.length > 1 || asksLeaderboard(flags))) {
    return await printLeaderboard(runs, { flags, output });
  }
  for (const [at, run] of runs.entries()) {
    if (at > 0 && !flags.json) await output.write("\n");
    if (flags.closedBook === undefined) await reportRun(run, wanted[at]!, { flags, output });
    else {
      const closedBook = flags.closedBook as string;
      await printMemory(run, { output, json: Boolean(flags.json), benchmarks, closedBook });
    }
  }
}

/** Lists the recorded runs: model, date, state, size. */
async function printRuns({ json }: Flags, output: Output): Promise<void> {
  const { runs, unreadable } = await describeRuns();
  for (const { run, problem } of unreadable) output.note(`${run}: ${problem}`);
  if (json) return await output.write(`${JSON.stringify({ runs, unreadable })}\n`);
  const list = runListTable(runs);
  if (list !== null) await writeTables([list], output);
}

/** The names of the runs to report, none twice. */
async function readRunNames(
  given: readonly string[],
  { flags, benchmarks }: { readonly flags: Flags; readonly benchmarks: readonly Benchmark[] },
): Promise<readonly string[]> {
  const named = given.flatMap(names);
  const file = flags.study as string | undefined;
  if (file === undefined) return [...new Set(named)];
  const found = await runsOfStudy(await readStudyFile(file), { benchmarks });
  if (found.length > 0) return [...new Set([...named, ...found])];
  throw new RangeError(`Cannot report the runs of "${file}" as at least one must be recorded: current value is 0`);
}

/** Prints the replies of all runs as CSV, a line at a time. */
async function printCsv(runs: readonly RecordedScores[], output: Output): Promise<void> {
  const rows = await Promise.all(runs.map((run) => openReplyRows(run)));
  await writeLines(csvLines(chain(rows)), { path: undefined, output });
}

function* chain(parts: readonly Iterable<TableRow>[]): Generator<TableRow> {
  for (const part of parts) yield* part;
}

/** Prints the report of one run, or the part of it that the flags ask for. */
async function reportRun(
  run: RecordedScores,
  name: string,
  { flags, output }: { readonly flags: Flags; readonly output: Output },
): Promise<void> {
  const printing = { output, name, json: Boolean(flags.json) };
  if (flags.level !== undefined) return await printLimits(run, { ...printing, level: flags.level as number });
  if (flags.depths) return await printDepths(run, { ...printing, figures: Boolean(flags.figures) });
  if (flags.failures) return await printFailures(run, printing);
  if (flags.cost) return await printCost(run, flags, printing);
  const report = runReport(run);
  if (flags.json) {
    return await output.write(`${JSON.stringify(reportJson(name, run, report, await pricesOf(run, flags)))}\n`);
  }
  await writeTables([report.overview, ...tablesOf(report), ...(report.claims === null ? [] : [report.claims])], output);
  await printFailedCalls(run, output);
  if (flags.figures) { for (const path of await writeRunFigures(run, name, report)) output.note(path); }
}

/** The report of a run as one object; its samples are those that were answered, with their hash. */
export function reportJson(
  name: string,
  run: ScoredRun,
  report: RunReport,
  prices?: Prices,
): Readonly<Record<string, unknown>> {
  const { model, origin, samples } = run.manifest;
  const { rows, cutRows: cuts, timeRows: times, board: lengths, nativeRows: nativeLengths, checked: claims } = report;
  const [suite, scored] = [suiteText(run.manifest), scoredPart(run.replies)];
  const cost = runCost(run.replies.map(({ record }) => record), prices);
  const parts = { rows, cuts, times, lengths, nativeLengths, claims, cost };
  return { run: name, model, origin, suite, samples, scored, ...parts };
}

/** Refuses the flags of OpenCompass's files without a folder for them. */
function checkOpencompassFlags(flags: Flags): void {
  const given = ["dump-eval-details", "abbr"].find((name) => flags[keptAs(name)] !== undefined);
  if (given === undefined || flags.opencompass !== undefined) return;
  throw new RangeError(`Cannot use --${given} as --opencompass must be given too: current value is none`);
}

/** Writes OpenCompass's files of runs below a folder, all in one summary, and prints the path of the summary. */
async function writeOpencompass(
  runs: readonly ScoredRun[],
  { flags, output }: { readonly flags: Flags; readonly output: Output },
): Promise<void> {
  const folder = flags.opencompass as string;
  const manifests = runs.map(({ manifest }) => manifest);
  const given = flags.abbr as readonly string[] | undefined;
  if (given !== undefined && given.length !== runs.length) {
    throw new RangeError(
      `Cannot use --abbr as it must have a name for each of ${runs.length} ${
        plural(runs.length, "run")
      }: current value is ${given.join(", ")}`,
    );
  }
  const abbrs = manifests.map(({ model, origin, abbr = model }, at) => {
    const short = given?.[at] ?? abbr;
    // The files have no field for where replies come from, so the name says it.
    return modelName({ model: short, origin });
  });
  if (new Set(abbrs).size < abbrs.length) {
    throw new RangeError(
      `Cannot write one summary as each run must have a short name of its own, by --abbr: current value is ${
        abbrs.join(", ")
      }`,
    );
  }
  const files = opencompassFiles(
    runs.map(({ manifest: { tasks }, replies }, at) => ({ abbr: abbrs[at]!, tasks, replies })),
    { name: jointName(manifests), details: flags.dumpEvalDetails === true },
  );
  await writeFilesBelow(folder, files);
  await output.write(`${join(folder, files[0]!.path)}\n`);
  output.note(`${folder}: ${files.length} ${plural(files.length, "file")}`);
}

/** Where and how a command prints a part of a run's report. */
interface PrintOptions {
  readonly output: Output;
  /** The run's name. */
  readonly name: string;
  /** Whether to print one JSON object. */
  readonly json: boolean;
}

/** Prints the length at which each task's score falls through a level of accuracy. */
async function printLimits(
  run: ScoredRun,
  { output, name, json, level }: PrintOptions & { readonly level: number },
): Promise<void> {
  if (json) {
    const { model, origin, samples } = run.manifest;
    const rows = runLimits(run, { level }).map(({ at: _, difficulty: __, ...row }) => row);
    return await output.write(`${JSON.stringify({ run: name, model, origin, samples, level, rows })}\n`);
  }
  const limits = runLimitTable(run, { level });
  if (limits === null) {
    throw new RangeError(`Cannot find context limits as the run must have a scored reply: current value is "${name}"`);
  }
  await writeTables([limits], output);
}

/** Prints scores by the depth of the target, and whether a third of the context is lost; draws the heatmaps. */
async function printDepths(
  run: ScoredRun,
  { output, name, json, figures }: PrintOptions & { readonly figures: boolean },
): Promise<void> {
  const { table, thirdsTable, thirds, rows, left, notes } = await depthFigure(run);
  for (const note of notes) output.note(note);
  if (table === null) {
    throw new RangeError(
      `Cannot tell scores by depth as the run must have a scored task with one target: current value is "${name}"`,
    );
  }
  const { model, origin, samples } = run.manifest;
  if (json) return await output.write(`${JSON.stringify({ run: name, model, origin, samples, rows, left, thirds })}\n`);
  await writeTables([table, thirdsTable], output);
  if (!figures) return;
  const path = join(runFolder(name), "figures/depths.svg");
  // The file stands alone, so its title names the model.
  const title = `${model}: ${thirds.finding.charAt(0).toLowerCase()}${thirds.finding.slice(1)}`;
  await saveFigure(depthMap(rows, { title, ...drawnFrom(run) }), path);
  output.note(path);
}

/** The prices of a run: those of the flags, then those of its model's entry. */
async function pricesOf({ manifest: { model } }: ScoredRun, flags: Flags): Promise<Prices | undefined> {
  return readPrices(flags, await priceOfModel(model, flags.models as string | undefined));
}

/** Prints what the calls of a run took, by task and length. */
async function printCost(run: ScoredRun, flags: Flags, { output, name, json }: PrintOptions): Promise<void> {
  const { model, origin, samples } = run.manifest;
  const records = run.replies.map(({ record }) => record);
  const [cost, retries] = [runCost(records, await pricesOf(run, flags)), retryReasons(records)];
  if (json) return await output.write(`${JSON.stringify({ run: name, model, origin, samples, ...cost, retries })}\n`);
  const drawn = { model: modelName(run.manifest), ...drawnFrom(run) };
  await writeTables([runCostTable(cost, drawn), retryTable(retries, drawn)].filter((each) => each !== null), output);
}

/** Scores, what was cut beside them, what asking again changes, lengths in the model's own tokens, times, effective lengths, and how the calls ended. */
export function tablesOf(report: RunReport): readonly Table[] {
  const { scores, cuts, repeats, nativeLengths, times, lengths, outcomes } = report;
  return [scores, cuts, repeats, nativeLengths, times, lengths, outcomes].filter((each) => each !== null);
}

/** Prints how the replies of a run failed, by task and length, with a reply or two for each class. */
async function printFailures(run: ScoredRun, { output, name, json }: PrintOptions): Promise<void> {
  const { rows, shown, notes } = await runFailures(run);
  for (const note of notes) output.note(note);
  const { model, origin, samples } = run.manifest;
  if (json) {
    return await output.write(`${JSON.stringify({ run: name, model, origin, samples, rows, replies: shown })}\n`);
  }
  const { warning } = drawnFrom(run);
  await output.write(
    `${model} (${originText(origin)}): ${failureFinding(rows)}\n${warning === undefined ? "" : `${warning}\n`}\n`,
  );
  await output.write(`${line("task", "length", "n", "failed")}primary way of failing\n`);
  for (const row of rows) {
    const { task, length, n, failures } = row;
    await output.write(`${line(task, lengthText(length), `${n}`, `${failures}`)}${waysText(row)}\n`);
  }
  for (const { class: way, task, length, index, wanted, reply, why } of shown) {
    await output.write(`\n${way}: ${task} at ${lengthText(length)}, sample ${index}: ${why}\n`);
    await output.write(`  wanted ${wanted}\n  reply  ${reply}\n`);
  }
}

function line(task: string, ...cells: readonly string[]): string {
  return `${task.padEnd(20)}${cells.map((cell) => cell.padStart(8)).join("")}  `;
}

function waysText({ classes, unexplained }: FailureRow): string {
  const ways = classes.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count)
    .map(({ class: way, count, share }) => `${way} ${count} (${share.toFixed(1)}%)`);
  return [...ways, ...(unexplained > 0 ? [`unexplained ${unexplained}`] : [])].join(", ");
}

/** Draws a run's scores by length, by task and length, and by length and depth, into results/runs/RUN/figures/. */
async function writeRunFigures(run: ScoredRun, name: string, { curves, cells }: RunReport): Promise<string[]> {
  if (curves === null || cells === null) return [];
  const folder = join(runFolder(name), "figures");
  const figures = [
    { name: "score-by-length", figure: curves },
    { name: "score-by-task", figure: cells },
    ...depthFigures(run),
  ];
  const paths: string[] = [];
  for (const { name, figure } of figures) {
    paths.push(join(folder, `${name}.svg`));
    await saveFigure(figure, paths.at(-1)!);
  }
  return paths;
}

/** A figure with the name of its file, without an ending. */
export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

/** The size of OpenCompass's heatmaps in pixels: 15.5 × 8 inches. */
export const DEPTH_FIGURE_SIZE = { width: 1116, height: 400 } as const;

/** Draws a heatmap for each task of a run whose samples step through depths. */
export function depthFigures(run: ScoredRun, datasetLength?: string): NamedFigure[] {
  const { model, abbr = model } = run.manifest;
  const asked = run.replies.filter(({ record }) => record.depth !== undefined);
  return [...Map.groupBy(asked, ({ task }) => task)].flatMap(([task, replies]) => {
    const cells = depthCells(replies);
    if (cells.every(({ score }) => score === null)) return [];
    const longest = Math.max(...cells.map(({ length }) => length));
    const figure = opencompassMap(cells, {
      model: `${abbr} on ${task}`,
      ...drawnFrom(run),
      datasetLength: datasetLength ?? `${Math.round(longest / 1000)}K`,
      ...DEPTH_FIGURE_SIZE,
    });
    return [{ name: `depth-${task}`, figure }];
  });
}
