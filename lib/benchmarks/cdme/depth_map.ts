import { type Figure, heatmap } from "@/lib/figures/mod.ts";
import type { Origin } from "@/lib/statistics/mod.ts";

/** Options for {@linkcode depthHeatmap}. */
export interface DepthHeatmapOptions {
  /** The model, as the title and the overall score name it. */
  readonly model: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /**
   * What the title says of the lengths; it changes nothing else.
   *
   * @default {"8K"}
   */
  readonly datasetLength?: string;
  /**
   * Width of the whole picture, in pixels. OpenCompass's is 15.5 × 8 inches: 1,116 × 576.
   *
   * @default {700}
   */
  readonly width?: number;
  /** Height of the cells together, in pixels; by their number if left out. */
  readonly height?: number;
}

/**
 * Draws a needle test as OpenCompass does: lengths across, depths down, from red (0) over amber to green (100), with the mean
 * over depths as a white line and the overall score under it.
 *
 * tools_needleinahaystack.py at e975a96f. A cell that was not asked, or whose calls all failed, is grey.
 *
 * @param cells The cells, from `depthCells` or `readOpencompassSummary`; at least one with a score.
 * @param options The model and what the title says.
 * @returns The figure.
 * @throws {RangeError} If no cell has a score.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const cell = { n: 10, failed: 0, noAnswer: 0 };
 * const cells = [{ ...cell, length: 1000, depth: 0, score: 100 }, { ...cell, length: 2000, depth: 100, score: 50 }];
 * const { caption } = depthHeatmap(cells, { model: "my-model", origin: "measured" });
 * match(caption, /^Overall Score for my-model: 75\.00/);
 * ```
 */
export function depthHeatmap(cells: readonly DepthCell[], options: DepthHeatmapOptions): Figure {
  const { model, origin, datasetLength = "8K", width, height } = options;
  const { overall } = depthAverage(cells);
  return heatmap(cells, {
    title: `${model} ${datasetLength} Context Performance: ` +
      'Fact Retrieval Across Context Lengths ("Needle In A Haystack")',
    caption:
      `Overall Score for ${model}: ${
        overall?.toFixed(2)
      }. The white line is the Average Depth Score, the mean over the ` +
      "depths of a length; the overall score is the mean of these means.",
    origin,
    n: countText(cells),
    x: "length",
    y: "depth",
    value: "score",
    xTitle: "Token Limit",
    yTitle: "Depth Percent",
    valueTitle: "Score",
    xLabel: String,
    yLabel: String,
    xLabelAngle: -45,
    colours: "needle",
    domain: [0, 100],
    columnMeans: true,
    tooltips: { "Samples": "n", "Failed calls": "failed", "Empty replies": "noAnswer" },
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  });
}

function countText(cells: readonly DepthCell[]): string {
  const counts = [...new Set(cells.map(({ n }) => n))];
  const known = counts.filter((n) => n !== null);
  if (known.length === 0) return "samples a cell are not told";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const add = (count: "failed" | "noAnswer"): number => cells.reduce((sum, cell) => sum + cell[count], 0);
  const lost = [[add("failed"), "failed calls"], [add("noAnswer"), "empty replies"]] as const;
  const also = lost.flatMap(([count, what]) => count === 0 ? [] : [`${count} ${what}`]);
  return [`n = ${least === most ? least : `${least} to ${most}`} a cell`, ...also].join(", ");
}

/** The averages that a needle heatmap shows beside its cells. */
interface DepthAverage {
  /** The mean over the depths of each length, in percent, lengths rising; those without a score are left out. */
  readonly columns: readonly { readonly length: number; readonly mean: number }[];
  /** The mean of these means, in percent: OpenCompass's overall score; `null` where there is none. */
  readonly overall: number | null;
}

/**
 * Averages the cells of a needle heatmap as OpenCompass does: over depths first, then over lengths, so that each length counts
 * the same however many of its depths have a score.
 *
 * tools_needleinahaystack.py at e975a96f ("Average Depth Score" and "Overall Score").
 *
 * @param cells The cells, in any order; those without a score are left out.
 * @returns The averages.
 *
 * @example Two cells of one length weigh as much as one of another
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { overall } = depthAverage([
 *   { length: 1000, score: 100 },
 *   { length: 1000, score: 50 },
 *   { length: 2000, score: 25 },
 * ]);
 * equal(overall, 50);
 * ```
 */
