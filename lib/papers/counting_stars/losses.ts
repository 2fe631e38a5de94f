import { mean, percent, sum } from "@/lib/base/mod.ts";
import { firstRuns, STAR_MODELS, type StarEvidence, type StarPanel, starPanels } from "./published.ts";
import { barChart, type Figure } from "@/lib/figures/mod.ts";
import { meanOfRepeats, type ScoredRecord, type Third, thirdOf } from "@/lib/statistics/mod.ts";

export const THIRDS = ["first", "middle", "last"] as const;

/**
 * Counts the lost stars of matrices by third, and over all; a cell of 0.5 loses half a star. Star i of M is in third
 * floor(3 (i - 1) / M), so thirds differ by at most a star.
 *
 * @returns `most`: the third with the most; `null` if two have the same.
 */
export function starLosses(
  panels: readonly StarPanel[],
): Readonly<Record<Third | "lost", number>> & { readonly most: Third | null } {
  const counts = { first: 0, middle: 0, last: 0 };
  for (const cells of panels.flatMap(({ columns }) => columns.map((column) => column.cells))) {
    cells.forEach((cell, star) => counts[thirdOf(star / cells.length)] += 1 - cell);
  }
  const highest = Math.max(...Object.values(counts));
  const leading = THIRDS.filter((third) => highest - counts[third] < 1e-9);
  return { ...counts, lost: sum(Object.values(counts)), most: leading.length === 1 ? leading[0]! : null };
}

/** Returns the matrices of both editions: each setting of the first text once, by model, then those of the later edition. */
export function panelsOnce(rows: readonly StarEvidence[]): readonly StarPanel[] {
  const once = starPanels(firstRuns(rows));
  const first = STAR_MODELS.flatMap((name) => once.filter(({ model }) => model.startsWith(name)));
  const sizeOf = ({ columns }: StarPanel): string => `(${columns[0]!.cells.length}-${columns.length})`;
  const named = first.map((panel) => ({ ...panel, model: `${sizeOf(panel)} ${panel.model}` }));
  return [...named, ...starPanels(firstRuns(rows, "v3"))];
}

/** Draws the lost stars of each matrix by third of the text, as shares of a bar. */
export function starLossChart(panels: readonly StarPanel[]): Figure {
  const losses = panels.map((panel) => ({ model: panel.model, ...starLosses([panel]) }));
  const rows = losses.flatMap((row) =>
    THIRDS.map((third) => ({ model: row.model, third, share: row.lost === 0 ? 0 : 100 * row[third] / row.lost }))
  );
  const counts = losses.map(({ lost }) => Math.round(lost));
  return barChart(rows, {
    title: "Lost stars by third of the text",
    caption:
      "A bar is a matrix; its parts are the lost stars in the first, the middle and the last third of its stars.",
    origin: "published",
    n: `${Math.min(...counts)} to ${Math.max(...counts)} lost stars a matrix`,
    category: "model",
    value: "share",
    series: "third",
    stacked: true,
    horizontal: true,
    palette: "ordered",
    valueDomain: [0, 100],
    categoryTitle: "Matrix",
    valueTitle: "Share of its lost stars (%)",
    seriesTitle: "Third of the text",
  });
}

/** Returns the share of stars found in each third by each reply of a run that was asked for three or more, for `compareThirds`. */
export function starsByThird(replies: readonly ScoredRecord[]): readonly (ScoredRecord & { readonly depth: number })[] {
  return meanOfRepeats(replies).flatMap(({ task, length, cluster, failed, noAnswer, score }) => {
    const cells = score?.cells ?? [];
    if (cells.length < THIRDS.length) return [];
    return THIRDS.map((third, at) => {
      const value = mean(cells.filter((_, star) => thirdOf(star / cells.length) === third));
      return { task, length, cluster, failed, noAnswer, value, depth: (at + 0.5) / THIRDS.length };
    });
  });
}

/** Answers where stars are lost, from the published matrices and Table 3. */
export function starAnswer(rows: readonly StarEvidence[]): string {
  const panels = starPanels(firstRuns(rows));
  const all = starLosses(panels);
  const first = mostOf(THIRDS, (third) => all[third]);
  const laterLosses = starPanels(firstRuns(rows, "v3")).map((panel) => starLosses([panel]).most);
  const countIn = (third: Third): number => laterLosses.filter((most) => most === third).length;
  const later = mostOf(THIRDS, countIn);
  const opening = first === later
    ? `In both editions of Counting-Stars, most stars are lost in the ${first} third of the text.`
    : `It depends on the edition of Counting-Stars: in the first, most stars are lost in the ${first} third of the text, ` +
      `in the later one in the ${later} third.`;
  const byModel = STAR_MODELS.map((model, at) => {
    const own = starLosses(panels.filter((panel) => panel.model.startsWith(model))).most;
    return `${model}${at === 0 ? " loses most" : ""} in ${own === null ? "no single third" : `the ${own} third`}`;
  });
  const [most, size] = [countIn(later), laterLosses.length];
  const matrices = most === size ? `all ${size}` : `${most} of ${size}`;
  return [
    opening,
    `In the first edition the ${first} third has ${percent(all[first] / all.lost)} of the lost stars; ` +
    `${byModel.join(", ")}.`,
    `In the later one, where counts are in no order, the ${later} third loses most in ${matrices} matrices.`,
  ].join(" ");
}

function mostOf(thirds: readonly Third[], sizeOf: (third: Third) => number): Third {
  return thirds.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]!;
}
