import type { Sample } from "@/lib/generators/mod.ts";
import type { Answer, Failure, ModelSettings, Reply, ReplyOrigin } from "@/lib/models/mod.ts";
import type { FirstAnswer, Grading, Likelihood, Score } from "@/lib/scorers/mod.ts";
import type { PlannedSample } from "@/lib/studies/mod.ts";

/** One line of `records.jsonl`: a recipe, not a prompt; the prompt is made again from it. */
export interface RunRecord
  extends
    Pick<Sample, "sha256" | "suite" | "task" | "length" | "index">,
    Pick<Sample, "promptTokens" | "references" | "distractors" | "paths" | "depth" | "cluster" | "cutTokens"> {
  /** The sample's id, which names its whole recipe. */
  readonly sample: string;
  readonly seed: string;
  /** The repeat of the sample, from 0; 0 if left out. */
  readonly repeat?: number;
  /** The local length of a sample that was fitted to `length` in the server's tokens; `promptTokens` is then its count. */
  readonly nominal?: number;
  /** The sample's question; old records lack it. */
  readonly question?: string;
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
  /** The probabilities of the right answers, or why there are none; only of a run that measures them. */
  readonly likelihood?: Likelihood | Failure;
  /** The server's batch; left out for a single call. */
  readonly batch?: string;
  /** The version of Fathom that asked. */
  readonly fathom: string;
  /** The time of the reply, in ISO 8601. */
  readonly time: string;
}

/** Returns the tokens of a prompt as it was sent: without the thinking that its length includes. */
export function sentTokens({ promptTokens, settings }: Pick<RunRecord, "promptTokens" | "settings">): number {
  const { thinkingInside, thinkingTokens } = settings ?? {};
  return promptTokens - (thinkingInside === true && typeof thinkingTokens === "number" ? thinkingTokens : 0);
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
export interface ScoredReply extends Pick<Grading, "partial" | "unparsable" | "least"> {
  readonly record: RunRecord;
  readonly task: string;
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
  /** The benchmark's own score with its reason; `null` if the call failed. */
  readonly score: Score | null;
  /** A score that penalises wrong parts of the reply (F1); `null` if the call failed. */
  readonly penalised: Score | null;
  /** The scored part of the reply; left out for a failed call. */
  readonly scored?: ScoredPart;
  /** The first answer of the reply, and the text after it. */
  readonly first?: FirstAnswer;
  /** The benchmark's own score of the whole reply, if the others are of its first answer. */
  readonly whole?: Score;
  /** The prompt tokens that the server read, if it cut the prompt. */
  readonly promptCut?: PromptCut;
  /** The benchmark's own score of the reply, if `value` is another measure; `null` like a `value`. */
  readonly replyValue?: number | null;
  /** The served model, if it is another one than that of the scored replies; the reply is then in no score. */
  readonly otherModel?: string;
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

/** Returns the depth of the one target of a sample, or why it has none. */
export function targetDepth({ facts }: Pick<Sample, "facts">): number | string {
  const targets = facts.filter(({ role }) => role === "target");
  if (targets.length !== 1) return `it asks for ${targets.length} facts`;
  return targets[0]!.depth ?? "what it asks for is spread over the context";
}

/** The place of a sample in a run. */
export type SamplePlace = Pick<RunRecord, "suite" | "task" | "length" | "index" | "repeat">;

/** Returns a key for the place of a record; older records have no number of the repeat. */
export function placeKey({ suite, task, length, index, repeat = 0 }: SamplePlace): string {
  return `${suite}/${task}/${length}/${index}/${repeat}`;
}

/** The place of a planned sample in its run. */
export function placeOf({ task, length, index, repeat = 0 }: PlannedSample): SamplePlace {
  return { suite: task.suite, task: task.name, length, index, repeat };
}
