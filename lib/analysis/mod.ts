/**
 * From records and published tables to summaries, intervals and claims.
 *
 * @module
 */
export type { Origin, ScoreRow } from "./row.ts";
export { exactInterval, type Interval, type IntervalOptions, midInterval, wilsonInterval } from "./interval.ts";
export { shareCoverage } from "./share_coverage.ts";
export { type MeanEstimate, meanInterval } from "./mean_interval.ts";
export { meanOfMeans } from "./mean_of_means.ts";
export { differenceInterval, type DifferenceIntervalOptions, type ScoreWithInterval } from "./difference_interval.ts";
export { type PermutationOptions, type PermutationResult, signFlipTest } from "./sign_flip_test.ts";
export { permutationTest, type ScoreGroups } from "./permutation_test.ts";
export { type Comparison, type ComparisonOptions, pairedComparison, type ScorePair } from "./paired_comparison.ts";
export { unpairedComparison } from "./unpaired_comparison.ts";
export { planSamples, type SamplePlan, type SamplePlanOptions } from "./plan_samples.ts";
export { tellableDifference } from "./tellable_difference.ts";
export { adjustPValues, type Correction } from "./adjust_p_values.ts";
export { type ComparedRecord, type MatchedSamples, matchSamples } from "./match_samples.ts";
export { compareModels, type CompareModelsOptions, type ComparisonRow, type ModelsCompared } from "./compare_models.ts";
export { type ScoredRecord, summarise, type SummaryRow } from "./summarise.ts";
export { RULER_GROUPS, RULER_OVERALL, type TaskGroup } from "./groups.ts";
export { lengthMeans, type LengthMeansOptions } from "./length_means.ts";
export { lengthText, readLengthText } from "./length_text.ts";
export { rankWeights, weightedAverage, type Weighting } from "./weighted_average.ts";
export { ranks, type RanksOptions } from "./ranks.ts";
export {
  type EffectiveLength,
  effectiveLength,
  type EffectiveLengthOptions,
  type EffectiveLengthRule,
  type LengthScore,
  ownThreshold,
  RULER_THRESHOLD,
} from "./effective_length.ts";
export {
  chanceAtLeast,
  type EffectiveLengthChance,
  effectiveLengthChances,
  type EffectiveLengthChancesOptions,
} from "./effective_length_chances.ts";
export { ownEffectiveLengthChances } from "./own_effective_length_chances.ts";
export { type BoardEntry, type BoardRow, effectiveLengthBoard } from "./effective_length_board.ts";
export { type Coverage, type CoverageOptions, simulateCoverage } from "./simulate_coverage.ts";
export { type ProfileResidual, profileResiduals } from "./profile_residuals.ts";
export { anytimeTest, type AnytimeTestOptions, type AnytimeVerdict, type Round } from "./anytime_test.ts";
export { anytimeInterval } from "./anytime_interval.ts";
export {
  adaptiveSearch,
  type LengthVerdict,
  type SearchSample,
  type SearchScore,
  type SearchStep,
} from "./adaptive_search.ts";
export type { SearchDesign } from "./search_design.ts";
export { type SearchAim, searchPlan } from "./search_plan.ts";
export { type FinishedSearch, searchWith } from "./search_with.ts";
export { chooseBySearch, searchRun } from "./search_run.ts";
export { compareDesigns, type CompareDesignsOptions, type DesignsCompared } from "./compare_designs.ts";
export {
  type Edition,
  type PublishedRow,
  readRulerPublished,
  RULER_FILES,
  type RulerPublished,
  type RulerTexts,
} from "./published.ts";
export type { PrintedAverages, PublishedCategory, PublishedThreshold } from "./_published_tables.ts";
export type { PublishedModel, PublishedTask, SeriesPoint, TaskScore } from "./_published_lists.ts";
export type { CorrelatedTask, TaskCorrelations } from "./_published_correlations.ts";
export { openPublished } from "./open_published.ts";
export { leaderboard, type LeaderboardAverages, type LeaderboardEntry } from "./leaderboard.ts";
export {
  commonWordFrequencies,
  type CommonWordOptions,
  frequentWordFrequencies,
  type FrequentWordOptions,
  type WordFrequency,
} from "./frequencies.ts";
export { riemannZeta } from "./riemann_zeta.ts";
export { PAPER_SAMPLES, publishedScoreRows } from "./published_score_rows.ts";
export { type CategoryScores, type ImpliedTotal, impliedTotal, impliedTotals } from "./category_identity.ts";
export type { Disagreement, DisagreementKind } from "./disagreement.ts";
export { disagreements } from "./disagreements.ts";
export { checkClaims, type CheckedClaim, type Claim, type Finding, type Verdict } from "./claims.ts";
export { RULER_CLAIMS } from "./ruler_claims.ts";
export { RUN_CLAIMS, type RunEvidence } from "./run_claims.ts";
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
export { type ModelScore, type TaskVectors, taskVectors, type VectorColumn } from "./task_vectors.ts";
export { meanScores, type SampleScore } from "./sample_scores.ts";
export {
  type CorrelationMatrix,
  correlationMatrix,
  type CorrelationMethod,
  type CorrelationOptions,
} from "./correlation.ts";
export { type CorrelatedTasks, correlatedTasks, type LeftOutTask } from "./correlated_tasks.ts";
export {
  type ClusterNode,
  type ClusterOptions,
  clusterTree,
  correlationDistances,
  type Linkage,
  LINKAGES,
} from "./clustering.ts";
export { cutTree } from "./cut_tree.ts";
export { copheneticCorrelation, copheneticDistances } from "./cophenetic.ts";
export { adjustedRand } from "./adjusted_rand.ts";
export { type CategoryCluster, categoryClusters } from "./category_clusters.ts";
export { type RepresentativeOptions, representatives } from "./representatives.ts";
export { linkageAgreement, type LinkageOptions, type LinkageResult } from "./linkage_agreement.ts";
export {
  type CategoryStability,
  type ClusterStability,
  clusterStability,
  type StabilityOptions,
  type TaskStability,
} from "./cluster_stability.ts";
export type { Resampling } from "./_resample.ts";
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
export { STAR_CLAIMS } from "./stars/star_claims.ts";
export { type RunStarPanel, type StarErrors, starErrors, starPanels } from "./stars/star_replies.ts";
export { type LinePoint, type LineRow, lineRows, type ScoreLine } from "./score_line.ts";
export {
  type AblationKnobs,
  type AblationPanel,
  type AblationPanelName,
  type AblationSeries,
  ablationTasks,
  NO_CONTEXT_TASKS,
  rulerAblations,
} from "./ablations.ts";
export { ablationLines, COMMON_WORDS, NO_CONTEXT_PANEL, publishedAblationLines } from "./ablation_lines.ts";
export { ABLATION_CLAIMS, type AblationEvidence } from "./ablation_claims.ts";
export { familyLines, type FamilyMember, type ModelLine, publishedModelLines } from "./model_lines.ts";
export { MODEL_CLAIMS } from "./model_claims.ts";
export { FAMILY_CLAIMS } from "./family_claims.ts";
export { figure5Task, FIGURE_5_TASKS } from "./figure_5_tasks.ts";
export {
  type CorrelationStudy,
  correlationStudy,
  type CorrelationStudyOptions,
  type ModelReplies,
  publishedCorrelationStudy,
  studySamples,
} from "./correlation_study.ts";
export { studyStability, type StudyStabilityOptions } from "./study_stability.ts";
export { type CategoryRow, categoryRows, type TaskRow, taskRows } from "./study_rows.ts";
export { CORRELATION_CLAIMS } from "./correlation_claims.ts";
export { GENERATOR_CLAIMS, type GeneratorEvidence } from "./generator_claims.ts";
export { type RaterAgreement, raterAgreement } from "./rater_agreement.ts";
export { type ContextLimit, type ContextLimitOptions, contextLimits, type GridCell } from "./context_limit.ts";
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
export { type RecallPercent, recallPercent } from "./recall/recall_percent.ts";
export { type GradedCell, type PairedRecall, pairedRecall } from "./recall/paired_recall.ts";
export { RECALL_CLAIMS } from "./recall/recall_claims.ts";
export { recallRunClaims } from "./recall/recall_run_claims.ts";
export { pickStarPanels, starPanelName } from "./stars/pick_star_panels.ts";
export { type StarChange, starChanges } from "./stars/star_changes.ts";
export { type DepthCell, depthCells, type DepthReply } from "./cdme/depth_cells.ts";
export { type DepthAverage, depthAverage } from "./cdme/depth_average.ts";
export { type OpencompassModel, type OpencompassSummary, readOpencompassSummary } from "./cdme/opencompass_summary.ts";
export { type TwinOptions, twinRows } from "./cdme/twin_rows.ts";
export { type KindedReply, type ReplyCounts, replyCounts } from "./cdme/reply_counts.ts";
export { CDME_CLAIMS, type CdmeEvidence } from "./cdme/cdme_claims.ts";
