import { expectedTaskScore, simulatedScore } from "./expected_score.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/mod.ts";
import { type Column, type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import { openProfile } from "@/lib/models/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { effectiveLength, mean, type SearchAim, type SearchSample, searchWith, sum } from "@/lib/statistics/mod.ts";

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

/** An adaptive search compared with the full design. */
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
 * Simulates an adaptive search for the effective length beside the full design, which asks every task at every length, on the same
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

/**
 * Shows adaptive searches beside the full design, a profile per row; the title has the averages.
 *
 * @throws {RangeError} If there are no rows.
 */
export function designsTable(rows: readonly DesignsCompared[], { n }: Pick<FigureOptions, "n">): Table {
  const average = (key: "same" | "asked"): string => (100 * mean(rows.map((row) => row[key]))).toFixed(0);
  const percent = (
    field: "same" | "asked" | "tokens" | "settled" | "wrong",
    label: string,
  ): Column<DesignsCompared> => (
    { field, label: `${label} (%)`, align: "right", write: (share) => (100 * Number(share)).toFixed(0) }
  );
  return table(rows, {
    title: rows.length === 0
      ? ""
      : `Same answer in ${average("same")}% of runs, with ${average("asked")}% of the samples`,
    n,
    origin: "simulated",
    caption:
      "An adaptive search beside the full design, on the same scores. Samples and tokens: the share of the full design that the " +
      "search asked. Settled: it called its answer certain to 95%; wrong: it did so although the true scores give another answer.",
    columns: [
      { field: "profile", label: "Profile" },
      { field: "truth", label: "True length", align: "right" },
      percent("same", "Same answer"),
      percent("asked", "Samples"),
      percent("tokens", "Tokens"),
      percent("settled", "Settled"),
      percent("wrong", "Settled and wrong"),
    ],
  });
}
