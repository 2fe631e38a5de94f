import { numberText } from "./number_text.ts";

/**
 * Writes a context length as the field does: `4K` for 4,096 tokens, `1M` for 1,048,576.
 *
 * A multiple of 1,024 counts in 1,024s; any other multiple of 100 from 1,000 up counts in 1,000s, so 1,000,000 is also
 * `1M`. A length that is neither is written out.
 *
 * @param tokens A length in tokens. Range: 0 up.
 * @returns The length with its unit letter.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual([512, 4096, 131072, 200000, 1048576].map(lengthLabel), ["512", "4K", "128K", "200K", "1M"]);
 * ```
 */
export function lengthLabel(tokens: number): string {
  if (tokens < 1000) return numberText(tokens);
  const step = tokens % 1024 === 0 ? 1024 : tokens % 100 === 0 ? 1000 : undefined;
  if (step === undefined) return numberText(tokens);
  const thousands = tokens / step;
  return thousands < step ? `${thousands}K` : `${Number((thousands / step).toFixed(2))}M`;
}
