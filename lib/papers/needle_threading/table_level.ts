import type { ThreadingPublished } from "./published.ts";

/** How well Table 2 is explained by one level of accuracy. */
export interface LevelFit {
  /** The accuracy that counts as effective, in percent. */
  readonly level: number;
  /** How many of the limits it explains. */
  readonly explained: number;
  /** How many there are: the single-needle limits below what a model supports. */
  readonly of: number;
}

/** Options for {@linkcode levelFits}. */
export interface LevelFitsOptions {
  /**
   * The levels to try, in percent.
   *
   * @default {1 to 100}
   */
  readonly levels?: readonly number[];
}

/** Depths at which a needle was hidden. */
const DEPTHS = 11;
/** How exactly sizes in characters are known, as a share; a limit is printed in whole thousands. */
const [READING, ROUNDING] = [0.006, 0.5] as const;

/**
 * Says, for each level of accuracy, how many of the single-needle limits in Table 2 it explains; the paper's available text does not
 * name the level that it took.
 *
 * A limit is explained if, at some depth, accuracy falls through the level there between two neighbouring sizes, interpolated
 * linearly. At one depth as many answers were asked as there are haystacks (Tables 8 to 12), so accuracy is one of a few values;
 * and no more answers can be wrong at one depth than Table 3 has wrong at all.
 *
 * @example 75% explains eleven of twelve, more than any other
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openThreadingPublished } from "@/lib/papers/needle_threading/mod.ts";
 *
 * const fits = levelFits(await openThreadingPublished());
 * const best = fits.toSorted((left, right) => right.explained - left.explained)[0];
 * deepEqual(best, { level: 75, explained: 11, of: 12 });
 * ```
 */
export function levelFits(published: ThreadingPublished, options: LevelFitsOptions = {}): readonly LevelFit[] {
  const { levels = Array.from({ length: 100 }, (_, at) => at + 1) } = options;
  const limits = published.limits.filter(({ task, effective, supported }) =>
    task === "single_needle" && effective < supported
  );
  return levels.map((level) => ({
    level,
    explained: limits.filter((limit) => explains(published, level / 100, limit)).length,
    of: limits.length,
  }));
}

/** Whether accuracy can fall through a level at the size that is printed for a model. */
function explains(
  published: ThreadingPublished,
  level: number,
  { model, effective }: ThreadingPublished["limits"][number],
): boolean {
  const tolerance = ROUNDING + READING * effective;
  const sizes = published.haystacks.map(({ length, thousandCharacters }) => ({
    size: thousandCharacters,
    accuracies: accuraciesAtDepth(published, model, length),
  }));
  return sizes.slice(1).some((larger, at) => {
    const smaller = sizes[at]!;
    return smaller.accuracies.some((before) =>
      larger.accuracies.some((after) => {
        if (before < level || after >= level) return false;
        const share = (before - level) / (before - after);
        const crossing = smaller.size + share * (larger.size - smaller.size);
        return Math.abs(crossing - effective) <= tolerance;
      })
    );
  });
}

/** The accuracies that a model can have at one depth, given its mean over all depths; none where it was not asked. */
function accuraciesAtDepth(published: ThreadingPublished, model: string, length: number): readonly number[] {
  const isCell = (row: { readonly task: string; readonly model: string; readonly length: number }): boolean =>
    row.task === "single_needle" && row.model === model && row.length === length;
  const score = published.scores.find(isCell)?.score;
  const haystacks = published.repeats.find(isCell)?.repeats;
  if (score === undefined || haystacks === undefined) return [];
  const wrong = Math.round((1 - score / 100) * DEPTHS * haystacks);
  const counts = Array.from({ length: haystacks + 1 }, (_, count) => count);
  return counts.filter((count) => count <= wrong && wrong - count <= (DEPTHS - 1) * haystacks).map((count) =>
    1 - count / haystacks
  );
}
