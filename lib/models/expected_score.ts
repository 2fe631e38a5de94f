import type { Category } from "@/lib/generators/mod.ts";
import type { Profile } from "./profile.ts";
import { recallOf } from "./recall.ts";
import { RULER_TASKS } from "./ruler_tasks.ts";
import { typicalOutlines } from "./typical_outlines.ts";

/**
 * Tells the score that a profile is expected to reach in one of RULER's tasks, without making a sample.
 *
 * @param profile Who reads.
 * @param options `task`, one of RULER's thirteen; `length`, the token budget, from 4,096.
 * @returns The mean score in percent, in [0, 100].
 * @throws {RangeError} If there is no such task.
 *
 * @example The ideal reader finds everything
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openProfile } from "@/lib/models/mod.ts";
 *
 * equal(expectedTaskScore(openProfile("ideal"), { task: "vt", length: 131_072 }), 100);
 * ```
 */
export function expectedTaskScore(
  profile: Profile,
  options: { readonly task: string; readonly length: number },
): number {
  if (profile.manner === "says nothing") return 0;
  const outlines = typicalOutlines(options.task, options.length);
  const sum = outlines.reduce(
    (total, outline) => total + recallOf(outline, profile).expected,
    0,
  );
  return 100 * sum / outlines.length;
}

/**
 * Tells the score that a profile is expected to reach in one of RULER's four categories: the mean over its tasks.
 *
 * @param profile Who reads.
 * @param options `category`; `length`, the token budget, from 4,096.
 * @returns The mean score in percent, in [0, 100].
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openProfile } from "@/lib/models/mod.ts";
 *
 * equal(expectedCategoryScore(openProfile("mute"), { category: "retrieval", length: 4096 }), 0);
 * ```
 */
export function expectedCategoryScore(
  profile: Profile,
  options: { readonly category: Category; readonly length: number },
): number {
  const { category, length } = options;
  const tasks = RULER_TASKS[category];
  const sum = tasks.reduce(
    (total, task) => total + expectedTaskScore(profile, { task, length }),
    0,
  );
  return sum / tasks.length;
}
