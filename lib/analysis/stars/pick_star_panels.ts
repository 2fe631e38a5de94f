import type { PublishedStarPanel, StarsPublished } from "./published_stars.ts";

/**
 * Names a published panel by what sets it apart: the model, the text, and order, temperature (T) or run where they are not the
 * usual ones.
 *
 * @param panel The panel.
 * @returns Such as `Kimi, Stone, shuffled`.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { openStarsPublished } from "@/lib/analysis/mod.ts";
 *
 * const { panels } = await openStarsPublished();
 * equal(starPanelName(panels[0]!), "GPT-4, Stone");
 * ```
 */
export function starPanelName({ figure, model, order, temperature }: PublishedStarPanel): string {
  const run = figure.match(/_v(\d)$/)?.[1];
  return [
    model.split(" ")[0]!,
    TEXTS[figure.split("_")[0]!] ?? figure,
    ...(order === "shuffled" ? ["shuffled"] : []),
    ...(temperature === 0 ? [] : [`T = ${temperature}`]),
    ...(run === undefined ? [] : [`run ${run}`]),
  ].join(", ");
}

const TEXTS: Readonly<Record<string, string>> = { stone: "Stone", west: "West", en: "English" };

/**
 * Picks the panels of some figures, each with its name in place of the model's.
 *
 * @param published What was published.
 * @param figures The figures, in the order wanted; those of all if left out.
 * @returns The panels, both models of a figure together.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { openStarsPublished } from "@/lib/analysis/mod.ts";
 *
 * const picked = pickStarPanels(await openStarsPublished(), ["stone_32_32_random"]);
 * deepEqual(picked.map(({ model }) => model), ["GPT-4, Stone, shuffled", "Kimi, Stone, shuffled"]);
 * ```
 */
export function pickStarPanels({ panels }: StarsPublished, figures?: readonly string[]): PublishedStarPanel[] {
  const wanted = figures ?? [...new Set(panels.map(({ figure }) => figure))];
  return wanted.flatMap((figure) =>
    panels.filter((panel) => panel.figure === figure).map((panel) => ({ ...panel, model: starPanelName(panel) }))
  );
}
