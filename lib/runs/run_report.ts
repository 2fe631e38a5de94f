import {
  type ExplainedRecord,
  explainRun,
  type ExplainRunOptions,
  failedReplies,
  type FailedReply,
  failedReplyTable,
  type ScoredRun,
} from "./failures.ts";
import { type RunManifest, suiteText } from "./manifest.ts";
import { type PlacedReply, type PlacedRun, placeReplies, type PlaceRepliesOptions } from "./place_replies.ts";
import { outcomeTable, overviewTable, replyOutcomes, runOverview } from "./run_overview.ts";
import { BENCHMARKS, checkRunClaims } from "@/lib/benchmarks/mod.ts";
import { RULER_OVERALL } from "@/lib/benchmarks/ruler/mod.ts";
import {
  claimTable,
  depthMap,
  depthTable,
  effectiveLengthTable,
  failureChart,
  type Figure,
  heatmap,
  lengthLabel,
  scoreCurves,
  scoreTable,
  type Table,
  table,
  thirdsTable,
} from "@/lib/figures/mod.ts";
import {
  type BoardRow,
  type CheckedClaim,
  compareThirds,
  type DepthCell,
  depthCells,
  effectiveLengthBoard,
  failureFinding,
  type FailureRow,
  failureRows,
  lengthMeans,
  type Origin,
  type ReplyTimes,
  replyTimes,
  RULER_THRESHOLD,
  type ScoreRow,
  summarise,
  type TaskGroup,
  type ThirdsCompared,
} from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** What is reported of a run, in the order in which it is read: the shell prints it, and notebook 06 shows it. */
export interface RunReport {
  /** What was asked. */
  readonly overview: Table;
  /** What came back, before any scoring. */
  readonly outcomes: Table;
  /** Scores by task and length, then the means over tasks; `null` where nothing came back. */
  readonly scores: Table | null;
  /** How long answers took; `null` where none was timed. */
  readonly times: Table | null;
  /** Effective lengths and how sure they are; `null` where no length has a score. */
  readonly lengths: Table | null;
  /** The claims of the benchmarks that were asked whole, and those that the tasks asked of any other decide; `null` for none. */
  readonly claims: Table | null;
  /** The means by length where a benchmark's groups were asked, the tasks and their mean otherwise; `null` without a score. */
  readonly curves: Figure | null;
  /** Every task by length; `null` without a score. */
  readonly cells: Figure | null;
  /** The numbers behind scores and figures. */
  readonly rows: readonly ScoreRow[];
  /** The numbers behind the effective lengths. */
  readonly board: readonly BoardRow[];
  /** The numbers behind the times. */
  readonly timeRows: readonly ReplyTimes[];
  /** The claims with their verdicts. */
  readonly checked: readonly CheckedClaim[];
}

