/**
 * Notebooks run in a real kernel, checked, asked models from, and exported as reports.
 *
 * @module
 */
export { canServe, findJupyter, type JupyterNeed, probePython, type Python } from "./set_up_jupyter.ts";
export { type RegradedRun, regradeRun, type RegradeRunOptions } from "./regrade_run.ts";
export { keepFigure, saveReplyRows, showRuns } from "./notebook_outputs.ts";
export { type OpenedRun, openRuns, type OpenRunsOptions } from "./open_runs.ts";
