import { expectedTaskScore, simulatedScore } from "./expected_score.ts";
import { RULER_OVERALL, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/mod.ts";
import { type Figure, type FigureOptions, lineChart, type Table, table } from "@/lib/figures/mod.ts";
import { openProfile } from "@/lib/models/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import {
  exactInterval,
  independent,
  type Interval,
  type MeanEstimate,
  meanInterval,
  meanOfMeans,
  midInterval,
  normalInterval,
  shareCoverage,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";

/** Options for {@linkcode simulateCoverage}. */
export interface CoverageOptions {
  /** The profile of the simulated reader. */
  readonly profile: string;
  /** Context lengths, in tokens, from 4,096. */
  readonly lengths: readonly number[];
  /** Samples of each task and length. */
  readonly samples: number;
  /** Simulated runs. */
  readonly runs: number;
  /** Any text; the same seed draws the same runs. */
  readonly seed?: string;
}

/** How often the interval of one number held its true value. */
export interface Coverage {
  /** The task's name, or `all 13 tasks`. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** Right or wrong, shares of several references, or a mean over tasks. */
  readonly kind: "yes/no" | "shares" | "mean of 13 tasks";
  /** The true score, in percent. */
  readonly truth: number;
  /** Simulated runs. */
  readonly runs: number;
  /** The share of runs in which the 95% interval held the true score, in [0, 1]. */
  readonly covered: number;
}

const SHARED = ["niah_multivalue", "niah_multiquery", "vt", "cwe", "fwe"];

/**
 * Simulates runs of RULER's 13 tasks whose true scores are known, and counts how often the intervals hold them: a row for each
 * task and length, then for the mean of 13 at each length.
 *
 * @throws {RangeError} If there is no such profile.
 *
 * @example
 * ```ts
 * import { equal, ok } from "node:assert/strict";
 *
 * const rows = simulateCoverage({ profile: "yi-34b", lengths: [4096], samples: 5, runs: 20 });
 * equal(rows.length, 14);
 * ok(rows.every(({ covered }) => covered >= 0.6));
 * ```
 */
export function simulateCoverage(options: CoverageOptions): readonly Coverage[] {
  const { lengths, samples, runs, seed = "coverage" } = options;
  const profile = openProfile(options.profile);
  const estimate = rememberEstimates();
  const perLength = lengths.map((length) => {
    const tasks = RULER_TASK_NAMES.map((task) => ({
      draw: simulatedScore(profile, { task, length }),
      truth: expectedTaskScore(profile, { task, length }) / 100,
      hits: 0,
    }));
    const mean = { truth: tasks.reduce((sum, { truth }) => sum + truth, 0) / tasks.length, hits: 0 };
    for (let run = 0; run < runs; run++) {
      const draw = stream(seed, profile.name, length, samples, run);
      const estimates = tasks.map((task) => estimate(task.draw, { samples, draw }));
      estimates.forEach((found, at) => tasks[at]!.hits += Number(holds(found, tasks[at]!.truth)));
      mean.hits += Number(holds(meanOfMeans(estimates), mean.truth));
    }
    const row = { length, runs };
    return {
      cells: tasks.map(({ truth, hits }, at): Coverage => ({
        ...row,
        task: RULER_TASK_NAMES[at]!,
        kind: SHARED.includes(RULER_TASK_NAMES[at]!) ? "shares" : "yes/no",
        truth: 100 * truth,
        covered: hits / runs,
      })),
      mean: {
        ...row,
        task: RULER_OVERALL,
        kind: "mean of 13 tasks",
        truth: 100 * mean.truth,
        covered: mean.hits / runs,
      },
    } as const;
  });
  return [...perLength.flatMap(({ cells }) => cells), ...perLength.map(({ mean }) => mean)];
}

function holds({ low, high }: MeanEstimate, truth: number): boolean {
  return low <= truth && truth <= high;
}

type Estimate = (
  score: (draw: Draw) => number,
  from: { readonly samples: number; readonly draw: Draw },
) => MeanEstimate;

/** Estimates means of drawn scores. The same scores often come again in another order; they are computed once. */
function rememberEstimates(): Estimate {
  const known = new Map<string, MeanEstimate>();
  return (score, { samples, draw }) => {
    const scores = Array.from({ length: samples }, () => score(draw)).sort((left, right) => left - right);
    const name = scores.join(" ");
    const found = known.get(name) ?? meanInterval(independent(scores));
    known.set(name, found);
    return found;
  };
}

/** How often intervals held the truth, over numbers of one kind, near 0 or 100 or not. */
export interface CoverageBand extends Pick<Coverage, "kind"> {
  /** Where the true scores lie, in percent. */
  readonly truths: string;
  /** How many numbers: tasks at lengths, or means. */
  readonly cells: number;
  /** Simulated intervals in all. */
  readonly intervals: number;
  /** The share that held the truth, in percent. */
  readonly covered: number;
  /** The least share of a single number, in percent. */
  readonly least: number;
  /** The greatest share of a single number, in percent. */
  readonly greatest: number;
}

// A few dozen scores are often all 0 or all 100 if the truth is closer to 0 or 100 than this.
const EDGE = 5;

/**
 * Sums up simulated coverage by kind of number, with those near 0 or 100 in a band of their own: there most runs give exactly 0
 * or 100, and an interval that keeps its width holds the truth more often than its level says.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const row = { task: "vt", length: 4096, kind: "shares", runs: 100 } as const;
 * const [middle, edge] = coverageBands([{ ...row, truth: 80, covered: 0.95 }, { ...row, truth: 99, covered: 1 }]);
 * deepEqual([middle?.truths, middle?.covered], ["5 to 95", 95]);
 * deepEqual([edge?.truths, edge?.covered], ["below 5 or above 95", 100]);
 * ```
 */
export function coverageBands(rows: readonly Coverage[]): readonly CoverageBand[] {
  return [...Map.groupBy(rows, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    [true, false].flatMap((isMiddle) => {
      const cells = ofKind.filter(({ truth }) => (truth >= EDGE && truth <= 100 - EDGE) === isMiddle);
      return cells.length === 0 ? [] : [bandOf(cells, { kind, isMiddle })];
    })
  );
}

function bandOf(
  cells: readonly Coverage[],
  { kind, isMiddle }: Pick<Coverage, "kind"> & { readonly isMiddle: boolean },
): CoverageBand {
  const intervals = cells.reduce((sum, { runs }) => sum + runs, 0);
  const shares = cells.map(({ covered }) => 100 * covered);
  return {
    kind,
    truths: isMiddle ? `${EDGE} to ${100 - EDGE}` : `below ${EDGE} or above ${100 - EDGE}`,
    cells: cells.length,
    intervals,
    covered: 100 * cells.reduce((sum, { covered, runs }) => sum + covered * runs, 0) / intervals,
    least: Math.min(...shares),
    greatest: Math.max(...shares),
  };
}

const INTERVALS: Readonly<Record<string, (successes: number, trials: number) => Interval>> = {
  "textbook (mean ± 1.96 errors)": normalInterval,
  "Wilson": wilsonInterval,
  "exact": exactInterval,
  "mid-p, used here": midInterval,
};
/** The share that the axis reaches down to at least, in percent, however narrow the range of those that keep their width. */
const MUST_SHOW = 85;
// True scores from 50% to 99.5%; below 50% it is the mirror image.
const SHARES = Array.from({ length: 100 }, (_, at) => 0.5 + at / 200);

/**
 * Draws how often 95% intervals of a share hold the true one, computed exactly: the textbook interval beside those that keep
 * their width.
 *
 * @param options The finding, and the yes/no samples behind each interval, from 1 to 500.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * match(coverageFigure({ title: "Near 100 they differ", trials: 5 }).text, /5 samples an interval/);
 * ```
 */
export function coverageFigure(options: { readonly title: string; readonly trials: number }): Figure {
  const { title, trials } = options;
  const rows = Object.entries(INTERVALS).flatMap(([name, interval]) => {
    const known = Array.from({ length: trials + 1 }, (_, successes) => interval(successes, trials));
    return SHARES.map((share) => ({
      name,
      truth: 100 * share,
      covered: 100 * shareCoverage((successes) => known[successes]!, { trials, share }),
    }));
  });
  const lowest = rows.reduce((least, row) => row.covered < least.covered ? row : least);
  const others = rows.filter(({ name }) => name !== lowest.name).map(({ covered }) => covered);
  const floor = Math.min(MUST_SHOW, 5 * Math.floor(Math.min(...others) / 5));
  const below = lowest.covered >= floor
    ? ""
    : ` Below ${floor}% nothing is drawn: the ${lowest.name.replace(/ \(.*/, "")} interval falls to ${
      lowest.covered.toFixed(0)
    }% at ${lowest.truth.toFixed(1)}.`;
  return lineChart(rows.map((row) => ({ ...row, covered: row.covered < floor ? null : row.covered })), {
    title,
    caption:
      `How often an interval that says 95% holds the true score. The zigzag: right answers come in whole numbers.${below}`,
    origin: "measured",
    n: `${trials} samples an interval, every number of right answers counted`,
    x: "truth",
    y: "covered",
    series: "name",
    seriesTitle: "Interval",
    xSpacing: "linear",
    xTitle: "True score (%)",
    yTitle: "Intervals that hold it (%)",
    xDomain: [50, 100],
    yDomain: [floor, 100],
    thresholds: [{ y: 95, label: "95" }],
  });
}

/**
 * Shows how often simulated intervals held the truth.
 *
 * @throws {RangeError} If there are no bands.
 */
export function coverageTable(bands: readonly CoverageBand[], options: Pick<FigureOptions, "title" | "n">): Table {
  return table(bands, {
    ...options,
    origin: "simulated",
    caption:
      "How often an interval that says 95% held the true score. Least and greatest: of single numbers, a task or mean at " +
      "one length. Near 0 and 100 most runs give nothing but 0 or 100, and the interval of such a run holds the truth.",
    columns: [
      { field: "kind", label: "Scores" },
      { field: "truths", label: "True score (%)", align: "right" },
      { field: "cells", label: "Numbers", digits: 0 },
      { field: "covered", label: "Held (%)", digits: 1 },
      { field: "least", label: "Least (%)", digits: 1 },
      { field: "greatest", label: "Greatest (%)", digits: 1 },
    ],
  });
}
