import { oneOf } from "@/lib/generators/mod.ts";

/** The suite and its version, part of every sample's id; raised when the samples of any task change. */
export const RULER_SUITE = "ruler-2";

/**
 * The source of a RULER prompt's wording, byte for byte.
 *
 * - `2026`: NVIDIA/RULER at c3f5e3b, the current code; the answer prefix is a separate field.
 * - `2024`: hsiehjackson/RULER at e40fae1, the code closest to the paper.
 * - `paper`: what the paper prints in Tables 7 to 9 (arXiv 2404.06654).
 */
export type Variant = "2026" | "2024" | "paper";

/** The variants, the default first. */
export const VARIANTS = ["2026", "2024", "paper"] as const;

/** The knob that every family of RULER has. */
export const VARIANT_KNOB = oneOf(VARIANTS, "whose wording: NVIDIA's code of 2026, the code of 2024, or the paper");

/** The words around the context, and the start of the answer. */
export type Wording = Readonly<Record<"opening" | "question" | "answerPrefix", string>>;

/** Fills in the places of a wording, such as `{asked}`. */
export function fillWording(wording: Wording, words: Readonly<Record<string, string | number>>): Wording {
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name) => String(words[name]));
  return { opening: fill(wording.opening), question: fill(wording.question), answerPrefix: fill(wording.answerPrefix) };
}

/** RULER's noise: five sentences on one line (niah.py, variable_tracking.py). */
export const NOISE_LINE = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.";

/** RULER's name of noise in 2024. */
export const REPEAT = { repeat: "noise" };
