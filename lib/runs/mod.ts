/**
 * Runs: plan, ask, record, resume.
 *
 * @module
 */
export { type MaterialNames, type MaterialsOptions, type OpenMaterials, openMaterials } from "./open_materials.ts";
export { checkStudy, type Study, type TaskChoice } from "./study.ts";
export { FAMILY_NAMES, makeTasks, TASK_NAMES } from "./make_tasks.ts";
export { familyOf } from "./_families.ts";
export { describeRun, type OpenStudy, openStudy, planStudy } from "./open_study.ts";
export { type RememberOptions, rememberSamples } from "./remember_samples.ts";
export { runStudy, type RunStudyOptions, type StudyRun } from "./run_study.ts";
export { readStudyFile } from "./study_file.ts";
export { type Cell, listSamples, type Plan, type PlannedSample, type PlanOptions, planRun } from "./plan.ts";
export { pickSamples, type SampleName } from "./pick_samples.ts";
export { type AskedSample, type ChooseSamples, runChosen, type RunChosenOptions } from "./run_chosen.ts";
export { type EstimateOptions, estimateRun, type Prices, type RunEstimate } from "./estimate_run.ts";
export type { RunRecord } from "./record.ts";
export type { RunHeader, RunManifest, TaskHeader } from "./manifest.ts";
export { checkRunName } from "./run_name.ts";
export { RUNS_FOLDER } from "./runs_folder.ts";
export { suiteText } from "./suite_text.ts";
export { openRun, type OpenRunOptions, placeOf, type RunStore, type SamplePlace } from "./store.ts";
export { type RunOptions, runPlan } from "./run_plan.ts";
export type { RunSummary } from "./run_summary.ts";
export type { RunProgress } from "./run_progress.ts";
export { type ProgressView, shellProgress, type ShellProgressOptions } from "./shell_progress.ts";
export { type Display, type NotebookProgress, notebookProgress } from "./notebook_progress.ts";
export { listRuns, readRun, type RecordedRun } from "./read_run.ts";
export { type RemadeSample, type RemakeOptions, remakeSample } from "./remake_sample.ts";
export { type ScoredReply, scoreRecords } from "./score_records.ts";
export { FATHOM_VERSION } from "./version.ts";
export { knobGrid } from "./knob_grid.ts";
export { parsedFile, type ParsedScore, parseReplies, type ParseRepliesOptions } from "./parse_replies.ts";
export { type RecallCell, recallCells } from "./recall_cells.ts";
export { judgeOrigin } from "./judge_origin.ts";
export { type JudgedReply, judgeReplies, type JudgeRepliesOptions, verdictFile } from "./judge_replies.ts";
export { type OverviewLine, runOverview } from "./run_overview.ts";
export { type ReplyOutcome, replyOutcomes, type ReplyOutcomesOptions } from "./reply_outcomes.ts";