/**
 * Reports a run: what was asked, what came back, scores, effective lengths and claims.
 *
 * Means are over each group of tasks of a benchmark that was asked whole, or over all tasks where there is no such group. An
 * effective length is told by RULER's threshold for the mean, and for each task and mean by 85% of its own score at the shortest
 * length.
 *
 * @param run The run, read back or just asked.
 * @returns Tables, figures and the numbers behind them.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { checkStudy, runStudy, simulatedModel } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024], samples: 3 });
 * const report = runReport(await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder }));
 * deepEqual(report.rows.map(({ task, score }) => [task, score]), [
 *   ["niah_single_1", 100],
 *   ["vt", 100],
 *   ["mean of 2 tasks", 100],
 * ]);
 * equal(report.claims, null);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function runReport(run: ScoredRun): RunReport {
  const { manifest, replies } = run;
  const { model, origin } = manifest;
  const tasks = summarise(replies);
  const groups = groupsOf(run, tasks);
  const means = lengthMeans(tasks, { groups });
  const rows = [...tasks, ...means].map(({ task, length, n, score, low, high, failed, noAnswer }) => (
    { task, length, n, score, low, high, failed, noAnswer }
  ));
  const board = boardOf(rows, groups);
  const timeRows = replyTimes(replies.map(({ record }) => record));
  const checked = claimsOf(run);
  const n = `${replies.length} samples`;
  return {
    overview: overviewTable(runOverview(manifest), { title: `${model}: what was asked`, origin, n }),
    outcomes: outcomeTable(replyOutcomes(replies), { title: `${model}: what came back`, origin, n }),
    scores: rows.length === 0 ? null : scoreTable(rows, {
      title: `${model} on ${suiteText(manifest)}: score by task and length`,
      origin,
      digits: 1,
    }),
    times: timeTable(timeRows, origin),
    lengths: board.every(({ brackets }) => brackets.length === 0)
      ? null
      : effectiveLengthTable(board, { title: `${model}: effective lengths and how sure they are`, origin, n }),
    claims: checked.length === 0 ? null : claimTable(checked, { title: `${model}: claims checked`, origin }),
    curves: drawCurves(rows, { model, origin, groups }),
    cells: drawCells(tasks, { model, origin }),
    ...{ rows, board, timeRows, checked },
  };
}

/**
 * The groups of a benchmark that were asked whole; all tasks as one group where there is none. A group of one task says no more
 * than the task, but where the whole benchmark was asked.
 */
function groupsOf({ benchmarks = BENCHMARKS }: ScoredRun, rows: readonly ScoreRow[]): readonly TaskGroup[] {
  const asked = [...new Set(rows.map(({ task }) => task))];
  const isAsked = (tasks: readonly string[]): boolean => tasks.every((task) => asked.includes(task));
  const whole = benchmarks.flatMap((benchmark) =>
    (benchmark.groups ?? []).filter(({ tasks }) => isAsked(tasks) && (tasks.length > 1 || isAsked(benchmark.tasks)))
  );
  if (whole.length > 0 || asked.length < 2) return whole;
  return [{ name: meanOf(asked), tasks: asked }];
}

function meanOf(tasks: readonly string[]): string {
  return `mean of ${tasks.length} tasks`;
}

/** A benchmark that was asked in part has the claims that its tasks decide; one that was asked whole has them all. */
function claimsOf(run: ScoredRun): readonly CheckedClaim[] {
  const { benchmarks = BENCHMARKS, replies } = run;
  const asked = new Set(replies.map(({ task }) => task));
  return benchmarks.flatMap((benchmark) => {
    const checked = checkRunClaims(benchmark, [run]);
    const isWhole = benchmark.tasks.every((task) => asked.has(task));
    return isWhole ? checked : checked.filter(({ verdict }) => verdict !== "cannot tell");
  });
}

/** RULER's threshold was set for the mean of its tasks, so that no single task is held against it. */
function boardOf(rows: readonly ScoreRow[], groups: readonly TaskGroup[]): readonly BoardRow[] {
  const byName = Map.groupBy(rows, ({ task }) => task);
  const mean = groups.find(({ name, tasks }) => name === RULER_OVERALL || name === meanOf(tasks))?.name;
  const ofRuler = mean === undefined
    ? []
    : [{ model: `${mean}, RULER's threshold`, rows: byName.get(mean)!, threshold: RULER_THRESHOLD }];
  const own = [...byName].map(([name, rows]) => ({
    model: `${name}, 85% of its own`,
    rows,
    threshold: { share: 0.85 },
  }));
  return effectiveLengthBoard([...ofRuler, ...own]);
}

