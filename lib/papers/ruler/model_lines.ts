import { meanGap } from "./line_findings.ts";
import { SCORE_AXES, type ScoreLine, scoreLines, seriesPoints } from "./score_lines.ts";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/tasks.ts";
import { type Figure, type FigureOptions, lineChart, panels } from "@/lib/figures/mod.ts";
import { INTERVALS, openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { evidenceOfRun } from "@/lib/papers/evidence/pairs.ts";
import { column, type LengthEvidence, lengthMeans, mean, openRows, type SummaryRow } from "@/lib/statistics/mod.ts";

export interface ModelLine extends ScoreLine {
  /** The panel of Figure 4, such as `Model size: Yi`. */
  readonly family: string;
  /** The longest training length, in tokens; `null` if unknown, or beyond the line's longest length. */
  readonly trained: number | null;
}

// A model of Figure 4, by its panel; by training length, or from the largest model.
const MODELS = {
  family: column.text("family"),
  model: column.text("model"),
  trained: column.optional(column.count("trained")),
};
const [CHAT, BASE, SIZE] = ["Training length: LWM, chat", "Training length: LWM, base", "Model size: Yi"];

/**
 * Reads the lines of RULER's Figure 4, digitised: means of 13 tasks, a family in each panel.
 * The training lengths are those of the figure's solid lines. The intervals are those of 13 times 500 yes/no answers.
 */
export async function openModelLines(): Promise<readonly ModelLine[]> {
  const rows = (await openEvidence("ruler")).filter(({ source }) => source.endsWith("Figure 4"));
  const lines = scoreLines(rows, ({ model }) => model);
  const models = await openRows("ruler_figure4_models.csv", MODELS);
  return models.map(({ family, model: series, trained }) => ({
    family,
    series,
    trained,
    points: lines.find((line) => line.series === series)!.points,
  }));
}

/**
 * Returns the line of a model: its means of RULER's 13 tasks. Lengths at which a task has no score are left out.
 *
 * @param rows From `summarise`.
 * @param trained The longest training length, in tokens; `null` if unknown.
 */
export function modelLine(series: string, rows: readonly SummaryRow[], trained: number | null): ModelLine {
  const means = lengthMeans(rows, { groups: RULER_GROUPS.filter(({ name }) => name === RULER_OVERALL) });
  const [line] = scoreLines(evidenceOfRun({ rows: means, tasks: {} }), () => series);
  return { family: "family", series, points: line?.points ?? [], trained };
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
): (Readonly<Record<"edge" | "beyond", LengthEvidence>> & { readonly before: readonly LengthEvidence[] }) | null {
  const before = points.filter(({ length }) => trained !== null && length <= trained);
  const [edge, beyond] = [before.at(-1), points[before.length]];
  return edge === undefined || beyond === undefined ? null : { edge, beyond, before };
}

/** Compares the effects of section 6, the largest first: a length never trained on, a longer training, a larger model. */
export function modelEffects(lines: readonly ModelLine[]): readonly ModelEffect[] {
  const steps = lines.map(firstBeyond).filter((step) => step !== null)
    .map(({ edge, beyond }) => edge.score - beyond.score);
  const gapOf = (family: string, from: number, to: number): number[] => {
    const [better, worse] = [from, to].map((at) => lines.filter((line) => line.family === family).at(at));
    const gap = better === undefined || better === worse ? null : meanGap(better, worse!);
    return gap === null ? [] : [gap.score];
  };
  const effects = [
    { effect: "a length beyond the training length", gaps: steps },
    { effect: "training on shorter texts", gaps: [CHAT!, BASE!].flatMap((family) => gapOf(family, -1, 0)) },
    { effect: "a smaller model", gaps: gapOf(SIZE!, 0, -1) },
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

type ModelFigureOptions = Pick<FigureOptions, "title" | "caption" | "origin" | "warning" | "n">;

/**
 * Draws models by context length in the form of Figure 4 of the RULER paper: a panel per family, dashed beyond a model's training
 * length; one chart if there is one family.
 *
 * @throws {RangeError} If no line has a point.
 */
export function modelFigure(lines: readonly ModelLine[], options: ModelFigureOptions): Figure {
  const { title, caption } = options;
  const families = [...Map.groupBy(lines.filter(({ points }) => points.length > 0), ({ family }) => family)];
  if (families.length === 1) return drawFamily(families[0]![1], options);
  const drawn = families.map(([name, family]) => drawFamily(family, { ...options, title: name, height: 220 }));
  return panels(drawn, { title, caption });
}

function drawFamily(family: readonly ModelLine[], options: ModelFigureOptions & { readonly height?: number }): Figure {
  const rows = family.flatMap((line) =>
    seriesPoints(line).map((point) => ({ ...point, isBeyond: line.trained !== null && point.length > line.trained }))
  );
  return lineChart(rows, {
    ...SCORE_AXES,
    ...INTERVALS,
    seriesTitle: "Model",
    yTitle: "Mean of 13 tasks (%)",
    // Training lengths and sizes are ordered.
    palette: family.every((line) => [CHAT, BASE, SIZE].includes(line.family)) ? "ordered" : "distinct",
    dashed: { when: ({ isBeyond }) => isBeyond, means: "beyond the training length" },
    ...options,
  });
}
