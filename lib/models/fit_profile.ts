import type { Category } from "@/lib/generators/mod.ts";
import { minimise } from "./_minimise.ts";
import { expectedCategoryScore } from "./expected_score.ts";
import type { Profile, Strength } from "./profile.ts";
import { recallOf } from "./recall.ts";
import { CATEGORIES, RULER_TASKS } from "./ruler_tasks.ts";
import { typicalOutlines } from "./typical_outlines.ts";

/** One published score of a category: the mean over its tasks. */
export interface CategoryScore {
  /** Of which tasks. */
  readonly category: Category;
  /** Context length in tokens. */
  readonly length: number;
  /** The mean score in percent, in [0, 100]. */
  readonly score: number;
}

/** How far a profile's expected score is from the published one. */
export interface Residual {
  /** Of which tasks. */
  readonly category: Category;
  /** Context length in tokens. */
  readonly length: number;
  /** What the paper prints, in percent. */
  readonly published: number;
  /** What the profile is expected to score, in percent. */
  readonly expected: number;
}

/** What a fit gives. */
export interface ProfileFit {
  /** The most tokens that can be read, or `null` where some score at every length. */
  readonly window: number | null;
  /** How strongly facts are held, by category. */
  readonly strengths: Readonly<Record<Category, Strength>>;
  /** How far the expected scores are from the published ones. */
  readonly residuals: readonly Residual[];
}

/** Log-odds beyond this are as good as certain; keeps a fit to scores of 100 from running away. */
const HIGHEST_LEVEL = 12;
/** Draws numbers that the scores do not determine towards 0: a number of 1 costs as much as a residual of 0.1 percent. */
const RIDGE = 0.01;
/** Log-odds that Llama2-7B loses with each doubling from 1K to 4K: its scores are 96.0, 91.5 and 84.9 (RULER, Figure 4). */
const SLOPE_OF_ONE_LENGTH = 0.7;
/** How far over the longest prompt that is read the window reaches; lengths are estimates. */
const WINDOW_MARGIN = 1.2;

/**
 * Fits a profile to published scores: in each category the three numbers of its strength, by least squares of the scores in percent.
 *
 * The window is fitted too: where a model scores 0 in every category from some length on, it ends a fifth above the longest
 * length before. A category with one length has its level fitted, and the slope of Llama2-7B's overall scores in Figure 4.
 *
 * @param scores One model's published scores, in all four categories.
 * @param fixed What is not fitted: the name, habits and difficulty of the profile.
 * @returns The fitted numbers, rounded to three decimals, and what is left between expected and published scores.
 * @throws {RangeError} If a category has no score above 0.
 *
 * @example What a profile scores is found again
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { CATEGORIES, expectedCategoryScore, openProfile } from "@/lib/models/mod.ts";
 *
 * const profile = openProfile("mistral");
 * const scores = CATEGORIES.flatMap((category) =>
 *   [4096, 16_384, 65_536].map((length) => ({ category, length, score: expectedCategoryScore(profile, { category, length }) }))
 * );
 * const { residuals } = fitProfile(scores, profile);
 * ok(residuals.every(({ expected, published }) => Math.abs(expected - published) < 0.5));
 * ```
 */
export function fitProfile(
  scores: readonly CategoryScore[],
  fixed: Pick<Profile, "name" | "habits" | "difficulty">,
): ProfileFit {
  const window = fitWindow(scores);
  const { name, habits, difficulty } = fixed;
  const draft = { name, about: "", manner: "reads", window: window ?? Infinity, habits, difficulty } as const;
  const strengths = eachCategory((category) => {
    const points = scores.filter((point) => point.category === category && point.length <= draft.window);
    if (!points.some(({ score }) => score > 0)) {
      throw new RangeError(
        `Cannot fit profile ${name} as there must be a score above 0 in ${category}: current value is none`,
      );
    }
    return fitStrength(points, (strength) => ({ ...draft, strengths: eachCategory(() => strength) }));
  });
  const residuals = scores.map(({ category, length, score }): Residual => ({
    category,
    length,
    published: score,
    expected: round(expectedCategoryScore({ ...draft, strengths }, { category, length }), 1),
  }));
  return { window, strengths, residuals };
}

function fitWindow(scores: readonly CategoryScore[]): number | null {
  const scored = Math.max(...scores.filter(({ score }) => score > 0).map(({ length }) => length));
  return scores.some(({ length }) => length > scored) ? Math.round(WINDOW_MARGIN * scored) : null;
}

function fitStrength(points: readonly CategoryScore[], profileWith: (strength: Strength) => Profile): Strength {
  const targets = points.map(({ category, length, score }) => ({
    score,
    tasks: RULER_TASKS[category].map((task) => typicalOutlines(task, length)),
  }));
  const hasOneLength = new Set(points.map(({ length }) => length)).size === 1;
  const read = ([level, slope, bend]: readonly number[]): Strength => ({
    level: Math.min(HIGHEST_LEVEL, level!),
    slope: hasOneLength ? SLOPE_OF_ONE_LENGTH : Math.abs(slope!),
    bend: hasOneLength ? 0 : Math.abs(bend!),
  });
  const cost = (numbers: readonly number[]): number => {
    const profile = profileWith(read(numbers));
    const misses = targets.map(({ score, tasks }) => {
      const expected = mean(
        tasks.map((outlines) => mean(outlines.map((outline) => recallOf(outline, profile).expected))),
      );
      return (100 * expected - score) ** 2;
    });
    return sum(misses) + RIDGE * sum(numbers.map((number) => number ** 2));
  };
  const { level, slope, bend } = read(minimise([3, 0.5, 0.1], cost));
  return { level: round(level, 3), slope: round(slope, 3), bend: round(bend, 3) };
}

function eachCategory<T>(make: (category: Category) => T): Record<Category, T> {
  return Object.fromEntries(CATEGORIES.map((category) => [category, make(category)])) as Record<Category, T>;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
