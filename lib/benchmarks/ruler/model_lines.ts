import type { RulerPublished } from "./published.ts";
import { pointsOf, printedPoint, type ScoreLine } from "./score_lines.ts";
import { RULER_GROUPS } from "./tasks.ts";
import { cannotDraw, type Figure, lengthLabel, lineChart, type LineOptions, panels } from "@/lib/figures/mod.ts";
import { lengthMeans, type Origin, type ScoredRecord, summarise } from "@/lib/statistics/mod.ts";

/** How a model fares over lengths, and how long the texts were that it was trained on. */
export interface ModelLine extends ScoreLine {
  /** The longest length that it was trained on, in tokens; `null` where unknown, or beyond the longest of the line. */
  readonly trained: number | null;
}

const PANELS: Readonly<Record<string, string>> = {
  "left": "LWM chat",
  "middle-left": "LWM base",
  "middle-right": "Yi",
  "right": "architecture",
};
const TASKS = 13;
/** The lines of each panel in their order: by training length, or from the largest. */
const ORDER = [
  ...["128K", "256K", "512K", "1M"].map((length) => `LWM-${length}`),
  ...["32K", "128K", "256K", "512K", "1M"].map((length) => `LWM-base-${length}`),
  ...["34B", "9B", "6B"].map((size) => `Yi-${size}-200K`),
];

/**
 * Gives the lines of RULER's Figure 4, digitised from the figure: means of 13 tasks of families of models.
 *
 * A model counts as trained on the lengths that the figure draws solid. The intervals are those of 13 times 500 yes/no
 * answers, as in `publishedScoreRows`.
 *
 * @param published What RULER published.
 * @returns The lines; their panels are `LWM chat`, `LWM base`, `Yi` and `architecture`.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const lines = publishedModelLines(await openPublished());
 * equal(lines.find(({ series }) => series === "LWM-128K")?.trained, 131_072);
 * ```
 */
export function publishedModelLines({ series }: Pick<RulerPublished, "series">): readonly ModelLine[] {
  const figure4 = series.filter(({ figure, length }) => figure === 4 && length !== null);
  const lines = Map.groupBy(figure4, ({ panel, series }) => JSON.stringify([panel, series]));
  const drawn = [...lines.values()].map((points): ModelLine => {
    const { panel, series } = points[0]!;
    const solid = points.filter(({ segment }) => segment === "solid");
    const known = new Set(solid.map(({ length }) => length));
    // Where a line turns from solid to dashed the figure has the point in both.
    const beyond = points.filter(({ segment, length }) => segment === "extrapolation" && !known.has(length));
    return {
      panel: PANELS[panel] ?? panel,
      series,
      points: [...solid, ...beyond].map(({ length, score }) => printedPoint({ length: length!, score }, TASKS))
        .toSorted((left, right) => left.length - right.length),
      trained: beyond.length === 0 ? null : Math.max(...solid.map(({ length }) => length!)),
    };
  });
  const placeOf = ({ series }: ModelLine): number => ORDER.includes(series) ? ORDER.indexOf(series) : ORDER.length;
  return drawn.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** The scored replies of one model, and how long the texts were that it was trained on. */
export interface FamilyMember {
  /** The model's name. */
  readonly model: string;
  /** Its replies to RULER's 13 tasks, scored. */
  readonly replies: readonly ScoredRecord[];
  /** The longest length that it was trained on, in tokens; 0 where unknown. */
  readonly trained: number;
}

/**
 * Gives the lines of models that were asked here: their means of RULER's 13 tasks.
 *
 * @param members The models, in the order they are to stand.
 * @returns A line a model. Lengths at which some task has no score are left out.
 *
 * @example A model that was not asked all tasks has no mean of them
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const reply = { task: "vt", length: 4096, value: 1, failed: false, noAnswer: false };
 * deepEqual(familyLines([{ model: "a", replies: [reply], trained: 0 }])[0]?.points, []);
 * ```
 */
export function familyLines(members: readonly FamilyMember[]): readonly ModelLine[] {
  return members.map(({ model, replies, trained }): ModelLine => {
    const means = lengthMeans(summarise(replies), { groups: RULER_GROUPS.slice(0, 1) });
    return { panel: "family", series: model, points: pointsOf(means), trained: trained > 0 ? trained : null };
  });
}

/** Options for {@linkcode modelFigure}. */
export interface ModelFigureOptions {
  /** The finding. */
  readonly title: string;
  /** How to read it. */
  readonly caption: string;
  /** Where the scores come from. */
  readonly origin: Origin;
  /** Samples behind each point. */
  readonly n: number | string;
  /** Whether the 95% intervals are drawn. */
  readonly withIntervals?: boolean;
}

const TITLES: Readonly<Record<string, string>> = {
  "LWM chat": "Training length: LWM, chat",
  "LWM base": "Training length: LWM, base",
  "Yi": "Model size: Yi",
  "architecture": "Architecture",
};

interface ModelRow {
  readonly series: string;
  readonly length: number;
  readonly score: number;
  readonly low: number;
  readonly high: number;
  readonly isBeyond: boolean;
}

/**
 * Draws models by context length as Figure 4 of the RULER paper does: a panel a family, dashed beyond the length that a
 * model was trained on.
 *
 * @param lines Lines of `publishedModelLines` or `familyLines`.
 * @param options What to say of the figure.
 * @returns The figure: panels side by side, or one chart where there is one family.
 * @throws {RangeError} If no line has a point.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedModelLines } from "@/lib/benchmarks/ruler/mod.ts";
 *
 * const figure = modelFigure(publishedModelLines(await openPublished()), {
 *   title: "Longer training helps beyond it",
 *   caption: "Figure 4.",
 *   origin: "published",
 *   n: 6500,
 * });
 * match(await figure.svg(), /beyond the training length/);
 * ```
 */
export function modelFigure(lines: readonly ModelLine[], options: ModelFigureOptions): Figure {
  const { title, caption } = options;
  const drawn = lines.filter(({ points }) => points.length > 0);
  const families = [...Map.groupBy(drawn, ({ panel }) => panel)];
  if (families.length === 0) throw cannotDraw(title, "one model or more must have a mean of all 13 tasks", "none");
  const draw = (family: readonly ModelLine[], more: Partial<LineOptions<ModelRow>>): Figure =>
    lineChart(family.flatMap(rowsOf), { ...chartOptions(options), ...more });
  if (families.length === 1) return draw(families[0]![1], {});
  return panels(families.map(([name, family]) => draw(family, { title: TITLES[name] ?? name, height: 220 })), {
    title,
    caption,
    width: 900,
  });
}

function rowsOf({ series, points, trained }: ModelLine): readonly ModelRow[] {
  return points.map((point) => ({ series, ...point, isBeyond: trained !== null && point.length > trained }));
}

function chartOptions(options: ModelFigureOptions): LineOptions<ModelRow> {
  const { withIntervals = false, ...said } = options;
  return {
    x: "length",
    y: "score",
    series: "series",
    seriesTitle: "Model",
    xTitle: "Context length (tokens)",
    yTitle: "Mean of 13 tasks (%)",
    xLabel: lengthLabel,
    yDomain: [0, 100],
    palette: "distinct",
    dashed: { when: ({ isBeyond }) => isBeyond, means: "beyond the training length" },
    ...said,
    ...(withIntervals ? { low: "low", high: "high", interval: "95% interval" } as const : {}),
  };
}
