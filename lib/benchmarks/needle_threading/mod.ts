/**
 * Needle Threading (Roberts, Han and Albanie 2024): its tasks, scorer, published numbers, claims and figures.
 *
 * @module
 */
export { THREADING_CLAIMS, type ThreadingEvidence } from "./claims.ts";
export { limitCurves, type LimitCurvesOptions, limitHeatmap, type LimitPoint, taskLimitTable } from "./figures.ts";
export {
  type KnobLimit,
  knobLimits,
  type KnobLimitsOptions,
  type TableLimit,
  tableLimits,
  type TaskLimit,
  taskLimit,
  type TaskLimitOptions,
} from "./limits.ts";
export type { ThreadingKind } from "./pairs.ts";
export {
  openThreadingPublished,
  PUBLISHED_THREADING_TASKS,
  type PublishedContext,
  type PublishedContextLimit,
  type PublishedThreadingTask,
  type ThreadingPublished,
  type ThreadingRepeats,
  type ThreadingTableScore,
  type ThreadSafetyPoint,
} from "./published.ts";
export { NEEDLE_THREADING, THREADING, type ThreadingTaskName } from "./threading.ts";
