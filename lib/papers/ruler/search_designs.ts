import { expectedTaskScore, simulatedScore } from "./expected_score.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/mod.ts";
import { type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import { openProfile } from "@/lib/models/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { effectiveLength, type SearchAim, type SearchSample, searchWith } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode compareDesigns}. */
export interface CompareDesignsOptions extends SearchAim {
  /** In percent, in (0, 100). */
  readonly threshold: number;
  /** Context lengths, in tokens, from 4,096. */
  readonly lengths: readonly number[];
  /** Samples of each task and length of the design that asks everything. */
  readonly samples: number;
  /** Simulated runs of each design. */
  readonly runs: number;
  /** Any text; the same seed draws the same runs. */
  readonly seed?: string;
}

/** How an adaptive search compares with a design that asks everything. */
export interface DesignsCompared {
  readonly profile: string;
  /** The effective length by the profile's true scores. */
  readonly truth: string;
  /** The share of runs in which both give the same answer, in [0, 1]. */
  readonly same: number;
  /** The share of the samples that the search asks, in [0, 1]. */
  readonly asked: number;
  /** The share of the prompt tokens that it asks, in [0, 1]. */
  readonly tokens: number;
  /** The share of runs in which it calls its answer settled, in [0, 1]. */
  readonly settled: number;
  /** The share of runs in which it calls a wrong answer settled, in [0, 1]. */
  readonly wrong: number;
}

/**
 * Simulates an adaptive search for the effective length beside a design that asks every task at every length, on the same
 * scores of a profile of the simulated reader.
 *
 * @throws {RangeError} If there is no such profile, or an option is outside its range.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 *
 * const lengths = [4096, 16_384, 65_536];
 * const { same, asked } = compareDesigns("gpt-4", { threshold: 85.6, lengths, samples: 100, runs: 5 });
 * ok(same >= 0.8 && asked < 0.5);
 * ```
 */
export function compareDesigns(profile: string, options: CompareDesignsOptions): DesignsCompared {
  const { threshold, lengths, samples, runs, seed = "designs", ...aim } = options;
  const rule = aim.rule === undefined ? {} : { rule: aim.rule };
  const reader = openProfile(profile);
  const sources = new Map(
    lengths.map((length) => [length, RULER_TASK_NAMES.map((task) => simulatedScore(reader, { task, length }))]),
  );
  const expected = lengths.map((length) => (
    { length, score: mean(RULER_TASK_NAMES.map((task) => expectedTaskScore(reader, { task, length }))) }
  ));
  const truth = effectiveLength(expected, threshold, rule).text;
  const budget = RULER_TASK_NAMES.length * samples;
  const outcomes = Array.from({ length: runs }, (_, run) => {
    const draw = stream(seed, reader.name, samples, run);
    const drawn = new Map([...sources].map(([length, tasks]) => [
      length,
      new Map<string, number[]>(
        tasks.map((score, at) => [RULER_TASK_NAMES[at]!, Array.from({ length: samples }, () => score(draw))]),
      ),
    ]));
    const means = lengths.map((length) => ({ length, score: 100 * mean([...drawn.get(length)!.values()].map(mean)) }));
    const score = ({ task, length, index }: SearchSample): number => drawn.get(length)!.get(task)![index]!;
    const found = searchWith(score, { ...aim, threshold, tasks: RULER_TASK_NAMES, lengths, samples });
    return {
      same: Number(found.answer!.text === effectiveLength(means, threshold, rule).text),
      asked: found.scores.length / (budget * lengths.length),
      tokens: sum(found.scores.map(({ length }) => length)) / (budget * sum(lengths)),
      settled: Number(found.isSettled),
      wrong: Number(found.isSettled && found.answer!.text !== truth),
    };
  });
  const average = (key: keyof typeof outcomes[number]): number => mean(outcomes.map((outcome) => outcome[key]));
  return {
    profile: reader.name,
    truth,
    same: average("same"),
    asked: average("asked"),
    tokens: average("tokens"),
    settled: average("settled"),
    wrong: average("wrong"),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

/**
 * Shows adaptive searches beside the design that asks everything, a profile per row; the title sums them up.
 *
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const row = { profile: "gpt-4", truth: "64K", same: 1, asked: 0.24, tokens: 0.48, settled: 0.25, wrong: 0 };
 * match(designsTable([row], { n: 20 }).text, /gpt-4 +64K +100 +24 +48 +25 +0/);
 * ```
 */
export function designsTable(rows: readonly DesignsCompared[], { n }: Pick<FigureOptions, "n">): Table {
  const percents = rows.map(({ profile, truth, ...shares }) => ({
    profile,
    truth,
    same: 100 * shares.same,
    asked: 100 * shares.asked,
    tokens: 100 * shares.tokens,
    settled: 100 * shares.settled,
    wrong: 100 * shares.wrong,
  }));
  const average = (key: "same" | "asked"): string => mean(percents.map((row) => row[key])).toFixed(0);
  return table(percents, {
    title: `Same answer in ${average("same")}% of runs, with ${average("asked")}% of the samples`,
    n,
    origin: "simulated",
    caption:
      "An adaptive search beside the design that asks everything, on the same scores. Samples and tokens: what the search " +
      "asked, of all. Settled: it called its answer certain to 95%; wrong: it did so and was, by the true scores.",
    columns: [
      { field: "profile", label: "Profile" },
      { field: "truth", label: "True length", align: "right" },
      { field: "same", label: "Same answer (%)", digits: 0 },
      { field: "asked", label: "Samples (%)", digits: 0 },
      { field: "tokens", label: "Tokens (%)", digits: 0 },
      { field: "settled", label: "Settled (%)", digits: 0 },
      { field: "wrong", label: "Settled and wrong (%)", digits: 0 },
    ],
  });
}
