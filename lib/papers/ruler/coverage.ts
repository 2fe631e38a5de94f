import { expectedTaskScore, simulatedScore } from "./expected_score.ts";
import { RULER_OVERALL, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/mod.ts";
import { type Figure, type FigureOptions, lineChart, type Table, table } from "@/lib/figures/mod.ts";
import { openProfile } from "@/lib/models/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import {
  exactInterval,
  independent,
  type Interval,
  mean,
  type MeanEstimate,
  meanInterval,
  meanOfMeans,
  midInterval,
  normalReach,
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

/** The share of simulated runs whose interval held the true value of one score. */
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
 * Simulates runs of RULER's 13 tasks whose true scores are known, and counts how often the intervals hold them.
 *
 * @returns A row for each task and length, then one for the mean of 13 tasks at each length.
 * @throws {RangeError} If there is no such profile.
 */
export function simulateCoverage(options: CoverageOptions): readonly Coverage[] {
  const { lengths, samples, runs, seed = "coverage" } = options;
  const profile = openProfile(options.profile);
  const estimate = cachedEstimates(samples);
  const perLength = lengths.map((length) => {
    const scores = RULER_TASK_NAMES.map((task) => simulatedScore(profile, { task, length }));
    const truths = RULER_TASK_NAMES.map((task) => expectedTaskScore(profile, { task, length }) / 100);
    const runsCovered = truths.map(() => 0);
    const truthOfMean = mean(truths);
    let meansCovered = 0;
    for (let run = 0; run < runs; run++) {
      const draw = stream(seed, profile.name, length, samples, run);
      const estimates = scores.map((score) => estimate(score, draw));
      estimates.forEach((found, at) => runsCovered[at]! += Number(holds(found, truths[at]!)));
      meansCovered += Number(holds(meanOfMeans(estimates), truthOfMean));
    }
    const tasks = RULER_TASK_NAMES.map((task, at): Coverage => {
      const kind = SHARED.includes(task) ? "shares" : "yes/no";
      return { task, length, kind, truth: 100 * truths[at]!, runs, covered: runsCovered[at]! / runs };
    });
    const all = { task: RULER_OVERALL, length, kind: "mean of 13 tasks" } as const;
    return { tasks, all: { ...all, truth: 100 * truthOfMean, runs, covered: meansCovered / runs } };
  });
  return [...perLength.flatMap(({ tasks }) => tasks), ...perLength.map(({ all }) => all)];
}

function holds({ low, high }: MeanEstimate, truth: number): boolean {
  return low <= truth && truth <= high;
}

/** Returns a function that estimates the mean of drawn scores. It caches: the same scores often recur in another order. */
function cachedEstimates(samples: number): (score: (draw: Draw) => number, draw: Draw) => MeanEstimate {
  const known = new Map<string, MeanEstimate>();
  return (score, draw) => {
    const scores = Array.from({ length: samples }, () => score(draw)).sort((left, right) => left - right);
    const key = scores.join(" ");
    const found = known.get(key) ?? meanInterval(independent(scores));
    known.set(key, found);
    return found;
  };
}

/** The coverage of scores of one kind, near 0 or 100 or not. */
export interface CoverageBand extends Pick<Coverage, "kind"> {
  /** The range of the true scores, in percent. */
  readonly truths: string;
  /** The number of scores: tasks at lengths, or means. */
  readonly cells: number;
  /** Simulated intervals in all. */
  readonly intervals: number;
  /** The share that held the truth, in percent. */
  readonly covered: number;
  /** The smallest share of a single score, in percent. */
  readonly least: number;
  /** The largest share of a single score, in percent. */
  readonly greatest: number;
}

// Closer to 0 or 100 than this, a few dozen scores are often all 0 or all 100, and the interval of such a run holds the truth.
const EDGE = 5;

/** Aggregates simulated coverage by kind of score; true scores near 0 or 100 have a band of their own. */
export function coverageBands(rows: readonly Coverage[]): readonly CoverageBand[] {
  const isMiddle = ({ truth }: Coverage): boolean => truth >= EDGE && truth <= 100 - EDGE;
  const bands = [
    { truths: `${EDGE} to ${100 - EDGE}`, isInside: isMiddle },
    { truths: `below ${EDGE} or above ${100 - EDGE}`, isInside: (row: Coverage) => !isMiddle(row) },
  ];
  return [...Map.groupBy(rows, ({ kind }) => kind)].flatMap(([kind, ofKind]) =>
    bands.flatMap(({ truths, isInside }): CoverageBand[] => {
      const cells = ofKind.filter(isInside);
      if (cells.length === 0) return [];
      const intervals = cells.reduce((sum, { runs }) => sum + runs, 0);
      const covered = 100 * cells.reduce((sum, { covered, runs }) => sum + covered * runs, 0) / intervals;
      const shares = cells.map(({ covered }) => 100 * covered);
      const ends = { least: Math.min(...shares), greatest: Math.max(...shares) };
      return [{ kind, truths, cells: cells.length, intervals, covered, ...ends }];
    })
  );
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
      "The share of 95% intervals that held the true score. Least and greatest: of single scores, a task or mean at one length. " +
      "Near 0 and 100 most runs give only 0 or 100, and the interval of such a run holds the truth.",
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

const INTERVALS: Readonly<Record<string, (successes: number, trials: number) => Interval>> = {
  "textbook (mean ± 1.96 errors)": normalInterval,
  "Wilson": wilsonInterval,
  "exact": exactInterval,
  "mid-p, used here": midInterval,
};
/** The axis reaches down to this share at least, in percent. */
const FLOOR = 85;
// True scores from 50% to 99.5%; below 50% the curves are mirrored.
const SHARES = Array.from({ length: 100 }, (_, at) => 0.5 + at / 200);

/**
 * Draws the exact coverage of four kinds of 95% intervals of a share, by the true share.
 *
 * @param options The finding, and the yes/no samples behind each interval, from 1 to 500.
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
  const floor = Math.min(FLOOR, 5 * Math.floor(Math.min(...others) / 5));
  const below = lowest.covered >= floor
    ? ""
    : ` Below ${floor}% nothing is drawn: the ${lowest.name.replace(/ \(.*/, "")} interval falls to ${
      lowest.covered.toFixed(0)
    }% at ${lowest.truth.toFixed(1)}.`;
  return lineChart(rows.map((row) => ({ ...row, covered: row.covered < floor ? null : row.covered })), {
    title,
    caption:
      `The share of 95% intervals that hold the true score. It zigzags because right answers are whole numbers.${below}`,
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
 * Returns the textbook (Wald) interval for a proportion, for comparison. It shrinks to a point at 0 and 1, and near them its
 * coverage is too low.
 *
 * @param successes In [0, `trials`].
 * @param trials Above 0.
 * @returns The interval; its ends can be outside [0, 1].
 */
export function normalInterval(successes: number, trials: number, level = 0.95): Interval {
  const share = successes / trials;
  const reach = normalReach(level) * Math.sqrt(share * (1 - share) / trials);
  return { low: share - reach, high: share + reach };
}
