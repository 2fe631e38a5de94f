/**
 * Intervals, comparisons, effective lengths, adaptive searches, and claims checked on numbers.
 *
 * @module
 */
export { anytimeInterval, meanOfRounds, type Rounds } from "./anytime_mean.ts";
export { openMeanSequence, type RoundUnits, stakeShares } from "./bettors.ts";
export {
  checkClaims,
  type CheckedClaim,
  type Claim,
  type ClaimSet,
  claimSet,
  type PublishedClaim,
  type RunEvidence,
  type RunNeeds,
} from "./claims.ts";
export {
  comparePairs,
  type ComparePairsOptions,
  pairedComparison,
  type PairedRow,
  type PairedSample,
  pairRecords,
  type ScorePair,
} from "./comparison.ts";
export { type ContextLimit, contextLimits, type GridCell, knobCells } from "./context_limit.ts";
export { column, type Columns, type CsvColumn, csvFormatRow, openRows, readCsv, readRows, type Row } from "./csv.ts";
export { compareThirds, type DepthCell, depthCells, type Third, thirdOf, type ThirdsCompared } from "./depth_scores.ts";
export {
  type BoardRow,
  effectiveLength,
  effectiveLengthBoard,
  type EffectiveLengthRule,
  type PossibleLength,
  possibleLengths,
  RULER_THRESHOLD,
  type ScoreThreshold,
} from "./effective_length.ts";
export type { Evidence, LengthEvidence, PlacedEvidence } from "./evidence.ts";
export {
  cannotTell,
  decided,
  decidedByCases,
  decidedByDifference,
  type Finding,
  listed,
  NO_DIFFERENCE,
  notAsked,
  pointsText,
  type Verdict,
  type VerdictCounts,
  verdictCounts,
  verdictOf,
} from "./findings.ts";
export { compareGroups, decidedByGroups, type GroupComparison } from "./group_comparison.ts";
export {
  differenceInterval,
  exactInterval,
  type Interval,
  midInterval,
  need,
  risingRoot,
  type ScoreWithInterval,
  weightedMean,
  widestInterval,
} from "./intervals.ts";
export { highestFinding, type ModelTaskScore, modelTaskScores } from "./model_scores.ts";
export { boundedMean, inPercent, type MeanEstimate, meanOfClusters, shareCoverage } from "./mean_interval.ts";
export { normalBelow, normalPoint, normalReach, wilsonInterval } from "./normal_intervals.ts";
export { type PermutationResult, signFlipTest } from "./permutation_tests.ts";
export { cohenKappa } from "./cohen_kappa.ts";
export { repeatNoise } from "./repeats.ts";
export { expectedInterval, minimumDetectableDifference, planSamples, type SamplePlanOptions } from "./sample_plan.ts";
export {
  adaptiveSearch,
  type LengthVerdict,
  type SearchAim,
  type SearchDesign,
  type SearchSample,
  type SearchStep,
  searchWith,
} from "./search.ts";
export { statedInterval, unitsText, widened } from "./stated_interval.ts";
export {
  lengthMeans,
  meanOfRows,
  type Origin,
  originMark,
  originText,
  replyTimes,
  scoredRows,
  type ScoreRow,
  summarise,
  type SummaryRow,
  type TaskGroup,
} from "./summarise.ts";
export { mean, median, sum } from "simple-statistics";
/** Further functions of simple-statistics, such as `sampleCorrelation`. */
export * as simpleStatistics from "simple-statistics";
export {
  type ClusteredSample,
  joinCells,
  meanOfRepeats,
  type RunReply,
  type ScoredRecord,
  scoreOf,
  type WeightedValues,
} from "./units.ts";
