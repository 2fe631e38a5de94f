/**
 * Whose wording a RULER prompt follows, to the byte.
 *
 * - `2026`: NVIDIA/RULER at c3f5e3b, the present code; the answer prefix is a field of its own.
 * - `2024`: hsiehjackson/RULER at e40fae1, the code closest to the paper.
 * - `paper`: what the paper prints in Tables 7 to 9 (arXiv 2404.06654).
 */
export type Variant = "2026" | "2024" | "paper";

/** The variants, the default first. */
export const VARIANTS: readonly Variant[] = ["2026", "2024", "paper"];
