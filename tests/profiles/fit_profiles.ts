/**
 * Fits the simulated reader's profiles to the RULER paper's Tables 13 to 16 and writes data/profiles.json. Run it again when
 * the published tables change, or how the simulated reader forgets.
 *
 * @module
 */
import { expectedCategoryScore } from "./_expected_category.ts";
import { typicalPrompts } from "@/lib/papers/ruler/expected_score.ts";
import { CATEGORY_NAMES, type CategoryName, openPublished, type RulerPublished } from "@/lib/papers/ruler/published.ts";
import { CATEGORIES, RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Category } from "@/lib/generators/mod.ts";
import { type Profile, PUBLISHED_PROFILES, recallOf, type Residual } from "@/lib/simulated/mod.ts";
import type { ProfileFit, Strength } from "@/lib/simulated/profiles.ts";
import { mean, sum } from "@/lib/statistics/mod.ts";

/** A published score of a category: the mean over its tasks, in percent. */
export interface CategoryScore {
  readonly category: Category;
  readonly length: number;
  readonly score: number;
}

/** Log-odds beyond this are as good as certain; keeps a fit to scores of 100 from running away. */
const HIGHEST_LEVEL = 12;
/** Pulls numbers that the scores do not determine towards 0: a number of 1 costs as much as a residual of 0.1 percent. */
const RIDGE = 0.01;
/** Log-odds that Llama2-7B loses with each doubling from 1K to 4K: its scores are 96.0, 91.5 and 84.9 (RULER, Figure 4). */
const SLOPE_OF_ONE_LENGTH = 0.7;
/** The window is this many times the longest prompt that is read; lengths are estimates. */
const WINDOW_MARGIN = 1.2;

/**
 * Fits a profile to published scores: the three numbers of each category's strength, by least squares in percent.
 *
 * If a model scores 0 in every category from some length on, its window ends a fifth above the longest length before. In a
 * category with one length only the level is fitted, and the slope is that of Llama2-7B's overall scores in Figure 4.
 */
export function fitProfile(
  scores: readonly CategoryScore[],
  fixed: Pick<Profile, "name" | "rates" | "difficulty">,
): ProfileFit {
  const window = fitWindow(scores);
  const { name, rates, difficulty } = fixed;
  const draft: Omit<Profile, "strengths"> = {
    ...{ name, about: "", manner: "reads", window: window ?? Infinity, rates, difficulty, residuals: [] },
  };
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
    tasks: RULER_TASKS[category].map((task) => typicalPrompts(task, length)),
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
        tasks.map((prompts) => mean(prompts.map((features) => recallOf(features, profile).expected))),
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

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

/** Finds where a function of a few numbers is smallest: the simplex method of Nelder and Mead (1965), restarted twice. */
function minimise(start: readonly number[], cost: (point: readonly number[]) => number): number[] {
  let best = start.slice();
  for (const step of [1, 0.5, 0.25]) best = descend(best, cost, step);
  return best;
}

interface Corner {
  readonly point: readonly number[];
  readonly cost: number;
}

function descend(start: readonly number[], cost: (point: readonly number[]) => number, step: number): number[] {
  const at = (point: readonly number[]): Corner => ({ point, cost: cost(point) });
  let corners = [
    at(start),
    ...start.map((_, axis) => at(start.map((value, other) => other === axis ? value + step : value))),
  ];
  for (let round = 0; round < 200 * start.length; round++) {
    corners = corners.toSorted((left, right) => left.cost - right.cost);
    const best = corners[0]!;
    const worst = corners.at(-1)!;
    if (worst.cost - best.cost < 1e-9) break;
    const others = corners.slice(0, -1);
    const centre = start.map((_, axis) => others.reduce((sum, { point }) => sum + point[axis]!, 0) / others.length);
    const along = (factor: number): Corner =>
      at(centre.map((value, axis) => value + factor * (worst.point[axis]! - value)));
    const mirrored = along(-1);
    const better = mirrored.cost < best.cost
      ? least(mirrored, along(-2))
      : mirrored.cost < others.at(-1)!.cost
      ? mirrored
      : least(along(0.5), along(-0.5));
    corners = better.cost < worst.cost
      ? [...others, better]
      : corners.map(({ point }) => at(point.map((value, axis) => (value + best.point[axis]!) / 2)));
  }
  return corners.reduce(least).point.slice();
}

function least(left: Corner, right: Corner): Corner {
  return right.cost < left.cost ? right : left;
}

/** Collects one model's scores in the four categories from the paper's first edition. */
export function categoryScores(published: RulerPublished, model: string): CategoryScore[] {
  const isOfModel = (name: string): boolean => name === model || name.startsWith(`${model} (`);
  const rows = published.rows
    .filter(({ edition, group, model }) => edition === "v1" && group === "aligned" && isOfModel(model))
    .flatMap(({ category, scores }) => scores.map((point) => ({ ...point, category })));
  // The thresholds of aligned models are the scores of Llama2-7B (chat) at 4,096 tokens. At 8,192 the mean of its tasks is 0
  // (Figure 4), and so is each of them.
  const thresholds = published.thresholds
    .filter(({ aligned }) => aligned && model === "Llama2-7B (chat)")
    .flatMap(({ category, threshold }) => [
      { category, length: 4096, score: threshold },
      { category, length: 8192, score: 0 },
    ]);
  return [...rows, ...thresholds].flatMap(({ category, length, score }) =>
    category in CATEGORY_NAMES ? [{ category: CATEGORY_NAMES[category as CategoryName], length, score }] : []
  );
}

if (import.meta.main) {
  const published = await openPublished();
  const fits = PUBLISHED_PROFILES.map((profile) =>
    [profile.name, fitProfile(categoryScores(published, profile.model), profile)] as const
  );
  const file = new URL("../../data/profiles.json", import.meta.url);
  await Deno.writeTextFile(file, `${JSON.stringify(Object.fromEntries(fits), null, 1)}\n`);
}
