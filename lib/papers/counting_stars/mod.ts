/**
 * Counting-Stars (Song et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
export {
  printedStarCases,
  type StarCase,
  type StarCaseRow,
  starCases,
  starCaseTable,
  starValueFigure,
} from "./cases.ts";
export { STAR_CLAIMS } from "./claims.ts";
export {
  errorPlacesChart,
  errorPlacesTable,
  lengthStabilityChart,
  lengthStabilityTable,
  starChangeTable,
  starErrorTable,
  type StarFigureOptions,
  starMatrices,
  starThirdTable,
} from "./figures.ts";
export { LATER_STAR_CLAIMS, starBucketMap, starBuckets, starLeaders } from "./later_edition.ts";
export { type LengthStability, lengthStability, repeatedWins } from "./length_stability.ts";
export {
  modelStarChanges,
  modelStarMatrices,
  modelStarPanels,
  type StarModel,
  type StarModelOptions,
} from "./model_figures.ts";
export { COUNTING_STARS_PAPER } from "./paper.ts";
export {
  openStarsPublished,
  pickStarPanels,
  type PublishedStarPanel,
  type PublishedStarReply,
  type PublishedStarTask,
  type StarBucket,
  type StarColumn,
  type StarEvidence,
  type StarLeader,
  type StarPanel,
  type StarsPublished,
} from "./published.ts";
export { type StarThird, starThirds } from "./run_claims.ts";
export { type PanelDifference, type StarChange, type StarChangeRow, starChanges } from "./star_changes.ts";
export {
  type ErrorPlaces,
  errorPlaces,
  type RunStarPanel,
  type StarAnswer,
  type StarErrors,
  starErrors,
  type StarFault,
  type SumCauseRow,
  sumCauses,
} from "./star_replies.ts";
