import { PAPER_SAMPLES } from "./leaderboard.ts";
import type { RulerPublished } from "./published.ts";
import type { Task } from "@/lib/generators/mod.ts";
import { midInterval, type ScoreRow, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** A line of a panel: a task with one setting of its knob. */
export interface AblationSeries {
  /** Its name in the legend, as the paper writes it. */
  readonly series: string;
  /** What it is called in a run. */
  readonly task: string;
}

/** A panel of Figures 2 and 3: one knob. */
export interface AblationPanel {
  /** The knob. */
  readonly panel: AblationPanelName;
  /** What is asked, as a title. */
  readonly title: string;
  /** The lines, in the order of the study. */
  readonly series: readonly AblationSeries[];
}

/** The panels of the paper's Figures 2 (the first four) and 3. */
export type AblationPanelName = "needle type" | "keys" | "values" | "queries" | "hops" | "chains" | "alpha" | "qa";

/**
 * Sorts the tasks of a study into the panels of RULER's section 5 (Figures 2 and 3) by their knobs. A task can be a line of
 * several panels, as the vanilla needle is, or of none.
 *
 * @param tasks The tasks, such as those of data/studies/03-ablations.yaml.
 * @returns The panels that have a line, in the paper's order.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { rulerTask } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const panels = ablationPanels([rulerTask("niah_single_2"), rulerTask("niah_multikey_2")]);
 * const keys = panels.find(({ panel }) => panel === "keys");
 * deepEqual(keys?.series.map(({ series }) => series), ["#K=1", "#K=FULL"]);
 * ```
 */
export function ablationPanels(tasks: readonly Pick<Task, "name" | "options">[]): readonly AblationPanel[] {
  const panels = PANELS.map(({ panel, title, lineOf }): AblationPanel => ({
    panel,
    title,
    series: tasks.flatMap(({ name, options }) => {
      const series = lineOf(options);
      return series === null ? [] : [{ series, task: name }];
    }),
  }));
  return panels.filter(({ series }) => series.length > 0);
}

/** A panel as the paper draws it. */
interface PanelOfPaper {
  readonly panel: AblationPanelName;
  readonly title: string;
  /** The figure and the place in it. */
  readonly place: string;
  /** The paper's lines, in its order. */
  readonly lines: readonly string[];
  /** Names the line of a task with some knobs; `null` where it is none of the panel's. */
  readonly lineOf: (knobs: Task["options"]) => string | null;
}

const PANELS: readonly PanelOfPaper[] = [
  {
    panel: "needle type",
    title: "Types of needle",
    place: "2 left",
    lines: ["Passkey retrieval", "Vanilla NIAH", "K=W, V=W", "K=W, V=U", "K=U, V=U"],
    lineOf: (knobs) => isNeedle(knobs, ["keys", "values", "queries"]) ? needleType(knobs) : null,
  },
  {
    panel: "keys",
    title: "Distractor keys",
    place: "2 middle-left",
    lines: ["#K=1", "#K=4", "#K=8", "#K=FULL", "#K=FULL, K=U, V=U"],
    lineOf: (knobs) => {
      if (knobs["haystack"] === "needle") return isVanilla(knobs) ? "#K=FULL" : `#K=FULL, ${keyAndValue(knobs)}`;
      return isNeedle(knobs, ["values", "queries"]) && isInEssays(knobs) ? `#K=${knobs["keys"]}` : null;
    },
  },
  {
    panel: "values",
    title: "Values of one key",
    place: "2 middle-right",
    lines: ["#V=1", "#V=2", "#V=4", "#V=8"],
    lineOf: (knobs) => isNeedle(knobs, ["keys", "queries"]) && isInEssays(knobs) ? `#V=${knobs["values"]}` : null,
  },
  {
    panel: "queries",
    title: "Keys asked for",
    place: "2 right",
    lines: ["#Q=1", "#Q=2", "#Q=4", "#Q=8"],
    lineOf: (knobs) => {
      const isAllAsked = knobs["keys"] === knobs["queries"];
      return isNeedle(knobs, ["values"]) && isInEssays(knobs) && isAllAsked ? `#Q=${knobs["queries"]}` : null;
    },
  },
  {
    panel: "hops",
    title: "Hops of one chain",
    place: "3 left",
    lines: ["chain=1, hop=4", "chain=1, hop=6", "chain=1, hop=10"],
    lineOf: (knobs) => knobs["chains"] === 1 ? chainsAndHops(knobs) : null,
  },
  {
    panel: "chains",
    title: "Several chains",
    place: "3 middle-left",
    lines: ["chain=2, hop=2", "chain=3, hop=2", "chain=4, hop=2"],
    lineOf: (knobs) => knobs["chains"] === undefined || knobs["chains"] === 1 ? null : chainsAndHops(knobs),
  },
  {
    panel: "alpha",
    title: "Frequent words by exponent",
    place: "3 middle-right",
    lines: ["alpha=3.5", "alpha=2.0", "alpha=1.5", "alpha=1.3", "alpha=1.2"],
    lineOf: ({ alpha }) => {
      if (alpha === undefined) return null;
      return `alpha=${Number.isInteger(alpha) ? Number(alpha).toFixed(1) : alpha}`;
    },
  },
  {
    panel: "qa",
    title: "Question answering",
    place: "3 right",
    lines: ["SQuAD", "HotpotQA"],
    lineOf: (knobs) => {
      if (knobs["hops"] === undefined || knobs["chains"] !== undefined || knobs["documents"] !== undefined) return null;
      return knobs["hops"] === 1 ? "SQuAD" : "HotpotQA";
    },
  },
];

/** Whether the knobs are a needle's outside a context of needles, and some counts are 1. */
function isNeedle(knobs: Task["options"], ones: readonly string[]): boolean {
  return knobs["haystack"] !== undefined && knobs["haystack"] !== "needle" && ones.every((knob) => knobs[knob] === 1);
}

function isVanilla({ keyType, valueType }: Task["options"]): boolean {
  return keyType === "words" && valueType === "numbers";
}

function isInEssays(knobs: Task["options"]): boolean {
  return knobs["haystack"] === "essay" && isVanilla(knobs);
}

function needleType(knobs: Task["options"]): string {
  if (!isVanilla(knobs)) return keyAndValue(knobs);
  return knobs["haystack"] === "noise" ? "Passkey retrieval" : "Vanilla NIAH";
}

function keyAndValue({ keyType, valueType }: Task["options"]): string {
  const letter = (type: string | number | undefined): string => String(type)[0]!.toUpperCase();
  return `K=${letter(keyType)}, V=${letter(valueType)}`;
}

function chainsAndHops({ chains, hops }: Task["options"]): string {
  return `chain=${chains}, hop=${hops}`;
}

/** The lines of the same questions without any document, by the tasks of data/studies/03-closed-book.yaml. */
const CLOSED_BOOK_LINES: readonly AblationSeries[] = [
  { series: "SQuAD w/o context", task: "qa_1_no_context" },
  { series: "HotpotQA w/o context", task: "qa_2_no_context" },
];

/** Where the lines without any context stand. */
export const CLOSED_BOOK_PANEL = "qa without context";
/** The line of common words, which no panel shows. */
export const COMMON_WORDS = "CWE";

/**
 * Gives the lines of RULER's Figures 2 and 3, digitised from the figures, and that of common words: all of Yi-34B.
 *
 * The intervals are those of 500 yes/no answers a point, as in `publishedScoreRows`; the paper does not say how many
 * samples section 5 asks. A score without context has the length 0.
 *
 * @param published What RULER published.
 * @returns The lines, by the panels of `ablationPanels` and in the paper's order.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
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
      panel: isBaseline
        ? CLOSED_BOOK_PANEL
        : PANELS.find(({ place }) => place === `${figure} ${panel}`)?.panel ?? panel,
      series,
      points: points.map(({ length, score }) => printedPoint({ length: length ?? 0, score })),
    };
  });
  const names = PANELS.flatMap(({ lines }) => lines);
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
 * import { ablationPanels, rulerTask } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const row = { task: "niah_single_2", length: 4096, n: 9, score: 90, low: 60, high: 99, failed: 0, noAnswer: 0 };
 * const lines = ablationLines([row], ablationPanels([rulerTask("niah_single_2")]));
 * equal(lines.map(({ series }) => series).join(), "Vanilla NIAH,#K=1,#V=1,#Q=1");
 * ```
 */
export function ablationLines(rows: readonly ScoreRow[], panels: readonly AblationPanel[]): readonly ScoreLine[] {
  const pointsOfTask = (name: string): ScoreLine["points"] => pointsOf(rows.filter(({ task }) => task === name));
  const lines = [
    ...panels.flatMap(({ panel, series }) =>
      series.map(({ series, task }) => ({ panel, series, points: pointsOfTask(task) }))
    ),
    ...CLOSED_BOOK_LINES.map(({ series, task }) => ({ panel: CLOSED_BOOK_PANEL, series, points: pointsOfTask(task) })),
  ];
  return lines.filter(({ points }) => points.length > 0);
}

/** A score at a length, with its interval, all in percent. */
export interface LinePoint extends ScoreWithInterval {
  /** Context length in tokens. */
  readonly length: number;
}

/** A line of a figure: how one task or model fares over lengths. */
export interface ScoreLine {
  /** Which panel it stands in. */
  readonly panel: string;
  /** Its name in the legend. */
  readonly series: string;
  /** Its points, lengths rising; lengths without a score are left out. */
  readonly points: readonly LinePoint[];
}

/** A point of a line as a row of a chart. */
interface LineRow extends LinePoint {
  /** The line's name. */
  readonly series: string;
}

/** Gives the points of lines as rows of a chart. */
export function lineRows(lines: readonly ScoreLine[], panel?: string): readonly LineRow[] {
  return lines.filter((line) => panel === undefined || line.panel === panel)
    .flatMap(({ series, points }) => points.map((point) => ({ series, ...point })));
}

/** The points of the rows that have a score, lengths rising. */
export function pointsOf(rows: readonly ScoreRow[]): readonly LinePoint[] {
  return rows.flatMap(({ length, score, low, high }): LinePoint[] =>
    score === null || low === null || high === null ? [] : [{ length, score, low, high }]
  ).toSorted((left, right) => left.length - right.length);
}

/**
 * A printed score as if it had been measured here on yes/no answers: on {@linkcode PAPER_SAMPLES} of each task, which
 * section 4 states for the main results and section 5 does not say otherwise.
 */
export function printedPoint(
  { length, score }: { readonly length: number; readonly score: number },
  tasks = 1,
): LinePoint {
  const n = tasks * PAPER_SAMPLES;
  const { low, high } = midInterval((score / 100) * n, n);
  return { length, score, low: 100 * low, high: 100 * high };
}
