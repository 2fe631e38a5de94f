import { PAPER_SAMPLES } from "./leaderboard.ts";
import type { RulerPublished } from "./published.ts";
import type { TaskChoice } from "@/lib/generators/mod.ts";
import { midInterval, type ScoreRow, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** A task whose knobs are turned, with the values that the paper turns them to where no others are given. */
export interface AblationKnobs {
  /** Types of needle, each `passkey` or key and value, such as `words-uuids`. */
  readonly needleTypes?: readonly string[];
  /** Numbers of keys in the context, or `full` and `full-uuids` for a context of nothing but needles. */
  readonly keys?: readonly (number | string)[];
  /** Numbers of values of one key. */
  readonly values?: readonly number[];
  /** Numbers of keys asked for. */
  readonly queries?: readonly number[];
  /** Numbers of chains and of hops of each, pair by pair; those of one chain are a panel of their own. */
  readonly chains?: readonly (readonly number[])[];
  /** Exponents of the frequencies of coded words. */
  readonly alphas?: readonly number[];
}

/** A line of a panel: a task with one setting of its knob. */
export interface AblationSeries {
  /** Its name in the legend, as the paper writes it. */
  readonly series: string;
  /** What it is called in a run. */
  readonly task: string;
  /** What to ask. */
  readonly choice: TaskChoice;
}

/** A panel of Figures 2 and 3: one knob. */
export interface AblationPanel {
  /** The knob. */
  readonly panel: AblationPanelName;
  /** What is asked, as a title. */
  readonly title: string;
  /** The lines, in the order of the knob. */
  readonly series: readonly AblationSeries[];
}

/** The panels of the paper's Figures 2 (the first four) and 3. */
export type AblationPanelName = "needle type" | "keys" | "values" | "queries" | "hops" | "chains" | "alpha" | "qa";

/**
 * Lists the panels of RULER's section 5 (Figures 2 and 3): which task each line asks, with which knobs.
 *
 * A setting that RULER has among its own tasks is asked as that task, with its samples; what several panels share is one
 * task. Other settings are tasks of the family, named after the knob.
 *
 * @param knobs Values of the knobs that are to be other than the paper's; an empty list leaves the panel out.
 * @returns The panels, in the paper's order.
 * @throws {RangeError} If a needle type, or a number of keys that is no number, is unknown, or chains come without hops.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const keys = rulerAblations({ keys: [1, 8, "full"] }).find(({ panel }) => panel === "keys");
 * deepEqual(keys?.series.map(({ task }) => task), ["niah_single_2", "niah_keys_8", "niah_multikey_2"]);
 * ```
 */
export function rulerAblations(knobs: AblationKnobs = {}): readonly AblationPanel[] {
  const {
    needleTypes = ["passkey", "words-numbers", "words-words", "words-uuids", "uuids-uuids"],
    keys = [1, 4, 8, "full", "full-uuids"],
    values = [1, 2, 4, 8],
    queries = [1, 2, 4, 8],
    chains = [[1, 4], [1, 6], [1, 10], [2, 2], [3, 2], [4, 2]],
    alphas = [3.5, 2, 1.5, 1.3, 1.2],
  } = knobs;
  const [one, several] = [chains.filter(([count]) => count === 1), chains.filter(([count]) => count !== 1)];
  const panels: readonly AblationPanel[] = [
    { panel: "needle type", title: "Types of needle", series: needleTypes.map(needleChoice) },
    { panel: "keys", title: "Distractor keys", series: keys.map(keyChoice) },
    { panel: "values", title: "Values of one key", series: values.map(valueChoice) },
    { panel: "queries", title: "Keys asked for", series: queries.map(queryChoice) },
    { panel: "hops", title: "Hops of one chain", series: one.map(chainChoice) },
    { panel: "chains", title: "Several chains", series: several.map(chainChoice) },
    { panel: "alpha", title: "Frequent words by exponent", series: alphas.map(frequencyChoice) },
    {
      panel: "qa",
      title: "Question answering",
      series: [
        { series: "SQuAD", task: "qa_1", choice: { task: "qa_1" } },
        { series: "HotpotQA", task: "qa_2", choice: { task: "qa_2" } },
      ],
    },
  ];
  return panels.filter(({ series }) => series.length > 0);
}

/**
 * Lists what to ask for some panels, each task once.
 *
 * @param panels The panels.
 * @returns The tasks, in order of first appearance.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { rulerAblations } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * equal(ablationTasks(rulerAblations()).length, 28);
 * ```
 */
export function ablationTasks(panels: readonly AblationPanel[]): readonly TaskChoice[] {
  const series = panels.flatMap((panel) => panel.series);
  return [...new Map(series.map(({ task, choice }) => [task, choice])).values()];
}

/**
 * What to ask for the baseline of the question-answering panel: the same questions without any document. They are asked
 * at one length, which changes nothing about them.
 */
export const CLOSED_BOOK_TASKS: readonly AblationSeries[] = [
  {
    series: "SQuAD w/o context",
    task: "qa_1_no_context",
    choice: { task: "qa", name: "qa_1_no_context", knobs: { hops: 1, documents: 0 } },
  },
  {
    series: "HotpotQA w/o context",
    task: "qa_2_no_context",
    choice: { task: "qa", name: "qa_2_no_context", knobs: { hops: 2, documents: 0 } },
  },
];

/** RULER's own tasks by the knobs that set them apart; whatever else is asked for is a task of the family. */
const NEEDLE_TYPES: Readonly<Record<string, AblationSeries>> = {
  "passkey": own("Passkey retrieval", "niah_single_1"),
  "words-numbers": own("Vanilla NIAH", "niah_single_2"),
  "words-uuids": own("K=W, V=U", "niah_single_3"),
  "words-words": own("K=W, V=W", "niah_single_words"),
};
const LETTERS: Readonly<Record<string, string>> = { words: "W", numbers: "N", uuids: "U" };

/** A needle of some type in essays. */
function needleChoice(type: string): AblationSeries {
  if (Object.hasOwn(NEEDLE_TYPES, type)) return NEEDLE_TYPES[type]!;
  const [keyType = "", valueType = "", ...rest] = type.split("-");
  if (rest.length > 0 || !Object.hasOwn(LETTERS, keyType) || !Object.hasOwn(LETTERS, valueType)) {
    throw new RangeError(
      `Cannot ask for needles as each type must be passkey, or two of ${
        Object.keys(LETTERS).join(", ")
      } joined by a hyphen: current value is "${type}"`,
    );
  }
  const name = `niah_${keyType}_${valueType}`;
  return {
    series: `K=${LETTERS[keyType]}, V=${LETTERS[valueType]}`,
    task: name,
    choice: { task: "niah", name, knobs: { haystack: "essay", keyType, valueType } },
  };
}

/** A needle among others of other keys, or in a context of nothing else. */
function keyChoice(keys: number | string): AblationSeries {
  if (keys === "full") return own("#K=FULL", "niah_multikey_2");
  if (keys === "full-uuids") return own("#K=FULL, K=U, V=U", "niah_multikey_3");
  if (typeof keys === "string") {
    throw new RangeError(
      `Cannot ask for needles as the number of keys must be a number, full or full-uuids: current value is "${keys}"`,
    );
  }
  return knobChoice({ letter: "K", knob: "keys", value: keys, own: { 1: "niah_single_2", 4: "niah_multikey_1" } });
}

/** A key with several values. */
function valueChoice(values: number): AblationSeries {
  const ours = { 1: "niah_single_2", 2: "niah_multivalue_2", 4: "niah_multivalue" };
  return knobChoice({ letter: "V", knob: "values", value: values, own: ours });
}

/** Several keys asked for at once. */
function queryChoice(queries: number): AblationSeries {
  const ours = { 1: "niah_single_2", 2: "niah_multiquery_2", 4: "niah_multiquery" };
  return knobChoice({ letter: "Q", knob: "queries", value: queries, own: ours });
}

/** Chains of variables: how many, and how many hops each has. */
function chainChoice(pair: readonly number[]): AblationSeries {
  const [chains, hops, ...rest] = pair;
  if (chains === undefined || hops === undefined || rest.length > 0) {
    throw new RangeError(
      `Cannot ask for chains as each must be two numbers, of chains and of hops: current value is ${
        JSON.stringify(pair)
      }`,
    );
  }
  const series = `chain=${chains}, hop=${hops}`;
  if (chains === 1 && hops === 4) return own(series, "vt");
  if (chains === 2 && hops === 2) return own(series, "vt_2_chains");
  const name = `vt_${chains}_chains_${hops}_hops`;
  return { series, task: name, choice: { task: "vt", name, knobs: { chains, hops } } };
}

/** Coded words whose frequencies fall with some exponent. */
function frequencyChoice(alpha: number): AblationSeries {
  const series = `alpha=${Number.isInteger(alpha) ? alpha.toFixed(1) : alpha}`;
  if (alpha === 2) return own(series, "fwe");
  if (alpha === 3.5) return own(series, "fwe_alpha_3_5");
  const name = `fwe_alpha_${String(alpha).replace(".", "_")}`;
  return { series, task: name, choice: { task: "fwe", name, knobs: { alpha } } };
}

function own(series: string, task: string): AblationSeries {
  return { series, task, choice: { task } };
}

function knobChoice(options: {
  readonly letter: string;
  readonly knob: string;
  readonly value: number;
  readonly own: Readonly<Record<number, string>>;
}): AblationSeries {
  const { letter, knob, value } = options;
  const series = `#${letter}=${value}`;
  const task = options.own[value];
  if (task !== undefined) return own(series, task);
  const name = `niah_${knob}_${value}`;
  return { series, task: name, choice: { task: "niah", name, knobs: { haystack: "essay", [knob]: value } } };
}

/** Where the lines without any context stand. */
export const CLOSED_BOOK_PANEL = "qa without context";
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
      panel: isBaseline ? CLOSED_BOOK_PANEL : PANELS[`${figure} ${panel}`] ?? panel,
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
 * import { rulerAblations } from "@/lib/benchmarks/ruler/mod.ts";
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
    ...CLOSED_BOOK_TASKS.map(({ series, task }) => ({ panel: CLOSED_BOOK_PANEL, series, points: pointsOfTask(task) })),
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
