import type { RunManifest } from "./manifest.ts";

/**
 * Names what the scores of a run are scores of: the suites of its tasks with their versions, and whose wording the prompts
 * follow where the tasks have several.
 *
 * @param manifest The run's manifest, or its tasks.
 * @returns The names, such as `ruler-2, variant 2026`.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const vt = { suite: "ruler-2", scoring: "all", options: { variant: "paper", hops: 4 } } as const;
 * equal(suiteText({ tasks: { vt } }), "ruler-2, variant paper");
 * ```
 */
export function suiteText({ tasks }: Pick<RunManifest, "tasks">): string {
  const headers = Object.values(tasks);
  const suites = [...new Set(headers.map(({ suite }) => suite))];
  const variants = [...new Set(headers.flatMap(({ options }) => options["variant"] ?? []))];
  return [...suites, ...(variants.length === 0 ? [] : [`variant ${variants.join(" and ")}`])].join(", ");
}
