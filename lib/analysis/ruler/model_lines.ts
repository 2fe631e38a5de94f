import { lengthMeans } from "../length_means.ts";
import { RULER_GROUPS } from "../groups.ts";
import type { RulerPublished } from "../published/published.ts";
import { pointsOf, printedPoint, type ScoreLine } from "./score_line.ts";
import { type ScoredRecord, summarise } from "../summarise.ts";

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
 * import { openPublished } from "@/lib/analysis/mod.ts";
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
