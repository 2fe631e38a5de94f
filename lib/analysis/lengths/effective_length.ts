import { lengthText } from "../length_text.ts";

/** A score at a length. */
export interface LengthScore {
  /** Context length in tokens. */
  readonly length: number;
  /** The score in percent; `null` where there is none. */
  readonly score: number | null;
}

/**
 * When a length counts as effective:
 *
 * - *published*: the score is at least the threshold, whatever the shorter lengths score. It gives all 205 effective
 *   lengths that the two editions of the RULER paper print.
 * - *strict*: the score is above the threshold, as the paper's words ("exceeding") have it.
 * - *contiguous*: the scores of this and of every shorter length are at least the threshold.
 */
export type EffectiveLengthRule = "published" | "strict" | "contiguous";

/** Options for {@linkcode effectiveLength}. */
export interface EffectiveLengthOptions {
  /**
   * When a length counts as effective.
   *
   * @default {"published"}
   */
  readonly rule?: EffectiveLengthRule;
}

/** The longest context in which a model still does well enough. */
export interface EffectiveLength {
  /** In tokens; `null` where no length is effective, or none has a score. */
  readonly length: number | null;
  /**
   * As tables print it: `32K`; `<4K` where even the shortest length falls short; `>128K` where the longest passes,
   * since nothing longer was tried (the paper's third edition writes `128K` there for models that claim no more); `no
   * score` where no length has one.
   */
  readonly text: string;
}

/** The threshold of RULER's Table 3: Llama2-7B (chat) at 4K, in percent. */
export const RULER_THRESHOLD = 85.6;

/**
 * Finds the effective length: the longest at which the score reaches a threshold (RULER, section 4).
 *
 * @param scores Scores at lengths, in any order. Lengths without a score are passed over.
 * @param threshold In percent.
 * @param options Which rule decides.
 * @returns The length and how tables print it.
 *
 * @example Mixtral in RULER's Table 3
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const scores = [[4096, 94.9], [8192, 92.1], [16384, 92.5], [32768, 85.9], [65536, 72.4], [131072, 44.5]]
 *   .map(([length, score]) => ({ length: length!, score: score! }));
 * equal(effectiveLength(scores, 85.6).text, "32K");
 * ```
 */
export function effectiveLength(
  scores: readonly LengthScore[],
  threshold: number,
  options: EffectiveLengthOptions = {},
): EffectiveLength {
  const { rule = "published" } = options;
  const scored = scores.filter((row): row is { length: number; score: number } => row.score !== null)
    .toSorted((left, right) => left.length - right.length);
  const passes = scored.map(({ score }) => rule === "strict" ? score > threshold : score >= threshold);
  const firstMiss = passes.indexOf(false);
  const last = rule === "contiguous" && firstMiss >= 0 ? firstMiss - 1 : passes.lastIndexOf(true);
  return { length: scored[last]?.length ?? null, text: effectiveLengthText(scored.map(({ length }) => length), last) };
}

/** How tables print the length at a place in the list of tried lengths; place -1 stands for none of them. */
export function effectiveLengthText(lengths: readonly number[], place: number): string {
  if (lengths.length === 0) return "no score";
  if (place < 0) return `<${lengthText(lengths[0]!)}`;
  return place === lengths.length - 1 ? `>${lengthText(lengths[place]!)}` : lengthText(lengths[place]!);
}

/**
 * Gives a threshold of the model's own: a share of its score at the shortest length, so that a model is measured
 * against what it can do when the context is short (NoLiMa, Modarressi et al. 2025, takes 85%).
 *
 * @param scores Scores at lengths, in any order.
 * @param share The share, in (0, 1].
 * @returns The threshold in percent; `null` where the shortest length has no score, or 0: a share of nothing tells
 * nothing.
 * @throws {RangeError} If the share is outside (0, 1].
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(ownThreshold([{ length: 8192, score: 60 }, { length: 4096, score: 80 }], 0.85), 68);
 * ```
 */
export function ownThreshold(scores: readonly LengthScore[], share: number): number | null {
  if (!(share > 0 && share <= 1)) {
    throw new RangeError(`Cannot set a threshold as share must be in (0, 1]: current value is ${share}`);
  }
  const [shortest] = scores.toSorted((left, right) => left.length - right.length);
  return shortest === undefined || shortest.score === null || shortest.score === 0 ? null : shortest.score * share;
}
