import { oneOf } from "@/lib/generators/mod.ts";

/** The suite and its version, part of every sample's id; raised when the samples of any task change. */
export const RULER_SUITE = "ruler-2";

/**
 * The source of a RULER prompt's wording, byte for byte.
 *
 * - `2026`: NVIDIA/RULER at c3f5e3b, the current code; the answer prefix is a field of its own.
 * - `2024`: hsiehjackson/RULER at e40fae1, the code closest to the paper.
 * - `paper`: what the paper prints in Tables 7 to 9 (arXiv 2404.06654).
 */
export type Variant = "2026" | "2024" | "paper";

/** The variants, the default first. */
export const VARIANTS = ["2026", "2024", "paper"] as const;

/** The knob that every family of RULER has. */
export const VARIANT_KNOB = oneOf(VARIANTS, "whose wording: NVIDIA's code of 2026, the code of 2024, or the paper");

/** The words around the context, and the start of the answer. */
export interface Wording {
  readonly opening: string;
  readonly question: string;
  readonly answerPrefix: string;
}

/** RULER's noise: five sentences on one line (niah.py, variable_tracking.py). */
export const NOISE_LINE = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.";

/** A drawn text and its hash. */
export interface DrawnText {
  readonly text: string;
  /** From 0; different texts seldom share one. */
  readonly number: number;
}

/** Returns a function that draws texts without repeats; a text that is not accepted is drawn again. */
export function newTexts(
  drawText: () => DrawnText,
  accepts: (text: string) => boolean = () => true,
): () => DrawnText {
  const texts: string[] = [];
  const isNew = newNumbers();
  return () => {
    for (;;) {
      const drawn = drawText();
      if (!accepts(drawn.text) || (!isNew(drawn.number % MOST) && texts.includes(drawn.text))) continue;
      texts.push(drawn.text);
      return drawn;
    }
  };
}

/** The bound of the numbers of {@linkcode newNumbers}. */
const MOST = 2 ** 31 - 1;

/** Returns a function that tests whether a whole number is new, in a tenth of a set's time. */
export function newNumbers(): (number: number) => boolean {
  // One more than each number; 0 where a slot is free.
  let slots = new Int32Array(2 ** 7);
  let known = 0;
  const slotOf = (number: number): number => {
    let slot = Math.imul(number, 0x9e3779b1) >>> Math.clz32(slots.length - 1);
    while (slots[slot] !== 0 && slots[slot] !== number + 1) slot = (slot + 1) & (slots.length - 1);
    return slot;
  };
  return (number) => {
    const slot = slotOf(number);
    if (slots[slot] !== 0) return false;
    slots[slot] = number + 1;
    known++;
    if (2 * known > slots.length) {
      const fewer = slots;
      slots = new Int32Array(4 * fewer.length);
      for (const kept of fewer) if (kept !== 0) slots[slotOf(kept - 1)] = kept;
    }
    return true;
  };
}
