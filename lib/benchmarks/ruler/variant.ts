import { oneOf } from "@/lib/generators/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
export const RULER_SUITE = "ruler-2";

/**
 * Whose wording a RULER prompt follows, to the byte.
 *
 * - `2026`: NVIDIA/RULER at c3f5e3b, the present code; the answer prefix is a field of its own.
 * - `2024`: hsiehjackson/RULER at e40fae1, the code closest to the paper.
 * - `paper`: what the paper prints in Tables 7 to 9 (arXiv 2404.06654).
 */
export type Variant = "2026" | "2024" | "paper";

/** The variants, the default first. */
export const VARIANTS = ["2026", "2024", "paper"] as const;

/** The knob that every family of RULER has. */
export const VARIANT_KNOB = oneOf(
  VARIANTS,
  "whose wording the prompts follow: NVIDIA's of 2026, the code of 2024, or the paper's",
);
