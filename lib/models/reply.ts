import type { Sample } from "@/lib/generators/mod.ts";
import type { FirstAnswer, Score } from "@/lib/scorers/mod.ts";

/** Why a reply ended: by itself or at a stop text, at the output budget, by the provider's filter, with a tool call, or unknown. */
export type FinishReason = "stop" | "length" | "content_filter" | "tool_call" | "unknown";

/**
 * Why a call gave no answer; `filtered` is a prompt that the provider's moderation refused, `unsolved` an item that the simulated
 * reader cannot solve.
 */
export const FAILURE_KINDS = [
  ...["connection", "timeout", "rate_limit", "authentication", "not_found", "context_length", "bad_request"] as const,
  ...["server", "bad_reply", "filtered", "unsolved"] as const,
] as const;
/** One of {@linkcode FAILURE_KINDS}. */
export type FailureKind = typeof FAILURE_KINDS[number];

/** Why a request was sent again. */
export interface Resent {
  readonly failure: FailureKind;
  /** The message of the provider or the network, without keys; the first of those that differ only in numbers. */
  readonly message: string;
  /** The number of times. */
  readonly times: number;
  /** The sum of its waits, in milliseconds. */
  readonly waitedMs: number;
}

/** The facts of a call, with or without an answer. */
export interface CallFacts {
  /** Time from the last request to its whole reply or its failure, in milliseconds. */
  readonly latencyMs: number;
  /** How often the request was sent; 0 if it was not. */
  readonly attempts: number;
  /** Why it was sent more than once; old runs have only the number. */
  readonly resent?: readonly Resent[];
  /** How the request differed from the settings, as the server refuses some of their fields: `without temperature`. */
  readonly adapted?: readonly string[];
}

/** The answer of a model. */
export interface Answer extends CallFacts {
  readonly kind: "answer";
  /** The text after the answer prefix, without thinking. */
  readonly text: string;
  /** The model's thinking, if the server returns it. */
  readonly thinking?: string;
  readonly finishReason: FinishReason;
  /** Set if the reply began with its prompt, which is no part of `text`. */
  readonly repeatsPrompt?: true;
  /** The model that the server names: usually the version behind an alias. */
  readonly servedModel?: string;
  /** The server's `system_fingerprint`; the simulated reader's begins with `simulated`. */
  readonly fingerprint?: string;
  /** The provider's own count of the prompt's tokens. */
  readonly promptTokens?: number;
  /** How many of the prompt's tokens came from the provider's cache. */
  readonly cachedTokens?: number;
  /** The provider's own count of the tokens written, thinking included. */
  readonly completionTokens?: number;
  /** How many of those were thinking, which may be hidden. */
  readonly reasoningTokens?: number;
  /** Time from the last request to the first text of its reply, in milliseconds; only of a stream. */
  readonly firstTokenMs?: number;
}

/** A call without an answer. It is counted, and no mean includes it. */
export interface Failure extends CallFacts {
  readonly kind: "failure";
  readonly failure: FailureKind;
  /** The message of the provider or the network, without keys. */
  readonly message: string;
}

/** The result of asking a model. */
export type Reply = Answer | Failure;

/** Settings as records keep them: without secrets, and without values that change between equal runs. */
export type ModelSettings = Readonly<Record<string, string | number | boolean | null>>;

/** The source of a reply: a real model, the simulated reader, or a file that does not name its model. */
export type ReplyOrigin = "measured" | "simulated" | "unknown";

/** Returns whether a value is the origin of a reply. */
export function isReplyOrigin(value: unknown): value is ReplyOrigin {
  return value === "measured" || value === "simulated" || value === "unknown";
}

/** Returns whether one of the names is that of a simulated reader: it begins with `sim:`, or an export of Fathom marked it. */
export function isSimulatedName(names: readonly string[]): boolean {
  return names.some((name) => /(^|\/)sim:|\(simulated\)$/.test(name));
}

/** The beginning of a served simulated reader's fingerprint. */
export const SIMULATED_FINGERPRINT = "simulated";

/** Returns whether a reply is real or the simulated reader's, which marks every answer, so that no name can disguise it. */
export function replyOrigin<Origin extends ReplyOrigin>(
  { origin }: { readonly origin: Origin },
  reply: Reply,
): Origin | "simulated" {
  if (reply.kind === "failure") return origin;
  const { fingerprint = "", servedModel = "" } = reply;
  // A proxy can drop one of them.
  return fingerprint.startsWith(SIMULATED_FINGERPRINT) || servedModel.startsWith("sim:") ? "simulated" : origin;
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object, not a list and not null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value as fields; empty if it is no JSON object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns the JSON objects of a list. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Levels of nesting that a value may have: recursion over deeper ones, as in JSON.stringify, would overflow the stack. */
const MAX_LEVELS = 200;

/** Parses a text of another program. Throws a SyntaxError if it is no JSON, or nested deeper than any answer. */
export function parseShallow(text: string): unknown {
  const value: unknown = JSON.parse(text);
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) throw new SyntaxError(`Cannot read JSON as it must have at most ${MAX_LEVELS} levels`);
    level = level.flatMap((each) => typeof each === "object" && each !== null ? Object.values(each) : []);
  }
  return value;
}

