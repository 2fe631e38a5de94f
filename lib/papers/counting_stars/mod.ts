/**
 * Counting-Stars (Song et al. 2024): published numbers, claims and figures.
 *
 * @module
 */
import { STAR_CLAIMS } from "./claims.ts";
import { LATER_STAR_CLAIMS } from "./later_edition.ts";
import { openStarsPublished } from "./published.ts";
import { STAR_RUN_CLAIMS } from "./run_claims.ts";
import { COUNTING_STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import type { Paper } from "@/lib/papers/paper.ts";
import { claimSet } from "@/lib/statistics/mod.ts";

export { modelStarMatrices, modelStarPanels, starMatrices, type StarModel, type StarModelOptions } from "./figures.ts";
export { LATER_STAR_CLAIMS, starBucketMap, starBuckets, starLeaders, starLeaderTable } from "./later_edition.ts";
export { type LengthStability, lengthStability, lengthStabilityTable } from "./length_stability.ts";
export {
  openStarsPublished,
  pickStarPanels,
  type PublishedStarPanel,
  type PublishedStarTask,
  type StarBucket,
  type StarColumn,
  type StarEvidence,
  type StarFigureOptions,
  type StarLeader,
  type StarPanel,
  type StarsPublished,
} from "./published.ts";
export { type StarThird, starThirds, starThirdTable } from "./run_claims.ts";
export {
  modelStarChanges,
  type PanelDifference,
  type StarChange,
  type StarChangeRow,
  starChanges,
  starChangeTable,
} from "./star_changes.ts";
export {
  type ErrorPlaces,
  errorPlaces,
  errorPlacesTable,
  type RunStarPanel,
  type StarAnswer,
  type StarErrors,
  starErrors,
  starErrorTable,
  type StarFault,
} from "./star_replies.ts";
export { STAR_CLAIMS } from "./claims.ts";

/** The paper of Counting-Stars in both editions: its claims about published scores and about runs. */
export const COUNTING_STARS_PAPER: Paper = {
  benchmark: COUNTING_STARS,
  claims: [
    claimSet({
      name: "text",
      title: "Statements of the text, checked on its own numbers",
      claims: STAR_CLAIMS,
      evidence: async () => ({ ...await openStarsPublished(), seed: "42" }),
    }),
    claimSet({
      name: "later edition",
      title: "The later edition: its abstract, and whether its tables and figures agree",
      claims: LATER_STAR_CLAIMS,
      evidence: () => openStarsPublished(),
    }),
  ],
  runClaims: STAR_RUN_CLAIMS,
};
