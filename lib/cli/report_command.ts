import { type Command, Option } from "commander";
import { join } from "node:path";
import { defined, lengthText, percent, plural, shortName } from "@/lib/base/mod.ts";
import { OWN_FIGURES } from "./files.ts";
import { lengths, names } from "./flag_values.ts";
import type { Flags } from "./flags.ts";
import { addPriceFlags, readPrices } from "./model_flags.ts";
import { type Output, writeTables } from "./output.ts";
import { addReadingFlags, depthFigures, jsonOf, type NamedRun, readRuns, saveFigures } from "./recorded_runs.ts";
import { printAnswer, printTables } from "./run_screen.ts";
import { writeExplorer } from "./view_command.ts";
import { depthMap, table } from "@/lib/figures/mod.ts";
import type { Edition } from "@/lib/papers/ruler/published.ts";
import type { RunLeaderboardOptions } from "@/lib/papers/suites/run_leaderboard.ts";
import {
  describeRuns,
  modelName,
  runCost,
  runCostTable,
  runFolder,
  runListTable,
  type ScoredRun,
} from "@/lib/records/mod.ts";
import { checkPapers, depthFigure, drawnFrom, reportJson, runFailures, runReport } from "@/lib/reports/mod.ts";
import { failureFinding, type FailureRow } from "@/lib/statistics/failures/mod.ts";
import { priceOfModel, type Prices } from "@/lib/studies/mod.ts";

const EDITIONS: readonly Edition[] = ["v1", "v3", "repository"];

export function addCommand(program: Command, output: Output): void {
  const command = program.command("report")
    .description(
      "Scores the replies of a run, prints tables and writes figures to results/runs/RUN/figures/. Several runs are ranked in " +
        "the form of RULER's Table 3: claimed and effective length, averages with intervals, ranks. No call is made.",
    )
    .argument("[runs...]", "names of runs, separated by spaces or commas; without any, the runs are listed")
    .addOption(
      new Option("--published [edition]", "rank among RULER's Table 3, of v1 or v3 of the paper or of the repository")
        .choices(EDITIONS).preset("v1"),
    )
    .option("--lengths <list>", "rank over these lengths, such as 4K,8K (default: the lengths of all runs)", lengths)
    .option("--json", "print a JSON object: scores and all else of the tables (docs/shell.md), or the leaderboard")
    .option("--no-figures", "write no figures")
    .option("--html [file]", "only write the page of `fathom view` (default: view.html in the first run's folder)")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom report                                      # list the runs\n" +
        "  fathom report first\n" +
        "  fathom report first --html                         # a page to explore in a browser\n" +
        "  fathom report first second third --published\n" +
        "  fathom report first --json | jq '.rows[] | select(.length == 4096)'\n\n" +
        "fathom export writes replies and scores of runs as tables and in other programs' formats.",
    )
    .helpCommand(false)
    .enablePositionalOptions()
    .action((given: readonly string[], flags: ReportFlags) => report(given, flags, output));
  addReadingFlags(addPriceFlags(command));
  command.option("--models <file>", "your own file of models, for the price of the run's model");
  addParts(command, output);
}

interface ReportFlags extends Flags {
  readonly published?: Edition;
  readonly figures: boolean;
  readonly html?: string | true;
}

async function report(given: readonly string[], flags: ReportFlags, output: Output): Promise<void> {
  const named = [...new Set(given.flatMap(names))];
  if (named.length === 0) return await printRuns(flags, output);
  if (flags.html !== undefined) {
    return await writeExplorer(named, flags.html === true ? flags : { ...flags, out: flags.html }, output);
  }
  const runs = await readRuns(named, flags, output);
  const isRanked = flags.published !== undefined || flags.lengths !== undefined;
  if (runs.length > 1 || isRanked) await printLeaderboard(runs, flags, output);
  else await printReport(runs[0]!, flags, output);
}

async function printRuns({ json }: ReportFlags, output: Output): Promise<void> {
  const { runs, unreadable } = await describeRuns();
  for (const { run, problem } of unreadable) output.note(`${run}: ${problem}`);
  if (json) return await output.write(`${JSON.stringify({ runs, unreadable })}\n`);
  const list = runListTable(runs);
  if (list !== null) await writeTables([list], output);
}

