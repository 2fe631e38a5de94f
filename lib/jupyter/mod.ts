/**
 * Notebooks run in a real kernel, checked, asked models from, and exported as reports.
 *
 * @module
 */
export { compareRuns, type RunComparison } from "./compare_runs.ts";
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
export { type OpenedRun, openRuns, type OpenRunsOptions } from "./open_runs.ts";
