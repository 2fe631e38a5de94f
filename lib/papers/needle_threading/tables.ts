import {
  curvesOf,
  PUBLISHED_THREADING_TASKS,
  type PublishedThreadingTask,
  type ThreadingPublished,
  type ThreadingTableScore,
} from "./published.ts";
import { type Figure, type FigureOptions, lineChart, type Table, table } from "@/lib/figures/mod.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import { wilsonInterval } from "@/lib/statistics/mod.ts";

/** What a table of the paper is called here. */
export interface PublishedTableOptions extends Pick<FigureOptions, "title"> {
  /** The task; `overall` is Table 1. */
  readonly task: ThreadingTableScore["task"];
}

/**
 * Shows the scores of Table 1 or of one of Tables 3 to 7: a row a model, a column a size, the best of each size in bold.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * const published = await openThreadingPublished();
 * match(publishedScoreTable(published, { task: "threading", title: "Table 6" }).text, /GPT-4o +75\.0/);
 * ```
 */
export function publishedScoreTable(published: ThreadingPublished, { task, title }: PublishedTableOptions): Table {
  const cells = published.scores.filter((row) => row.task === task);
  return sizeTable(cells.map(({ model, length, score }) => ({ model, length, value: score })), {
    ...{ title, n: "1 to 5 haystacks a cell", digits: 1, best: "highest" },
    caption: "Accuracy in percent by size in tokens of LLaMA 3.1; a dash where a model was not asked.",
  });
}

/**
 * Shows on how many haystacks each cell of a task rests: one of Tables 8 to 12.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * const published = await openThreadingPublished();
 * match(publishedRepeatTable(published, { task: "single_needle", title: "Table 8" }).text, /Jamba 1.5 Mini( +5){8} +1/);
 * ```
 */
export function publishedRepeatTable(
  published: ThreadingPublished,
  { task, title }: PublishedTableOptions & { readonly task: PublishedThreadingTask },
): Table {
  const cells = published.repeats.filter((row) => row.task === task);
  return sizeTable(cells.map(({ model, length, repeats }) => ({ model, length, value: repeats })), {
    ...{ title, n: "one experiment a cell", digits: 0 },
    caption: "Haystacks asked by size in tokens of LLaMA 3.1; a dash where a model was not asked.",
  });
}

/**
 * Counts how many cells of each task rest on five haystacks, on fewer, and on one: Tables 8 to 12 in short.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * match(repeatSummaryTable(await openThreadingPublished(), { title: "Five or fewer" }).text, /One needle/);
 * ```
 */
export function repeatSummaryTable(
  published: ThreadingPublished,
  { title }: Pick<PublishedTableOptions, "title">,
): Table {
  const rows = PUBLISHED_THREADING_TASKS.map((task, at) => {
    const counts = published.repeats.filter((row) => row.task === task).map(({ repeats }) => repeats);
    const of = (least: number, most: number): number =>
      counts.filter((count) => count >= least && count <= most).length;
    return { task: TASK_TITLES[at]!, cells: counts.length, five: of(5, 5), fewer: of(2, 4), one: of(1, 1) };
  });
  return table(rows, {
    ...{ title, n: "1 to 5 haystacks a cell", origin: "published" },
    caption:
      "A cell is a model at a size. All haystacks of a size have their own needles, so one haystack is several questions.",
    columns: (["task", "cells", "five", "fewer", "one"] as const).map((field) => ({ field, label: field })),
  });
}

const TASK_TITLES = ["One needle", "Several needles", "Marked needles", "One thread", "Several threads"];

/** A row a model, a column a size. */
function sizeTable(
  cells: readonly { readonly model: string; readonly length: number; readonly value: number }[],
  { digits, best, ...options }: Pick<FigureOptions, "title" | "caption" | "n"> & {
    readonly digits: number;
    readonly best?: "highest";
  },
): Table {
  const sizes = [...new Set(cells.map(({ length }) => length))].toSorted((left, right) => left - right);
  const rows = Array.from(
    Map.groupBy(cells, ({ model }) => model),
    ([model, ofModel]): Record<string, string | number | null> => ({
      model,
      ...Object.fromEntries(
        sizes.map((size) => [String(size), ofModel.find(({ length }) => length === size)?.value ?? null]),
      ),
    }),
  );
  return table(rows, {
    ...options,
    origin: "published",
    columns: [
      { field: "model", label: "Model" },
      ...sizes.map((size) => ({
        field: String(size),
        label: `${size / 1000}K`,
        digits,
        ...(best === undefined ? {} : { best }),
      })),
    ],
  });
}