/** Parses a text; `undefined` if it is no JSON, or nested too deep. */
export function parseJson(text: string): unknown {
  try {
    return parseShallow(text);
  } catch {
    return undefined;
  }
}

/** The scored part of a reply: all of it, as in RULER's code, or its first answer. */
export type ScoredPart = "whole" | "first";

/** A prompt of which the server read clearly fewer tokens than were sent. */
export interface PromptCut {
  /** The server's own count. */
  readonly counted: number;
  /** Its approximate count of the whole prompt. */
  readonly expected: number;
}

/** A record with its scores. */
export interface ScoredReply {
  readonly record: RunRecord;
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The question or text that the sample shares with others; left out if it is independent of all others. */
  readonly cluster?: string;
  /** The benchmark's own score, in [0, 1]; `null` if the call failed or there was nothing to score. */
  readonly value: number | null;
  readonly failed: boolean;
  /** Whether the call failed because the prompt was too long for the model; only with `failed`. */
  readonly refused?: boolean;
  /** Whether the reply was empty. */
  readonly noAnswer: boolean;
  /** Whether the reply is not empty and no answer could be read from it; it scores 0. */
  readonly unparsable?: boolean;
  /** The lowest possible score; 0 by default. */
  readonly least?: number;
  /** The benchmark's own score with its reason; `null` if the call failed. */
  readonly score: Score | null;
  /** A score that penalises wrong parts of the reply (F1); `null` if the call failed. */
  readonly penalised: Score | null;
  /** A score with partial credit for steps towards each reference, if the scorer has one. */
  readonly partial?: Score;
  /** The scored part of the reply; left out for a failed call. */
  readonly scored?: ScoredPart;
  /** The first answer of the reply, and the text after it. */
  readonly first?: FirstAnswer;
  /** The benchmark's own score of the whole reply, if the others are of its first answer. */
  readonly whole?: Score;
  /** The prompt tokens that the server read, if it cut the prompt. */
  readonly promptCut?: PromptCut;
  /** The served model, if it is another one than that of the scored replies; the reply is then in no score. */
  readonly otherModel?: string;
}

/** Returns the tokens of a prompt as it was sent: without the thinking that its length includes. */
export function sentTokens({ promptTokens, settings }: Pick<RunRecord, "promptTokens" | "settings">): number {
  const { thinkingInside, thinkingTokens } = settings ?? {};
  return promptTokens - (thinkingInside === true && typeof thinkingTokens === "number" ? thinkingTokens : 0);
}

/** Bounds of a model's own tokens for one local token, from the largest vocabularies to single bytes. */
const PLAUSIBLE = { least: 0.25, most: 8 };

/**
 * Whether a server's count of a prompt can be that of the whole prompt. Some servers leave out the tokens that they have cached, so
 * that a prompt of 900 tokens has 44.
 */
export function isPlausibleCount(counted: number, sent: number): boolean {
  return !(counted < PLAUSIBLE.least * sent || counted > PLAUSIBLE.most * sent);
}

/** Returns the scored text of a reply: its first answer if that is scored, otherwise all of it; empty for a failed call. */
export function scoredAnswer({ record: { reply }, scored, first }: AnsweredReply): string {
  if (reply.kind === "failure") return "";
  return scored === "first" && first !== undefined ? first.text : reply.text;
}

/** The part of a scored reply that {@linkcode scoredAnswer} reads. */
export interface AnsweredReply extends Pick<ScoredReply, "scored" | "first"> {
  readonly record: { readonly reply: Pick<Answer, "kind" | "text"> | Pick<Failure, "kind"> };
}

/** One line of `records.jsonl`: a recipe, not a prompt; the prompt is made again from it. */
export interface RunRecord
  extends
    Pick<Sample, "sha256" | "suite" | "task" | "length" | "index">,
    Pick<Sample, "promptTokens" | "references" | "distractors" | "paths" | "depth" | "cluster"> {
  /** The sample's id, which names its whole recipe. */
  readonly sample: string;
  readonly seed: string;
  /** The repeat of the sample, from 0; 0 if left out. */
  readonly repeat?: number;
  /** The local length of a sample that was fitted to `length` in the server's tokens; `promptTokens` is then its count. */
  readonly nominal?: number;
  /** The share of the context's tokens before its only target, in [0, 1]; old records lack it. */
  readonly targetDepth?: number;
  /** The scorer's name. */
  readonly scoring: string;
  readonly model: string;
  /** Whether the reply is real or simulated; `unknown` if it was imported from a file that does not name its model. */
  readonly origin: ReplyOrigin;
  /** All settings that shaped the reply. */
  readonly settings: ModelSettings;
  readonly reply: Reply;
  /** The server's batch; left out for a single call. */
  readonly batch?: string;
  /** The version of Fathom that asked. */
  readonly fathom: string;
  /** The time of the reply, in ISO 8601. */
  readonly time: string;
}
