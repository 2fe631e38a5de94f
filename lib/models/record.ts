import type { ModelSettings, Reply } from "./reply.ts";
import type { Score } from "@/lib/scorers/mod.ts";

/** A record with its scores, and what a summary needs of them. */
export interface ScoredReply {
  /** What was asked and what came back. */
  readonly record: RunRecord;
  /** The task's name. */
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The benchmark's own score, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
  /** Whether the call failed. */
  readonly failed: boolean;
  /** Whether the reply was empty; it scores 0. */
  readonly noAnswer: boolean;
  /** Whether the reply is not empty and what was asked for could not be read from it; it scores 0. */
  readonly unparsable?: boolean;
  /** The benchmark's own score with its reason; `null` where the call failed. */
  readonly score: Score | null;
  /** A score that also counts what is wrong in the reply (F1); `null` where the call failed. */
  readonly penalised: Score | null;
  /** A score that credits a part of the way to each reference, where there is one; left out where there is none. */
  readonly partial?: Score;
}

/** One line of `records.jsonl`: a recipe, not a prompt; the prompt is made again from it. */
export interface RunRecord {
  /** The sample's id, which names its whole recipe. */
  readonly sample: string;
  /** SHA-256 of the prompt that was sent. */
  readonly sha256: string;
  /** The sample's suite and version. */
  readonly suite: string;
  /** The task's name. */
  readonly task: string;
  /** The token budget of the sample. */
  readonly length: number;
  /** The number of the sample in its task and length, from 0. */
  readonly index: number;
  /** The seed of the run. */
  readonly seed: string;
  /** Tokens of the prompt by the run's tokenizer. */
  readonly promptTokens: number;
  /** The right answers; small enough to be kept, so that scoring needs no prompt. */
  readonly references: readonly string[];
  /** The wrong answer that the text offered beside each reference, where there were such. */
  readonly distractors?: readonly string[];
  /** For each reference that is found step by step, the values on the way to it and itself, in order. */
  readonly paths?: readonly (readonly string[])[];
  /** Where the (first) needle was asked for, in [0, 1], in tasks that go through a grid of depths. */
  readonly depth?: number;
  /** How the reply is compared with the references. */
  readonly scoring: string;
  /** The model's name. */
  readonly model: string;
  /** Whether the reply is real or made by the simulated reader. */
  readonly origin: "measured" | "simulated";
  /** Everything that shaped the reply. */
  readonly settings: ModelSettings;
  /** What came back: an answer or a failure. */
  readonly reply: Reply;
  /** The version of Fathom that asked. */
  readonly fathom: string;
  /** When the reply came, in ISO 8601. */
  readonly time: string;
}
