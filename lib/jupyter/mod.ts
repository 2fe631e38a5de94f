/**
 * Notebooks run in a real kernel, checked, asked models from, and exported as reports.
 *
 * @module
 */
export {
  askModel,
  type AskModelOptions,
  askModels,
  type AskModelsOptions,
  type ExploredRun,
  exploreRun,
  type ExploreRunOptions,
  type ModelRun,
} from "./ask_models.ts";
export { type ComparedRun, compareRuns, type RunComparison, runComparison } from "./compare_runs.ts";
export { canServe, findJupyter, type JupyterNeed, probePython, type Python } from "./find_jupyter.ts";
export { type RegradedRun, regradeRun, type RegradeRunOptions } from "./regrade_run.ts";
export {
  type DepthFigure,
  depthFigure,
  type DepthFigureOptions,
  type FailureFigure,
  failureFigure,
  type FailureFigureOptions,
  keepFigure,
  type KeepFigureOptions,
  saveReplyRows,
  type SaveReplyRowsOptions,
} from "./run_figures.ts";
