import type { ModelSettings, Reply, ReplyOrigin } from "./reply.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import type { FirstAnswer, Score } from "@/lib/scorers/mod.ts";

/** Which part of a reply is scored: all of it, as RULER's code does, or its first answer. */
export type ScoredPart = "whole" | "first";

/** A prompt of which the server read clearly fewer tokens than it was sent. */
export interface PromptCut {
  /** The server's own count. */
  readonly counted: number;
  /** What it would have counted for the whole prompt, about. */
  readonly expected: number;
}

/** A record with its scores, and what a summary needs of them. */
export interface ScoredReply {
  /** What was asked and what came back. */
  readonly record: RunRecord;
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The question or text that the sample shares with others; left out where it is independent of all others. */
  readonly cluster?: string;
  /** The benchmark's own score, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed. */
  readonly failed: boolean;
  /** Whether the call failed as the prompt was too long for the model; only with `failed`. */
  readonly refused?: boolean;
  /** Whether the reply was empty. */
  readonly noAnswer: boolean;
  /** Whether the reply is not empty and no answer could be read from it; it scores 0. */
  readonly unparsable?: boolean;
  /** The benchmark's own score with its reason; `null` where the call failed. */
  readonly score: Score | null;
  /** A score that also counts what is wrong in the reply (F1); `null` where the call failed. */
  readonly penalised: Score | null;
  /** A score that credits part of the way to each reference, where the scorer has one. */
  readonly partial?: Score;
  /** Which part of the reply the scores are of; nothing for a failed call. */
  readonly scored?: ScoredPart;
  /** The first answer of the reply, and what follows it. */
  readonly first?: FirstAnswer;
  /** The benchmark's own score of the whole reply, where the others are of its first answer. */
  readonly whole?: Score;
  /** What the server read of the prompt, where it cut it. */
  readonly promptCut?: PromptCut;
}

/**
 * Gives the text that the score of a reply is of: its first answer where that is scored, otherwise all of it; empty for a failed
 * call. Whatever reads replies beside their scores reads this.
 */
export function scoredAnswer({ record: { reply }, scored, first }: AnsweredReply): string {
  if (reply.kind === "failure") return "";
  return scored === "first" && first !== undefined ? first.text : reply.text;
}

/** What {@linkcode scoredAnswer} needs of a reply. */
export interface AnsweredReply extends Pick<ScoredReply, "scored" | "first"> {
  readonly record: {
    /** An answer with its text, or a failed call. */
    readonly reply: { readonly kind: "answer"; readonly text: string } | { readonly kind: "failure" };
  };
}

/** One line of `records.jsonl`: a recipe, not a prompt; the prompt is made again from it. */
export interface RunRecord
  extends
    Pick<Sample, "sha256" | "suite" | "task" | "length" | "index">,
    Pick<Sample, "promptTokens" | "references" | "distractors" | "paths" | "depth" | "cluster"> {
  /** The sample's id, which names its whole recipe. */
  readonly sample: string;
  readonly seed: string;
  /** Which time the sample was asked, from 0; 0 where it is left out. */
  readonly repeat?: number;
  /**
   * The length that the sample was made at, in the tokens that its id names, where it was fitted to `length` in the server's own
   * tokens; `promptTokens` is then the server's count.
   */
  readonly nominal?: number;
  /**
   * The share of the context's tokens before the one target, in [0, 1]; left out where there is not one such place, and in records
   * from before it was kept.
   */
  readonly targetDepth?: number;
  /** The scorer's name. */
  readonly scoring: string;
  readonly model: string;
  /** Whether the reply is real or simulated; `unknown` where it was imported from a file that does not tell. */
  readonly origin: ReplyOrigin;
  /** Everything that shaped the reply. */
  readonly settings: ModelSettings;
  /** What came back. */
  readonly reply: Reply;
  /** The server's batch that it was asked in; left out where it was asked by a call of its own. */
  readonly batch?: string;
  /** The version of Fathom that asked. */
  readonly fathom: string;
  /** When the reply came, in ISO 8601. */
  readonly time: string;
}
