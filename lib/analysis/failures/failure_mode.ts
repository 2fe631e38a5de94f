import type { Sample, Scoring } from "@/lib/generators/mod.ts";
import type { Answer, Failure } from "@/lib/models/mod.ts";
import type { FailureClass } from "./failure_class.ts";

/** What the classes of a failure are told from: the sample, remade from its record. */
export type FailedSample = Pick<
  Sample,
  "prompt" | "promptTokens" | "answerRoom" | "references" | "facts" | "distractors"
>;

/** What came back for a sample, as far as its failure is told from it. */
export interface FailedOutcome {
  /** The reply. */
  readonly reply:
    | Pick<Answer, "kind" | "text" | "finishReason" | "promptTokens" | "completionTokens">
    | Pick<Failure, "kind" | "failure" | "message">;
  /** The benchmark's own score of the reply, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly value: number | null;
  /** How the reply was compared with the references. */
  readonly scoring: Scoring;
  /** What the model says to the same question without any context, where that was asked. */
  readonly noContextAnswer?: string;
  /**
   * The share of the prompt's tokens that the server may count fewer before the prompt counts as cut. Range: [0, 1).
   *
   * @default {0.3}
   */
  readonly cutTolerance?: number;
}

/** One wrong thing in a reply, and what it is. */
export interface FailureEvidence {
  /** What was said, as it is compared. */
  readonly said: string;
  /** The key of the fact that it belongs to: a needle's key, a variable or word, a document's title. */
  readonly key?: string;
  /** The chain that it belongs to, by the number at its beginning. */
  readonly chain?: string;
  /** How far from the nearest missing target its fact stands, as a difference of depths in [-1, 1]; below 0 is before it. */
  readonly away?: number;
  /** The share of the other distractors that stand nearer to that target, in [0, 1]; 0.5 on average where it was picked at random. */
  readonly nearer?: number;
  /** The share of the value that was given, in (0, 1). */
  readonly share?: number;
  /** How often the word stands in the context. */
  readonly count?: number;
  /** How often the item was said. */
  readonly times?: number;
  /** The depth of the stretch that was copied, in [0, 1]. */
  readonly depth?: number;
}

/** One way in which a reply failed, with its evidence. */
export interface FailureMode {
  /** The way. */
  readonly class: FailureClass;
  /** A sentence that says what tells it. */
  readonly why: string;
  /** The wrong things that were said; empty where the class is about what was not said. */
  readonly evidence: readonly FailureEvidence[];
  /** The first hop of the chain that is missing, from 0; with `chain lost` only. */
  readonly hop?: number;
}