/** How long answers took, a column a length. */
function timeTable(rows: readonly ReplyTimes[], origin: Origin): Table | null {
  if (rows.length === 0) return null;
  const cells = rows.map(({ length, medianMs, p95Ms }) => [`${length}`, `${seconds(medianMs)} (${seconds(p95Ms)})`]);
  const resent = rows.reduce((sum, row) => sum + row.resent, 0);
  return table([{ what: "seconds a reply", ...Object.fromEntries(cells) } as Readonly<Record<string, string>>], {
    title: "How long answers took",
    caption: `The median, and in brackets the time within which 95% came; ${resent} questions were sent again.`,
    origin,
    n: `${rows.reduce((sum, { n }) => sum + n, 0)} answers`,
    columns: [
      { field: "what", label: "" },
      ...rows.map(({ length }) => ({ field: `${length}`, label: lengthText(length), align: "right" } as const)),
    ],
  });
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0);
}

interface RunFigureOptions extends Pick<RunManifest, "model" | "origin"> {
  readonly groups: readonly TaskGroup[];
}

/** A line a group where groups of a benchmark were asked, as its tasks are too many for one figure; a line a task otherwise. */
function drawCurves(rows: readonly ScoreRow[], { model, origin, groups }: RunFigureOptions): Figure | null {
  const isGroup = ({ task }: ScoreRow): boolean => groups.some(({ name }) => name === task);
  const scored = rows.filter(({ score }) => score !== null);
  if (scored.length === 0) return null;
  const shown = groups.length > 1 ? scored.filter(isGroup) : scored;
  return scoreCurves(shown, {
    title: `${model}: score by task and length`,
    seriesTitle: groups.length > 1 ? "Mean of" : "Task",
    n: countText(scored.filter((row) => !isGroup(row))),
    origin,
  });
}

function drawCells(rows: readonly ScoreRow[], { model, origin }: Omit<RunFigureOptions, "groups">): Figure | null {
  const scored = rows.filter(({ score }) => score !== null);
  if (scored.length === 0) return null;
  return heatmap(scored, {
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
    n: countText(scored),
    origin,
  });
}

