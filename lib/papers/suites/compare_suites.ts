import { defined, lengthText } from "@/lib/base/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { intervalText, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import {
  comparePairs,
  differenceInterval,
  type LengthEvidence,
  lengthMeans,
  mean,
  type PairedRow,
  pairRecords,
  statedInterval,
  summarise,
} from "@/lib/statistics/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";

/** A model's mean score on a suite at one length. */
export type SuiteScore = Pick<LengthEvidence, "suite" | "model" | "run" | "length" | "n" | "score" | "low" | "high">;

/** How well a suite tells models apart at one length. */
export interface SuiteSeparation extends Pick<SuiteScore, "suite" | "length"> {
  readonly models: number;
  /** The lowest score of a model, in percent. */
  readonly lowest: number;
  /** The highest score of a model, in percent. */
  readonly highest: number;
  readonly pairs: number;
  /** Pairs whose difference has a 95% interval without 0. */
  readonly apart: number;
  /** `apart` of `pairs`, in percent. */
  readonly share: number;
}

/**
 * Counts how many pairs of models each suite tells apart, at each length with at least two models.
 *
 * The scores are taken as independent, so samples that two models share make the count cautious. No correction is made for the
 * number of pairs: of equal models, one pair in twenty is apart by chance.
 *
 * @param scores In percent, with their 95% intervals.
 */
export function suiteSeparations(scores: readonly SuiteScore[]): readonly SuiteSeparation[] {
  const cells = [...Map.groupBy(scores, ({ suite, length }) => JSON.stringify([suite, length])).values()];
  return cells.filter((cell) => cell.length > 1).map((cell) => {
    const { suite, length } = cell[0]!;
    const values = cell.map(({ score }) => score);
    const differences = cell.flatMap((one, at) =>
      cell.slice(at + 1).map((other) =>
        statedInterval({ ...differenceInterval(one, other), n: Math.min(one.n ?? Infinity, other.n ?? Infinity) })
      )
    );
    const apart = differences.filter(isApart).length;
    const [lowest, highest] = [Math.min(...values), Math.max(...values)];
    const pairs = differences.length;
    return { suite, length, models: cell.length, lowest, highest, pairs, apart, share: 100 * apart / pairs };
  });
}

/** Whether the 95% interval of a difference excludes 0. */
function isApart({ low, high }: ReturnType<typeof statedInterval>): boolean {
  return low !== null && high !== null && (low > 0 || high < 0);
}

/** Keeps the models with the best mean scores of a suite, and all models of the other suites. */
export function bestOfSuite(scores: readonly SuiteScore[], suite: string, count: number): readonly SuiteScore[] {
  const models = Map.groupBy(scores.filter((row) => row.suite === suite), ({ model }) => model);
  const means = Array.from(models, ([model, rows]) => ({ model, score: mean(rows.map(({ score }) => score)) }));
  const best = means.toSorted((one, other) => other.score - one.score).slice(0, count).map(({ model }) => model);
  return scores.filter((row) => row.suite !== suite || best.includes(row.model));
}

/** Fewer pairs of models say little about a suite. */
const LEAST_PAIRS = 10;

/** Keeps the lengths of suites with at least ten pairs of models. */
export function withEnoughPairs(separations: readonly SuiteSeparation[]): readonly SuiteSeparation[] {
  return separations.filter(({ pairs }) => pairs >= LEAST_PAIRS);
}

/** Answers which suite separates models, from the longest length at which several suites have enough pairs of models. */
export function separationAnswer(separations: readonly SuiteSeparation[]): string {
  const byLength = [...Map.groupBy(withEnoughPairs(separations), ({ length }) => length)].filter(([, rows]) =>
    rows.length > 1
  );
  const [found] = byLength.toSorted(([one], [other]) => other - one);
  if (found === undefined) return "No two suites have published scores of enough models at one length.";
  const [length, rows] = found;
  const nameOf = ({ suite }: SuiteSeparation): string => suite.split(",")[0]!;
  const most = rows.filter(({ apart, pairs }) => 2 * apart > pairs).map(nameOf);
  const separating = most.length === 0 ? "no suite" : most.join(" and by ");
  const opening = `At ${
    lengthText(length)
  } tokens, the longest length of several suites, most pairs of models are separated by ${separating}.`;
  const counts = rows.map((row) => `${nameOf(row)} ${row.apart} of ${row.pairs}`);
  return `${opening} Pairs separated: ${counts.join(", ")}.`;
}

/** The replies of a model, to tasks of one suite or several. */
export interface SuiteRun {
  readonly manifest: { readonly model: string; readonly name?: string };
  readonly replies: readonly ScoredReply[];
}

