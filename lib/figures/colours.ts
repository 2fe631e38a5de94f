import { GAP, GRID, INK, RED, RULE, SOFT_INK, WARNING } from "./theme.ts";

/** Series beyond the eighth, which labels at the ends of their lines distinguish. */
export const REST = "#767676";

/** The palette of Okabe and Ito (2008), made for every kind of colour vision, with violet for its yellow (too faint on white). */
export const DISTINCT = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#3d3d3d", "#a01fd8"];

// With the colours, the first 24 series look different.
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];

/**
 * The colours of series: distinct; ordered along viridis, for series of a quantity; or by name, so that a model has the same colour
 * in several figures. A series without a colour is grey.
 */
export type Palette = "distinct" | "ordered" | readonly string[] | Readonly<Record<string, string>>;

/** Returns a colour for each name, at most eight hues: further series are grey, or the nearest of eight steps if ordered. */
export function seriesColours(names: readonly string[], palette: Palette): string[] {
  if (palette === "ordered") {
    const step = names.length === 1 ? 0 : (ORDERED.length - 1) / (names.length - 1);
    return names.map((_, index) => ORDERED[names.length === 1 ? 3 : Math.round(index * step)]!);
  }
  if (typeof palette === "object" && !Array.isArray(palette)) {
    const byName = palette as Readonly<Record<string, string>>;
    return names.map((name) => Object.hasOwn(byName, name) ? byName[name]! : REST);
  }
  const colours = palette === "distinct" ? DISTINCT : palette as readonly string[];
  return names.map((_, index) => colours[index] ?? REST);
}

/** The number of published models with a colour, so that others beside them have one too. */
const MAX_PUBLISHED = 6;

/**
 * Gives models their colours, in order, for the palette of several figures: the first of the published ones, then the others; a model
 * without a colour is grey.
 */
export function coloursOf(
  models: readonly string[],
  published: readonly string[] = [],
): Readonly<Record<string, string>> {
  const named = [...[...new Set(published)].slice(0, MAX_PUBLISHED), ...models];
  return Object.fromEntries([...new Set(named)].slice(0, DISTINCT.length).map((name, at) => [name, DISTINCT[at]!]));
}

export function seriesShapes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => SHAPES[index % SHAPES.length]!);
}

/** Eight steps for ordered series, near viridis but without its yellow (too faint on white); none is a colour of a heatmap. */
export const ORDERED = ["#4a005c", "#4e2480", "#444791", "#376496", "#2c8096", "#259a91", "#3cb381", "#74ca60"];

const ON_DARK_PAGE = {
  distinct: ["#3d8fe0", "#dc5a14", "#17a877", "#d77fb4", "#8fd0fa", "#ecc24a", "#f0f3f6", "#c040f5"],
  ordered: ["#2a788e", "#228d8d", "#1fa187", "#32b57b", "#59c765", "#8cd646", "#c5e022", "#fde725"],
};

/** The colours of figures on a dark page: text has a contrast of at least 4.5 with `#0d1117`, and marks 3. */
export const DARK: Readonly<Record<string, string>> = {
  white: "#0d1117",
  [INK]: "#e6edf3",
  [SOFT_INK]: "#a8b1bb",
  [GAP]: "#4a525c",
  [WARNING]: "#ff9d57",
  [GRID]: "#262c34",
  [RULE]: "#6e7681",
  [REST]: "#8b949e",
  [RED]: "#ff7b72",
  ...Object.fromEntries(DISTINCT.map((colour, at) => [colour, ON_DARK_PAGE.distinct[at]!])),
  ...Object.fromEntries(ORDERED.map((colour, at) => [colour, ON_DARK_PAGE.ordered[at]!])),
  // The darkest classes of failures.
  "#2b2b2b": "#c9d1d9",
  "#5b2a9d": "#8458cc",
  "#7a4a21": "#a26a38",
  "#143c7d": "#3f6fc2",
};
