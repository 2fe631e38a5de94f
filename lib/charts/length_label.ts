import { lengthText } from "@/lib/analysis/mod.ts";
import { numberText } from "./number_text.ts";

/**
 * Writes a context length on an axis as tables and reports write it, and any other number as such.
 *
 * `K` is 1,024 tokens and `M` 1,048,576 everywhere, as in the flags of the shell, so 1,000,000 is written out.
 *
 * @param tokens A length in tokens. Range: 0 up.
 * @returns The length, with its unit letter where it is a whole number of units.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual([512, 4096, 131072, 200000, 1048576].map(lengthLabel), ["512", "4K", "128K", "200,000", "1M"]);
 * ```
 */
export function lengthLabel(tokens: number): string {
  return Number.isInteger(tokens) && tokens > 0 ? lengthText(tokens) : numberText(tokens);
}