async function printReport(run: NamedRun, flags: ReportFlags, output: Output): Promise<void> {
  const made = runReport(run, { checked: await checkPapers(run) });
  if (flags.json) {
    const json = reportJson(run.name, run, made, await pricesOf(run, flags));
    return await output.write(`${jsonOf(json)}\n`);
  }
  await printAnswer(run, output);
  await output.write("\n");
  await printTables(run, made, { output, hasOverview: true });
  const { curves, cells } = made;
  if (!flags.figures || curves === null || cells === null) return;
  const scores = [{ name: "score-by-length", figure: curves }, { name: "score-by-task", figure: cells }];
  await saveFigures([...scores, ...await depthFigures(run)], join(runFolder(run.name), "figures"), output);
}

/** Ranks runs, on request among published models, as tables and figures or one JSON object. */
async function printLeaderboard(runs: readonly ScoredRun[], flags: ReportFlags, output: Output): Promise<void> {
  const { published, lengths } = flags;
  const { leaderboardJson, runLeaderboard } = await import("@/lib/papers/suites/run_leaderboard.ts");
  const ranked = runLeaderboard(runs, {
    ...(published === undefined ? {} : await readPublished(published)),
    ...defined({ lengths }),
  });
  for (const note of ranked.notes) output.note(note);
  if (flags.json) return await output.write(`${jsonOf(leaderboardJson(runs, ranked))}\n`);
  await writeTables(ranked.boards.flatMap(({ table, scores, lengths }) => [table, scores, lengths]), output);
  if (runs.length > 1) {
    output.note("fathom compare pairs two runs sample by sample, which decides more than these ranks");
  }
  if (!flags.figures) return;
  const figures = ranked.boards.map(({ benchmark, curves }) => ({ name: `leaderboard-${benchmark}`, figure: curves }));
  await saveFigures(figures, join(OWN_FIGURES, jointName(runs)), output);
}

/** Returns a name for files about several runs, such as `first+second`. */
function jointName(runs: readonly ScoredRun[]): string {
  return shortName(runs.map(({ manifest: { name } }) => name.replaceAll(/[^A-Za-z0-9._-]+/g, "-")).join("+"));
}

async function readPublished(edition: Edition): Promise<Pick<RunLeaderboardOptions, "published">> {
  const [{ openPublished }, { publishedModels }] = await Promise.all([
    import("@/lib/papers/ruler/published.ts"),
    import("@/lib/papers/ruler/published_leaderboard.ts"),
  ]);
  const { rows } = await openPublished();
  return { published: publishedModels(rows.filter((row) => row.edition === edition && row.table === 3)) };
}

/** A part of a run's report: a subcommand of `fathom report`. */
interface ReportPart {
  readonly name: string;
  readonly about: string;
  /** Adds the flags that only this part has. */
  readonly addFlags?: (command: Command) => Command;
  /** Prints the part of a run, or returns the fields of its JSON object. */
  readonly print: (run: NamedRun, flags: PartFlags, output: Output) => Promise<object | void>;
}

interface PartFlags extends Flags {
  readonly figures?: boolean;
  readonly level: number;
}

const PARTS: readonly ReportPart[] = [
  {
    name: "failures",
    about: "Prints how replies failed, by task and length, with examples.",
    print: printFailures,
  },
  {
    name: "depths",
    about: "Prints scores by depth of the target, tests whether a third of the context is lost, and draws heatmaps.",
    addFlags: (command) => command.option("--no-figures", "write no figures"),
    print: printDepths,
  },
  {
    name: "limits",
    about: "Prints effective context limits: the length at which each task's score falls below an accuracy.",
    addFlags: (command) => command.option("--level <share>", "the accuracy, in (0, 1]", Number, 0.75),
    print: printLimits,
  },
  {
    name: "cost",
    about: "Prints the cost of a run by task and length: tokens, cached tokens, time, price.",
    addFlags: (command) =>
      addPriceFlags(command).option("--models <file>", "your own file of models, for the price of the run's model"),
    print: printCost,
  },
];

