import type { FailureClass } from "@/lib/analysis/mod.ts";

/**
 * A colour for each way of failing, the same in every figure. Kin have kin colours: greys for calls, purples for silence, browns for
 * copies, reds for what stands nowhere, oranges for what stands elsewhere, greens for parts, blues for what is left out.
 */
export const FAILURE_COLOURS: Readonly<Record<FailureClass, string>> = {
  "failed call": "#2b2b2b",
  "prompt cut": "#8a8a8a",
  "empty": "#c9b8e8",
  "refusal": "#9673c9",
  "loop": "#5b2a9d",
  "example copied": "#7a4a21",
  "context copied": "#c49a6c",
  "no-context answer": "#f4a3b5",
  "frequent words": "#e05a7b",
  "other chain": "#b34700",
  "distractor": "#e8851a",
  "less frequent word": "#f6c35a",
  "not in context": "#a8123e",
  "cut off": "#0f5f4f",
  "partial value": "#1f9e74",
  "other text": "#9bd08a",
  "wrong format": "#c6cf3f",
  "repeated answer": "#8fd0ee",
  "chain lost": "#2f86c8",
  "incomplete list": "#143c7d",
};
