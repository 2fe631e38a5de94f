/**
 * Models to ask: an OpenAI-compatible endpoint, the simulated reader, or a recorded run.
 *
 * @module
 */
export type { Answer, Failure, FailureKind, FinishReason, Reply } from "./reply.ts";
export type { Model, ModelSettings } from "./model.ts";
export { replyOrigin, SIMULATED_FINGERPRINT } from "./reply_origin.ts";
export { openEndpoint } from "./endpoint.ts";
export type { Delay, EndpointOptions } from "./endpoint_options.ts";
export { type ModelChoice, openModel } from "./open_model.ts";
export { CHAT_TEMPLATES, frameOf } from "./chat_templates.ts";
export { type ChatMessage, type PrefixPlace, renderMessages, type RenderOptions, renderText } from "./render.ts";
export { isPromptCut, type PromptCutOptions } from "./prompt_cut.ts";
export { openReplay, type RecordedReply, type ReplayOptions } from "./replay.ts";
export { type Difficulty, type Habits, type Profile, type Strength } from "./profile.ts";
export { describeProfile, openProfile, PROFILE_NAMES, type ProfileDescription } from "./profiles.ts";
export { PUBLISHED_PROFILES, type PublishedProfile } from "./published_profiles.ts";
export { type CategoryScore, fitProfile, type ProfileFit, type Residual } from "./fit_profile.ts";
export { expectedCategoryScore, expectedTaskScore } from "./expected_score.ts";
export { CATEGORIES, RULER_TASKS } from "./ruler_tasks.ts";
export { simulatedScore } from "./simulated_score.ts";
export { type Lapse, type LapseKind } from "./lapse.ts";
export { readSimulated } from "./readers/task_readers.ts";
export { readAs, type SimulatedReply } from "./simulated_reader.ts";
export { STAR_READER } from "./readers/counting_stars.ts";
export { joinPrompt, simulatedModel, type SimulatedModelOptions, SIMULATION_VERSION } from "./simulated_model.ts";
export { type ServeOptions, serveSimulated, type SimulatedServer } from "./server.ts";
export { parseByModel, type ParsedReply, type ParseOptions, PARSING_REQUEST } from "./parse_by_model.ts";
export { judgeRecall, type RecallVerdict } from "./judge_recall.ts";
