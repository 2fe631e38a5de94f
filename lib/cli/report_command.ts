import { type Command, Option } from "commander";
import { join } from "node:path";
import { addPriceFlags } from "./cost_flags.ts";
import { OWN_FIGURES } from "./files.ts";
import { type Output, writeTables } from "./output.ts";
import { depthFigures, printFailedCalls, reportJson, tablesOf } from "./print_run.ts";
import { addReportParts, pricesOf } from "./report_parts.ts";
import { addReadingFlags, type NamedRun, type ReadingFlags, readRuns } from "./reading_flags.ts";
import { lengths, names, openBenchmarks } from "./task_flags.ts";
import { saveFigure } from "@/lib/figures/mod.ts";
import { type Edition, openPublished } from "@/lib/papers/ruler/mod.ts";
import {
  jointName,
  leaderboardRows,
  type RunLeaderboard,
  runLeaderboard,
  type RunReport,
  runReport,
} from "@/lib/reports/mod.ts";
import { describeRuns, runFolder, runListTable, runsOfStudy, type ScoredRun } from "@/lib/records/mod.ts";
import { readStudyFile } from "@/lib/studies/mod.ts";
import { writeRows } from "@/lib/exchange/mod.ts";
import { plural } from "@/lib/text/mod.ts";

const EDITIONS: readonly Edition[] = ["v1", "v3", "repository"];

/** Adds `fathom report`: the scores of a run, or a leaderboard of several. */
export function addReportCommand(program: Command, output: Output): void {
  const command = program.command("report")
    .description(
      "Scores the replies of a run, prints tables and writes figures to results/runs/RUN/figures/. Several runs are ranked in " +
        "the form of RULER's Table 3: claimed and effective length, averages with intervals, ranks. No call is made.",
    )
    .argument("[runs...]", "names of runs, separated by spaces or commas; without any, the runs are listed")
    .option("--study <file>", "add the recorded runs of a study: the same tasks, knobs, seed and texts")
    .addOption(
      new Option(
        "--published [edition]",
        "rank the runs among the models of RULER's Table 3: v1 or v3 of the paper, or repository",
      ).choices(EDITIONS).preset("v1"),
    )
    .option("--lengths <list>", "rank over these lengths, such as 4K,8K (default: the lengths of all runs)", lengths)
    .option(
      "--json",
      "print a JSON object: rows of task, length, n, score, low, high (percent, 95% interval) and failed; also cuts, times, " +
        "effective lengths, lengths in the model's own tokens, claims and cost; for several runs, the leaderboard",
    )
    .option("--leaderboard <file>", "also write the leaderboard, one row per model, to a .csv, .parquet or .jsonl file")
    .option("--no-figures", "write no figures")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom report                                      # list the runs\n" +
        "  fathom report first\n" +
        "  fathom report failures first                       # see fathom report failures --help\n" +
        "  fathom report first second third --published\n" +
        "  fathom report --study data/studies/ruler.yaml --published repository\n" +
        "  fathom report first second --leaderboard board.csv\n" +
        "  fathom report first --json | jq '.rows[] | select(.length == 4096)'\n\n" +
        "fathom export writes replies and scores as tables and in other programs' formats.",
    )
    .helpCommand(false)
    .enablePositionalOptions()
    .action((given: readonly string[], flags: ReportFlags) => report(given, flags, output));
  addReadingFlags(addPriceFlags(command));
  command.option("--models <file>", "your own file of models, for the price of the run's model");
  addReportParts(command, output);
}

interface ReportFlags extends ReadingFlags {
  readonly published?: Edition;
  readonly lengths?: readonly number[];
  readonly json?: boolean;
  readonly leaderboard?: string;
  readonly figures: boolean;
}

/** Reports the named runs, or lists all runs. */
async function report(given: readonly string[], flags: ReportFlags, output: Output): Promise<void> {
  const named = [...new Set([...given.flatMap(names), ...await namesOfStudy(flags)])];
  if (named.length === 0) return await printRuns(flags, output);
  const runs = await readRuns(named, flags, output);
  const { published, lengths, study, leaderboard } = flags;
  const isRanked = [published, lengths, study, leaderboard].some((flag) => flag !== undefined);
  if (runs.length > 1 || isRanked) await printLeaderboard(runs, flags, output);
  else await printReport(runs[0]!, flags, output);
}

