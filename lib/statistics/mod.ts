/**
 * Intervals, comparisons, effective lengths, adaptive searches, and claims checked on numbers.
 *
 * @module
 */
export {
  cannotTell,
  checkClaims,
  type CheckedClaim,
  type Claim,
  type ClaimSet,
  claimSet,
  compareGroups,
  decided,
  decidedByCases,
  decidedByDifference,
  decidedByGroups,
  type Finding,
  type GroupComparison,
  listed,
  NO_DIFFERENCE,
  notAsked,
  pointsText,
  type PublishedClaim,
  quoteOf,
  type RunEvidence,
  shortestLessLongest,
  type Verdict,
  type VerdictCounts,
  verdictCounts,
  verdictOf,
} from "./claims.ts";
export { openMeanSequence, type RoundUnits, stakeShares } from "./bettors.ts";
export { joinCells } from "./clusters.ts";
export {
  comparePairs,
  type ComparePairsOptions,
  pairedComparison,
  type PairedRow,
  type PairedSample,
  pairRecords,
  type ScorePair,
} from "./comparison.ts";
export { type ContextLimit, type ContextLimitOptions, contextLimits, knobCells } from "./context_limit.ts";
export { compareThirds, type DepthCell, depthCells, type Third, thirdOf, type ThirdsCompared } from "./depth_scores.ts";
export {
  type BoardRow,
  effectiveLength,
  effectiveLengthBoard,
  possibleLengths,
  RULER_THRESHOLD,
  type ScoreThreshold,
} from "./effective_length.ts";
export {
  betaBelow,
  differenceInterval,
  exactInterval,
  type Interval,
  logChoose,
  midInterval,
  need,
  normalBelow,
  normalPoint,
  normalReach,
  percentiles,
  risingRoot,
  type ScoreWithInterval,
  studentReach,
  wilsonInterval,
} from "./intervals.ts";
export { boundedMean, inPercent, meanOfClusters, shareCoverage, sizeOf } from "./mean_interval.ts";
export {
  column,
  type Columns,
  type CsvColumn,
  csvFormatRow,
  openRows,
  PUBLISHED_FOLDER,
  readCsv,
  readRows,
  type Row,
} from "./csv.ts";
export { meanOfRepeats, raterAgreement, repeatNoise, type RunReply, type ScoredRecord, scoreOf } from "./repeats.ts";
export { statedInterval, unitsText, widened } from "./stated_interval.ts";
export { expectedInterval, minimumDetectableDifference, planSamples, type SamplePlanOptions } from "./sample_plan.ts";
export {
  adaptiveSearch,
  anytimeInterval,
  type LengthVerdict,
  meanOfRounds,
  type SearchAim,
  type SearchDesign,
  type SearchSample,
  type SearchStep,
  searchWith,
} from "./search.ts";
export {
  highestFinding,
  leaderboard,
  type LeaderboardRow,
  lengthMeans,
  meanOfRows,
  type ModelTaskScore,
  modelTaskScores,
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
export { mean, median, sum } from "simple-statistics";
/** Further functions of simple-statistics, such as `sampleCorrelation`. */
export * as simpleStatistics from "simple-statistics";
