/**
 * From records and published tables to summaries, intervals and claims.
 *
 * @module
 */
export type { Origin, ScoreRow } from "./row.ts";
export {
  exactInterval,
  type Interval,
  type IntervalOptions,
  midInterval,
  wilsonInterval,
} from "./intervals/interval.ts";
export { normalInterval } from "./intervals/normal_interval.ts";
export { shareCoverage } from "./intervals/share_coverage.ts";
export { type MeanEstimate, meanInterval } from "./intervals/mean_interval.ts";
export { meanOfMeans } from "./intervals/mean_of_means.ts";
export {
  differenceInterval,
  type DifferenceIntervalOptions,
  type ScoreWithInterval,
} from "./intervals/difference_interval.ts";
export { type PermutationOptions, type PermutationResult, signFlipTest } from "./comparison/sign_flip_test.ts";
export { permutationTest, type ScoreGroups } from "./comparison/permutation_test.ts";
export {
  type Comparison,
  type ComparisonOptions,
  pairedComparison,
  type ScorePair,
} from "./comparison/paired_comparison.ts";
export { unpairedComparison } from "./comparison/unpaired_comparison.ts";
export { planSamples, type SamplePlan, type SamplePlanOptions } from "./comparison/plan_samples.ts";
export { tellableDifference } from "./comparison/tellable_difference.ts";
export { adjustPValues, type Correction } from "./comparison/adjust_p_values.ts";
export { type ComparedRecord, type MatchedSamples, matchSamples } from "./comparison/match_samples.ts";
export {
  compareModels,
  type CompareModelsOptions,
  type ComparisonRow,
  type ModelsCompared,
} from "./comparison/compare_models.ts";
export { type ScoredRecord, summarise, type SummaryRow } from "./summarise.ts";
export { RULER_GROUPS, RULER_OVERALL, type TaskGroup } from "./groups.ts";
export { lengthMeans, type LengthMeansOptions } from "./length_means.ts";
export { lengthText, readLengthText } from "./length_text.ts";
export { type ReplyTimes, replyTimes } from "./reply_times.ts";
export { rankWeights, weightedAverage, type Weighting } from "./ruler/weighted_average.ts";
export { ranks, type RanksOptions } from "./ruler/ranks.ts";
export {
  type EffectiveLength,
  effectiveLength,
  type EffectiveLengthOptions,
  type EffectiveLengthRule,
  type LengthScore,
  ownThreshold,
  RULER_THRESHOLD,
} from "./lengths/effective_length.ts";
export {
  chanceAtLeast,
  type EffectiveLengthChance,
  effectiveLengthChances,
  type EffectiveLengthChancesOptions,
} from "./lengths/effective_length_chances.ts";
export { ownEffectiveLengthChances } from "./lengths/own_effective_length_chances.ts";
export { type BoardEntry, type BoardRow, effectiveLengthBoard } from "./lengths/effective_length_board.ts";
export { type Coverage, type CoverageOptions, simulateCoverage } from "./intervals/simulate_coverage.ts";
export { type CoverageBand, coverageBands } from "./intervals/coverage_bands.ts";
export { type ProfileResidual, profileResiduals } from "./published/profile_residuals.ts";
export { anytimeTest, type AnytimeTestOptions, type AnytimeVerdict, type Round } from "./intervals/anytime_test.ts";
export { anytimeInterval } from "./intervals/anytime_interval.ts";
export {
  adaptiveSearch,
  type LengthVerdict,
  type SearchSample,
  type SearchScore,
  type SearchStep,
} from "./search/adaptive_search.ts";
export type { SearchDesign } from "./search/search_design.ts";
export { type SearchAim, searchPlan } from "./search/search_plan.ts";
export { type FinishedSearch, searchWith } from "./search/search_with.ts";
export { chooseBySearch, searchRun } from "./search/search_run.ts";
export { compareDesigns, type CompareDesignsOptions, type DesignsCompared } from "./search/compare_designs.ts";
export {
  type Edition,
  type PublishedRow,
  readRulerPublished,
  RULER_FILES,
  type RulerPublished,
  type RulerTexts,
} from "./published/published.ts";
export type { PrintedAverages, PublishedCategory, PublishedThreshold } from "./published/_published_tables.ts";
export type { PublishedModel, PublishedTask, SeriesPoint, TaskScore } from "./published/_published_lists.ts";
export type { CorrelatedTask, TaskCorrelations } from "./published/_published_correlations.ts";
export { openPublished } from "./published/open_published.ts";
export { leaderboard, type LeaderboardAverages, type LeaderboardEntry } from "./ruler/leaderboard.ts";
export {
  commonWordFrequencies,
  type CommonWordOptions,
  frequentWordFrequencies,
  type FrequentWordOptions,
  type WordFrequency,
} from "./ruler/frequencies.ts";
export { riemannZeta } from "./ruler/riemann_zeta.ts";
export { publishedBoard, type PublishedBoardOptions } from "./published/published_board.ts";
export { type SettledLengths, settledLengths } from "./published/settled_lengths.ts";
export { PAPER_SAMPLES, type PublishedScoreOptions, publishedScoreRows } from "./published/published_score_rows.ts";
export { type CategoryScores, type ImpliedTotal, impliedTotal, impliedTotals } from "./published/category_identity.ts";
export type { Disagreement, DisagreementCause, DisagreementKind } from "./published/disagreement.ts";
export { disagreements } from "./published/disagreements.ts";
export {
  checkClaims,
  type CheckedClaim,
  type Claim,
  type ClaimBody,
  type ClaimVoice,
  type Finding,
  type OwnCheck,
  type OwnInconsistency,
  type OwnStatement,
  type Verdict,
} from "./claims.ts";
export { RULER_CLAIMS } from "./ruler/ruler_claims.ts";
export { RUN_CLAIMS, type RunEvidence } from "./ruler/run_claims.ts";
export { FAILURE_CLASSES, FAILURE_MEANINGS, type FailureClass } from "./failures/failure_class.ts";
export type { FailedOutcome, FailedSample, FailureEvidence, FailureMode } from "./failures/failure_mode.ts";
export { classifyFailure } from "./failures/classify_failure.ts";
export { type ExplainedRecord, type ExplainedRun, explainRun, type ExplainRunOptions } from "./failures/explain_run.ts";
export { noContextAnswers } from "./failures/no_context_answers.ts";
export type { ScoredRun } from "./failures/scored_run.ts";
export { type ExplainedReply, type FailureCount, type FailureRow, failureRows } from "./failures/failure_rows.ts";
export { type DistractorDistance, distractorDistances } from "./failures/distractor_distances.ts";
export { failureFinding } from "./failures/failure_finding.ts";
export { failedReplies, type FailedRepliesOptions, type FailedReply } from "./failures/failed_replies.ts";
export { quoteText } from "./failures/quote_text.ts";
export { type ModelScore, type TaskVectors, taskVectors, type VectorColumn } from "./correlation/task_vectors.ts";
export { meanScores, type SampleScore } from "./correlation/sample_scores.ts";
export {
  type CorrelationMatrix,
  correlationMatrix,
  type CorrelationMethod,
  type CorrelationOptions,
} from "./correlation/correlation.ts";
export { type CorrelatedTasks, correlatedTasks, type LeftOutTask } from "./correlation/correlated_tasks.ts";
export {
  type ClusterNode,
  type ClusterOptions,
  clusterTree,
  correlationDistances,
  type Linkage,
  LINKAGES,
} from "./correlation/clustering.ts";
export { cutTree } from "./correlation/cut_tree.ts";
export { copheneticCorrelation, copheneticDistances } from "./correlation/cophenetic.ts";
export { adjustedRand } from "./correlation/adjusted_rand.ts";
export { type CategoryCluster, categoryClusters } from "./correlation/category_clusters.ts";
export { type RepresentativeOptions, representatives } from "./correlation/representatives.ts";
export { linkageAgreement, type LinkageOptions, type LinkageResult } from "./correlation/linkage_agreement.ts";
export {
  type CategoryStability,
  type ClusterStability,
  clusterStability,
  type StabilityOptions,
  type TaskStability,
} from "./correlation/cluster_stability.ts";
export type { Resampling } from "./correlation/_resample.ts";
export { starAccuracy, type StarColumn, type StarPanel, type StarRow, starRows } from "./stars/star_panel.ts";
export { type ErrorPlaces, errorPlaces } from "./stars/error_places.ts";
export { type LengthStability, lengthStability, type LengthStabilityOptions } from "./stars/length_stability.ts";
export { repeatedWins } from "./stars/repeated_wins.ts";
export { type PanelDifference, panelDifference, type PanelDifferenceOptions } from "./stars/panel_difference.ts";
export {
  type PublishedStarPanel,
  type PublishedStarReply,
  type PublishedStarTask,
  readStarsPublished,
  STAR_FILES,
  type StarBucket,
  type StarLeader,
  type StarsPublished,
  type StarTexts,
} from "./stars/published_stars.ts";
export { openStarsPublished } from "./stars/open_stars_published.ts";
export { STAR_CLAIMS, type StarEvidence } from "./stars/star_claims.ts";
export { type SumCauseRow, sumCauses } from "./stars/sum_causes.ts";
export { type RunStarPanel, type StarErrors, starErrors, starPanels } from "./stars/star_replies.ts";
export { type LinePoint, type LineRow, lineRows, type ScoreLine } from "./ruler/score_line.ts";
export {
  type AblationKnobs,
  type AblationPanel,
  type AblationPanelName,
  type AblationSeries,
  ablationTasks,
  NO_CONTEXT_TASKS,
  rulerAblations,
} from "./ruler/ablations.ts";
export { ablationLines, COMMON_WORDS, NO_CONTEXT_PANEL, publishedAblationLines } from "./ruler/ablation_lines.ts";
export { ABLATION_CLAIMS, type AblationEvidence } from "./ruler/ablation_claims.ts";
export { familyLines, type FamilyMember, type ModelLine, publishedModelLines } from "./ruler/model_lines.ts";
export { MODEL_CLAIMS } from "./ruler/model_claims.ts";
export { FAMILY_CLAIMS } from "./ruler/family_claims.ts";
export { figure5Task, FIGURE_5_TASKS } from "./correlation/figure_5_tasks.ts";
export {
  type CorrelationStudy,
  correlationStudy,
  type CorrelationStudyOptions,
  type ModelReplies,
  publishedCorrelationStudy,
  studySamples,
} from "./correlation/correlation_study.ts";
export { studyStability, type StudyStabilityOptions } from "./correlation/study_stability.ts";
export { type CategoryRow, categoryRows, type TaskRow, taskRows } from "./correlation/study_rows.ts";
export { CORRELATION_CLAIMS } from "./correlation/correlation_claims.ts";
export { GENERATOR_CLAIMS, type GeneratorEvidence } from "./ruler/generator_claims.ts";
export { type RaterAgreement, raterAgreement } from "./comparison/rater_agreement.ts";
export { type ContextLimit, type ContextLimitOptions, contextLimits, type GridCell } from "./lengths/context_limit.ts";
export { type GridAxes, gridCells, type GriddedReply } from "./grid_cells.ts";
export {
  knobCells,
  type KnobCellsOptions,
  type KnobReply,
  type KnobRow,
  knobRows,
  type KnobValues,
  type TaskKnobs,
} from "./knob_rows.ts";
export { type PartialReply, type PartialRow, partialRows } from "./partial_rows.ts";
export { charactersIn, type ComparedText, compareTokenizers, type TokenizerCost } from "./tokenizer_costs.ts";
export {
  PUBLISHED_THREADING_TASKS,
  type PublishedContext,
  type PublishedContextLimit,
  type PublishedThreadingTask,
  readThreadingPublished,
  THREADING_FILES,
  type ThreadingPublished,
  type ThreadingRepeats,
  type ThreadingTableScore,
  type ThreadingTexts,
  type ThreadSafetyPoint,
} from "./threading/published_threading.ts";
export { openThreadingPublished } from "./threading/open_threading_published.ts";
export { THREADING_CLAIMS, type ThreadingEvidence } from "./threading/threading_claims.ts";
export { type TableLimit, tableLimits } from "./threading/table_limits.ts";
export { THREADING_RUN_CLAIMS, type ThreadingRunEvidence } from "./threading/threading_run_claims.ts";
export { type KnobLimit, knobLimits, type KnobLimitsOptions } from "./threading/knob_limits.ts";
export { type TaskLimit, taskLimit, type TaskLimitOptions } from "./threading/task_limit.ts";
export { type ParsedRow, parsedRows, type TwiceScored } from "./threading/parsed_rows.ts";
export {
  type NeedleCell,
  type PublishedRecall,
  readRecallPublished,
  RECALL_FILES,
  type RecallModel,
  type RecallPublished,
  type RecallTexts,
} from "./recall/recall_published.ts";
export { openRecallPublished } from "./recall/open_recall_published.ts";
export { type JudgeRow, judgeRows, type RatedReply } from "./recall/judge_rows.ts";
export { type RecallPercent, recallPercent } from "./recall/recall_percent.ts";
export { type GradedCell, type PairedRecall, pairedRecall } from "./recall/paired_recall.ts";
export { RECALL_CLAIMS } from "./recall/recall_claims.ts";
export { recallRunClaims } from "./recall/recall_run_claims.ts";
export {
  type FactorRow,
  type VarianceShare,
  type VarianceShares,
  varianceShares,
  type VarianceSharesOptions,
} from "./recall/variance_shares.ts";
export {
  type GradedPrompt,
  type LevelRecall,
  type PromptDependence,
  promptDependence,
  type PromptDependenceOptions,
  type PromptFactor,
} from "./recall/prompt_dependence.ts";
export { pickStarPanels, starPanelName } from "./stars/pick_star_panels.ts";
export { type StarChange, starChanges } from "./stars/star_changes.ts";
export { type DepthCell, depthCells, type DepthReply } from "./cdme/depth_cells.ts";
export { type DepthAverage, depthAverage } from "./cdme/depth_average.ts";
export { type OpencompassModel, type OpencompassSummary, readOpencompassSummary } from "./cdme/opencompass_summary.ts";
export { type TwinOptions, twinRows } from "./cdme/twin_rows.ts";
export { type KindedReply, type ReplyCounts, replyCounts } from "./cdme/reply_counts.ts";
export { CDME_CLAIMS, type CdmeEvidence } from "./cdme/cdme_claims.ts";
export { type PlacedReply, type PlacedRun, placeReplies, type PlaceRepliesOptions } from "./depths/place_replies.ts";
export { type DeepRecord, type DepthRow, depthRows, type DepthRowsOptions } from "./depths/depth_rows.ts";
export { compareThirds, type Third, THIRDS, type ThirdsCompared, type ThirdsRow } from "./depths/compare_thirds.ts";
export { factSurroundings, type FactSurroundingsOptions, type SurroundedFact } from "./samples/fact_surroundings.ts";
export { pickReply, type ReplyPlace } from "./samples/pick_reply.ts";
export { type CloseUp, closeUp, type CloseUpLine, type CloseUpOptions } from "./samples/close_up.ts";
export { type SharedReplies, sharedReplies } from "./samples/shared_replies.ts";
export { csvText, type CsvValue } from "./samples/csv_text.ts";
export { type ReplyRow, replyRows } from "./samples/reply_rows.ts";
