import { lengthText, plural, rangeText } from "@/lib/base/mod.ts";
import { bareSuite, modelName, runCost, scoredPart, type ScoredRun } from "@/lib/records/mod.ts";
import { type Prices, type RunManifest, suiteText } from "@/lib/studies/mod.ts";
import { drawnFrom, type NativeLength, nativeLengths, nativeLengthTable, nativeLengthText } from "./native_lengths.ts";
import { outcomeTable, overviewTable, replyOutcomes, runOverview } from "./run_overview.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { RULER_OVERALL } from "@/lib/benchmarks/ruler/tasks.ts";
import {
  claimTable,
  effectiveLengthTable,
  type Figure,
  modelHeatmap,
  scoreCurves,
  scoreTable,
  type Table,
  table,
} from "@/lib/figures/mod.ts";
import {
  type BoardRow,
  type CheckedClaim,
  effectiveLengthBoard,
  lengthMeans,
  repeatNoise,
  replyTimes,
  RULER_THRESHOLD,
  type ScoreRow,
  type ScoreThreshold,
  summarise,
  type TaskGroup,
} from "@/lib/statistics/mod.ts";

/** The threshold as a share of a score at the shortest length, where a benchmark has none (NoLiMa, Modarressi et al. 2025). */
export const OWN_SHARE = 0.85;

/** The report of a run, in reading order, as the shell and notebook 06 show it. */
export interface RunReport {
  /** Everything that determines the samples and answers. */
  readonly overview: Table;
  /** Outcomes of the calls, before any scoring. */
  readonly outcomes: Table;
  /** Scores by task and length, then the means over tasks; `null` without replies. */
  readonly scores: Table | null;
  /** The lengths in the model's own tokens; `null` if the server counted none, as in a simulated run. */
  readonly nativeLengths: Table | null;
  /** Variation between repeats; `null` without repeats. */
  readonly repeats: Table | null;
  /** Effective lengths with their confidence; `null` if no length has a score. */
  readonly lengths: Table | null;
  /** Claims about the benchmarks of the run; of a partial benchmark, those that its tasks decide. `null` for none. */
  readonly claims: Table | null;
  /** Means by length if groups of a benchmark were asked, otherwise the tasks and their mean; `null` without a score. */
  readonly curves: Figure | null;
  /** Every task by length; `null` without a score. */
  readonly cells: Figure | null;
  readonly rows: readonly ScoreRow[];
  readonly board: readonly BoardRow[];
  readonly nativeRows: readonly NativeLength[];
  /** Latency of the answers by length. */
  readonly timeRows: ReturnType<typeof replyTimes>;
  readonly checked: readonly CheckedClaim[];
}

/**
 * Reports a run: overview, outcomes of the calls, scores, effective lengths and claims.
 *
 * Means cover each group of a benchmark's tasks that the run has entirely, or all tasks if there is no such group. Effective lengths
 * use RULER's threshold for the mean of RULER's tasks, and 85% of its own score at the shortest length for each task and mean.
 *
 * @param options `checked`: the claims to report, such as those of {@linkcode checkPapers}; none by default.
 */
export function runReport(
  run: ScoredRun,
  { checked = [] }: { readonly checked?: readonly CheckedClaim[] } = {},
): RunReport {
  const { manifest, replies } = run;
  const model = modelName(manifest);
  const drawn = drawnFrom(run);
  const native = nativeLengths(replies);
  const tasks = summarise(replies);
  const groups = groupsOf(run, tasks);
  const means = lengthMeans(tasks, { groups });
  const rows = [...tasks, ...means].map(({ reason: _, unscored: __, effectiveSize: ___, ...row }): ScoreRow => row);
  const board = boardOf(rows, { groups, manifest });
  const noise = repeatNoise(replies);
  const n = `${replies.length} ${plural(replies.length, "sample")}`;
  const samples = replies.map(({ record }) => record.sample);
  return {
    overview: overviewTable(runOverview(manifest, samples), { title: `${model}: the run`, ...drawn, n }),
    outcomes: outcomeTable(replyOutcomes(replies), { title: `${model}: outcomes of the calls`, ...drawn, n }),
    scores: rows.length === 0 ? null : scoreTable(rows, {
      title: `${model} on ${suiteText(manifest)}: score by task and length`,
      ...drawn,
      digits: 1,
    }),
    repeats: noise === null ? null : repeatTable(noise, drawn),
    nativeLengths: nativeLengthTable(native, {
      title: `${model}: lengths in its own tokens`,
      tokenizer: manifest.materials.tokenizer,
      origin: manifest.origin,
    }),
    lengths: board.every(({ lengths }) => lengths.length === 0) ? null : effectiveLengthTable(board, {
      title: `${model}: effective lengths with their confidence${claimedText(manifest)}`,
      ...drawn,
      n,
      nativeLength: native.length === 0
        ? undefined
        : (length, { model: label }) => nativeLengthText(ofRow(native, { label, groups }), length),
    }),
    claims: checked.length === 0 ? null : claimTable(checked, { title: `${model}: claims checked`, ...drawn }),
    ...drawScores(rows, { model, groups, threshold: thresholdOf(run), ...drawn }),
    rows,
    board,
    nativeRows: native,
    timeRows: replyTimes(replies.map(({ record }) => record)),
    checked,
  };
}

/**
 * Returns the groups of benchmarks that the run has entirely, or all tasks as one group. A group of one task is omitted unless the
 * run has its whole benchmark.
 */
