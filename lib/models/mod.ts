/**
 * Models to ask: an OpenAI-compatible endpoint, the simulated reader, or a recorded run.
 *
 * @module
 */
export type {
  Answer,
  Failure,
  FailureKind,
  FinishReason,
  Reply,
} from "./reply.ts";
export type { Model, ModelSettings } from "./model.ts";
