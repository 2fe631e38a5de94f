import type { Command } from "commander";
import { fileURLToPath } from "node:url";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks } from "./task_flags.ts";
import { opencompassMap } from "@/lib/benchmarks/cdme/mod.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { RULER_OVERALL } from "@/lib/benchmarks/ruler/mod.ts";
import {
  depthMap,
  depthTable,
  type Figure,
  heatmap,
  lengthLabel,
  saveFigure,
  scoreCurves,
  thirdsTable,
} from "@/lib/figures/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import {
  csvText,
  explainRun,
  failedReplies,
  listRuns,
  placeReplies,
  readScoredRun,
  replyRows,
  type ScoredRun,
  suiteText,
} from "@/lib/runs/mod.ts";
import {
  checkClaims,
  type CheckedClaim,
  compareThirds,
  depthCells,
  effectiveLength,
  effectiveLengthChances,
  failureFinding,
  type FailureRow,
  failureRows,
  lengthMeans,
  type Origin,
  replyTimes,
  RULER_THRESHOLD,
  type ScoreRow,
  summarise,
  type TaskGroup,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Adds `fathom report`: the scores of a recorded run. */
export function addReportCommand(program: Command, output: Output): void {
  const command = program.command("report")
    .summary("print the scores of a run, and draw its figures")
    .description(
      "Scores the replies of a run, prints them as a table and writes figures to results/figures/RUN/. No call is made.",
    )
    .argument("[run]", "the run's name; without one, the runs are listed")
    .option(
      "--json",
      "print one JSON object: rows of task, length, n, score, low, high (percent, 95% interval) and failed, latencies, claims",
    )
    .option("--no-figures", "write no figures")
    .option("--failures", "print how replies failed instead, by task and length, with examples")
    .option("--depths", "print scores by depth of the needle instead, and whether a third of the context is lost")
    .option("--csv", "print one CSV row per reply instead: sample, depth, score, why, failure, reply")
    .addHelpText(
      "after",
      "\nExamples:\n  fathom report\n  fathom report first\n  fathom report first --failures\n  fathom report first --depths\n  fathom report first --csv > first.csv\n  fathom report first --json | jq '.rows[] | select(.length == 4096)'",
    )
    .action(async (name: string | undefined, flags: Flags) => {
      if (name === undefined) return await output.write((await listRuns()).map((run) => `${run}\n`).join(""));
      const run = await readScoredRun(name, { benchmarks: await openBenchmarks(flags) });
      for (const note of run.notes) output.note(note);
      if (flags.csv) return await output.write(csvText(await replyRows(run)));
      if (flags.depths) {
        return await printDepths(run, { output, name, json: Boolean(flags.json), figures: Boolean(flags.figures) });
      }
      if (flags.failures) return await printFailures(run, { output, json: Boolean(flags.json), name });
      if (flags.json) {
        const { model, origin, samples } = run.manifest;
        const times = replyTimes(run.records);
        const suite = suiteText(run.manifest);
        const report = {
          run: name,
          model,
          origin,
          suite,
          samples,
          rows: reportRows(run),
          times,
          claims: runClaims(run),
        };
        await output.write(`${JSON.stringify(report)}\n`);
      } else {
        await printReport(run, output);
        await printClaims(run, output);
      }
      if (flags.figures && !flags.json) { for (const path of await writeRunFigures(run)) output.note(path); }
    });
  addBenchmarkFlag(command);
}

const FIGURES = new URL("../../results/figures/", import.meta.url);

/** How depths are to be printed. */
interface PrintDepthsOptions {
  readonly output: Output;
  /** Whether to print one JSON object. */
  readonly json: boolean;
  /** Whether to draw the heatmaps. */
  readonly figures: boolean;
  /** The run's name. */
  readonly name: string;
}

/**
 * Prints the scores of a run by the depth of the target, and whether a third of the context is lost; draws the heatmaps.
 */
async function printDepths(run: ScoredRun, options: PrintDepthsOptions): Promise<void> {
  const { output, json, figures, name } = options;
  const { replies, left, notes } = await placeReplies(run);
  for (const note of notes) output.note(note);
  for (const { task, why } of left) output.note(`${task} is left out as ${why}`);
  const rows = depthCells(replies, { stretches: 5 });
  if (rows.every(({ score }) => score === null)) {
    throw new RangeError(
      `Cannot tell scores by depth as the run must have a scored task with one target: current value is "${name}"`,
    );
  }
  const { model, origin, samples } = run.manifest;
  const thirds = compareThirds(replies);
  if (json) return await output.write(`${JSON.stringify({ run: name, model, origin, samples, rows, left, thirds })}\n`);
  const title = `${model}: score by the depth of the target`;
  await output.write(`${depthTable(rows, { title, origin }).text}\n${thirdsTable(thirds, { origin }).text}`);
  if (!figures) return;
  const folder = fileURLToPath(new URL(`${name}/`, FIGURES));
  await Deno.mkdir(folder, { recursive: true });
  await saveFigure(depthMap(rows, { title: `${model}: ${lowered(thirds.finding)}`, origin }), `${folder}depths.svg`);
  output.note(`${folder}depths.svg`);
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Summarises a run: a row for each task and length, then for each group of tasks that were all asked. */
function reportRows(run: ScoredRun): ScoreRow[] {
  const rows = summarise(run.replies);
  const groups = groupsOf(run).filter(({ tasks }) => tasks.every((task) => rows.some((row) => row.task === task)));
  return [...rows, ...lengthMeans(rows, { groups })].map(({ task, length, n, score, low, high, failed, noAnswer }) => (
    { task, length, n, score, low, high, failed, noAnswer }
  ));
}

function groupsOf({ benchmarks = BENCHMARKS }: ScoredRun): readonly TaskGroup[] {
  return benchmarks.flatMap(({ groups = [] }) => groups);
}

/** Checks what can be claimed of a run, for each benchmark all of whose tasks were asked. */
function runClaims({ replies, benchmarks = BENCHMARKS }: ScoredRun): CheckedClaim[] {
  const rows = summarise(replies);
  return benchmarks
    .filter(({ tasks }) => tasks.every((task) => rows.some((row) => row.task === task)))
    .flatMap(({ runClaims: claims = [] }) => checkClaims(claims, { rows, claimedLength: null }));
}

/** Prints what can be claimed of a run, with the verdicts. */
async function printClaims(run: ScoredRun, output: Output): Promise<void> {
  for (const { id, verdict, statement, observed } of runClaims(run)) {
    await output.write(`\n${id} ${verdict}: ${statement}\n  ${observed}\n`);
  }
}

/** Prints a run's scores as a table: tasks down, lengths across, with the 95% interval under each score. */
export async function printReport(run: ScoredRun, output: Output): Promise<void> {
  const rows = reportRows(run);
  const lengths = [...new Set(rows.map(({ length }) => length))].sort((left, right) => left - right);
  const { model, origin } = run.manifest;
  await output.write(`${model} (${origin}), ${suiteText(run.manifest)}: score in percent, with its 95% interval\n\n`);
  const width = Math.max(20, ...rows.map(({ task }) => task.length + 1));
  await output.write(`${"".padEnd(width)}${lengths.map((length) => lengthText(length).padStart(20)).join("")}\n`);
  for (const [task, ofTask] of Map.groupBy(rows, (row) => row.task)) {
    const cells = lengths.map((length) => cellText(ofTask.find((row) => row.length === length)).padStart(20));
    await output.write(`${task.padEnd(width)}${cells.join("")}\n`);
  }
  await output.write(timesText(run, { lengths, width }));
  const count = (isOne: (reply: ScoredReply) => boolean | undefined): number => run.replies.filter(isOne).length;
  const unparsable = count((reply) => reply.unparsable);
  await output.write(
    `\n${run.replies.length} questions, ${count((reply) => reply.failed)} failed calls (in no score), ${
      count((reply) => reply.noAnswer)
    } without an answer (score 0)${unparsable > 0 ? `, ${unparsable} that could not be read (score 0)` : ""}\n`,
  );
  await output.write(effectiveText(rows.filter(({ task }) => task === RULER_OVERALL)));
}

/** How long answers took, a column a length; nothing where none was timed. */
function timesText(
  run: ScoredRun,
  { lengths, width }: { readonly lengths: readonly number[]; readonly width: number },
): string {
  const times = replyTimes(run.replies.map(({ record }) => record));
  if (times.length === 0) return "";
  const cells = lengths.map((length) => {
    const found = times.find((row) => row.length === length);
    return (found ? `${seconds(found.medianMs)} (${seconds(found.p95Ms)})` : "").padStart(20);
  });
  const resent = times.reduce((sum, row) => sum + row.resent, 0);
  const again = resent === 0 ? "" : `; ${resent} questions were sent again`;
  return `\n${"seconds a reply".padEnd(width)}${cells.join("")}   median, and 95% within (…)${again}\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0);
}

function cellText(row: ScoreRow | undefined): string {
  if (row === undefined) return "";
  const { score, low, high } = row;
  if (score === null || low === null || high === null) return "no score";
  return `${score.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

function effectiveText(overall: readonly ScoreRow[]): string {
  if (overall.every(({ score }) => score === null)) return "";
  const { text } = effectiveLength(overall, RULER_THRESHOLD);
  const chances = effectiveLengthChances(overall, RULER_THRESHOLD)
    .filter(({ chance }) => chance >= 0.005)
    .sort((left, right) => right.chance - left.chance)
    .map(({ text, chance }) => `${text} ${Math.round(100 * chance)}%`);
  return `Effective length at the paper's threshold of ${RULER_THRESHOLD}: ${text} (chances: ${chances.join(", ")})\n`;
}

/** Prints in which ways the replies of a run failed, for each task and length, and a reply or two for each way. */
async function printFailures(
  run: ScoredRun,
  { output, json, name }: { readonly output: Output; readonly json: boolean; readonly name: string },
): Promise<void> {
  const { replies, notes } = await explainRun(run);
  for (const note of notes) output.note(note);
  const rows = failureRows(replies);
  const { model, origin, samples } = run.manifest;
  const shown = failedReplies(replies);
  if (json) {
    return await output.write(`${JSON.stringify({ run: name, model, origin, samples, rows, replies: shown })}\n`);
  }
  await output.write(`${model} (${origin}): ${failureFinding(rows)}\n\n`);
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

/** Draws a run's scores by length, by task and length, and by length and depth, into results/figures/RUN/. */
async function writeRunFigures(run: ScoredRun): Promise<string[]> {
  const { name, model, origin } = run.manifest;
  const scored = reportRows(run).filter(({ score }) => score !== null);
  if (scored.length === 0) return [];
  const isGroup = ({ task }: ScoreRow): boolean => groupsOf(run).some((group) => group.name === task);
  const [groups, tasks] = [scored.filter(isGroup), scored.filter((row) => !isGroup(row))];
  const labels = { model, origin, n: countText(tasks), seriesTitle: groups.length > 0 ? "Mean of" : "Task" };
  const folder = fileURLToPath(new URL(`${name}/`, FIGURES));
  await Deno.mkdir(folder, { recursive: true });
  const figures = {
    "score-by-length": drawCurves(groups.length > 0 ? groups : tasks, labels),
    "score-by-task": drawCells(tasks, labels),
    ...Object.fromEntries(depthFigures(run).map(({ name, figure }) => [name, figure])),
  };
  const paths: string[] = [];
  for (const [file, figure] of Object.entries(figures)) {
    paths.push(`${folder}${file}.svg`);
    await saveFigure(figure, paths.at(-1)!);
  }
  return paths;
}

interface Labels {
  readonly model: string;
  readonly origin: Origin;
  readonly n: string;
  readonly seriesTitle: string;
}

/** Draws groups of tasks where all of a group's tasks were asked, and single tasks otherwise. */
function drawCurves(rows: readonly ScoreRow[], { model, origin, n, seriesTitle }: Labels): Figure {
  return scoreCurves(rows, { title: `${model}: score by context length`, seriesTitle, n, origin });
}

function drawCells(rows: readonly ScoreRow[], { model, origin, n }: Labels): Figure {
  return heatmap(rows, {
    x: "length",
    y: "task",
    value: "score",
    xTitle: "Context length (tokens)",
    yTitle: "Task",
    valueTitle: "Score (%)",
    domain: [0, 100],
    xLabel: (length) => lengthLabel(Number(length)),
    title: `${model}: score by task and context length`,
    caption: "Means over the samples of a task and length.",
    n,
    origin,
  });
}

function countText(rows: readonly ScoreRow[]): string {
  const counts = rows.map(({ n }) => n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `n = ${least === most ? least : `${least} to ${most}`} samples a task and length`;
}

/** A heatmap with the name of its file, without an ending. */
export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

/** A heatmap's size in pixels: OpenCompass's 15.5 × 8 inches. */
export const DEPTH_FIGURE_SIZE = { width: 1116, height: 400 } as const;

/** Draws a heatmap of lengths and depths for each task of a run that goes through depths. */
export function depthFigures(run: ScoredRun, datasetLength?: string): NamedFigure[] {
  const { model, origin } = run.manifest;
  const asked = run.replies.filter(({ record }) => record.depth !== undefined);
  return [...Map.groupBy(asked, ({ task }) => task)].flatMap(([task, replies]) => {
    const cells = depthCells(replies);
    if (cells.every(({ score }) => score === null)) return [];
    const longest = Math.max(...cells.map(({ length }) => length));
    const figure = opencompassMap(cells, {
      model: `${model} on ${task}`,
      origin,
      datasetLength: datasetLength ?? `${Math.round(longest / 1000)}K`,
      ...DEPTH_FIGURE_SIZE,
    });
    return [{ name: `depth-${task}`, figure }];
  });
}