/** Finds the recorded runs of the study of --study, if given. */
async function namesOfStudy({ study, ...flags }: ReportFlags): Promise<readonly string[]> {
  if (study === undefined) return [];
  const found = await runsOfStudy(await readStudyFile(study), { benchmarks: await openBenchmarks(flags) });
  if (found.length > 0) return found;
  throw new RangeError(`Cannot report the runs of "${study}" as at least one must be recorded: current value is 0`);
}

/** Lists the recorded runs: model, date, state, size. */
async function printRuns({ json }: ReportFlags, output: Output): Promise<void> {
  const { runs, unreadable } = await describeRuns();
  for (const { run, problem } of unreadable) output.note(`${run}: ${problem}`);
  if (json) return await output.write(`${JSON.stringify({ runs, unreadable })}\n`);
  const list = runListTable(runs);
  if (list !== null) await writeTables([list], output);
}

async function printReport(run: NamedRun, flags: ReportFlags, output: Output): Promise<void> {
  const made = runReport(run);
  if (flags.json) {
    const json = reportJson(run.name, run, made, await pricesOf(run, flags));
    return await output.write(`${JSON.stringify(json)}\n`);
  }
  await writeTables([made.overview, ...tablesOf(made), ...(made.claims === null ? [] : [made.claims])], output);
  await printFailedCalls(run, output);
  if (!flags.figures) return;
  for (const path of await writeFigures(run, made)) output.note(path);
}

/** Draws the scores by length, by task and length, and by length and depth, to results/runs/RUN/figures/. */
async function writeFigures(run: NamedRun, { curves, cells }: RunReport): Promise<readonly string[]> {
  if (curves === null || cells === null) return [];
  const figures = [
    { name: "score-by-length", figure: curves },
    { name: "score-by-task", figure: cells },
    ...depthFigures(run),
  ];
  const paths: string[] = [];
  for (const { name, figure } of figures) {
    paths.push(join(runFolder(run.name), "figures", `${name}.svg`));
    await saveFigure(figure, paths.at(-1)!);
  }
  return paths;
}

/** Ranks runs, on request among published models, as tables and figures or one JSON object. */
async function printLeaderboard(runs: readonly ScoredRun[], flags: ReportFlags, output: Output): Promise<void> {
  const { published, lengths, leaderboard: file } = flags;
  const ranked = runLeaderboard(runs, {
    ...(published === undefined ? {} : await readPublished(published)),
    ...(lengths === undefined ? {} : { lengths }),
  });
  for (const note of ranked.notes) output.note(note);
  if (file !== undefined) {
    const rows = leaderboardRows(ranked);
    await writeRows(rows, file);
    output.note(`${file}: ${rows.length} ${plural(rows.length, "row")}`);
  }
  if (flags.json) return await output.write(`${leaderboardJson(runs, ranked)}\n`);
  await writeTables(ranked.boards.flatMap(({ table, scores, lengths }) => [table, scores, lengths]), output);
  if (runs.length > 1) {
    output.note("fathom compare pairs two runs sample by sample, which decides more than these ranks");
  }
  if (!flags.figures) return;
  const folder = join(OWN_FIGURES, jointName(runs.map(({ manifest }) => manifest)));
  for (const { benchmark, curves } of ranked.boards) {
    const path = join(folder, `leaderboard-${benchmark}.svg`);
    await saveFigure(curves, path);
    output.note(path);
  }
}

/** Reads the rows of an edition of Table 3. */
async function readPublished(edition: Edition): Promise<Parameters<typeof runLeaderboard>[1]> {
  const beside = (await openPublished()).rows.filter((row) => row.edition === edition);
  return { published: beside.filter(({ table, group }) => table === 3 && group === "aligned"), beside };
}

function leaderboardJson(runs: readonly ScoredRun[], { names, boards, notes }: RunLeaderboard): string {
  return JSON.stringify({
    runs: runs.map(({ manifest: { name, model, origin } }, at) => ({ run: name, name: names[at], model, origin })),
    boards: boards.map(({ benchmark, group: { name, tasks }, board: { lengths, rows }, effective }) => ({
      ...{ benchmark, mean: name, tasks, lengths },
      rows: rows.map(({ rows, ...row }) => ({
        ...row,
        scores: rows.map(({ length, n, score, low, high }) => ({ length, n, score, low, high })),
      })),
      effective,
    })),
    notes,
  });
}
