import { lengthLabel } from "./axis.ts";
import type { Figure } from "./figure.ts";
import { heatmap } from "./heatmap.ts";
import { panels } from "./panels.ts";
import { type Table, table } from "./table.ts";
import type { DepthRow, Origin, ThirdsCompared, ThirdsRow } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** Options for {@linkcode depthPanels}. */
export interface DepthPanelsOptions {
  /** The finding. */
  readonly title: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /**
   * Width of the whole picture, in pixels. Range: 200 to 2,000.
   *
   * @default {700}
   */
  readonly width?: number;
}

/**
 * Draws scores by length and depth of the target as heatmaps, one for each task: lengths across, depths down, from red (0) over
 * amber to green (100). The cells hold their scores; hovering tells how many samples and the interval.
 *
 * @param rows Rows from `depthRows`; at least one with a score. A task without any is left out.
 * @param options The title and the origin.
 * @returns The figure.
 * @throws {RangeError} If no row has a score.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { depthRows } from "@/lib/statistics/mod.ts";
 *
 * const of = (depth: number) => ({ task: "niah", length: 4096, depth, value: depth, failed: false, noAnswer: false });
 * const figure = depthPanels(depthRows([0, 0.5, 1].map(of)), { title: "The end is read", origin: "measured" });
 * match(await figure.svg(), /40 to 60%/);
 * ```
 */
export function depthPanels(rows: readonly DepthRow[], options: DepthPanelsOptions): Figure {
  const { title, origin, width = 700 } = options;
  const tasks = [...Map.groupBy(rows, ({ task }) => task)].filter(([, ofTask]) =>
    ofTask.some(({ score }) => score !== null)
  );
  // All panels have the same columns and rows, so that they can be compared by eye.
  const axes = {
    lengths: rows.map(({ length }) => length).toSorted((left, right) => left - right),
    stretches: rows.toSorted((left, right) => left.from - right.from).map(({ stretch }) => stretch),
  };
  const maps = tasks.map(([task, ofTask]) => drawTask(ofTask, { task, origin, ...axes }));
  return panels(maps, {
    title,
    width,
    columns: maps.length === 1 ? 1 : 2,
    caption:
      "A column is a context length, a row the stretch of the context in which the target stands; a cell holds the mean " +
      "score in percent. Hovering tells its n and interval.",
  });
}

interface TaskPanel extends Pick<DepthPanelsOptions, "origin"> {
  readonly task: string;
  readonly lengths: readonly number[];
  readonly stretches: readonly string[];
}

function drawTask(rows: readonly DepthRow[], { task, origin, lengths, stretches }: TaskPanel): Figure {
  const cells = rows.map((row) => ({
    ...row,
    score: row.score === null ? null : Math.round(row.score),
    interval: row.low === null || row.high === null ? "none" : `${row.low.toFixed(0)} to ${row.high.toFixed(0)}`,
  }));
  return heatmap(cells, {
    title: task,
    caption: "Scores by context length and depth.",
    origin,
    n: `${countRange(rows.map(({ n }) => n))} a cell`,
    interval: "95% interval on hovering",
    x: "length",
    y: "stretch",
    value: "score",
    xTitle: "Context length (tokens)",
    yTitle: "Depth of the target",
    valueTitle: "Score (%)",
    xLabel: (length) => lengthLabel(Number(length)),
    xOrder: [...new Set(lengths)],
    yOrder: [...new Set(stretches)],
    colours: "needle",
    domain: [0, 100],
    showValues: true,
    tooltips: { Samples: "n", "95% interval": "interval", "Failed calls": "failed", "Empty replies": "noAnswer" },
  });
}

/** Says how many samples there are behind each of several numbers, such as `n = 7 to 9`. */
function countRange(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return `n = ${least === most ? least : `${least} to ${most}`}`;
}

/** Options for the tables of depths. */
export interface DepthTableOptions {
  /** The finding; for thirds it is told from the comparison unless given. */
  readonly title?: string;
  /** Where the scores come from. */
  readonly origin: Origin;
}

