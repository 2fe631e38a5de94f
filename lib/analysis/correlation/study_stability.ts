import { type ClusterStability, clusterStability } from "./cluster_stability.ts";
import { type CorrelationStudy, type ModelReplies, studySamples } from "./correlation_study.ts";
import type { Resampling } from "./_resample.ts";

/** Options for {@linkcode studyStability}. */
export interface StudyStabilityOptions {
  /** The study of the same models. */
  readonly study: CorrelationStudy;
  /** Any text; the same seed gives the same replicates. */
  readonly seed: string;
  /**
   * How often to draw again. Range: 20 to 100,000.
   *
   * @default {200}
   */
  readonly replicates?: number;
}

/**
 * Tells how stable the clusters of a study are when its samples, its columns or its models are drawn again.
 *
 * @param members The models and their replies.
 * @param options The study, the seed and how often.
 * @returns What was found, for each thing there is enough of to draw it again: two samples a cell, three models. Nothing
 * where the study itself has no replicates.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openPublished, publishedCorrelationStudy } from "@/lib/analysis/mod.ts";
 *
 * const study = publishedCorrelationStudy(await openPublished());
 * deepEqual(studyStability([], { study, seed: "1" }), []);
 * ```
 */
export function studyStability(
  members: readonly ModelReplies[],
  options: StudyStabilityOptions,
): readonly ClusterStability[] {
  const { study: { stability, categories, kept, tasks }, seed, replicates = 200 } = options;
  if (stability === null) return [];
  const kinds: readonly Resampling[] = members.length < 3 ? ["samples", "columns"] : ["samples", "columns", "models"];
  const samples = studySamples(members).filter(({ task }) => tasks.includes(task));
  return kinds.map((resample) =>
    clusterStability(samples, { categories, kept, keep: kept.length, seed, replicates, resample })
  );
}
