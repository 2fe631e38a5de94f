import { meanGap } from "./line_findings.ts";
import type { RulerPublished } from "./published.ts";
import {
  INTERVALS,
  type LineFigureOptions,
  type LinePoint,
  panelOf,
  pointsOf,
  printedPoint,
  SCORE_AXES,
  type ScoreLine,
} from "./score_lines.ts";
import { RULER_GROUPS } from "@/lib/benchmarks/ruler/tasks.ts";
import { cannotDraw, type Figure, lineChart, panels } from "@/lib/figures/mod.ts";
import { lengthMeans, mean, type SummaryRow } from "@/lib/statistics/mod.ts";

/** A model's scores over lengths. */
export interface ModelLine extends ScoreLine {
  /** The longest training length, in tokens; `null` if unknown, or beyond the line's longest length. */
  readonly trained: number | null;
}

/** The panels of Figure 4, by their place. */
const PANELS: Readonly<Record<string, string>> = {
  "left": "Training length: LWM, chat",
  "middle-left": "Training length: LWM, base",
  "middle-right": "Model size: Yi",
  "right": "Architecture",
};
const TASKS = 13;
/** The lines of each panel: by training length, or from the largest model. */
const ORDER = [
  ...["128K", "256K", "512K", "1M"].map((length) => `LWM-${length}`),
  ...["32K", "128K", "256K", "512K", "1M"].map((length) => `LWM-base-${length}`),
  ...["34B", "9B", "6B"].map((size) => `Yi-${size}-200K`),
];

/**
 * Returns the lines of RULER's Figure 4, digitised: means of 13 tasks, a family in each panel.
 * The training lengths are those of the figure's solid lines. The intervals are those of 13 times 500 yes/no answers.
 */
export function publishedModelLines({ series }: Pick<RulerPublished, "series">): readonly ModelLine[] {
  const figure4 = series.filter(({ figure, length }) => figure === 4 && length !== null);
  const lines = Map.groupBy(figure4, ({ panel, series }) => JSON.stringify([panel, series]));
  const drawn = [...lines.values()].map((points): ModelLine => {
    const { panel, series } = points[0]!;
    const solid = points.filter(({ segment }) => segment === "solid");
    const known = new Set(solid.map(({ length }) => length));
    // The figure has the point between a solid and a dashed line in both.
    const beyond = points.filter(({ segment, length }) => segment === "extrapolation" && !known.has(length));
    return {
      panel: PANELS[panel]!,
      series,
      points: [...solid, ...beyond].map(({ length, score }) => printedPoint({ length: length!, score }, TASKS))
        .toSorted((left, right) => left.length - right.length),
      trained: beyond.length === 0 ? null : Math.max(...solid.map(({ length }) => length!)),
    };
  });
  const placeOf = ({ series }: ModelLine): number => ORDER.includes(series) ? ORDER.indexOf(series) : ORDER.length;
  return drawn.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/**
 * Returns the line of a model: its means of RULER's 13 tasks. Lengths at which a task has no score are left out.
 *
 * @param rows From `summarise`.
 * @param trained The longest training length, in tokens; `null` if unknown.
 */
export function modelLine(series: string, rows: readonly SummaryRow[], trained: number | null): ModelLine {
  const means = lengthMeans(rows, { groups: RULER_GROUPS.slice(0, 1) });
  return { panel: "family", series, points: pointsOf(means), trained };
}

/** A difference between two lines or two points of them, on average over the cases that there are, in points. */
export interface ModelEffect {
  readonly effect: string;
  readonly score: number;
  /** The lines or models that it is an average of. */
  readonly cases: number;
}

/** Returns the points up to a model's training length, the last of them, and the first beyond it; `null` without both. */
export function firstBeyond(
  { points, trained }: ModelLine,
): (Readonly<Record<"edge" | "beyond", LinePoint>> & { readonly before: readonly LinePoint[] }) | null {
  const before = points.filter(({ length }) => trained !== null && length <= trained);
  const [edge, beyond] = [before.at(-1), points[before.length]];
  return edge === undefined || beyond === undefined ? null : { edge, beyond, before };
}

/** Compares the effects of section 6, the largest first: a length never trained on, a longer training, a larger model. */
export function modelEffects(lines: readonly ModelLine[]): readonly ModelEffect[] {
  const steps = lines.map(firstBeyond).filter((step) => step !== null)
    .map(({ edge, beyond }) => edge.score - beyond.score);
  const gapOf = (panel: string, from: number, to: number): number[] => {
    const [better, worse] = [from, to].map((at) => panelOf(lines, panel).at(at));
    const gap = better === undefined || better === worse ? null : meanGap(better, worse!);
    return gap === null ? [] : [gap.score];
  };
  const effects = [
    { effect: "the first length that a model was never trained on", gaps: steps },
    {
      effect: "training on shorter texts",
      gaps: [...gapOf(PANELS["left"]!, -1, 0), ...gapOf(PANELS["middle-left"]!, -1, 0)],
    },
    { effect: "a smaller model", gaps: gapOf(PANELS["middle-right"]!, 0, -1) },
  ];
  return effects.filter(({ gaps }) => gaps.length > 0)
    .map(({ effect, gaps }) => ({ effect, score: mean(gaps), cases: gaps.length }))
    .toSorted((left, right) => right.score - left.score);
}

/** Returns a sentence on the largest effect, and one on the others. */
export function effectText(effects: readonly ModelEffect[]): string {
  const [most, ...others] = effects;
  if (most === undefined) return "No two models were compared.";
  const first = `What costs most is ${most.effect}: ${most.score.toFixed(0)} points on average.`;
  const next = others.map(({ effect, score }) => `${effect} (${score.toFixed(0)})`).join(", ");
  return next === "" ? first : `${first} Next: ${next}.`;
}

/**
 * Draws models by context length in the form of Figure 4 of the RULER paper: a panel per family, dashed beyond a model's training
 * length; one chart if there is one family.
 *
 * @throws {RangeError} If no line has a point.
 */
export function modelFigure(lines: readonly ModelLine[], options: LineFigureOptions): Figure {
  const { title, caption } = options;
  const families = [...Map.groupBy(lines.filter(({ points }) => points.length > 0), ({ panel }) => panel)];
  if (families.length === 0) throw cannotDraw(title, "at least one model must have a mean of all 13 tasks", "none");
  if (families.length === 1) return drawFamily(families[0]![1], options);
  const drawn = families.map(([name, family]) => drawFamily(family, { ...options, title: name, height: 220 }));
  return panels(drawn, { title, caption });
}

function drawFamily(
  family: readonly ModelLine[],
  { withIntervals = false, ...options }: LineFigureOptions & { readonly height?: number },
): Figure {
  const rows = family.flatMap(({ series, points, trained }) =>
    points.map((point) => ({ series, ...point, isBeyond: trained !== null && point.length > trained }))
  );
  return lineChart(rows, {
    ...SCORE_AXES,
    seriesTitle: "Model",
    yTitle: "Mean of 13 tasks (%)",
    // Training lengths and sizes are ordered.
    palette: family.every(({ series }) => ORDER.includes(series)) ? "ordered" : "distinct",
    dashed: { when: ({ isBeyond }) => isBeyond, means: "beyond the training length" },
    ...options,
    ...(withIntervals ? INTERVALS : {}),
  });
}
