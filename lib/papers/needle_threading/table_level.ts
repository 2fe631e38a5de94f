import type { ThreadingPublished } from "./published.ts";

/** How well one level of accuracy explains Table 2. */
export interface LevelFit {
  /** The accuracy that counts as effective, in percent. */
  readonly level: number;
  /** The number of limits that it explains. */
  readonly explained: number;
  /** The number of limits: those of single needles below the supported context. */
  readonly of: number;
}

/** Depths at which a needle was hidden. */
const DEPTHS = 11;
/** The relative error of sizes in characters, and the rounding error of a printed limit, in thousand characters. */
const [SIZE_ERROR, ROUNDING] = [0.006, 0.5] as const;

/**
 * Counts, for each level of accuracy in percent, the single-needle limits of Table 2 that it explains. The available text of
 * the paper does not name the level.
 *
 * A limit is explained if, at some depth, accuracy falls through the level there between two neighbouring sizes, interpolated
 * linearly. Each depth was asked once per haystack (Tables 8 to 12), so accuracy has only a few possible values, and the wrong
 * answers at one depth cannot exceed those of Table 3 at all depths.
 */
export function levelFits(
  published: ThreadingPublished,
  levels: readonly number[] = Array.from({ length: 100 }, (_, at) => at + 1),
): readonly LevelFit[] {
  const limits = published.limits.filter(({ task, effective, supported }) =>
    task === "single_needle" && effective < supported
  );
  return levels.map((level) => ({
    level,
    explained: limits.filter((limit) => explains(published, level / 100, limit)).length,
    of: limits.length,
  }));
}

/** Returns whether accuracy can fall through a level at the printed limit of a model. */
function explains(
  published: ThreadingPublished,
  level: number,
  { model, effective }: ThreadingPublished["limits"][number],
): boolean {
  const tolerance = ROUNDING + SIZE_ERROR * effective;
  const sizes = published.haystacks.map(({ length, thousandCharacters }) => ({
    size: thousandCharacters,
    accuracies: accuraciesAtDepth(published, model, length),
  }));
  return sizes.slice(1).some((larger, at) => {
    const smaller = sizes[at]!;
    return smaller.accuracies.some((before) =>
      larger.accuracies.some((after) => {
        if (before < level || after >= level) return false;
        const crossing = smaller.size + (before - level) / (before - after) * (larger.size - smaller.size);
        return Math.abs(crossing - effective) <= tolerance;
      })
    );
  });
}

/** Lists the accuracies that a model can have at one depth, given its mean over all depths; none if it was not asked. */
function accuraciesAtDepth(published: ThreadingPublished, model: string, length: number): readonly number[] {
  const isCell = (row: { readonly task: string; readonly model: string; readonly length: number }): boolean =>
    row.task === "single_needle" && row.model === model && row.length === length;
  const score = published.scores.find(isCell)?.score;
  const haystacks = published.repeats.find(isCell)?.repeats;
  if (score === undefined || haystacks === undefined) return [];
  const wrong = Math.round((1 - score / 100) * DEPTHS * haystacks);
  const counts = Array.from({ length: haystacks + 1 }, (_, count) => count);
  return counts.filter((count) => count <= wrong && wrong - count <= (DEPTHS - 1) * haystacks)
    .map((count) => 1 - count / haystacks);
}
