/**
 * Intervals, comparisons, effective lengths, adaptive searches, classes of failures, and claims checked on numbers.
 *
 * @module
 */
export { anytimeInterval, type Rounds } from "./anytime.ts";
export { type WeightedValues } from "./bounded_mean.ts";
export {
  cannotTell,
  checkClaims,
  type CheckedClaim,
  type Claim,
  type ClaimSet,
  claimSet,
  decided,
  decidedBySign,
  type Finding,
  listed,
  pointsText,
  type PublishedClaim,
  quoteOf,
  type RunEvidence,
  unlessAtEdge,
  type Verdict,
} from "./claims.ts";
export { type ClusteredSample, independent, unitsText } from "./clusters.ts";
export {
  comparePairs,
  type ComparePairsOptions,
  judgeLoss,
  type LossVerdict,
  type PairedRow,
  type PairedSample,
  pairRecords,
} from "./comparison.ts";
export { type ContextLimit, type ContextLimitOptions, contextLimits, type GridCell } from "./context_limit.ts";
export {
  compareThirds,
  type DepthCell,
  depthCells,
  type DepthReply,
  type Third,
  thirdOf,
  type ThirdsCompared,
} from "./depth_scores.ts";
export { pairedComparison, type ScorePair } from "./differences.ts";
export {
  type BoardEntry,
  type BoardRow,
  effectiveLength,
  effectiveLengthBoard,
  type EffectiveLengthRule,
  type PossibleLength,
  possibleLengths,
  possibleText,
  RULER_THRESHOLD,
  type ScoreThreshold,
} from "./effective_length.ts";
export { classifyFailure, explainFailedCall, explainFiltered } from "./failures/classify_failure.ts";
export {
  type ExplainedReply,
  type FailedOutcome,
  type FailedSample,
  FAILURE_CLASSES,
  FAILURE_MEANINGS,
  type FailureClass,
  type FailureCount,
  type FailureEvidence,
  failureFinding,
  type FailureMode,
  type FailureRow,
  failureRows,
} from "./failures/failure_rows.ts";
export {
  differenceInterval,
  exactInterval,
  type Interval,
  midInterval,
  normalInterval,
  normalReach,
  percentiles,
  type ScoreWithInterval,
  shareInPercent,
  studentReach,
  wilsonInterval,
} from "./intervals.ts";
export { knobCells, type KnobCellsOptions, type TaskKnobs } from "./knob_cells.ts";
export {
  highestFinding,
  leaderboard,
  type LeaderboardRow,
  type ModelTaskScore,
  modelTaskScores,
} from "./leaderboard.ts";
export {
  inPercent,
  type MeanEstimate,
  meanInterval,
  meanOfClusters,
  meanOfMeans,
  shareCoverage,
} from "./mean_interval.ts";
export { findPromptCuts } from "./prompt_cuts.ts";
export {
  column,
  type Columns,
  type CsvColumn,
  openRows,
  PUBLISHED_FOLDER,
  readCsv,
  readRows,
  type Row,
} from "./csv.ts";
export { raterAgreement } from "./rater_agreement.ts";
export { meanOfRepeats, type RepeatNoise, repeatNoise, type RunReply, type ScoredRecord, scoreOf } from "./repeats.ts";
export { expectedInterval, minimumDetectableDifference, planSamples, type SamplePlanOptions } from "./sample_plan.ts";
export {
  adaptiveSearch,
  checkDesign,
  type LengthVerdict,
  meanOfRounds,
  type SearchAim,
  type SearchDesign,
  type SearchSample,
  type SearchScore,
  type SearchStep,
  searchWith,
} from "./search.ts";
export {
  lengthMeans,
  meanOfRows,
  type Origin,
  originMark,
  originText,
  replyTimes,
  SAMPLES,
  scoredRows,
  type ScoreRow,
  summarise,
  type SummaryRow,
  type TaskGroup,
} from "./summarise.ts";
export {
  linearRegression,
  linearRegressionLine,
  mean,
  median,
  rSquared,
  sampleCorrelation,
  sampleStandardDeviation,
  sum,
} from "simple-statistics";