function countText(rows: readonly ScoreRow[]): string {
  const counts = rows.map(({ n }) => n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `n = ${least === most ? least : `${least} to ${most}`} samples a task and length`;
}

/** Options for {@linkcode depthFigure}. */
export interface DepthFigureOptions extends PlaceRepliesOptions {
  /**
   * How many depth bins. Range: 1 to 100.
   *
   * @default {5}
   */
  readonly stretches?: number;
}

/** Where in the context a run loses its targets, as parts that notebook and shell show. */
export interface DepthFigure {
  /** A heatmap of lengths and depths for each task with one target; `null` where there is none with a score. */
  readonly figure: Figure | null;
  /** The same with n and interval; `null` as well. */
  readonly table: Table | null;
  /** The comparison of the thirds as a table. */
  readonly thirdsTable: Table;
  /** The comparison itself. */
  readonly thirds: ThirdsCompared;
  /** The numbers behind figure and table. */
  readonly rows: readonly DepthCell[];
  /** The replies with the depths of their targets. */
  readonly replies: readonly PlacedReply[];
  /** The tasks without a depth, and why. */
  readonly left: PlacedRun["left"];
  /** Which tasks are left out and why, and which samples could not be rebuilt. */
  readonly notes: readonly string[];
}

/**
 * Shows where in the context a model loses what it is asked for: heatmaps of lengths and depths, and a test of the thirds.
 *
 * @param run The run, read back or just asked.
 * @param options The opened study, if there is one, and the number of depth bins.
 * @returns Figure and tables; each is shown by naming it at the end of a cell.
 * @throws {RangeError} If the run's study is not what it should be, or `stretches` is outside its range.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { checkStudy, runStudy, simulatedModel } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1", "vt"], lengths: [1024], samples: 3 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("ideal"), folder });
 * const { figure, thirds, notes } = await depthFigure(run);
 * equal(figure?.title, "No difference between the thirds of the context is shown");
 * equal(thirds.lost, null);
 * deepEqual(notes, ["vt is left out as it asks for 5 facts"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function depthFigure(run: ScoredRun, options: DepthFigureOptions = {}): Promise<DepthFigure> {
  const { stretches = 5, ...placing } = options;
  const { model, origin } = run.manifest;
  const { replies, left, notes } = await placeReplies(run, placing);
  const rows = depthCells(replies, { stretches });
  const thirds = compareThirds(replies);
  const isShown = rows.some(({ score }) => score !== null);
  return {
    figure: isShown ? depthMap(rows, { title: thirds.finding, origin }) : null,
    table: isShown ? depthTable(rows, { title: `${model}: score by the depth of the target`, origin }) : null,
    thirdsTable: thirdsTable(thirds, { origin }),
    ...{ thirds, rows, replies, left },
    notes: [...notes, ...left.map(({ task, why }) => `${task} is left out as ${why}`)],
  };
}

/** Options for {@linkcode runFailures}. */
export interface RunFailuresOptions extends ExplainRunOptions {
  /**
   * How many replies to show for each failure class. Range: 1 up.
   *
   * @default {2}
   */
  readonly each?: number;
}

/** How the replies of a run failed. */
export interface RunFailures {
  /** The counts by task and length. */
  readonly rows: readonly FailureRow[];
  /** Example replies for each failure class. */
  readonly shown: readonly FailedReply[];
  /** Every reply with its ways of failing. */
  readonly replies: readonly ExplainedRecord[];
  /** Which failures could not be explained, and why. */
  readonly notes: readonly string[];
}

/**
 * Tells how the replies of a run failed: the numbers behind {@linkcode failureFigure}, of a run without replies as well.
 *
 * @param run The run, read back or just asked.
 * @param options How many replies to show, and the closed-book answers.
 * @returns The counts and the replies to show.
 * @throws {RangeError} If the run's study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, runStudy, simulatedModel } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * equal((await runFailures(run)).rows[0]?.failures, 2);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function runFailures(run: ScoredRun, options: RunFailuresOptions = {}): Promise<RunFailures> {
  const { each = 2, ...explaining } = options;
  const { replies, notes } = await explainRun(run, explaining);
  return { rows: failureRows(replies), shown: failedReplies(replies, { each }), replies, notes };
}

/** Options for {@linkcode failureFigure}. */
export interface FailureFigureOptions extends RunFailuresOptions {
  /**
   * What a bar of the figure stands for.
   *
   * @default {"length"}
   */
  readonly by?: "length" | "task";
}

/** How the replies of a run failed, as parts that a notebook can show. */
export interface FailureFigure extends RunFailures {
  /** The failures as stacked bars. */
  readonly figure: Figure;
  /** Example replies for each failure class; one line if no reply failed. */
  readonly table: Table;
}

/**
 * Shows how the replies of a run failed: a stacked bar for each length, and example replies for each failure class.
 *
 * @param run The run, read back or just asked.
 * @param options What a bar stands for, how many replies to show, and the closed-book answers.
 * @returns The figure and the table; each is shown by naming it at the end of a cell.
 * @throws {RangeError} If the run has no reply, or its study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, runStudy, simulatedModel } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const { figure, table } = await failureFigure(run);
 * equal(figure.title, "2 of 2 replies failed wholly or in part, most of them by empty (2)");
 * equal(table.title, "What came instead of an answer");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function failureFigure(run: ScoredRun, options: FailureFigureOptions = {}): Promise<FailureFigure> {
  const { by = "length", ...telling } = options;
  const failures = await runFailures(run, telling);
  const { rows, shown } = failures;
  const { origin } = run.manifest;
  const common = { origin, n: failureFinding(rows) };
  const replyTable = shown.length === 0
    ? noneTable(common)
    : failedReplyTable(shown, { title: "What came instead of an answer", ...common });
  return { ...failures, figure: failureChart(rows, { origin, by }), table: replyTable };
}

function noneTable({ origin, n }: { readonly origin: Origin; readonly n: string }): Table {
  return table([{ replies: n }], {
    title: "There is no failed reply to look at",
    caption: "With more samples, or at longer contexts, there may be.",
    origin,
    n,
    columns: [{ field: "replies", label: "Replies" }],
  });
}
