import type { CdmeSettings } from "./_cdme_settings.ts";
import { depthGrid } from "../depth_grid.ts";

/** A sample's place in the grid of depths and repeats. */
export interface CdmePlace {
  /** Where the first needle is asked for, in percent. */
  readonly depth: number;
  /** The number of the text round the needles, from 0. */
  readonly repeat: number;
}

/** Tells a sample's depth and repeat from its number: depths go round fastest. */
export function placeInGrid(settings: CdmeSettings, index: number): CdmePlace {
  const { depth, points, spacing, edition } = settings;
  if (depth !== undefined) return { depth: 100 * depth, repeat: index };
  const isOriginal = edition === "original";
  // The original truncates every depth; a sigmoid that is mended reaches both ends and keeps its decimals.
  const isWhole = isOriginal || spacing === "linear";
  const grid = depthGrid({ points, spacing, pinned: !isOriginal, ...(isWhole ? { whole: "floor" } : {}) });
  return { depth: grid[index % points]!, repeat: Math.floor(index / points) };
}
