/**
 * Notebooks run in a real Jupyter kernel: setting Jupyter up, running, exporting and checking.
 *
 * @module
 */
export { isTagged, type Json, type JsonObject, type Notebook, type NotebookCell } from "./notebook.ts";
export { parseNotebook } from "./parse_notebook.ts";
export { formatNotebook } from "./format_notebook.ts";
export { declaredParameters, injectParameters, type Parameters, type ParameterValue } from "./parameters.ts";
export { keepFigure, type KeepFigureOptions } from "./keep_figure.ts";
export { joinCells, type JoinedCells } from "./join_cells.ts";
export { checkFormat } from "./check_format.ts";
export { checkNotebook, type NotebookProblem } from "./check_notebook.ts";
export { checkTypes } from "./check_types.ts";
export { canServe, findJupyter, type JupyterNeed, LEAST_PARTS, probePython, type Python } from "./find_jupyter.ts";
export { KERNEL, registerKernel } from "./kernel.ts";
export { type Jupyter, readyJupyter, setUpJupyter, type SetUpOptions } from "./set_up_jupyter.ts";
export { formatTime, type Progress, progressLine, shareIn, type StepTimes, timeLeft } from "./progress.ts";
export { type CellFailure, type NotebookRun, runNotebook, type RunOptions } from "./run_notebook.ts";
export { exportReport, type ReportOptions } from "./export_report.ts";
export { reproduceNotebook, type ReproduceOptions, type Reproduction } from "./reproduce.ts";
export { writeReport, type WriteReportOptions } from "./write_report.ts";
export { fetchPackages } from "./fetch_packages.ts";
export { listNotebooks } from "./list_notebooks.ts";
export { type LabOptions, openLab } from "./open_lab.ts";
export { askModel, type AskModelOptions } from "./ask_model.ts";
export { askModels, type AskModelsOptions, type ModelRun } from "./ask_models.ts";
export { parseRun, type ParseRunOptions } from "./parse_run.ts";
export { type JudgedRun, judgeRun, type JudgeRunOptions } from "./judge_run.ts";
export { type ComparedRun, compareRuns } from "./compare_runs.ts";
export { type FailureFigure, failureFigure, type FailureFigureOptions } from "./failure_figure.ts";
export { type ExploredRun, exploreRun, type ExploreRunOptions } from "./explore_run.ts";
export { type DepthFigure, depthFigure, type DepthFigureOptions } from "./depth_figure.ts";
export { type RunComparison, runComparison } from "./run_comparison.ts";
export { saveReplyRows, type SaveReplyRowsOptions } from "./save_reply_rows.ts";
