/**
 * Runs: plan, ask, record, resume.
 *
 * @module
 */
export {
  type AskedTokens,
  type AskingPace,
  cappedPace,
  type MinuteCaps,
  paceOfServer,
  statedPace,
} from "./asking_pace.ts";
export { checkRunFolder } from "./_files.ts";
export { cancelBatches, lookAtBatches, type RunBatch } from "./batch_files.ts";
export { type Budget, type BudgetFit, budgetFitNote, fitBudget, parseBudget, withSamples } from "./budget.ts";
export { chooseFewer } from "./choose_fewer.ts";
export { decisionNotes } from "./decision_notes.ts";
export {
  type CloseUp,
  closeUp,
  type CloseUpLine,
  type CloseUpOptions,
  closeUpTable,
  type CloseUpTableOptions,
  factTable,
  pickReply,
  type ReplyPlace,
  type SurroundedFact,
} from "./close_up.ts";
export {
  apartTable,
  type ApartTableOptions,
  compareReplies,
  type OutcomeChange,
  type RepliesCompared,
  type ReplyPair,
} from "./compare_replies.ts";
export {
  type ComparedRun,
  compareRuns,
  type CompareRunsOptions,
  type RunsCompared,
  type SharedSample,
  type SharedSamples,
} from "./compare_runs.ts";
export { runLimits, type RunLimitsOptions, runLimitTable } from "./context_limits.ts";
export {
  type DepthFigure,
  depthFigure,
  type DepthFigureOptions,
  type PlacedReply,
  type PlacedRun,
  placeReplies,
} from "./depths.ts";
export { checkMeasured, type CheckMeasuredOptions, type MeasuredCheck } from "./check_measured.ts";
export {
  closedBookAnswers,
  type ExplainedRecord,
  type ExplainedRun,
  explainRun,
  type ExplainRunOptions,
  type FailedReply,
  type FailureFigure,
  failureFigure,
  type FailureFigureOptions,
  type RunFailures,
  runFailures,
  type RunFailuresOptions,
} from "./failures.ts";
export {
  hasOwnSamples,
  type ImportedFrom,
  type MeasuredWith,
  type RecordsMark,
  type Repair,
  type RunHeader,
  type RunManifest,
  RUNS_FOLDER,
  type Shard,
  suiteText,
  type TaskHeader,
} from "./manifest.ts";
export { type InterruptOptions, type Interrupts, takeInterrupts } from "./interrupt.ts";
export { type MaterialNames, type MaterialsOptions, type OpenMaterials, openMaterials } from "./materials.ts";
export {
  askMeasurements,
  type AskMeasurementsOptions,
  estimateMeasureTime,
  findMeasureWork,
  type MeasureOptions,
  type MeasureWork,
  tokensOf,
} from "./measure.ts";
export {
  MEASURE_FILE,
  type MeasuredStudy,
  type MeasurePlan,
  type MeasureStep,
  readMeasurePlan,
} from "./measure_plan.ts";
export {
  listMeasured,
  type MeasuredFolderOptions,
  type MeasuredName,
  measuredRunName,
  runOf,
} from "./measured_files.ts";
export { openMeasured, type OpenMeasuredOptions } from "./measured_runs.ts";
export { type ModelMeans, modelMeans, type ModelMeansOptions } from "./model_means.ts";
export { type ModelEntry, priceOfModel } from "./model_entries.ts";
export { drawnFrom, drawnFromAll, type DrawnRun, type NativeLength, nativeLengths } from "./native_lengths.ts";
export {
  countedFor,
  type Destination,
  destinationText,
  isSimulatedReader,
  type ModelChoice,
  type OpenedModel,
  openModel,
  type OpenModelOptions,
  type PromptReads,
  type ReadVariable,
  simulatedModel,
  type SimulatedModelOptions,
  SIMULATION_VERSION,
} from "./models.ts";
export {
  makeTasks,
  type OpenedOptions,
  type OpenStudy,
  openStudy,
  type RemadeSample,
  type RemakeOptions,
  remakeSample,
  rememberSamples,
} from "./open_study.ts";
export { studyOfSamples } from "./sample_files.ts";
export { type MergedRun, mergeShards, type MergeShardsOptions } from "./merge_shards.ts";
export { planShard, readShard, readShardName, shardName } from "./shards.ts";
export { type Bundle, type BundledFile, bundleRun } from "./bundle.ts";
export { type ImportedRun, importRun, type ImportRunOptions } from "./import_run.ts";
export { type PackedRuns, packRuns, type PackRunsOptions } from "./pack_runs.ts";
export { budgetNotes, type Cell, type Plan, type PlannedSample, planStudy, repeatNotes } from "./plan.ts";
export { type EarlierRun, type EarlierRunOptions, findEarlierRun } from "./earlier_run.ts";
export {
  addEfforts,
  type Allowance,
  allowanceOf,
  batchPrices,
  type Effort,
  type EffortRow,
  type EstimateOptions,
  estimateRun,
  priceOf,
  type Prices,
  recordBytes,
  type RunEstimate,
  runMemory,
} from "./plan_cost.ts";
export { planTable, type PlanTableOptions } from "./plan_table.ts";
export {
  checkWindow,
  countTemplate,
  lookAtModel,
  type LookOptions,
  measuresTemplate,
  type ServerLook,
  serverTable,
} from "./preflight.ts";
export {
  type Display,
  type NotebookProgress,
  notebookProgress,
  type NotebookProgressOptions,
  type ProgressView,
  type RunProgress,
  shellProgress,
  type ShellProgressOptions,
  timeText,
  tokensText,
} from "./progress.ts";
export {
  checkScored,
  listRuns,
  readRun,
  type ReadRunOptions,
  readScoredRun,
  type RecordedRun,
  type RecordedScores,
  runFolder,
  type ScoredRun,
  scoreRecords,
  type ScoringOptions,
} from "./read_run.ts";
export type { SamplePlace } from "./records_file.ts";
export { describeRuns, type ListedRun, runListTable, type UnreadableRun } from "./run_list.ts";
export {
  type RegradedReply,
  type RegradeOptions,
  regradeReplies,
  type RegradeRow,
  regradeRows,
  regradeTable,
  type RegradeTableOptions,
  verdictOrigin,
} from "./regrade.ts";
export { modelName } from "./_run_names.ts";
export { type CutRow, cutRows, isAnswerCut, scoredPart } from "./reply_cuts.ts";
export {
  csvLines,
  type CsvRow,
  csvText,
  type CsvValue,
  openReplyRows,
  type ReplyRow,
  replyRows,
} from "./reply_rows.ts";
export type { PaidCall, Purse, SpendingLimit } from "./purse.ts";
export { type RetryReason, retryReasons, retryTable } from "./retries.ts";
export { type CallCost, type CallCostRow, priceOfRecords, type RunCost, runCost, runCostTable } from "./run_cost.ts";
export { DEFAULT_CONCURRENCY, MOST_CONCURRENCY, type RunOptions, type RunSummary } from "./run_plan.ts";
export type { Batching } from "./run_batches.ts";
export { ModelNotAskable } from "./watch_endpoint.ts";
export {
  asInRun,
  type AskedSample,
  type ChooseSamples,
  NothingCameYet,
  runStudy,
  type RunStudyOptions,
  type SampleName,
  type StudyRun,
} from "./run_study.ts";
export {
  jointName,
  type LeaderboardRow,
  leaderboardRows,
  type RunBoard,
  type RunLeaderboard,
  runLeaderboard,
  type RunLeaderboardOptions,
  shortName,
} from "./run_leaderboard.ts";
export { type ReplyOutcome, replyOutcomes } from "./run_overview.ts";
export { type RunReport, runReport } from "./run_report.ts";
export { runsOfStudy } from "./runs_of_study.ts";
export { chooseBySearch, searchRun } from "./search_run.ts";
export { placeOf, type RunFolderOptions, type RunStore, type StoreOptions } from "./store.ts";
export { type BenchmarkOptions, checkStudy, readStudyFile, samplesOf, type Study, type StudyChanges } from "./study.ts";
export { SERVER_TOKENIZER } from "./tokenizers.ts";
export { type SamplePage, samplePages, type SamplePagesOptions } from "./sample_page.ts";
export { jsonLines, ROW_FILES, type TableRow, writeRows } from "./row_files.ts";
export {
  checkCorpus,
  CORPORA_FOLDER,
  type Corpus,
  type CorpusFile,
  type CorpusState,
  fetchCorpus,
  type FetchCorpusOptions,
  pickCorpora,
  readCorpora,
} from "./corpora.ts";
export { type BrokenLine, repairRun, type RunCheck, type RunRepair, verifyRun } from "./verify_run.ts";
export { type Verdict, verdictFile } from "./verdicts.ts";
export { confirmAddress, isConfirmed, recordedModel } from "./recorded_model.ts";
