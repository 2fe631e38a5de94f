import { expectedTaskScore, openProfile, RULER_TASKS, simulatedScore } from "@/lib/models/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { RULER_OVERALL } from "../groups.ts";
import { type MeanEstimate, meanInterval } from "./mean_interval.ts";
import { meanOfMeans } from "./mean_of_means.ts";

/** Options for {@linkcode simulateCoverage}. */
export interface CoverageOptions {
  /** The profile of the simulated reader whose scores are drawn. */
  readonly profile: string;
  /** Context lengths, in tokens, from 4,096. */
  readonly lengths: readonly number[];
  /** Samples of each task and length. */
  readonly samples: number;
  /**
   * Simulated runs.
   *
   * @default {1000}
   */
  readonly runs?: number;
  /**
   * Any text; the same seed draws the same runs.
   *
   * @default {"coverage"}
   */
  readonly seed?: string;
}

/** How often the interval of one number held its true value. */
export interface Coverage {
  /** The task's name, or that of the mean of 13. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** What its scores are: right or wrong, shares of several references, or a mean over tasks. */
  readonly kind: "yes/no" | "shares" | "mean of 13 tasks";
  /** Samples of each task. */
  readonly samples: number;
  /** The true score, in percent. */
  readonly truth: number;
  /** Simulated runs. */
  readonly runs: number;
  /** The share of runs in which the 95% interval held the true score, in [0, 1]. */
  readonly covered: number;
}

const TASKS = Object.values(RULER_TASKS).flat();
const SHARED = ["niah_multivalue", "niah_multiquery", "vt", "cwe", "fwe"];

/**
 * Simulates runs of RULER's 13 tasks whose true scores are known, and counts how often the intervals hold them: of every
 * task and length, and of the mean of 13.
 *
 * @param options Whose scores are drawn, and how many.
 * @returns A row for each task and length, then for the mean at each length.
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
  const { lengths, samples, runs = 1000, seed = "coverage" } = options;
  const profile = openProfile(options.profile);
  const estimate = rememberEstimates();
  const perLength = lengths.map((length) => {
    const tasks = TASKS.map((task) => ({
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
    const row = { length, samples, runs };
    return {
      cells: tasks.map(({ truth, hits }, at): Coverage => ({
        ...row,
        task: TASKS[at]!,
        kind: SHARED.includes(TASKS[at]!) ? "shares" : "yes/no",
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

/** Estimates means of drawn scores; lists of the same scores in another order come often, and are worked out once. */
function rememberEstimates(): Estimate {
  const known = new Map<string, MeanEstimate>();
  return (score, { samples, draw }) => {
    const scores = Array.from({ length: samples }, () => score(draw)).sort((left, right) => left - right);
    const name = scores.join(" ");
    const found = known.get(name) ?? meanInterval(scores);
    known.set(name, found);
    return found;
  };
}