function addParts(report: Command, output: Output): void {
  for (const { name, about, addFlags, print } of PARTS) {
    const command = report.command(name)
      .description(`${about} No call is made.`)
      .summary(about.charAt(0).toLowerCase() + about.slice(1, -1))
      .argument("<runs...>", "names of runs, separated by spaces or commas")
      .option("--json", "print a JSON object per run")
      .addHelpText("after", `\nExample:\n  fathom report ${name} first`)
      .action(async (given: readonly string[], flags: PartFlags) => {
        const runs = await readRuns(given.flatMap(names), flags, output);
        for (const [at, run] of runs.entries()) {
          if (at > 0 && !flags.json) await output.write("\n");
          const json = await print(run, flags, output);
          if (json === undefined) continue;
          const { model, origin, samples } = run.manifest;
          await output.write(`${jsonOf({ run: run.name, model, origin, samples, ...json })}\n`);
        }
      });
    addReadingFlags(command);
    addFlags?.(command);
  }
}

async function printFailures(run: NamedRun, { json }: PartFlags, output: Output): Promise<object | void> {
  const { rows, shown, notes } = await runFailures(run);
  for (const note of notes) output.note(note);
  if (json) return { rows, replies: shown };
  const counts = rows.map((row) => ({ ...row, length: lengthText(row.length), classes: classesText(row) }));
  const counted = table(counts, {
    title: `${modelName(run.manifest)}: ${failureFinding(rows)}`,
    caption: "Each failed reply counts once, by its primary class.",
    ...drawnFrom(run),
    n: `${run.replies.length} ${plural(run.replies.length, "reply")}`,
    columns: { task: "Task", length: "Length", n: "n", failures: "Failed", classes: "Primary class of failure" },
  });
  await writeTables([counted], output);
  for (const { class: name, task, length, index, wanted, reply, why } of shown) {
    await output.write(`\n${name}: ${task} at ${lengthText(length)}, sample ${index}: ${why}\n`);
    await output.write(`  wanted ${wanted}\n  reply  ${reply}\n`);
  }
}

function classesText({ n, classes, unexplained }: FailureRow): string {
  const counted = classes.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count)
    .map(({ class: name, count }) => `${name} ${count} (${percent(count / n, 1)})`);
  return [...counted, ...(unexplained > 0 ? [`unexplained ${unexplained}`] : [])].join(", ");
}

async function printDepths(run: NamedRun, { json, figures }: PartFlags, output: Output): Promise<object | void> {
  const { table: depths, thirdsTable, thirds, rows, skipped, notes } = await depthFigure(run);
  for (const note of notes) output.note(note);
  if (depths === null) {
    throw new RangeError(
      `Cannot report scores by depth as the run must have a scored task with one target: current value is "${run.name}"`,
    );
  }
  if (json) return { rows, left: skipped, thirds };
  await writeTables([depths, thirdsTable], output);
  if (!figures) return;
  // The title of a file names the model.
  const title = `${run.manifest.model}: ${thirds.finding.charAt(0).toLowerCase()}${thirds.finding.slice(1)}`;
  const figure = depthMap(rows, { title, ...drawnFrom(run) });
  await saveFigures([{ name: "depths", figure }], join(runFolder(run.name), "figures"), output);
}

async function printLimits(run: NamedRun, { json, level }: PartFlags, output: Output): Promise<object | void> {
  const { runLimits, runLimitTable } = await import("@/lib/papers/suites/run_limits.ts");
  if (json) return { level, rows: runLimits(run, { level }) };
  const limits = runLimitTable(run, { level });
  if (limits === null) {
    throw new RangeError(
      `Cannot find context limits as the run must have a scored reply: current value is "${run.name}"`,
    );
  }
  await writeTables([limits], output);
}

/** Returns the prices of a run: those of the flags, otherwise those of its model's entry. */
async function pricesOf({ manifest: { model } }: ScoredRun, flags: Flags): Promise<Prices | undefined> {
  return readPrices(flags, await priceOfModel(model, flags.models));
}

async function printCost(run: NamedRun, flags: PartFlags, output: Output): Promise<object | void> {
  const records = run.replies.map(({ record }) => record);
  const cost = runCost(records, await pricesOf(run, flags));
  if (flags.json) return cost;
  const drawn = { model: modelName(run.manifest), ...drawnFrom(run) };
  await writeTables([runCostTable(cost, drawn)], output);
}
