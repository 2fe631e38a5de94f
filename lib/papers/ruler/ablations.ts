import type { RulerPublished } from "./published.ts";
import {
  at,
  INTERVALS,
  type LineFigureOptions,
  lineNamed,
  type LinePoint,
  panelOf,
  pointsOf,
  printedPoint,
  SCORE_AXES,
  type ScoreLine,
  sharedLengths,
} from "./score_lines.ts";
import { cannotDraw, type Figure, lineChart, panels, type Threshold } from "@/lib/figures/mod.ts";
import type { Task } from "@/lib/generators/mod.ts";
import { differenceInterval, type RunEvidence, type ScoreRow, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

/** A panel of Figures 2 and 3: one knob. */
export interface AblationPanel {
  readonly panel: string;
  /** The lines in the order of the study: the name in the paper's legend, and the task. */
  readonly series: readonly { readonly series: string; readonly task: string }[];
}

/**
 * Assigns the tasks of a study, such as data/studies/03-ablations.yaml, to the panels of RULER's Figures 2 and 3 by their knobs. A task
 * can be a line of several panels, like the vanilla needle, or of none. Panels without a line are left out.
 */
export function ablationPanels(tasks: readonly Pick<Task, "name" | "options">[]): readonly AblationPanel[] {
  const linesOf = ({ lineOf }: PanelOfPaper): AblationPanel["series"] =>
    tasks.flatMap(({ name, options }) => {
      const series = lineOf(options);
      return series === null ? [] : [{ series, task: name }];
    });
  return PANELS.map((each) => ({ panel: each.panel, series: linesOf(each) })).filter(({ series }) => series.length > 0);
}

/** A panel as the paper draws it. */
interface PanelOfPaper {
  readonly panel: string;
  readonly title: string;
  readonly legend: string;
  /** The paper's lines, in its order. */
  readonly lines: readonly string[];
  /** The hard settings of the knob in words, with the lines that are compared. */
  readonly turns: readonly Readonly<Record<"knob" | "easy" | "hard", string>>[];
  /** Returns the line of a task with some knobs; `null` if the panel does not show it. */
  readonly lineOf: (knobs: Task["options"]) => string | null;
}

/** The four panels of Figure 2 and the four of Figure 3, from the left. */
const PANELS: readonly PanelOfPaper[] = [
  {
    panel: "needle type",
    title: "Types of needle",
    legend: "Key and value",
    lines: ["Passkey retrieval", "Vanilla NIAH", "K=W, V=W", "K=W, V=U", "K=U, V=U"],
    turns: [{ knob: "needles of UUIDs", easy: "Vanilla NIAH", hard: "K=U, V=U" }],
    lineOf: (knobs) => isNeedle(knobs, ["keys", "values", "queries"]) ? needleType(knobs) : null,
  },
  {
    panel: "keys",
    title: "Distractor keys",
    legend: "Keys",
    lines: ["#K=1", "#K=4", "#K=8", "#K=FULL", "#K=FULL, K=U, V=U"],
    turns: [
      { knob: "a haystack of needles", easy: "#K=1", hard: "#K=FULL" },
      { knob: "a haystack of UUID needles", easy: "#K=1", hard: "#K=FULL, K=U, V=U" },
    ],
    lineOf: (knobs) => {
      if (knobs["haystack"] === "needle") return isVanilla(knobs) ? "#K=FULL" : `#K=FULL, ${keyAndValue(knobs)}`;
      return isNeedle(knobs, ["values", "queries"]) && isInEssays(knobs) ? `#K=${knobs["keys"]}` : null;
    },
  },
  {
    panel: "values",
    title: "Values of one key",
    legend: "Values",
    lines: ["#V=1", "#V=2", "#V=4", "#V=8"],
    turns: [{ knob: "eight values of one key", easy: "#V=1", hard: "#V=8" }],
    lineOf: (knobs) => isNeedle(knobs, ["keys", "queries"]) && isInEssays(knobs) ? `#V=${knobs["values"]}` : null,
  },
  {
    panel: "queries",
    title: "Keys asked for",
    legend: "Queries",
    lines: ["#Q=1", "#Q=2", "#Q=4", "#Q=8"],
    turns: [{ knob: "eight keys asked for", easy: "#Q=1", hard: "#Q=8" }],
    lineOf: (knobs) => {
      const isAllAsked = knobs["keys"] === knobs["queries"];
      return isNeedle(knobs, ["values"]) && isInEssays(knobs) && isAllAsked ? `#Q=${knobs["queries"]}` : null;
    },
  },
  {
    panel: "hops",
    title: "Variable tracking: hops",
    legend: "Chains and hops",
    lines: ["chain=1, hop=4", "chain=1, hop=6", "chain=1, hop=10"],
    turns: [{ knob: "ten hops of a variable", easy: "chain=1, hop=4", hard: "chain=1, hop=10" }],
    // Without the worked example it is another task.
    lineOf: (knobs) => knobs["chains"] === 1 && knobs["examples"] !== 0 ? chainsAndHops(knobs) : null,
  },
  {
    panel: "chains",
    title: "Variable tracking: chains",
    legend: "Chains and hops",
    lines: ["chain=2, hop=2", "chain=3, hop=2", "chain=4, hop=2"],
    turns: [{ knob: "four chains of variables", easy: "chain=2, hop=2", hard: "chain=4, hop=2" }],
    lineOf: (knobs) => knobs["chains"] === undefined || knobs["chains"] === 1 ? null : chainsAndHops(knobs),
  },
  {
    panel: "alpha",
    title: "Frequent words by exponent",
    legend: "Exponent",
    lines: ["alpha=3.5", "alpha=2.0", "alpha=1.5", "alpha=1.3", "alpha=1.2"],
    turns: [{ knob: "word counts that differ little", easy: "alpha=3.5", hard: "alpha=1.2" }],
    lineOf: ({ alpha, asked = 3 }) => {
      if (alpha === undefined || asked !== 3) return null;
      return `alpha=${Number.isInteger(alpha) ? Number(alpha).toFixed(1) : alpha}`;
    },
  },
  {
    panel: "qa",
    title: "Question answering",
    legend: "Questions",
    lines: ["SQuAD", "HotpotQA"],
    turns: [{ knob: "questions about two documents", easy: "SQuAD", hard: "HotpotQA" }],
    lineOf: (knobs) => {
      if (knobs["hops"] === undefined || knobs["chains"] !== undefined || knobs["documents"] !== undefined) return null;
      return knobs["hops"] === 1 ? "SQuAD" : "HotpotQA";
    },
  },
];

/** Returns the panels of a figure, from the left. */
function panelsOf(figure: number): readonly PanelOfPaper[] {
  return figure === 2 ? PANELS.slice(0, 4) : PANELS.slice(4);
}

/** Returns whether the knobs are of a needle, not in a context of needles, and those in `ones` are 1. */
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

/** The same questions without any document: the tasks of data/studies/03-closed-book.yaml. */
export const CLOSED_BOOK_PANEL = "qa without context";
const CLOSED_BOOK_LINES: AblationPanel["series"] = [
  { series: "SQuAD w/o context", task: "qa_1_no_context" },
  { series: "HotpotQA w/o context", task: "qa_2_no_context" },
];

/**
 * Returns Yi-34B's lines of RULER's Figures 2 and 3, digitised, in the paper's order. The intervals are those of 500 yes/no answers per
 * point; the paper states no number of samples for section 5. A score without context has the length 0.
 */
export function publishedAblationLines({ series }: Pick<RulerPublished, "series">): readonly ScoreLine[] {
  const lines = Map.groupBy(
    series.filter(({ figure }) => figure === 2 || figure === 3),
    (point) => JSON.stringify([point.figure, point.panel, point.series]),
  );
  const drawn = [...lines.values()].map((points): ScoreLine => {
    const { figure, panel: place, series, segment } = points[0]!;
    return {
      panel: segment === "baseline"
        ? CLOSED_BOOK_PANEL
        : panelsOf(figure)[["left", "middle-left", "middle-right", "right"].indexOf(place)]!.panel,
      series,
      points: points.map(({ length, score }) => printedPoint({ length: length ?? 0, score })),
    };
  });
  const names = PANELS.flatMap(({ lines }) => lines);
  return drawn.toSorted((left, right) => names.indexOf(left.series) - names.indexOf(right.series));
}

/**
 * Returns the lines of a run under the paper's names; those without a score are left out.
 *
 * @param rows The run's rows, from `summarise`, and those of the questions without context if they were asked.
 * @param panels The panels of the run's tasks, from `ablationPanels`.
 */
export function ablationLines(rows: readonly ScoreRow[], panels: readonly AblationPanel[]): readonly ScoreLine[] {
  return [
    ...panels,
    { panel: CLOSED_BOOK_PANEL, series: CLOSED_BOOK_LINES },
  ].flatMap(({ panel, series: lines }) =>
    lines.map(({ series, task }) => ({ panel, series, points: pointsOf(rows.filter((row) => row.task === task)) }))
  ).filter(({ points }) => points.length > 0);
}

/** Returns the lines of a run, as {@linkcode ablationLines}, from the tasks of its manifest. */
export function runLines({ rows, tasks }: Pick<RunEvidence, "rows" | "tasks">): readonly ScoreLine[] {
  return ablationLines(rows, ablationPanels(Object.entries(tasks).map(([name, { options }]) => ({ name, options }))));
}

/** Options for {@linkcode ablationFigure}. */
export interface AblationFigureOptions extends LineFigureOptions {
  /** The figure of the paper: 2 has the needles, 3 the other tasks. */
  readonly figure: 2 | 3;
}

/**
 * Draws Figure 2 or 3 of the RULER paper: four panels, a line for each setting of a knob, and for questions the score without any
 * context. The caption names panels that have no point and are left out.
 *
 * @throws {RangeError} If no panel has a point.
 */
export function ablationFigure(lines: readonly ScoreLine[], options: AblationFigureOptions): Figure {
  const { title, caption, figure } = options;
  const ofFigure = panelsOf(figure);
  const drawn = ofFigure.filter(({ panel }) => lineRows(lines, panel).length > 0);
  const missing = ofFigure.filter((panel) => !drawn.includes(panel)).map(({ panel }) => panel).join(", ");
  if (drawn.length === 0) throw cannotDraw(title, `a panel of ${missing} must have a score`, "none");
  return panels(drawn.map((panel) => drawPanel(panel, lines, options)), {
    title,
    caption: missing === "" ? caption : `${caption} Not drawn, as they have no score: ${missing}.`,
  });
}

/** Draws those of Figures 2 and 3 of which a run has a panel. */
export function ablationFigures(
  lines: readonly ScoreLine[],
  options: Omit<AblationFigureOptions, "figure">,
): readonly Figure[] {
  const asked = new Set(lines.map(({ panel }) => panel));
  const drawn = ([2, 3] as const).filter((figure) => panelsOf(figure).some(({ panel }) => asked.has(panel)));
  return drawn.map((figure) =>
    ablationFigure(lines, { ...options, figure, title: `${options.title} (Figure ${figure})` })
  );
}

function drawPanel(
  { panel, title, legend }: PanelOfPaper,
  lines: readonly ScoreLine[],
  { withIntervals = false, figure: _, ...options }: AblationFigureOptions,
): Figure {
  return lineChart(lineRows(lines, panel), {
    ...SCORE_AXES,
    ...options,
    seriesTitle: legend,
    yTitle: "Score (%)",
    xSpacing: "steps",
    palette: panel === "qa" ? "distinct" : "ordered",
    thresholds: panel === "qa" ? baselines(lines) : [],
    height: 210,
    title,
    ...(withIntervals ? INTERVALS : {}),
  });
}

/** Returns the scores without context of the questions that were asked as thresholds. */
function baselines(lines: readonly ScoreLine[]): readonly Threshold[] {
  const asked = new Set(lineRows(lines, "qa").map(({ series }) => `${series} w/o context`));
  return lineRows(lines, CLOSED_BOOK_PANEL).filter(({ series }) => asked.has(series))
    .map(({ series, score }) => ({ series: series.replace(" w/o context", ""), y: score, label: score.toFixed(1) }));
}

function lineRows(lines: readonly ScoreLine[], panel: string): readonly (LinePoint & Pick<ScoreLine, "series">)[] {
  return panelOf(lines, panel).flatMap(({ series, points }) => points.map((point) => ({ series, ...point })));
}

/** The loss from the easy to the hard setting of a knob, in points, at the longest length that both have. */
export interface KnobCost extends ScoreWithInterval {
  /** The hard setting, such as `eight values of one key`. */
  readonly knob: string;
  /** In tokens. */
  readonly length: number;
}

/** Computes the cost of each knob that was asked with both settings at one length, the largest first. */
export function knobCosts(lines: readonly ScoreLine[]): readonly KnobCost[] {
  const costs = PANELS.flatMap(({ panel, turns }) =>
    turns.flatMap(({ knob, ...settings }) => {
      const [easy, hard] = [settings.easy, settings.hard].map((series) => lineNamed(panelOf(lines, panel), series));
      const length = easy === undefined || hard === undefined ? undefined : sharedLengths([easy, hard]).at(-1);
      return length === undefined
        ? []
        : [{ knob, length, ...differenceInterval(at(easy, length)!, at(hard, length)!) }];
    })
  );
  return costs.toSorted((left, right) => right.score - left.score);
}

/** Returns sentences on the knobs that cost a model most. */
export function costText(model: string, costs: readonly KnobCost[]): string {
  const [most, ...others] = costs.filter(({ low }) => low > 0);
  if (most === undefined) return `${model} loses points to none of the ${costs.length} settings that were compared.`;
  const first = `${model} loses most to ${most.knob}: ${most.score.toFixed(0)} points at the longest length.`;
  const next = others.slice(0, 2).map(({ knob, score }) => `${knob} (${score.toFixed(0)})`);
  return next.length === 0 ? first : `${first} Next: ${next.join(", ")}.`;
}
