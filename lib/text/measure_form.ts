import { measure, type Measured } from "./measured.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * Measures texts of one form, such as lines that differ in a key and a value; what they have in common is counted once.
 *
 * @param fixed The texts round the fillings, one more than there are fillings; each but the last ends with a space, and each
 *   but the first and the last begins with one.
 * @param tokenizer Whose tokens to count.
 * @returns Gives the text with these fillings, measured; its counts are those that {@linkcode measure} gives.
 * @throws {RangeError} If the spaces are not where they must be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { countTokens, openEncoding } from "@/lib/text/mod.ts";
 *
 * const tokenizer = await openEncoding("cl100k_base");
 * const line = measureForm(["The secret of ", " is ", ".\n"], tokenizer);
 * const text = "The secret of calm-river is 1234567.\n";
 * equal(line(["calm-river", "1234567"]).text, text);
 * equal(countTokens(line(["calm-river", "1234567"]), tokenizer), tokenizer.count(text));
 * ```
 */
export function measureForm(
  fixed: readonly string[],
  tokenizer: Tokenizer,
): (fillings: readonly string[]) => Measured {
  checkForm(fixed);
  const between = fixed.slice(0, -1).map((text) => text.slice(0, -1));
  const [first, ...others] = between.map((text) => measure(text, tokenizer));
  const counts = others.map(({ text }) => tokenizer.countAfterCut(text));
  const last = fixed.at(-1)!;
  // Up to the first filling; without a cut before it there is nothing to count apart.
  const start = first!.inner < 0 ? null : first!.inner + tokenizer.countAfterCut(first!.tail);
  return (fillings) => {
    let text = "";
    let inner = start ?? 0;
    const cuts: number[] = [];
    for (let which = 0; which < between.length; which++) {
      if (which > 0) {
        const filling = ` ${fillings[which - 1]}`;
        inner += tokenizer.countAfterCut(filling) + counts[which - 1]!;
        text += filling;
        cuts.push(text.length);
      }
      text += between[which];
      cuts.push(text.length);
    }
    const tail = ` ${fillings.at(-1)}${last}`;
    text += tail;
    // What a filling begins or ends with can close a cut.
    const isExact = start !== null && cuts.every((at) => tokenizer.isCut(text, at));
    return isExact ? { text, head: first!.head, tail, inner } : measure(text, tokenizer);
  };
}

function checkForm(fixed: readonly string[]): void {
  const isForm = fixed.length > 1 &&
    fixed.every((text, which) =>
      (which === fixed.length - 1 || text.endsWith(" ")) &&
      (which === 0 || which === fixed.length - 1 || (text.startsWith(" ") && text.length > 1))
    );
  if (isForm) return;
  throw new RangeError(
    `Cannot measure a form as its texts must have spaces round each filling: current value is ${JSON.stringify(fixed)}`,
  );
}
