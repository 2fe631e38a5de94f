import type { Draw } from "@/lib/random/mod.ts";
import { measure, type Measured, type Tokenizer } from "@/lib/text/mod.ts";
import type { Part } from "../_layout.ts";
import type { FactRole } from "../sample.ts";

/** One key of a JSON object with its value. */
export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** Characters of a pair in a haystack, `, ` included: two texts of 36, four quotation marks, a colon, a comma, two spaces. */
export const PAIR_CHARACTERS = 80;

/** Every group of four hexadecimal digits, by its value. */
const FOUR_DIGITS = Array.from({ length: 0x10000 }, (_, value) => value.toString(16).padStart(4, "0"));

/** Draws 128 random bits, written as a UUID is, without the version that RFC 9562 puts into six of them. */
export function bitsAsUuid(draw: Draw): string {
  const [a, b, c] = threeGroups(draw);
  const [d, e, f] = threeGroups(draw);
  const [g, h] = threeGroups(draw);
  return `${a}${b}-${c}-${d}-${e}-${f}${g}${h}`;
}

/** Twelve hexadecimal digits of one draw, which has 52 bits. */
function threeGroups(draw: Draw): readonly [string, string, string] {
  const high = draw() * 0x10000;
  const middle = (high % 1) * 0x10000;
  const low = (middle % 1) * 0x10000;
  return [FOUR_DIGITS[Math.floor(high)]!, FOUR_DIGITS[Math.floor(middle)]!, FOUR_DIGITS[Math.floor(low)]!];
}

/** Makes UUIDs, never the same one twice. */
export function differentUuids(draw: Draw): () => string {
  const used = new Set<string>();
  return () => {
    for (;;) {
      const uuid = bitsAsUuid(draw);
      if (used.has(uuid)) continue;
      used.add(uuid);
      return uuid;
    }
  };
}

/** Where a pair stands in its object: nothing comes before the first, and no comma after the last. */
export interface PairPlace {
  readonly isFirst?: boolean;
  readonly isLast?: boolean;
}

/** Lays out one pair as part of an object. */
export function pairPart(
  pair: Pair,
  options: PairPlace & { readonly role: FactRole; readonly tokenizer: Tokenizer },
): Part {
  const { role, tokenizer, ...place } = options;
  const text = `"${pair.key}": "${pair.value}"`;
  return { measured: dressPair(text, tokenizer, place), fact: { role, text, ...pair } };
}

// Subtle: a space in front, and not behind, lets a pair's tokens be counted apart from the pairs beside it.
function dressPair(text: string, tokenizer: Tokenizer, { isFirst = false, isLast = false }: PairPlace): Measured {
  return measure(`${isFirst ? "" : " "}${text}${isLast ? "" : ","}`, tokenizer);
}
