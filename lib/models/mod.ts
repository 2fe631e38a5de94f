/**
 * Models: endpoints by protocol, and the core of the simulated reader.
 *
 * @module
 */
export { type Address, parseHeaders, readAddress } from "./address.ts";
export { BatchError } from "./batches.ts";
export { CHAT_TEMPLATES, chatTemplate, isTemplatePath, joinPrompt, renderText } from "./chat_templates.ts";
export {
  defaultSettings,
  type Delay,
  ENDPOINT_OPTIONS,
  type EndpointOption,
  type EndpointOptionList,
  type EndpointOptions,
  type EndpointSettings,
} from "./endpoint_options.ts";
export { openEndpoint } from "./endpoint.ts";
export {
  type Difficulty,
  type FactForm,
  type LossSetting,
  type MistakeRates,
  openProfile,
  type Profile,
  PROFILE_NAMES,
  PUBLISHED_PROFILES,
  type PublishedProfile,
  type ReplyForm,
  type Residual,
  type Strength,
} from "./simulated/profiles.ts";
export {
  continueWith,
  FAMOUS_ANSWERS,
  FREQUENT_WORDS,
  inventLike,
  inventName,
  lastMatch,
  listTexts,
  rankWords,
  readNumber,
  writeNumber,
} from "./simulated/words.ts";
export { estimateTokens, type FactFeatures, type PromptFeatures, type Recall, recallOf } from "./simulated/reading.ts";
export type {
  BatchLine,
  BatchRefusal,
  BatchServer,
  BeginOptions,
  Model,
  Probe,
  ProbeOptions,
  ServerBatch,
  ServerFacts,
  ServerReport,
} from "./model.ts";
export { type Fields, fieldsOf, isFields, listOf, parseJson } from "./json.ts";
export {
  type Answer,
  type CallFacts,
  type Failure,
  FAILURE_KINDS,
  type FailureKind,
  type FinishReason,
  isPlausibleCount,
  isReplyOrigin,
  isSimulatedName,
  type ModelSettings,
  type Reply,
  type ReplyOrigin,
  replyOrigin,
  type Resent,
} from "./reply.ts";
export { refusedAdvice } from "./rejected_fields.ts";
export { decideReply, readUsage, type ReplyParts, withoutPrompt, withoutThinking } from "./protocols/normal_form.ts";
export { type FailedOutcome, judgeServerError, type ServerError, shorten } from "./protocols/refusals.ts";
export { hasThinkingMarks, type Reading } from "./protocols/thinking.ts";
export type { Outcome, ProtocolEnvironment } from "./protocols/protocol.ts";
export { hasChatTemplate, isBaseModel, protocolEnvironment } from "./protocols/protocols.ts";
export {
  type Mistake,
  type MistakeKind,
  type PromptRead,
  readAs,
  readPrompt,
  type SimulatedReply,
} from "./simulated/reader.ts";
