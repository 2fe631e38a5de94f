import { countingStarsLengths, PUBLISHED_STAR_VALUES, STARS, starScore } from "@/lib/benchmarks/counting_stars/mod.ts";
import {
  type Figure,
  type FigureOptions,
  panels,
  type PanelsOptions,
  scatterChart,
  type Table,
  table,
} from "@/lib/figures/mod.ts";
import type { Materials } from "@/lib/generators/mod.ts";

/**
 * Returns the three cases of wrong replies as the text prints them (supplementary/cs_figures/example.png at d12fdce).
 *
 * Case 1 has no version printed and is scored against the 64 increasing counts, the version that the text discusses there. Case 2
 * is from temperature 1 at 64K; text and matrix have one right count of 32. Case 3 breaks off after 15 sentences, whose counts are
 * right, but which are no list of numbers.
 */
export function printedCaseTable({ title }: Pick<FigureOptions, "title">): Table {
  const counted = [3, ...Array.from({ length: 2 * 148 }, (_, at) => 3 + Math.floor(at / 2))];
  const sorted = PUBLISHED_STAR_VALUES.slice(0, 64).map(({ right }) => right).sort((left, right) => left - right);
  const { cells } = starScore(JSON.stringify({ "小企鹅": counted }), sorted.map(String));
  const found = `${cells.filter((cell) => cell === 1).length} of ${sorted.length}`;
  const rows = [
    { kind: "counts on", reply: "3, 3, 3, 4, 4, 5, 5, … 149, 149, 150, 150", entries: counted.length, found },
    { kind: "repeats one number", reply: "3, 3, 3, 3, 3, 3, …", entries: 339, found: "1 of 32" },
    {
      kind: "lists sentences",
      reply: '"小企鹅数了3颗★", "小企鹅数了5颗★", "小企鹅数了9颗★", …',
      entries: null,
      found: "0",
    },
  ].map((row, at) => ({ of: `Case ${at + 1}`, ...row }));
  return table(rows, {
    title,
    caption:
      "Case 1 is scored against the 64 increasing counts; Case 3 is printed as far as its 15th sentence, so its entries are unknown.",
    ...{ n: "three printed replies", origin: "published" } as const,
    columns: [
      { field: "of", label: "Case" },
      { field: "kind", label: "The reply …" },
      { field: "reply", label: "Reply" },
      { field: "entries", label: "Entries" },
      { field: "found", label: "Right" },
    ],
  });
}

/** The versions with their own values: name, number of stars, and whether the counts increase. */
const VERSIONS = [
  ["M = 16, 32 and 64, increasing (first edition)", 64, true],
  ["M = 32, shuffled (both editions)", 32, false],
  ...[64, 128, 256, 512, 1024].map((stars) => [`M = ${stars}, shuffled (third edition)`, stars, false] as const),
] as const;

/**
 * Lists the counts of all published versions, stars from 1 in the order of the text. Shorter versions take the first counts of
 * longer ones: the increasing lists those of 64, the shuffled lists those of 1,024.
 */
export function starValues(): { readonly version: string; readonly star: number; readonly value: number }[] {
  return VERSIONS.flatMap(([version, stars, isSorted]) => {
    const values = PUBLISHED_STAR_VALUES.slice(0, stars).map(({ right }) => right);
    const inOrder = isSorted ? values.sort((left, right) => left - right) : values;
    return inOrder.map((value, at) => ({ version, star: at + 1, value }));
  });
}

/** Draws the counts of all published versions, one panel each, and the lengths at which N prompts are asked. */
export function starValueFigure(options: Omit<PanelsOptions, "caption">): Figure {
  const points = Map.groupBy(starValues(), ({ version }) => version);
  const counted = Array.from(points, ([version, rows]) =>
    scatterChart(rows, {
      title: version,
      caption: "A point is a star.",
      ...{ origin: "published", n: `${rows.length} counts`, x: "star", y: "value" } as const,
      ...{ xTitle: "Star, in the order of the text", yTitle: "Count" },
    }));
  const lengths = [32, 16].flatMap((count) =>
    countingStarsLengths(count).map((length, at) => ({
      ...{ version: `N = ${count}`, prompt: at + 1, length: length / 1000 },
    }))
  );
  const asked = scatterChart(lengths, {
    title: "N lengths up to 128K",
    caption: "A point is a prompt.",
    ...{ origin: "published", n: "32 and 16 prompts", x: "prompt", y: "length", series: "version" } as const,
    ...{ xTitle: "Prompt", yTitle: "Length (thousand tokens)", seriesTitle: "Version" },
  });
  return panels([...counted, asked], {
    ...options,
    caption:
      "A point is a star of a version, at its place in the text, with the count in its sentence. Sorted, each list rises " +
      "by about 4 a star. The last panel has the lengths at which versions (M-32) and (M-16) ask.",
  });
}

/** Samples whose stars are drawn: the first of each length, in tokens. */
export interface DrawnStars {
  /** Texts and tokenizer. */
  readonly materials: Materials;
  /** The seed of the samples. */
  readonly seed: string;
  /** Stars in each prompt. */
  readonly stars: number;
  /** Lengths in tokens. */
  readonly lengths: readonly number[];
}

/** Returns the place of each star in one prompt of each length, in thousand tokens. */
export function starPlaces(
  { materials, seed, stars, lengths }: DrawnStars,
): { readonly star: number; readonly tokens: number; readonly length: string }[] {
  const task = STARS.task("counting_stars_search_zh", { stars });
  return lengths.flatMap((length) =>
    task.sample({ length, seed, index: 0, materials }).facts.map(({ tokenOffset }, at) => (
      { star: at + 1, tokens: tokenOffset! / 1000, length: `${length / 1000}K` }
    ))
  );
}

/** Draws where the stars of one prompt of each length are: at even steps through every text. */
export function starPlaceFigure(drawn: DrawnStars): Figure {
  return scatterChart(starPlaces(drawn), {
    title: `${drawn.stars} stars at even steps, whatever the length of the text`,
    caption:
      "A point is a star of a sample made here, at the sentence break nearest to its step; higher up is later in the text.",
    ...{
      origin: "published",
      n: "one prompt a length, nothing measured",
      x: "star",
      y: "tokens",
      series: "length",
    } as const,
    ...{
      xTitle: "Star, in the order of the text",
      yTitle: "Thousand tokens before it",
      seriesTitle: "Length",
      palette: "ordered",
    } as const,
  });
}
