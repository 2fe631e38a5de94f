/**
 * RULER (Hsieh et al. 2024): its tasks and scorers.
 *
 * @module
 */
export { zeta } from "./frequent_words.ts";
export { NIAH } from "./niah.ts";
export {
  groupPredictionFiles,
  inRulerOrder,
  type LineFields,
  parseLine,
  type PredictionFiles,
  readPredictions,
  readRulerLine,
  type RefuseLine,
  type RulerPrediction,
  rulerScoreFiles,
  taskOfFile,
} from "./ruler_files.ts";
export {
  CATEGORIES,
  RULER,
  RULER_FAMILIES,
  RULER_GROUPS,
  RULER_OVERALL,
  RULER_TASK_NAMES,
  RULER_TASKS,
  rulerFamilyOf,
  type RulerStudyTaskName,
  rulerTask,
  type RulerTaskName,
} from "./tasks.ts";
export { type Variant, VARIANTS } from "./wording.ts";
