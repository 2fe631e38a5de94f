/**
 * Models: endpoints by protocol.
 *
 * @module
 */
export { type Address, parseHeaders, readAddress } from "./address.ts";
export { BatchError, type BatchLine, type BatchServer, type ServerBatch } from "./batches.ts";
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
export type { Model, Probe, ProbeOptions, ServerFacts, ServerReport } from "./model.ts";
export { fieldsOf, listOf, parseJson } from "./json.ts";
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
export { decideReply, readUsage, type ReplyParts, withoutPrompt } from "./protocols/normal_form.ts";
export { type FailedOutcome, judgeServerError, type ServerError, shorten } from "./protocols/refusals.ts";
export { hasThinkingMarks, type Reading } from "./protocols/thinking.ts";
export type { Outcome, ProtocolEnvironment } from "./protocols/protocol.ts";
export { hasChatTemplate, isBaseModel, protocolEnvironment } from "./protocols/protocols.ts";
