import { type AblationPanel, type AblationPanelName, NO_CONTEXT_TASKS, rulerAblations } from "./ablations.ts";
import type { RulerPublished } from "../published/published.ts";
import type { ScoreRow } from "../row.ts";
import { pointsOf, printedPoint, type ScoreLine } from "./score_line.ts";

/** Where the lines without any context stand. */
export const NO_CONTEXT_PANEL = "qa without context";
/** The line of common words, which no panel shows. */
export const COMMON_WORDS = "CWE";

const PANELS: Readonly<Record<string, AblationPanelName>> = {
  "2 left": "needle type",
  "2 middle-left": "keys",
  "2 middle-right": "values",
  "2 right": "queries",
  "3 left": "hops",
  "3 middle-left": "chains",
  "3 middle-right": "alpha",
  "3 right": "qa",
};

/**
 * Gives the lines of RULER's Figures 2 and 3, digitised from the figures, and that of common words: all of Yi-34B.
 *
 * The intervals are those of 500 yes/no answers a point, as in `publishedScoreRows`; the paper does not say how many
 * samples section 5 asks. A score without context has the length 0.
 *
 * @param published What RULER published.
 * @returns The lines, by the panels of `rulerAblations` and in their order.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/analysis/mod.ts";
 *
 * const lines = publishedAblationLines(await openPublished());
 * equal(lines.find(({ series }) => series === "#K=FULL")?.points.at(-1)?.score, 58.6);
 * ```
 */
export function publishedAblationLines(
  { series, yiTasks }: Pick<RulerPublished, "series" | "yiTasks">,
): readonly ScoreLine[] {
  const commonWords = yiTasks.filter(({ task }) => task === "cwe").map((score) => printedPoint(score));
  const lines = Map.groupBy(
    series.filter(({ figure }) => figure === 2 || figure === 3),
    (point) => JSON.stringify([point.figure, point.panel, point.series]),
  );
  const drawn = [...lines.values()].map((points): ScoreLine => {
    const { figure, panel, series } = points[0]!;
    const isBaseline = points[0]!.segment === "baseline";
    return {
      panel: isBaseline ? NO_CONTEXT_PANEL : PANELS[`${figure} ${panel}`] ?? panel,
      series,
      points: points.map(({ length, score }) => printedPoint({ length: length ?? 0, score })),
    };
  });
  const names = rulerAblations().flatMap((panel) => panel.series.map(({ series }) => series));
  const inOrder = drawn.toSorted((left, right) => names.indexOf(left.series) - names.indexOf(right.series));
  return [...inOrder, { panel: "cwe", series: COMMON_WORDS, points: commonWords }];
}

/**
 * Gives the lines of a run's panels.
 *
 * @param rows The run's rows, from `summarise`; those of the questions without context too, where they were asked.
 * @param panels The panels that were asked.
 * @returns The lines, named as the paper's. A line none of whose lengths has a score is left out.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { rulerAblations } from "@/lib/analysis/mod.ts";
 *
 * const row = { task: "niah_single_2", length: 4096, n: 9, score: 90, low: 60, high: 99, failed: 0, noAnswer: 0 };
 * const lines = ablationLines([row], rulerAblations());
 * equal(lines.map(({ series }) => series).join(), "Vanilla NIAH,#K=1,#V=1,#Q=1");
 * ```
 */
export function ablationLines(rows: readonly ScoreRow[], panels: readonly AblationPanel[]): readonly ScoreLine[] {
  const pointsOfTask = (name: string): ScoreLine["points"] => pointsOf(rows.filter(({ task }) => task === name));
  const lines = [
    ...panels.flatMap(({ panel, series }) =>
      series.map(({ series, task }) => ({ panel, series, points: pointsOfTask(task) }))
    ),
    ...NO_CONTEXT_TASKS.map(({ series, task }) => ({ panel: NO_CONTEXT_PANEL, series, points: pointsOfTask(task) })),
  ];
  return lines.filter(({ points }) => points.length > 0);
}
