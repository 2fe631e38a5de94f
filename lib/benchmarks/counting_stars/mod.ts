/**
 * Counting-Stars (Song, Zheng and Luo 2024): its tasks and scorers.
 *
 * @module
 */
export { COUNTING_STARS } from "./counting_stars.ts";
export { STAR_READER } from "./reader.ts";
export { starResultFields } from "./test_lines.ts";
export {
  type NumberRun,
  type StarScore,
  starScore,
  type StarScoreOptions,
  type StarScorer,
  type SumCause,
} from "./scorer.ts";
export { PUBLISHED_STAR_VALUES, type StarValue } from "./sentences.ts";
export { readStarReply, type StarEntry, type StarForm, type StarReply } from "./star_reply.ts";
export { countingStarsLengths, STARS } from "./stars.ts";