export function depthAverage(cells: readonly Pick<DepthCell, "length" | "score">[]): DepthAverage {
  const columns = [...Map.groupBy(cells, ({ length }) => length)].flatMap(([length, ofLength]) => {
    const mean = meanOf(ofLength.flatMap(({ score }) => score === null ? [] : [score]));
    return mean === null ? [] : [{ length, mean }];
  });
  const rising = columns.toSorted((left, right) => left.length - right.length);
  return { columns: rising, overall: meanOf(rising.map(({ mean }) => mean)) };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A scored reply with its place in a grid of lengths and depths; `scoreRecords` gives them. */
export interface DepthReply {
  /** The task's name. */
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  /** The score, in [0, 1]; `null` where there is none. */
  readonly value: number | null;
  /** Whether the call failed. */
  readonly failed: boolean;
  /** Whether the reply was empty; it scores 0. */
  readonly noAnswer: boolean;
  /** What was asked. */
  readonly record: {
    /** Where the needle was asked for, as a share of the context in [0, 1]; replies without it are left out. */
    readonly depth?: number;
  };
}

/** The mean score of one length and depth. */
export interface DepthCell {
  /** Context length in tokens. */
  readonly length: number;
  /** Where the needle was asked for, in percent of the context, in [0, 100]. */
  readonly depth: number;
  /** The mean score in percent, in [0, 100]; `null` where there is none. */
  readonly score: number | null;
  /** Scores behind it; `null` where that is not known. */
  readonly n: number | null;
  /** Calls that failed; they are in no score. */
  readonly failed: number;
  /** Replies that were empty; they score 0. */
  readonly noAnswer: number;
}

/**
 * Averages scored replies over each length and depth, for a heatmap.
 *
 * @param replies The replies of one task, in any order.
 * @returns A cell for each length and depth that was asked, lengths rising and depths in each.
 * @throws {RangeError} If the replies are of more than one task.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (value: number) =>
 *   ({ task: "cdme_zh", length: 1000, value, failed: false, noAnswer: false, record: { depth: 0.21 } });
 * deepEqual(depthCells([of(1), of(0.5)]), [{ length: 1000, depth: 21, score: 75, n: 2, failed: 0, noAnswer: 0 }]);
 * ```
 */
export function depthCells(replies: readonly DepthReply[]): readonly DepthCell[] {
  const tasks = new Set(replies.map(({ task }) => task));
  if (tasks.size > 1) {
    throw new RangeError(
      `Cannot average over depths as the replies must be of one task: current value is ${[...tasks].join(", ")}`,
    );
  }
  const cells = new Map<string, { length: number; depth: number; of: DepthReply[] }>();
  for (const reply of replies) {
    if (reply.record.depth === undefined) continue;
    // To three decimals, as sigmoid depths have them: 0.21 × 100 is not 21 in binary.
    const [length, depth] = [reply.length, Math.round(reply.record.depth * 1e5) / 1e3];
    const key = `${length}/${depth}`;
    const cell = cells.get(key) ?? { length, depth, of: [] };
    cells.set(key, cell);
    cell.of.push(reply);
  }
  return [...cells.values()].map(({ length, depth, of }) => ({ length, depth, ...average(of) }))
    .toSorted((left, right) => left.length - right.length || left.depth - right.depth);
}

function average(replies: readonly DepthReply[]): Omit<DepthCell, "length" | "depth"> {
  const values = replies.flatMap(({ failed, noAnswer, value }) =>
    failed || value === null ? [] : [noAnswer ? 0 : value]
  );
  const sum = values.toSorted((left, right) => left - right).reduce((total, value) => total + value, 0);
  return {
    score: values.length === 0 ? null : 100 * sum / values.length,
    n: values.length,
    failed: replies.filter(({ failed }) => failed).length,
    noAnswer: replies.filter(({ failed, noAnswer }) => noAnswer && !failed).length,
  };
}
