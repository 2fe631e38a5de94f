import { at, lineNamed, SCORE_AXES, type ScoreLine, scoreLines, seriesPoints, sharedLengths } from "./score_lines.ts";
import { type Figure, type FigureOptions, lineChart, panels, type Threshold } from "@/lib/figures/mod.ts";
import { INTERVALS, openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { differenceInterval, type Evidence, type ScoreWithInterval } from "@/lib/statistics/mod.ts";

type Knobs = Evidence["knobs"];

/** A panel of Figures 2 and 3: one knob. */
interface Panel {
  readonly figure: 2 | 3;
  readonly title: string;
  /** Hard settings of the knob in words, with the lines that are compared. */
  readonly turns: Readonly<Record<string, readonly [easy: string, hard: string]>>;
  /** Returns the line of a task with some knobs, by its name in the paper; `null` if the panel does not show it. */
  readonly lineOf: (knobs: Knobs) => string | null;
}

/** The four panels of Figure 2 and the four of Figure 3, from the left. */
const PANELS = {
  "needle type": {
    figure: 2,
    title: "Types of needle",
    turns: { "needles of UUIDs": ["Vanilla NIAH", "K=U, V=U"] },
    lineOf: (knobs) => isNeedle(knobs, ["keys", "values", "queries"]) ? needleType(knobs) : null,
  },
  keys: {
    figure: 2,
    title: "Distractor keys",
    turns: {
      "a text full of distractor needles": ["#K=1", "#K=FULL"],
      "a text full of UUID distractors": ["#K=1", "#K=FULL, K=U, V=U"],
    },
    lineOf: (knobs) => {
      if (knobs["haystack"] === "needle") return isVanilla(knobs) ? "#K=FULL" : `#K=FULL, ${keyAndValue(knobs)}`;
      return isNeedle(knobs, ["values", "queries"]) && isInEssays(knobs) ? `#K=${knobs["keys"]}` : null;
    },
  },
  values: {
    figure: 2,
    title: "Values of one key",
    turns: { "eight values of one key": ["#V=1", "#V=8"] },
    lineOf: (knobs) => isNeedle(knobs, ["keys", "queries"]) && isInEssays(knobs) ? `#V=${knobs["values"]}` : null,
  },
  queries: {
    figure: 2,
    title: "Keys asked for",
    turns: { "eight keys asked for": ["#Q=1", "#Q=8"] },
    lineOf: (knobs) => {
      const isAllAsked = knobs["keys"] === knobs["queries"];
      return isNeedle(knobs, ["values"]) && isInEssays(knobs) && isAllAsked ? `#Q=${knobs["queries"]}` : null;
    },
  },
  hops: {
    figure: 3,
    title: "Variable tracking: hops",
    turns: { "ten hops of a variable": ["chain=1, hop=4", "chain=1, hop=10"] },
    // Without the worked example it is another task.
    lineOf: (knobs) => is(knobs, "chains", 1) && !is(knobs, "examples", 0) ? chainsAndHops(knobs) : null,
  },
  chains: {
    figure: 3,
    title: "Variable tracking: chains",
    turns: { "four chains of variables": ["chain=2, hop=2", "chain=4, hop=2"] },
    lineOf: (knobs) => knobs["chains"] === undefined || is(knobs, "chains", 1) ? null : chainsAndHops(knobs),
  },
  alpha: {
    figure: 3,
    title: "Frequent words by exponent",
    turns: { "word counts that differ little": ["alpha=3.5", "alpha=1.2"] },
    lineOf: ({ alpha, asked = 3 }) => {
      if (alpha === undefined || Number(asked) !== 3) return null;
      return `alpha=${Number.isInteger(Number(alpha)) ? Number(alpha).toFixed(1) : alpha}`;
    },
  },
  qa: {
    figure: 3,
    title: "Question answering",
    turns: { "questions about two documents": ["SQuAD", "HotpotQA"] },
    lineOf: (knobs) => knobs["documents"] === undefined ? questions(knobs) : null,
  },
} as const satisfies Readonly<Record<string, Panel>>;

/** The name of a panel, which is that of its knob. */
export type PanelName = keyof typeof PANELS;

function panelsOf(figure: 2 | 3): readonly (readonly [PanelName, Panel])[] {
  return (Object.entries(PANELS) as [PanelName, Panel][]).filter(([, panel]) => panel.figure === figure);
}

function is(knobs: Knobs, name: string, value: number): boolean {
  return Number(knobs[name]) === value;
}

/** Returns whether the knobs are of a needle, not in a context of needles, and those in `ones` are 1. */
function isNeedle(knobs: Knobs, ones: readonly string[]): boolean {
  return knobs["haystack"] !== undefined && knobs["haystack"] !== "needle" && ones.every((knob) => is(knobs, knob, 1));
}

/** Returns whether the needle of a task is of words and numbers. */
export function isVanilla({ keyType, valueType }: Knobs): boolean {
  return keyType === "words" && valueType === "numbers";
}

function isInEssays(knobs: Knobs): boolean {
  return knobs["haystack"] === "essay" && isVanilla(knobs);
}

function needleType(knobs: Knobs): string {
  if (!isVanilla(knobs)) return keyAndValue(knobs);
  return knobs["haystack"] === "noise" ? "Passkey retrieval" : "Vanilla NIAH";
}

function keyAndValue({ keyType, valueType }: Knobs): string {
  const letter = (type: string | number | undefined): string => String(type)[0]!.toUpperCase();
  return `K=${letter(keyType)}, V=${letter(valueType)}`;
}

function chainsAndHops({ chains, hops }: Knobs): string {
  return `chain=${chains}, hop=${hops}`;
}

function questions({ hops, chains }: Knobs): string | null {
  if (hops === undefined || chains !== undefined) return null;
  return Number(hops) === 1 ? "SQuAD" : "HotpotQA";
}

/** Returns the lines of a panel. A task can be a line of several panels, like the vanilla needle, or of none. */
export function panelLines(rows: readonly Evidence[], panel: PanelName): readonly ScoreLine[] {
  const { lineOf }: Panel = PANELS[panel];
  return scoreLines(rows, ({ knobs }) => lineOf(knobs));
}

/** Returns the lines of the same questions without any document: the tasks of data/studies/03-closed-book.yaml. */
export function closedBookLines(rows: readonly Evidence[]): readonly ScoreLine[] {
  return scoreLines(rows, ({ knobs }) => is(knobs, "documents", 0) ? questions(knobs) : null);
}

/**
 * Reads Yi-34B's scores of RULER's Figures 2 and 3, digitised, in the paper's order. The paper states no number of samples for
 * section 5; the intervals are those of 500 yes/no answers, as in its main results. A score without context has the length 0.
 */
export async function openAblations(): Promise<readonly Evidence[]> {
  return (await openEvidence("ruler")).filter(({ source }) => /^arXiv .*, Figure [23]$/.test(source));
}

/** What a figure is about, and how to read it. */
const FIGURES = {
  2: {
    about: "needles",
    key: "K: keys, V: values, Q: queries; W: words, U: UUIDs; FULL: a context of nothing but needles.",
  },
  3: { about: "chains, words and questions", key: "Dotted, where asked: the score without any context." },
} as const;

/** Options for {@linkcode ablationFigures}. */
export interface AblationFigureOptions extends Pick<FigureOptions, "caption" | "origin" | "warning" | "n"> {
  readonly model: string;
  readonly withIntervals?: boolean;
}

/**
 * Draws Figures 2 and 3 of the RULER paper: four panels each, a line for each setting of a knob, and for questions the score without
 * any context. Captions name panels that have no score and are left out; a figure without any panel is left out.
 *
 * @param rows Published scores, or those of a run (`runScores`).
 */
export function ablationFigures(rows: readonly Evidence[], options: AblationFigureOptions): readonly Figure[] {
  return ([2, 3] as const).flatMap((figure) => {
    const names = panelsOf(figure).map(([name]) => name);
    const drawn = names.filter((name) => panelLines(rows, name).length > 0);
    if (drawn.length === 0) return [];
    const missing = names.filter((name) => !drawn.includes(name)).join(", ");
    const { about, key } = FIGURES[figure];
    const left = missing === "" ? "" : ` Not drawn, as they have no score: ${missing}.`;
    return panels(drawn.map((name) => drawPanel(rows, name, options)), {
      title: `${options.model} on ${about} (Figure ${figure})`,
      caption: `${options.caption} ${key}${left}`,
    });
  });
}

function drawPanel(
  rows: readonly Evidence[],
  name: PanelName,
  { withIntervals = false, model: _, ...options }: AblationFigureOptions,
): Figure {
  const { title }: Panel = PANELS[name];
  const lines = panelLines(rows, name);
  return lineChart(lines.flatMap(seriesPoints), {
    ...SCORE_AXES,
    ...options,
    seriesTitle: title,
    yTitle: "Score (%)",
    xSpacing: "steps",
    palette: name === "qa" ? "distinct" : "ordered",
    thresholds: name === "qa" ? baselines(rows, lines) : [],
    height: 210,
    title,
    ...(withIntervals ? INTERVALS : {}),
  });
}

/** Returns the scores without context of the questions that were asked as thresholds. */
function baselines(rows: readonly Evidence[], asked: readonly ScoreLine[]): readonly Threshold[] {
  return closedBookLines(rows).filter(({ series }) => lineNamed(asked, series) !== undefined)
    .flatMap(seriesPoints).map(({ series, score }) => ({ series, y: score, label: score.toFixed(1) }));
}

/** The loss from the easy to the hard setting of a knob, in points, at the longest length that both have. */
export interface KnobCost extends ScoreWithInterval {
  /** The hard setting, such as `eight values of one key`. */
  readonly knob: string;
  /** In tokens. */
  readonly length: number;
}

/** Computes the cost of each knob that was asked with both settings at one length, the largest first. */
export function knobCosts(rows: readonly Evidence[]): readonly KnobCost[] {
  const costs = [...panelsOf(2), ...panelsOf(3)].flatMap(([name, { turns }]) => {
    const lines = panelLines(rows, name);
    return Object.entries(turns).flatMap(([knob, settings]): readonly KnobCost[] => {
      const [easy, hard] = settings.map((series) => lineNamed(lines, series));
      const length = easy === undefined || hard === undefined ? undefined : sharedLengths([easy, hard]).at(-1);
      if (length === undefined) return [];
      return [{ knob, length, ...differenceInterval(at(easy, length)!, at(hard, length)!) }];
    });
  });
  return costs.toSorted((left, right) => right.score - left.score);
}

/** Returns sentences on the knobs that cost a model most. */
export function costText(model: string, costs: readonly KnobCost[]): string {
  const [most, ...others] = costs.filter(({ low }) => low > 0);
  if (most === undefined) return `${model} loses points to none of the ${costs.length} settings that were compared.`;
  const first = `For ${model} the hardest setting is ${most.knob}, which costs ${
    most.score.toFixed(0)
  } points at the longest length.`;
  const next = others.slice(0, 2).map(({ knob, score }) => `${knob} (${score.toFixed(0)})`);
  return next.length === 0 ? first : `${first} Next: ${next.join(", ")}.`;
}