/**
 * Sets scores by task, length and depth as a table: a stretch of the context a column, with n and interval in each cell.
 *
 * @param rows Rows from `depthRows`; at least one.
 * @param options The title and the origin.
 * @returns The table; a stretch without a score is a dash.
 * @throws {RangeError} If there are no rows.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { depthRows } from "@/lib/statistics/mod.ts";
 *
 * const of = (depth: number) => ({ task: "niah", length: 4096, depth, value: 1, failed: false, noAnswer: false });
 * const { text } = depthTable(depthRows([0, 0.1, 0.9].map(of), { stretches: 2 }), { origin: "measured" });
 * match(text, /niah +4K +100 \[22, 100\] \(2\) +100 \[5, 100\] \(1\)/);
 * ```
 */
export function depthTable(rows: readonly DepthRow[], options: DepthTableOptions): Table {
  const { origin, title = "Scores by the depth of the target" } = options;
  const stretches = [...new Map(rows.map(({ from, stretch }) => [from, stretch]))].sort(([one], [other]) =>
    one - other
  );
  const cells = [...Map.groupBy(rows, ({ task, length }) => JSON.stringify([task, length])).values()].map((ofCell) => ({
    task: ofCell[0]!.task,
    length: lengthText(ofCell[0]!.length),
    ...Object.fromEntries(ofCell.map((row) => [row.stretch, cellText(row)])),
  }));
  return table(cells as readonly Readonly<Record<string, string>>[], {
    title,
    origin,
    caption:
      "Mean scores in percent of the samples whose target stands in that stretch of the context; how many those are in parentheses.",
    n: "samples as in each cell",
    interval: "95% interval in brackets",
    columns: [
      { field: "task", label: "Task" },
      { field: "length", label: "Length", align: "right" },
      ...stretches.map(([, stretch]) => ({ field: stretch, label: stretch, align: "right" as const })),
    ],
  });
}

function cellText({ score, low, high, n }: DepthRow): string {
  if (score === null || low === null || high === null) return "—";
  return `${score.toFixed(0)} [${low.toFixed(0)}, ${high.toFixed(0)}] (${n})`;
}

/**
 * Sets the comparison of the thirds of a context as a table.
 *
 * @param compared The comparison, from `compareThirds`.
 * @param options The title, which is the finding unless given, and the origin.
 * @returns The table.
 *
 * @example
 * ```ts
 * import { equal, match } from "node:assert/strict";
 * import { compareThirds } from "@/lib/statistics/mod.ts";
 *
 * const of = (at: number) => ({ task: "niah", length: 4096, depth: at / 30, value: at < 20 ? 1 : 0, failed: false, noAnswer: false });
 * const { title, text } = thirdsTable(compareThirds(Array.from({ length: 30 }, (_, at) => of(at))), { origin: "measured" });
 * equal(title, "What stands in the last third of the context is lost more often than in the first and in the middle");
 * match(text, /middle less last +100\.0 +0\.0 +100\.0/);
 * ```
 */
export function thirdsTable(compared: ThirdsCompared, options: DepthTableOptions): Table {
  const { origin, title = compared.finding } = options;
  const rows = compared.rows.map((row) => ({
    ...row,
    pair: `${row.left} less ${row.right}`,
    corrected: row.adjusted === null ? null : row.adjusted < 0.001 ? "<0.001" : row.adjusted.toFixed(3),
    verdict: verdictText(row),
  }));
  const cells = Math.max(...rows.map((row) => row.cells));
  return table(rows, {
    title,
    origin,
    caption:
      "Thirds of the context by where the target stands, compared as groups of samples within each task and length, which " +
      "weigh the same. Studentised permutation test, p-values corrected for three comparisons (Holm); intervals are those of " +
      "single rows. A third is lost where it is below both others.",
    n: `${cells} ${cells === 1 ? "cell" : "cells"} of a task and a length, samples as in each row`,
    interval: "95% interval in brackets",
    columns: [
      { field: "pair", label: "Thirds" },
      { field: "leftScore", label: "The one (%)", digits: 1 },
      { field: "rightScore", label: "The other (%)", digits: 1 },
      { field: "difference", label: "Difference", digits: 1, low: "low", high: "high" },
      { field: "nLeft", label: "n, the one", digits: 0 },
      { field: "nRight", label: "n, the other", digits: 0 },
      { field: "corrected", label: "p, corrected", align: "right" },
      { field: "verdict", label: "What it shows" },
    ],
  });
}

function verdictText({ higher, p }: ThirdsRow): string {
  if (p === null) return "nothing to compare";
  return higher === null ? "no difference shown" : `the ${higher} third is higher`;
}
