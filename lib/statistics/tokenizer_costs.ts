import type { Tokenizer } from "@/lib/text/mod.ts";

/** A text that tokenizers are compared on. */
export interface ComparedText {
  /** What it is, such as `prose`. */
  readonly name: string;
  /** Long enough that its ends do not matter. */
  readonly text: string;
  /** How many units it has, such as pairs or words; its characters by default. */
  readonly units?: number;
}

/** What a text costs in the tokens of one tokenizer. */
export interface TokenizerCost {
  readonly tokenizer: string;
  readonly text: string;
  /** Code points. */
  readonly characters: number;
  /** Its length in tokens. */
  readonly tokens: number;
  /** Characters a token stands for, on average. */
  readonly charactersPerToken: number;
  /** Tokens a unit takes, on average. */
  readonly tokensPerUnit: number;
}

/**
 * Counts the tokens of texts with several tokenizers: a row for each tokenizer and text.
 *
 * @throws {RangeError} If a text is empty.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openEncoding } from "@/lib/text/mod.ts";
 *
 * const text = { name: "grass", text: "The grass is green.", units: 4 };
 * const [row] = compareTokenizers([await openEncoding("cl100k_base")], [text]);
 * equal(row!.tokens, 5);
 * equal(row!.charactersPerToken, 19 / 5);
 * equal(row!.tokensPerUnit, 5 / 4);
 * ```
 */
export function compareTokenizers(
  tokenizers: readonly Tokenizer[],
  texts: readonly ComparedText[],
): readonly TokenizerCost[] {
  const empty = texts.find(({ text }) => text === "");
  if (empty) {
    throw new RangeError(`Cannot compare tokenizers as text "${empty.name}" must not be empty: current value is ""`);
  }
  return tokenizers.flatMap((tokenizer) =>
    texts.map(({ name, text, units }): TokenizerCost => {
      const characters = Array.from(text).length;
      const tokens = tokenizer.count(text);
      return {
        tokenizer: tokenizer.name,
        text: name,
        characters,
        tokens,
        charactersPerToken: characters / tokens,
        tokensPerUnit: tokens / (units ?? characters),
      };
    })
  );
}

/**
 * How many characters of some kind of text fit into a number of tokens, rounded down.
 *
 * @param cost What the text costs in that tokenizer's tokens, from {@linkcode compareTokenizers}.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(charactersIn(128_000, { charactersPerToken: 1.63 }), 208_640);
 * ```
 */
export function charactersIn(tokens: number, cost: Pick<TokenizerCost, "charactersPerToken">): number {
  return Math.floor(tokens * cost.charactersPerToken);
}
