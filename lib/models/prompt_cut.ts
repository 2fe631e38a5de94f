import type { Sample } from "@/lib/generators/mod.ts";
import type { Answer } from "./reply.ts";

/** Options for {@linkcode isPromptCut}. */
export interface PromptCutOptions {
  /**
   * The share of the prompt's tokens that a provider may count fewer without having cut it. Range: [0, 1).
   *
   * Tokenizers differ: one that gives each digit a token counts twice what another does. Where samples were counted with
   * the model's own tokenizer, 0.02 is enough.
   *
   * @default {0.3}
   */
  readonly tolerance?: number;
  /**
   * Tokens of the sample's prompt that are never sent, such as a thinking allowance kept inside the length.
   *
   * @default {0}
   */
  readonly reservedTokens?: number;
}

/**
 * Tells whether a server has clearly read less than it was sent, as one does that cuts a long prompt without a word.
 *
 * @param sample What was sent, with the tokens it holds.
 * @param answer What came back, with the provider's count; a count of 0 is a count not given.
 * @param options How many tokens may be missing.
 * @returns Whether the provider counted fewer tokens than the tolerance allows; `false` where it did not tell.
 * @throws {RangeError} If the tolerance is outside [0, 1).
 *
 * @example A server whose window ends at 2,048 tokens
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const answer = { kind: "answer", text: "", finishReason: "stop", latencyMs: 9, attempts: 1 } as const;
 * equal(isPromptCut({ promptTokens: 4000 }, { ...answer, promptTokens: 2048 }), true);
 * equal(isPromptCut({ promptTokens: 4000 }, { ...answer, promptTokens: 3500 }), false);
 * ```
 */
export function isPromptCut(
  sample: Pick<Sample, "promptTokens">,
  answer: Pick<Answer, "promptTokens">,
  options: PromptCutOptions = {},
): boolean {
  const { tolerance = 0.3, reservedTokens = 0 } = options;
  if (!(tolerance >= 0 && tolerance < 1)) {
    throw new RangeError(`Cannot judge a prompt as tolerance must be in [0, 1): current value is ${tolerance}`);
  }
  const counted = answer.promptTokens ?? 0;
  return counted > 0 && counted < (sample.promptTokens - reservedTokens) * (1 - tolerance);
}