/**
 * Shows Table 2 as the paper prints it: the effective context limit of each model on each task in thousand characters, and as a
 * share of what the model takes.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * const { limits } = await openThreadingPublished();
 * match(publishedLimitTable(limits, { title: "Table 2" }).text, /GPT-4o mini +214 +120 \(56%\) +176 \(82%\)/);
 * ```
 */
export function publishedLimitTable(
  limits: ThreadingPublished["limits"],
  { title }: Pick<FigureOptions, "title">,
): Table {
  const rows = Array.from(
    Map.groupBy(limits, ({ model }) => model),
    ([model, ofModel]): Record<string, string | number> => ({
      model,
      supported: ofModel[0]!.supported,
      ...Object.fromEntries(ofModel.map(({ task, effective, percent }) => [task, `${effective} (${percent}%)`])),
    }),
  );
  return table(rows, {
    title,
    caption: "In thousand characters, and as a share of the context that the model takes.",
    ...{ n: "1 to 5 haystacks a cell", origin: "published" },
    columns: [
      { field: "model", label: "Model" },
      { field: "supported", label: "Context limit", digits: 0 },
      ...PUBLISHED_THREADING_TASKS.map((task) => ({ field: task, label: nameOf(task), align: "right" as const })),
    ],
  });
}

/** A score of one's own, to be drawn among the published ones. */
export interface OwnScore {
  readonly model: string;
  /** The size, in tokens. */
  readonly length: number;
  /** In percent. */
  readonly score: number | null;
  /** The low end of its interval. */
  readonly low: number | null;
  /** The high end. */
  readonly high: number | null;
}

/** Options for {@linkcode accuracyCurves}. */
export interface AccuracyCurvesOptions extends Pick<FigureOptions, "title" | "width"> {
  readonly task: "single_needle" | "multiple_needles" | "conditional_needles";
  /** Scores of one's own models. */
  readonly own?: readonly OwnScore[];
  /**
   * Where one's own scores come from.
   *
   * @default {"measured"}
   */
  readonly origin?: ReplyOrigin;
}

/** Prompts for each haystack: eleven depths; eight numbers of needles (2 to 5, 10, 15, 20, 25) in two placements. */
const PROMPTS = { single_needle: 11, multiple_needles: 16, conditional_needles: 16 } as const;

/**
 * Draws accuracy by size with 95% Wilson intervals, a line a model, as the paper's Figures 4 (one needle) and 6 (several and marked
 * needles) do.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * const published = await openThreadingPublished();
 * match(await accuracyCurves(published, { task: "single_needle", title: "Figure 4" }).svg(), /Wilson/);
 * ```
 */
export function accuracyCurves(published: ThreadingPublished, options: AccuracyCurvesOptions): Figure {
  const { task, own = [], origin = "measured", ...rest } = options;
  const haystacks = new Map(
    published.repeats.filter((row) => row.task === task).map(({ model, length, repeats }) => [
      JSON.stringify([model, length]),
      repeats,
    ]),
  );
  const points = [...curvesOf(published, task).values()].flat().map(({ model, length, score }): OwnScore => {
    const trials = PROMPTS[task] * haystacks.get(JSON.stringify([model, length]))!;
    // A score over several needles is no whole count; its prompts stand for the answers.
    const { low, high } = wilsonInterval(Math.round(score / 100 * trials), trials);
    return { model, length, score, low: Math.min(100 * low, score), high: Math.max(100 * high, score) };
  });
  return lineChart([...points, ...own], {
    ...rest,
    caption: task === "single_needle"
      ? "A published point is the mean of eleven depths in 1 to 5 haystacks."
      : "A published point is the mean of all numbers and placements in 1 to 5 haystacks. The numbers of needles asked are not " +
        "printed; intervals take them to be eight in two placements, each prompt as one answer.",
    n: "11 or 16 prompts for each of 1 to 5 haystacks",
    origin: {
      ...Object.fromEntries(points.map(({ model }) => [model, "published" as const])),
      ...Object.fromEntries(own.map(({ model }) => [model, origin])),
    },
    ...{ x: "length", y: "score", series: "model", low: "low", high: "high" } as const,
    ...{ xTitle: "Haystack (tokens of LLaMA 3.1)", yTitle: "Accuracy (%)", seriesTitle: "Model" },
    interval: "95% Wilson interval",
    yDomain: [0, 100],
    xLabel: (length) => `${length / 1000}K`,
  });
}

function nameOf(task: PublishedThreadingTask): string {
  const words = task.replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}
