import { meanInterval, meanOfMeans } from "@/lib/statistics/mean_interval.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { openProfile, PUBLISHED_PROFILES } from "@/lib/simulated/profiles.ts";
import { expectedTaskScore, simulatedScore } from "../simulated/_expected_score.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { independent } from "@/lib/statistics/units.ts";
import {
  effectiveLength,
  mean,
  RULER_THRESHOLD,
  type SearchAim,
  type SearchSample,
  searchWith,
  sum,
} from "@/lib/statistics/mod.ts";
import type { MeanEstimate } from "@/lib/statistics/mean_interval.ts";
import { deepEqual, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";

/** The share of simulated runs whose interval holds the true value of one score. */
interface Coverage {
  /** Right or wrong, shares of several references, or a mean over tasks. */
  readonly kind: "yes/no" | "shares" | "mean of 13 tasks";
  /** In percent. */
  readonly truth: number;
  readonly covered: number;
}

const SHARED = ["niah_multivalue", "niah_multiquery", "vt", "cwe", "fwe"];

/** Simulates runs of RULER's 13 tasks whose true scores are known; a row for each task and length, and for the mean at a length. */
function simulateCoverage(
  profileName: string,
  { lengths, samples, runs }: { readonly lengths: readonly number[]; readonly samples: number; readonly runs: number },
): readonly Coverage[] {
  const profile = openProfile(profileName);
  // The same scores often recur in another order.
  const known = new Map<string, MeanEstimate>();
  const estimate = (score: (draw: Draw) => number, draw: Draw): MeanEstimate => {
    const scores = Array.from({ length: samples }, () => score(draw)).sort((left, right) => left - right);
    const found = known.get(scores.join(" ")) ?? meanInterval(independent(scores));
    known.set(scores.join(" "), found);
    return found;
  };
  const holds = ({ low, high }: MeanEstimate, truth: number): number => Number(low <= truth && truth <= high);
  return lengths.flatMap((length): Coverage[] => {
    const scores = RULER_TASK_NAMES.map((task) => simulatedScore(profile, { task, length }));
    const truths = RULER_TASK_NAMES.map((task) => expectedTaskScore(profile, { task, length }) / 100);
    const held = Array.from({ length: runs }, (_, run) => {
      const draw = stream("coverage", profile.name, length, samples, run);
      const estimates = scores.map((score) => estimate(score, draw));
      const ofTasks = estimates.map((found, at) => holds(found, truths[at]!));
      return [...ofTasks, holds(meanOfMeans(estimates), mean(truths))];
    });
    return [...truths, mean(truths)].map((truth, at) => {
      const task = RULER_TASK_NAMES[at];
      const kind = task === undefined ? "mean of 13 tasks" : SHARED.includes(task) ? "shares" : "yes/no";
      return { kind, truth: 100 * truth, covered: mean(held.map((run) => run[at]!)) };
    });
  });
}

/** The share of runs covered, over all rows of a kind whose truth is in a range. */
function covered(
  rows: readonly Coverage[],
  kind: Coverage["kind"],
  range: readonly [number, number] = [0, 100],
): number {
  const chosen = rows.filter((row) => row.kind === kind && row.truth >= range[0] && row.truth <= range[1]);
  ok(chosen.length > 0);
  return chosen.reduce((sum, row) => sum + row.covered, 0) / chosen.length;
}

const LENGTHS = [4096, 32_768, 131_072];

Deno.test.each(
  [
    ["yi-34b", 25, cases(300, 1000)],
    ["mixtral", 25, cases(300, 1000)],
    ["yi-34b", 100, cases(100, 300)],
  ] as const,
)(
  "intervals hold the truth in 93 to 98%% of runs simulated with profile %s at %d samples, %d of them",
  (profile, samples, runs) => {
    const rows = simulateCoverage(profile, { lengths: LENGTHS, samples, runs });
    for (const kind of ["yes/no", "shares", "mean of 13 tasks"] as const) {
      const share = covered(rows, kind, kind === "mean of 13 tasks" ? [0, 100] : [5, 95]);
      ok(share >= 0.93 && share <= 0.98, `${kind}: ${share}`);
    }
    // Scores near 100 come out as 100 in most runs, and an interval that keeps its width there holds the truth in all of these.
    for (const kind of ["yes/no", "shares"] as const) ok(covered(rows, kind, [95, 100]) >= 0.93, kind);
  },
);

/** Options for compareDesigns(). */
interface CompareDesignsOptions extends SearchAim {
  /** In percent, in (0, 100). */
  readonly threshold: number;
  /** Context lengths, in tokens, from 4,096. */
  readonly lengths: readonly number[];
  /** Samples of each task and length in the full design. */
  readonly samples: number;
  /** Simulated runs of each design. */
  readonly runs: number;
  /** Any text; the same seed draws the same runs. */
  readonly seed?: string;
}

/**
 * An adaptive search compared with the full design. Shares in [0, 1]: of the runs in which both give the `same` answer, in which the
 * search calls its answer `settled`, and in which it does so although it is `wrong`; of the samples and prompt `tokens` that it asks.
 */
interface DesignsCompared extends Readonly<Record<typeof DESIGN_SHARES[number], number>> {
  readonly profile: string;
  /** The effective length by the profile's true scores. */
  readonly truth: string;
}

const DESIGN_SHARES = ["same", "asked", "tokens", "settled", "wrong"] as const;

/**
 * Simulates an adaptive search for the effective length and the full design, which asks every task at every length, on the same
 * scores of a profile of the simulated reader.
 *
 * @throws {RangeError} If there is no such profile, or an option is outside its range.
 */
function compareDesigns(profile: string, options: CompareDesignsOptions): DesignsCompared {
  const { threshold, lengths, samples, runs, seed = "designs", ...aim } = options;
  const rule = aim.rule === undefined ? {} : { rule: aim.rule };
  const reader = openProfile(profile);
  const cells = lengths.flatMap((length) => RULER_TASK_NAMES.map((task) => ({ task, length })));
  const sources = cells.map((cell) => ({ ...cell, score: simulatedScore(reader, cell) }));
  const answerOf = (scoreOf: (cell: typeof cells[number]) => number): string => {
    const means = lengths.map((length) => (
      { length, score: mean(cells.filter((cell) => cell.length === length).map(scoreOf)) }
    ));
    return effectiveLength(means, threshold, rule).text;
  };
  const truth = answerOf((cell) => expectedTaskScore(reader, cell));
  const outcomes = Array.from({ length: runs }, (_, run) => {
    const draw = stream(seed, reader.name, samples, run);
    const key = ({ task, length }: Pick<SearchSample, "task" | "length">): string => `${task} ${length}`;
    const drawn = new Map(
      sources.map((source) => [key(source), Array.from({ length: samples }, () => source.score(draw))]),
    );
    const score = (sample: SearchSample): number => drawn.get(key(sample))![sample.index]!;
    const found = searchWith(score, { ...aim, threshold, tasks: RULER_TASK_NAMES, lengths, samples });
    return {
      same: Number(found.answer!.text === answerOf((cell) => 100 * mean(drawn.get(key(cell))!))),
      asked: found.scores.length / (samples * cells.length),
      tokens: sum(found.scores.map(({ length }) => length)) / (samples * sum(cells.map(({ length }) => length))),
      settled: Number(found.isSettled),
      wrong: Number(found.isSettled && found.answer!.text !== truth),
    };
  });
  const [same, asked, tokens, settled, wrong] = DESIGN_SHARES.map((key) => mean(outcomes.map((run) => run[key])));
  return { profile: reader.name, truth, same: same!, asked: asked!, tokens: tokens!, settled: settled!, wrong: wrong! };
}

const SEARCHED = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

function compareAll(options: Pick<CompareDesignsOptions, "samples" | "runs" | "rule">): readonly DesignsCompared[] {
  return PUBLISHED_PROFILES.map(({ name }) =>
    compareDesigns(name, { threshold: RULER_THRESHOLD, lengths: SEARCHED, ...options })
  );
}

function averageOf(rows: readonly DesignsCompared[], key: "same" | "asked" | "tokens" | "settled" | "wrong"): number {
  return rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
}

Deno.test("an adaptive search gives the answer of 100 samples a task in most simulated runs of each profile, with at most 40% of the samples", () => {
  const rows = compareAll({ samples: 100, runs: cases(4, 20) });
  for (const { profile, same, asked } of rows) {
    ok(same >= cases(0.75, 0.95) && asked <= 0.4, `${profile}: same ${same}, asked ${asked}`);
  }
  ok(averageOf(rows, "asked") <= 0.25 && averageOf(rows, "tokens") <= 0.25 && averageOf(rows, "wrong") <= 0.05);
});

Deno.test("an adaptive search gives the answer of the paper's 500 samples a task with at most 20% of them, and settles most", () => {
  const rows = compareAll({ samples: 500, runs: cases(1, 3) });
  ok(averageOf(rows, "same") >= 0.95 && averageOf(rows, "wrong") <= 0.05);
  ok(averageOf(rows, "asked") <= 0.2 && averageOf(rows, "settled") >= 0.6);
});

Deno.test("compareDesigns() knows the truth, and gives the same again", () => {
  const options = { threshold: RULER_THRESHOLD, lengths: SEARCHED, samples: 30, runs: 4, seed: "s" };
  const first = compareDesigns("sim:longalpaca", options);
  deepEqual([first.profile, first.truth, first.same, first.settled, first.wrong], ["longalpaca", "<4K", 1, 1, 0]);
  deepEqual(compareDesigns("longalpaca", options), first);
});
