/**
 * BABILong (Kuratov et al. 2024): its tasks and scorers.
 *
 * @module
 */
export { BABILONG, BABILONG_MEAN, BABILONG_TASKS } from "./babilong.ts";
export { BABILONG_FIXES, type BabilongFix, givenAnswers } from "./scorer.ts";
export { STORY_KINDS, type StoryKind } from "./story.ts";
export { promptOpening, type PromptParts } from "./wording.ts";
