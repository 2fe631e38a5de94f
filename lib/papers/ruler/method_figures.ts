import { expectedTaskScore, simulatedScore } from "./expected_score.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Column, type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import { openProfile } from "@/lib/simulated/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import {
  effectiveLength,
  type Interval,
  mean,
  normalReach,
  type SearchAim,
  type SearchSample,
  searchWith,
  sum,
} from "@/lib/statistics/mod.ts";

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

/** Options for {@linkcode compareDesigns}. */
export interface CompareDesignsOptions extends SearchAim {
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
export interface DesignsCompared extends Readonly<Record<typeof DESIGN_SHARES[number], number>> {
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
export function compareDesigns(profile: string, options: CompareDesignsOptions): DesignsCompared {
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

/** Compares adaptive searches with the full design, a profile per row; the title has the averages. */
export function designsTable(rows: readonly DesignsCompared[], { n }: Pick<FigureOptions, "n">): Table {
  const percent = (share: unknown): string => (100 * Number(share)).toFixed(0);
  const average = (of: (row: DesignsCompared) => number): string => percent(mean(rows.map(of)));
  const labels = ["Same answer", "Samples", "Tokens", "Settled", "Settled and wrong"];
  return table(rows, {
    title: rows.length === 0
      ? ""
      : `Settled and right in ${average(({ settled, wrong }) => settled - wrong)}% of runs, settled and wrong in ${
        average(({ wrong }) => wrong)
      }%, the full design's answer in ${average(({ same }) => same)}%, with ${
        average(({ asked }) => asked)
      }% of its samples`,
    n,
    origin: "simulated",
    caption:
      "An adaptive search beside the full design, on the same scores. Samples and tokens: the share of the full design that the " +
      "search asked. Settled: it called its answer certain to 95%; wrong: it did so although the true scores give another answer.",
    columns: [
      { field: "profile", label: "Profile" },
      { field: "truth", label: "True length", align: "right" },
      ...DESIGN_SHARES.map((field, at): Column<DesignsCompared> => (
        { field, label: `${labels[at]} (%)`, align: "right", write: percent }
      )),
    ],
  });
}