/**
 * Averages the default tasks of each suite in runs, length by length and with equal weight, where each of the run's has a score;
 * its other tasks, if the run has no default task.
 *
 * @param runs One for each model; each can hold tasks of several suites.
 * @param benchmarks The suites.
 */
export function suiteScores(
  runs: readonly SuiteRun[],
  benchmarks: readonly Pick<Benchmark, "title" | "families" | "tasks">[],
): readonly SuiteScore[] {
  return suiteRuns(runs, benchmarks).flatMap(({ suite, model, run, replies }) => {
    const rows = summarise(replies);
    const groups = [{ name: suite, tasks: [...new Set(rows.map(({ task }) => task))] }];
    return lengthMeans(rows, { groups }).flatMap(({ length, score, low, high, n }) =>
      score === null ? [] : [{ suite, model, ...defined({ run }), length, score, low: low!, high: high!, n }]
    );
  });
}

/** The replies of each model to the default tasks of each suite, or to its other tasks if it was asked only those. */
function suiteRuns(
  runs: readonly SuiteRun[],
  benchmarks: readonly Pick<Benchmark, "title" | "families" | "tasks">[],
): readonly (Pick<SuiteScore, "suite" | "model" | "run"> & Pick<SuiteRun, "replies">)[] {
  return benchmarks.flatMap(({ title, families, tasks }) => {
    const suites = new Set(families.flatMap(({ suites }) => suites));
    return runs.flatMap(({ manifest: { model, name: run }, replies }) => {
      const ofAll = replies.filter(({ record }) => suites.has(record.suite));
      const ofDefault = ofAll.filter(({ task }) => tasks.includes(task));
      const ofSuite = ofDefault.length > 0 ? ofDefault : ofAll;
      return ofSuite.length === 0 ? [] : [{ suite: title, model, ...defined({ run }), replies: ofSuite }];
    });
  });
}

/** Two models compared on the samples of a suite that both were asked, at all lengths. */
export interface SuitePair extends PairedRow {
  readonly suite: string;
  /** The baseline and the other model. */
  readonly models: readonly [string, string];
}

/**
 * Compares each two models of runs on each suite by {@linkcode comparePairs}, on all shared samples of its default tasks. P-values are
 * corrected for all suites and pairs.
 */
export function suitePairs(
  runs: readonly SuiteRun[],
  benchmarks: readonly Pick<Benchmark, "title" | "families" | "tasks">[],
): readonly SuitePair[] {
  const found = Map.groupBy(suiteRuns(runs, benchmarks), ({ suite }) => suite).values().toArray().flatMap((ofSuite) =>
    ofSuite.flatMap((one, at) =>
      ofSuite.slice(at + 1).map((other) => ({ one, other, ...pairRecords(one.replies, other.replies) }))
    )
  ).filter(({ pairs }) => pairs.length > 0);
  const { rows } = comparePairs(found.map(({ pairs }) => pairs), { by: ["all"] });
  return found.map(({ one, other }, at) => ({ ...rows[at]![0]!, suite: one.suite, models: [one.model, other.model] }));
}

export function suitePairTable(rows: readonly SuitePair[], options: SuiteTableOptions): Table {
  if (rows.length === 0) {
    const caption = "A comparison takes two models that were asked the same samples.";
    return table([{ pairs: "none" }], { ...options, caption, columns: { pairs: "Pairs of models" } });
  }
  const cells = rows.map(({ models, higher, n, suite, difference, ...row }) => {
    const shown = higher === null ? "no difference shown" : models[higher === "baseline" ? 0 : 1];
    const text = `${difference.toFixed(1)}${intervalText(row)}`.replaceAll("-", "−");
    return { suite, models: models.join(" → "), n, difference: text, shown };
  });
  return table(cells, {
    caption: "The second model less the first on the same samples; 95% intervals, p-values corrected for all rows.",
    ...options,
    columns: {
      suite: "Suite",
      models: "Models",
      n: "Samples",
      difference: { label: "Difference (points)", align: "right" },
      shown: "Higher",
    },
  });
}

/** The title of a table of suites, and the samples that it rests on. */
export type SuiteTableOptions = Titled & { readonly n: string };

/** Makes a table of how many pairs of models each suite tells apart. */
export function suiteSeparationTable(rows: readonly SuiteSeparation[], options: SuiteTableOptions): Table {
  return table(rows, {
    caption: "Scores in percent. A pair is apart if the 95% interval of its difference excludes 0.",
    ...options,
    columns: {
      suite: "Suite",
      length: { label: "Length", align: "right", write: (length) => lengthText(Number(length)) },
      models: "Models",
      lowest: { label: "Lowest", digits: 1 },
      highest: { label: "Highest", digits: 1 },
      apart: "Pairs apart",
      pairs: "Pairs",
    },
  });
}
