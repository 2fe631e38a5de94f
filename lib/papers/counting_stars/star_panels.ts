import { sum } from "@/lib/base/mod.ts";
import type { PublishedStarPanel, StarPanel, StarsPublished } from "./published.ts";

/** The thirds of a text. */
export const THIRDS = ["first", "middle", "last"] as const;

/** The evidence for the claims of the first edition. */
export interface StarEvidence extends StarsPublished {
  /** The seed of the permutation tests. */
  readonly seed: string;
}

/** The two models of the first edition. */
export const STAR_MODELS = ["GPT-4", "Kimi"] as const;

/** Returns a model's panel of a figure. */
export function panelOf({ panels }: StarsPublished, figure: string, model: string): PublishedStarPanel {
  return panels.find((panel) => panel.figure === figure && panel.model.startsWith(model))!;
}

/** Returns the cells of a panel at a length. */
export function cellsAt({ columns }: StarPanel, length: number): readonly number[] {
  return columns.find((column) => column.length === length)!.cells;
}

/** Counts the stars that are right at a length. */
export function rightAt(panel: StarPanel, length: number): number {
  return sum(cellsAt(panel, length));
}
