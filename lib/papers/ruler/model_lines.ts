import type { RulerPublished } from "./published.ts";
import { pointsOf, printedPoint, type ScoreLine } from "./score_lines.ts";
import { RULER_GROUPS } from "@/lib/benchmarks/ruler/mod.ts";
import { cannotDraw, type Figure, type FigureOptions, lengthLabel, lineChart, panels } from "@/lib/figures/mod.ts";
import { lengthMeans, type ScoredRecord, summarise } from "@/lib/statistics/mod.ts";

/** A model's scores over lengths. */
export interface ModelLine extends ScoreLine {
  /** The longest length it was trained on, in tokens; `null` if unknown, or beyond the line's longest. */
  readonly trained: number | null;
}

/** The panels of Figure 4, by their place. */
const PANELS: Readonly<Record<string, { readonly panel: string; readonly title: string }>> = {
  "left": { panel: "LWM chat", title: "Training length: LWM, chat" },
  "middle-left": { panel: "LWM base", title: "Training length: LWM, base" },
  "middle-right": { panel: "Yi", title: "Model size: Yi" },
  "right": { panel: "architecture", title: "Architecture" },
};
const TASKS = 13;
/** The lines of each panel: by training length, or from the largest model. */
const ORDER = [
  ...["128K", "256K", "512K", "1M"].map((length) => `LWM-${length}`),
  ...["32K", "128K", "256K", "512K", "1M"].map((length) => `LWM-base-${length}`),
  ...["34B", "9B", "6B"].map((size) => `Yi-${size}-200K`),
];

/**
 * Gives the lines of RULER's Figure 4, digitised: means of 13 tasks, in the panels `LWM chat`, `LWM base`, `Yi` and
 * `architecture`. A model counts as trained on the lengths that the figure draws solid. The intervals are those of 13 times
 * 500 yes/no answers.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openPublished } from "@/lib/papers/ruler/mod.ts";
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
      panel: PANELS[panel]!.panel,
      series,
      points: [...solid, ...beyond].map(({ length, score }) => printedPoint({ length: length!, score }, TASKS))
        .toSorted((left, right) => left.length - right.length),
      trained: beyond.length === 0 ? null : Math.max(...solid.map(({ length }) => length!)),
    };
  });
  const placeOf = ({ series }: ModelLine): number => ORDER.includes(series) ? ORDER.indexOf(series) : ORDER.length;
  return drawn.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** A model that was asked here. */
export interface FamilyMember {
  readonly model: string;
  /** Its replies to RULER's 13 tasks, scored. */
  readonly replies: readonly ScoredRecord[];
  /** The longest length it was trained on, in tokens; 0 if unknown. */
  readonly trained: number;
}

/**
 * Gives one line per model that was asked here: its means of RULER's 13 tasks. Lengths at which a task has no score are left
 * out.
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
export interface ModelFigureOptions extends Pick<FigureOptions, "title" | "caption" | "origin" | "warning" | "n"> {
  /** Whether to draw the 95% intervals. */
  readonly withIntervals?: boolean;
}

/**
 * Draws models by context length as Figure 4 of the RULER paper: a panel per family, dashed beyond a model's training length;
 * one chart if there is one family.
 *
 * @throws {RangeError} If no line has a point.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 * import { openPublished, publishedModelLines } from "@/lib/papers/ruler/mod.ts";
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
  const families = [...Map.groupBy(lines.filter(({ points }) => points.length > 0), ({ panel }) => panel)];
  if (families.length === 0) throw cannotDraw(title, "one model or more must have a mean of all 13 tasks", "none");
  if (families.length === 1) return drawFamily(families[0]![1], options);
  const titleOf = (name: string): string => Object.values(PANELS).find(({ panel }) => panel === name)?.title ?? name;
  return panels(
    families.map(([name, family]) => drawFamily(family, { ...options, title: titleOf(name), height: 220 })),
    {
      title,
      caption,
      width: 900,
    },
  );
}

function drawFamily(
  family: readonly ModelLine[],
  { withIntervals = false, ...said }: ModelFigureOptions & { readonly height?: number },
): Figure {
  const rows = family.flatMap(({ series, points, trained }) =>
    points.map((point) => ({ series, ...point, isBeyond: trained !== null && point.length > trained }))
  );
  return lineChart(rows, {
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
  });
}
