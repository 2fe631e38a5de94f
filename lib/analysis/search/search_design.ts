import type { EffectiveLengthRule } from "../lengths/effective_length.ts";

/** What an adaptive search looks for, and how far it may go. */
export interface SearchDesign {
  /** The tasks whose mean decides, each weighing the same; at least one. */
  readonly tasks: readonly string[];
  /** The context lengths among which to search, in tokens; at least one. */
  readonly lengths: readonly number[];
  /** The most samples of each task at each length: those of the design that asks everything. From 1. */
  readonly samples: number;
  /**
   * The number of the first sample of each task and length.
   *
   * @default {0}
   */
  readonly first?: number;
  /**
   * What the mean must reach: a number of percent in (0, 100), or a share of the mean at the shortest length, in (0, 1).
   */
  readonly threshold: number | { readonly share: number };
  /**
   * When a length counts as effective. By `published` and `strict` the search begins at the longest length and ends at
   * the first that passes; by `contiguous` it begins at the shortest and ends at the first that does not.
   *
   * @default {"published"}
   */
  readonly rule?: EffectiveLengthRule;
  /**
   * The most that the chance of a wrong answer may be where the answer is settled, in (0, 1).
   *
   * @default {0.05}
   */
  readonly errorChance?: number;
}

/** Checks a design and gives its lengths, each once, rising. */
export function checkDesign(design: SearchDesign): readonly number[] {
  const { tasks, samples, first = 0, threshold, errorChance = 0.05 } = design;
  const lengths = [...new Set(design.lengths)].sort((left, right) => left - right);
  const isOwn = typeof threshold === "object";
  const inside = (value: number, high: number): boolean => value > 0 && value < high;
  const checks: readonly (readonly [name: string, holds: boolean, wanted: string, value: unknown])[] = [
    ["tasks", tasks.length > 0, "at least one", tasks.length],
    ["lengths", lengths.length > (isOwn ? 1 : 0), isOwn ? "at least two" : "at least one", lengths.length],
    ["samples", Number.isInteger(samples) && samples >= 1, "a whole number from 1", samples],
    ["first", Number.isInteger(first) && first >= 0, "a whole number from 0", first],
    isOwn
      ? ["share", inside(threshold.share, 1), "in (0, 1)", threshold.share]
      : ["threshold", inside(threshold, 100), "in (0, 100)", threshold],
    ["errorChance", inside(errorChance, 1), "in (0, 1)", errorChance],
  ];
  for (const [name, holds, wanted, value] of checks) {
    if (!holds) {
      throw new RangeError(
        `Cannot search for the effective length as ${name} must be ${wanted}: current value is ${value}`,
      );
    }
  }
  return lengths;
}
