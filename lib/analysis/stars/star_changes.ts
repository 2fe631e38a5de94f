import { type PanelDifference, panelDifference } from "./panel_difference.ts";
import { pickStarPanels } from "./pick_star_panels.ts";
import type { StarsPublished } from "./published_stars.ts";

/** What one change of the test does to one model. */
export interface StarChange extends PanelDifference {
  /** What is compared with what. */
  readonly change: string;
  /** The model. */
  readonly model: string;
}

const CHANGES: readonly (readonly [string, string, string])[] = [
  ["increasing less shuffled counts", "stone_32_32", "stone_32_32_random"],
  ["The Story of the Stone less Journey to the West", "stone_32_32", "west_32_32_v1"],
  ["temperature 0 less 1", "west_32_32_v1", "west_32_32_temperature"],
  ["run 1 less run 2", "west_32_32_v1", "west_32_32_v2"],
  ["run 1 less run 3", "west_32_32_v1", "west_32_32_v3"],
  ["N = 16 less N = 32, at the lengths of both", "stone_32_16", "stone_32_32"],
];

/**
 * Compares the published panels that differ in one thing: order, text, temperature, run, or the number of lengths.
 *
 * @param published What was published.
 * @param seed Any text; the same seed gives the same intervals.
 * @returns A row for each change and model.
 *
 * @example
 * ```ts
 * import { ok } from "node:assert/strict";
 * import { openStarsPublished } from "@/lib/analysis/mod.ts";
 *
 * const [gpt] = starChanges(await openStarsPublished(), "42");
 * ok(gpt!.difference > 0.27 && gpt!.low > 0.2);
 * ```
 */
export function starChanges(published: StarsPublished, seed: string): StarChange[] {
  return CHANGES.flatMap(([change, first, second]) => {
    const others = pickStarPanels(published, [second]);
    return pickStarPanels(published, [first]).map((panel, at) => ({
      change,
      model: panel.model.split(",")[0]!,
      ...panelDifference(panel, others[at]!, { seed }),
    }));
  });
}
