import type { TestLine } from "./benchmark.ts";
import { largestFit, lastText, type Prompt } from "@/lib/generators/mod.ts";
import type { Tokenizer } from "@/lib/text/mod.ts";

/** What a prompt of a row is fitted to. */
export interface FitOptions {
  readonly cut: TestLine["cut"];
  /** Names the row in messages. */
  readonly what: string;
  /** The value of the knob `overlong`. */
  readonly overlong: unknown;
  /** The most tokens of the prompt, as `count` counts them. */
  readonly tokens: number;
  readonly tokenizer: Tokenizer;
  readonly count: (prompt: Prompt) => number;
}

/**
 * Cuts the last message of a prompt as its authors do, so that the prompt fits some tokens.
 *
 * @returns The prompt, and how many of its tokens were cut out if it did not fit. A prompt that may not be cut is returned whole.
 * @throws {RangeError} If it does not fit, and `overlong` is `skip` or the words around its text do not fit.
 */
export function fitPrompt(
  prompt: Prompt,
  { cut, what, overlong, tokens, tokenizer, count }: FitOptions,
): { readonly prompt: Prompt; readonly cutTokens?: number } {
  const whole = cut === undefined ? 0 : count(prompt);
  if (cut === undefined || whole <= tokens) return { prompt };
  let kept = overlong === "skip" ? 0 : tokenizer.count(cut.part) - (whole - tokens);
  while (kept > 0) {
    const text = lastText(prompt).replace(cut.part, () => keepTokens(cut, kept, tokenizer));
    const fitted: Prompt = { ...prompt, messages: [...prompt.messages.slice(0, -1), { role: "user", text }] };
    const excess = count(fitted) - tokens;
    if (excess <= 0) return { prompt: fitted, cutTokens: whole - tokens - excess };
    kept -= excess;
  }
  const why = overlong === "skip" ? "if overlong is skip" : "and the words around its text are not cut";
  throw new RangeError(
    `Cannot ask ${what} as its prompt must have at most ${tokens} tokens, ${why}: current value is ${whole}`,
  );
}

/** Keeps tokens at the start of a text or, for a cut in the middle, half of them at each end; half a character becomes U+FFFD. */
function keepTokens({ part, at }: NonNullable<TestLine["cut"]>, kept: number, tokenizer: Tokenizer): string {
  const longest = (tokens: number, partOf: (size: number) => string): string => {
    const costOf = (size: number): number => tokenizer.count(partOf(size));
    return partOf(largestFit(tokens, costOf, { least: 0, most: part.length, guess: (room) => 4 * room }));
  };
  const first = at === "end" ? kept : Math.floor(kept / 2);
  const head = longest(first, (size) => part.slice(0, size));
  const tail = first === kept ? "" : longest(kept - first, (size) => part.slice(part.length - size));
  return (head + tail).toWellFormed();
}
