import { RULER_TASKS } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Category } from "@/lib/generators/mod.ts";
import type { Profile } from "@/lib/simulated/mod.ts";
import { expectedTaskScore } from "@/lib/papers/ruler/expected_score.ts";

/** Returns the mean of a profile's expected scores over the tasks of a category, in percent. */
export function expectedCategoryScore(
  profile: Profile,
  { category, length }: { readonly category: Category; readonly length: number },
): number {
  const tasks = RULER_TASKS[category];
  const sum = tasks.reduce((total, task) => total + expectedTaskScore(profile, { task, length }), 0);
  return sum / tasks.length;
}
