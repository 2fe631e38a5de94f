import { mean, sum } from "@/lib/base/mod.ts";

/** The parts of a scored reply that statistics use. */
export interface ScoredRecord {
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** The question, text or context that the sample shares with others, at any task and length; without it the sample is independent. */
  readonly cluster?: string | undefined;
  /** The score in [0, 1]; `null` if there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed; a failed call is not a wrong answer. */
  readonly failed: boolean;
  /** Whether it failed because the prompt was too long for the model. */
  readonly refused?: boolean;
  readonly noAnswer: boolean;
  /** The lowest possible score; 0 by default. */
  readonly least?: number | undefined;
  /** The sample and the repeat; a reply without them is the only one of its sample. */
  readonly record?: Partial<RunReply["record"]>;
  /** The score, with one for each target in the order of the text, if the benchmark's scorer has them. */
  readonly score?: { readonly value: number | null; readonly cells?: readonly number[] } | null;
}

/** A scored reply that identifies its sample: replies of the same task, length, index and seed are of one sample. */
export interface RunReply extends ScoredRecord {
  /** Includes the depth of the sample's target, if it has one. */
  readonly record: {
    readonly index: number;
    readonly seed: string;
    readonly depth?: number;
    /** From 0; 0 if left out. */
    readonly repeat?: number;
    readonly references?: readonly string[];
  };
}

/**
 * Returns the score of a reply in [0, 1], or `null` if the call failed or there was nothing to score. An empty reply has the score
 * of its benchmark, such as the lowest grade (1 of 5) in prompt dependence, or 0 if the scorer has none.
 */
export function scoreOf({ value, failed, noAnswer }: ScoredRecord): number | null {
  return failed ? null : value ?? (noAnswer ? 0 : null);
}

/**
 * Averages the repeats of each sample, so that a sample counts once. Repeats are not independent, and intervals over them would be
 * too narrow.
 *
 * @returns The first record of each sample, with the mean scores of all. A sample has failed only if every call has.
 */
export function meanOfRepeats<Scored extends ScoredRecord>(records: readonly Scored[]): readonly Scored[] {
  if (!records.some(({ record }) => (record?.repeat ?? 0) > 0)) return records;
  return samplesOf(records).map((ofSample) => {
    const [first] = ofSample;
    if (ofSample.length === 1) return first!;
    const scores = ofSample.map(scoreOf).filter((score) => score !== null);
    const replies = ofSample.filter(({ failed }) => !failed);
    return {
      ...first!,
      value: scores.length === 0 ? null : mean(scores),
      failed: replies.length === 0,
      noAnswer: replies.length > 0 && replies.every(({ noAnswer }) => noAnswer),
      ...meanCells(replies),
    };
  });
}

/** Averages the scores of single targets over repeats; empty if the scorer has none. */
function meanCells(replies: readonly ScoredRecord[]): Pick<ScoredRecord, "score"> {
  const [score] = replies.flatMap((reply) => reply.score?.cells === undefined ? [] : [reply.score]);
  if (score === undefined) return {};
  const cells = score.cells!.map((_, at) => mean(replies.map((reply) => reply.score?.cells?.[at] ?? 0)));
  return { score: { ...score, cells } };
}

export function samplesOf<Scored extends ScoredRecord>(records: readonly Scored[]): readonly (readonly Scored[])[] {
  const nameOf = ({ task, length, record }: Scored): string =>
    JSON.stringify([task, length, record?.seed, record?.index]);
  return [...Map.groupBy(records, nameOf).values()];
}

/** The scores of a sample, such as those of two models. */
export interface ClusteredSample {
  /** The cell that it is averaged in, such as a task at a length. */
  readonly cell: string;
  /** The weight of its cell in a mean of cells; 1 by default. */
  readonly weight?: number;
  /** The question, text or context that the sample shares with others; a sample without it is independent. */
  readonly cluster?: string | undefined;
  /** The lowest possible value; 0 by default. */
  readonly least?: number | undefined;
  readonly values: readonly number[];
}

/** Cells that share clusters, as independent units: their mean is the weighted mean of the units. */
export interface Stratum {
  /** The weight of its cells in a mean over strata: their number, unless cells have weights. */
  readonly cells: number;
  /** One for each cluster: its share of the stratum's mean, and the weighted means of its samples' values. */
  readonly units: readonly { readonly weight: number; readonly values: readonly number[] }[];
}