export function groupsOf(
  { benchmarks = BENCHMARKS }: ScoredRun,
  rows: readonly Pick<ScoreRow, "task">[],
): readonly TaskGroup[] {
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

/** Returns the threshold of the benchmark of all tasks of a run. */
export function thresholdOf({ benchmarks = BENCHMARKS, manifest }: ScoredRun): ScoreThreshold | undefined {
  const suites = Object.values(manifest.tasks).map(({ suite }) => bareSuite(suite));
  return benchmarks.find(({ families }) =>
    suites.every((suite) => families.some((family) => bareSuite(family.suite) === suite))
  )?.threshold;
}

/** RULER's threshold applies only to the mean of its tasks, for which it was set. */
export function boardOf(
  rows: readonly ScoreRow[],
  { groups, manifest }: { readonly groups: readonly TaskGroup[]; readonly manifest: RunManifest },
): readonly BoardRow[] {
  const byName = Map.groupBy(rows, ({ task }) => task);
  const isRuler = (task: string): boolean => manifest.tasks[task]?.suite.startsWith("ruler-") ?? false;
  const mean = groups.find(({ name, tasks }) =>
    (name === RULER_OVERALL || name === meanOf(tasks)) && tasks.every(isRuler)
  )?.name;
  const ofRuler = mean === undefined
    ? []
    : [{ model: `${mean}, RULER's threshold`, rows: byName.get(mean)!, threshold: RULER_THRESHOLD }];
  const own = [...byName].map(([name, rows]) => ({
    model: `${name}, ${100 * OWN_SHARE}% of its own`,
    rows,
    threshold: { share: OWN_SHARE },
  }));
  return effectiveLengthBoard([...ofRuler, ...own]);
}

function claimedText({ claimedWindow, origin }: RunManifest): string {
  if (claimedWindow === undefined) return "";
  const whose = origin === "simulated" ? "the authors of the model it imitates" : "its authors";
  return `; ${whose} claim ${lengthText(claimedWindow)}`;
}

/** Returns the rows of the tasks of a board line, whose label is a task or a group and its threshold. */
function ofRow(
  rows: readonly NativeLength[],
  { label, groups }: { readonly label: string; readonly groups: readonly TaskGroup[] },
): readonly NativeLength[] {
  const name = label.slice(0, label.lastIndexOf(", "));
  const tasks = groups.find((group) => group.name === name)?.tasks ?? [name];
  return rows.filter(({ task }) => tasks.includes(task));
}

/** Makes a table of the noise between repeats beside that between samples. */
function repeatTable({ rows, finding }: NonNullable<ReturnType<typeof repeatNoise>>, drawn: Drawn): Table {
  const samples = rows.at(-1)!.samples;
  return table(rows.map((row) => ({ ...row, length: row.length === null ? "all" : lengthText(row.length) })), {
    title: finding,
    ...drawn,
    caption:
      "Changed: pairs of repeats of one sample with different scores. Between repeats: the standard deviation of a sample's " +
      "scores. Between samples: that of the samples' own means, without the noise of repeats. Last: how much of the variance " +
      "of the mean comes from repeats.",
    n: `${samples} ${plural(samples, "sample")}`,
    columns: {
      task: "Task",
      length: { label: "Length", align: "right" },
      samples: { label: "Samples", digits: 0 },
      repeats: { label: "Repeats", digits: 1 },
      changed: { label: "Changed (%)", digits: 0 },
      within: { label: "Between repeats (points)", digits: 1 },
      between: { label: "Between samples (points)", digits: 1 },
      share: { label: "From repeats (%)", digits: 0 },
    },
  });
}

/** Origin and warning of every figure and table. */
type Drawn = ReturnType<typeof drawnFrom>;

/** Draws a line per group if there are several, as a benchmark has too many tasks for one figure; otherwise one per task. */
function drawScores(
  rows: readonly ScoreRow[],
  { model, groups, threshold, ...drawn }: Drawn & Pick<RunManifest, "model"> & {
    readonly groups: readonly TaskGroup[];
    readonly threshold: ScoreThreshold | undefined;
  },
): Pick<RunReport, "curves" | "cells"> {
  const scored = rows.filter(({ score }) => score !== null);
  if (scored.length === 0) return { curves: null, cells: null };
  const isMean = ({ task }: ScoreRow): boolean => groups.some(({ name }) => name === task);
  const tasks = scored.filter((row) => !isMean(row));
  const counts = tasks.map(({ n }) => n);
  const n = `n = ${rangeText(counts, String)} ${plural(Math.max(...counts), "sample")} a task and length`;
  const curves = scoreCurves((groups.length > 1 ? scored.filter(isMean) : scored).map((row) => ({ ...row, model })), {
    title: `${model}: score by task and length`,
    seriesTitle: groups.length > 1 ? "Mean of" : "Task",
    n,
    threshold,
    ...drawn,
  });
  const cells = modelHeatmap(tasks.map((row) => ({ ...row, model: row.task })), {
    yTitle: "Task",
    title: `${model}: score by task and context length`,
    n,
    ...drawn,
  });
  return { curves, cells };
}

/** Returns the report of a run as one object. `samples` is the count and hash of the answered samples. */
export function reportJson(
  name: string,
  run: ScoredRun,
  report: RunReport,
  prices?: Prices,
): Readonly<Record<string, unknown>> {
  const { manifest: { model, origin, samples }, replies } = run;
  const { rows, timeRows: times, board: lengths, nativeRows: nativeLengths, checked: claims } = report;
  const [suite, scored, outcomes] = [suiteText(run.manifest), scoredPart(replies), replyOutcomes(replies)];
  const cost = runCost(replies.map(({ record }) => record), prices);
  return {
    run: name,
    model,
    origin,
    suite,
    samples,
    scored,
    rows,
    outcomes,
    times,
    lengths,
    nativeLengths,
    claims,
    cost,
  };
}
