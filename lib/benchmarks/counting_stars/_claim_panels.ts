import { meanOf, type PublishedStarPanel, type StarPanel, type StarsPublished } from "./published.ts";

/** What claims about Counting-Stars look at. */
export interface StarEvidence extends StarsPublished {
  /** Any text, for the intervals: with the seed of a notebook's own tables the numbers are theirs. */
  readonly seed: string;
}

/** The two models of the first edition. */
export const STAR_MODELS = ["GPT-4", "Kimi"] as const;

/** The four versions that the first edition tests on The Story of the Stone, by their figures. */
export const STONE_FIGURES = ["stone_16_32", "stone_32_32", "stone_64_32", "stone_32_16"] as const;

/** Three runs of one version on Journey to the West. */
export const REPEAT_FIGURES = ["west_32_32_v1", "west_32_32_v2", "west_32_32_v3"] as const;

/** A model's panel of a figure. */
export function panelOf({ panels }: StarsPublished, figure: string, model: string): PublishedStarPanel {
  return panels.find((panel) => panel.figure === figure && panel.model.startsWith(model))!;
}

/** The printed accuracies of both models in a figure, GPT-4's first. */
export function printedOf(published: StarsPublished, figure: string): readonly [number, number] {
  const [gpt, kimi] = STAR_MODELS.map((model) => panelOf(published, figure, model).printed);
  return [gpt!, kimi!];
}

/** The column of a panel at a length. */
export function cellsAt({ columns }: StarPanel, length: number): readonly number[] {
  return columns.find((column) => column.length === length)!.cells;
}

/** How many stars are right at a length. */
export function rightAt(panel: StarPanel, length: number): number {
  return cellsAt(panel, length).reduce((sum, cell) => sum + cell, 0);
}

/** The mean of some printed accuracies, to three decimals. */
export function meanText(values: readonly number[]): string {
  return meanOf(values).toFixed(3);
}