/**
 * Averages the samples of each cluster, so that the results are independent.
 *
 * Cells that have a cluster in common become one stratum, as the same questions asked at several lengths do. A unit's weight is
 * the part that its samples have in the mean of the cell means, so that this mean stays what it was, whatever is missing. Samples
 * without a cluster are units of their own; then each cell is a stratum with equal weights.
 */
export function foldClusters(samples: readonly ClusteredSample[]): readonly Stratum[] {
  const weights = new Map(samples.map(({ cell, weight = 1 }) => [cell, weight]));
  const strata = joinCells(samples);
  const stratumOf = new Map(strata.flatMap((joined) => [...joined].map((cell) => [cell, joined])));
  const ofStrata = Map.groupBy(samples, ({ cell }) => stratumOf.get(cell)!);
  return strata.map((joined) => ({
    cells: sum(joined, (cell) => weights.get(cell)!),
    units: foldUnits(ofStrata.get(joined)!),
  }));
}

/** Returns the values of some samples, with one mean for those that share a cluster. */
export function clusterMeans(
  samples: readonly { readonly value: number; readonly cluster: string | undefined }[],
): readonly number[] {
  return groupUnits(samples).map((unit) => tidy(mean(unit, ({ value }) => value)));
}

/** Returns the lowest possible mean of the cells of some samples. */
export function leastMean(samples: readonly ClusteredSample[]): number {
  const cells = [...new Map(samples.map((sample) => [sample.cell, sample])).values()];
  const whole = sum(cells, ({ weight = 1 }) => weight);
  return sum(cells, ({ weight = 1, least = 0 }) => weight * least / whole);
}

/** Averages the samples of each cluster in cells that share clusters. */
function foldUnits(samples: readonly ClusteredSample[]): Stratum["units"] {
  const cells = [...Map.groupBy(samples, ({ cell }) => cell).values()];
  const whole = sum(cells, ([{ weight = 1 } = {}]) => weight);
  const weighed = cells.flatMap((ofCell) =>
    ofCell.map((sample) => ({ ...sample, weight: (sample.weight ?? 1) / (ofCell.length * whole) }))
  );
  return groupUnits(weighed).map(
    (unit) => {
      const [{ weight, values }] = unit as [typeof weighed[number]];
      if (unit.length === 1) return { weight, values };
      const whole = sum(unit, (sample) => sample.weight);
      const meanOf = (at: number): number => sum(unit, (sample) => sample.weight * sample.values[at]!) / whole;
      return { weight: whole, values: values.map((_, at) => tidy(meanOf(at))) };
    },
  );
}

/** Groups samples by cluster; one without a cluster is a group of its own. */
function groupUnits<Sample extends Pick<ClusteredSample, "cluster">>(
  samples: readonly Sample[],
): readonly (readonly Sample[])[] {
  return [...Map.groupBy(samples, ({ cluster = Symbol("its own") }): string | symbol => cluster).values()];
}

/** Groups the cells that share clusters, groups and cells in order of first appearance. */
export function joinCells(
  samples: readonly Pick<ClusteredSample, "cell" | "cluster">[],
): readonly ReadonlySet<string>[] {
  const groupOf = new Map<string, Set<string>>();
  const cellOf = new Map<string, string>();
  for (const { cell, cluster } of samples) {
    const own = groupOf.get(cell) ?? new Set([cell]);
    groupOf.set(cell, own);
    if (cluster === undefined) continue;
    const group = groupOf.get(cellOf.get(cluster) ?? cell)!;
    cellOf.set(cluster, cell);
    if (group === own) continue;
    for (const each of own) groupOf.set(each, group.add(each));
  }
  return [...new Set(groupOf.values())];
}

/** Removes the rounding error of a mean of equal scores, so that right answers stay 1. */
export function tidy(mean: number): number {
  return Math.round(mean * 1e12) / 1e12;
}

/** Values in [0, 1] with their weights in a mean, which add up to 1. */
export interface WeightedValues {
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/** Returns the units of a stratum as values with weights: the first of their scores. */
export function unitsOf({ units }: Stratum): WeightedValues {
  return { values: units.map(({ values }) => values[0]!), weights: units.map(({ weight }) => weight) };
}

/** Gives values equal weights. They must be independent: scores that share a question or a text need {@linkcode foldClusters}. */
export function independent(values: readonly number[]): WeightedValues {
  return { values, weights: values.map(() => 1 / values.length) };
}
