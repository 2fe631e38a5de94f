import {
  countingStarsLengths,
  PUBLISHED_STAR_VALUES,
  readStarReply,
  starScore,
} from "@/lib/benchmarks/counting_stars/mod.ts";
import type { StarFigureOptions } from "./figures.ts";
import { scoreStars, type StarAnswer } from "./star_replies.ts";
import { type Figure, panels, type PanelsOptions, scatterChart, type Table, table } from "@/lib/figures/mod.ts";

/**
 * The three cases of wrong replies that the text of Counting-Stars prints.
 *
 * - `counts on`: numbers that rise by even steps, most of them made up (Case 1).
 * - `repeats one number`: at least half of the entries are the same number (Case 2).
 * - `lists sentences`: the sentences of the text instead of their counts (Case 3).
 */
const CASES = ["counts on", "repeats one number", "lists sentences"] as const;

/** One of the three printed cases. */
export type StarCase = "counts on" | "repeats one number" | "lists sentences";

/** The lowest number of entries that shows a case. */
const MIN_ENTRIES = 5;

/** The lowest number of letters of a sentence; 3颗★ and 3 stars are counts with a unit. */
const MIN_LETTERS = 6;

/**
 * Returns the printed case that a reply is like, or `null`.
 *
 * @param references The right counts, in the order of the text.
 */
export function starCase(reply: string, references: readonly string[]): StarCase | null {
  const { entries } = readStarReply(reply);
  if (entries.length < MIN_ENTRIES) return null;
  const texts = entries.filter(({ number, numberInText }) => number === null && numberInText !== null);
  const letters = reply.match(/\p{L}/gu)?.length ?? 0;
  if (2 * texts.length >= entries.length && letters >= MIN_LETTERS * entries.length) return "lists sentences";
  const numbers = entries.flatMap(({ number }) => number === null ? [] : [number]);
  const most = Math.max(...[...Map.groupBy(numbers, (number) => number).values()].map(({ length }) => length));
  if (numbers.length >= MIN_ENTRIES && 2 * most >= numbers.length) return "repeats one number";
  // Case 1 repeats each number, so repeats are dropped before steps are compared.
  const different = [...new Set(numbers)];
  const { run } = starScore(JSON.stringify({ "little_penguin": different }), references);
  return run !== null && run.step > 0 && 2 * run.length >= different.length ? "counts on" : null;
}

/** A printed case, or the replies of a model that are like it. */
export interface StarCaseRow {
  readonly kind: StarCase;
  /** The model, or the printed case's name. */
  readonly of: string;
  /** The number of replies like it; 1 for a printed case. */
  readonly replies: number;
  /** The number of all replies; `null` for a printed case. */
  readonly asked: number | null;
  /** The first such reply, shortened. */
  readonly reply: string;
  /** Entries of its list; `null` if unknown. */
  readonly entries: number | null;
  /** Right counts among the entries scored; `null` if unknown. */
  readonly right: number | null;
  /** Counts to find; `null` if unknown. */
  readonly wanted: number | null;
}

/**
 * Returns the three cases as the text prints them (supplementary/cs_figures/example.png at d12fdce).
 *
 * Case 1 has no version printed and is scored against the 64 increasing counts, the version that the text discusses there. Case 2
 * is from temperature 1 at 64K; text and matrix have one right count of 32. Case 3 breaks off after 15 sentences, whose counts are
 * right, but which are no list of numbers.
 */
export function printedStarCases(): readonly StarCaseRow[] {
  const counted = [3, ...Array.from({ length: 2 * 148 }, (_, at) => 3 + Math.floor(at / 2))];
  const sorted = PUBLISHED_STAR_VALUES.slice(0, 64).map(({ right }) => right).sort((left, right) => left - right);
  const { cells } = starScore(JSON.stringify({ "小企鹅": counted }), sorted.map(String));
  const right = cells.filter((cell) => cell === 1).length;
  const rows = [
    { reply: "3, 3, 3, 4, 4, 5, 5, … 149, 149, 150, 150", entries: counted.length, right, wanted: sorted.length },
    { reply: "3, 3, 3, 3, 3, 3, …", entries: 339, right: 1, wanted: 32 },
    { reply: '"小企鹅数了3颗★", "小企鹅数了5颗★", "小企鹅数了9颗★", …', entries: null, right: 0, wanted: null },
  ];
  return rows.map((row, at) => ({ kind: CASES[at]!, of: `Case ${at + 1}`, replies: 1, asked: null, ...row }));
}

/**
 * Finds a run's replies that are like the three cases: a row per model and case, with the first such reply. Other benchmarks and
 * failed calls are skipped.
 */
export function starCases(replies: readonly StarAnswer[]): StarCaseRow[] {
  const models = Map.groupBy(scoreStars(replies), ({ record }) => record.model);
  return Array.from(models, ([model, ofModel]) =>
    CASES.map((kind): StarCaseRow => {
      const like = ofModel.filter(({ text, record, score }) =>
        starCase(text, record.references.slice(0, score.cells.length)) === kind
      );
      const [first] = like;
      const row = { kind, of: model, replies: like.length, asked: ofModel.length };
      if (first === undefined) return { ...row, reply: "", entries: null, right: null, wanted: null };
      const { text, score } = first;
      return {
        ...{ ...row, reply: shorten(text), entries: readStarReply(text).entries.length },
        ...{ right: score.cells.filter((cell) => cell === 1).length, wanted: score.cells.length },
      };
    })).flat();
}

/** Characters of a reply that a table shows. */
const MAX_SHOWN = 60;

function shorten(reply: string): string {
  const line = reply.replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`;
}

/** Returns the printed cases beside replies of models, from {@linkcode printedStarCases} and {@linkcode starCases}. */
export function starCaseTable(rows: readonly StarCaseRow[], options: Omit<StarFigureOptions, "n">): Table {
  const inOrder = CASES.flatMap((kind) => rows.filter((row) => row.kind === kind));
  const shown = inOrder.map((row) => ({
    ...row,
    often: row.asked === null ? "printed" : `${row.replies} of ${row.asked}`,
    found: row.right === null ? null : row.wanted === null ? String(row.right) : `${row.right} of ${row.wanted}`,
  }));
  return table(shown, {
    ...options,
    caption:
      "Cases 1 to 3 of the text, and replies of the models that are like them, by rules: numbers in even steps, at least " +
      "half of them made up; one number in at least half of the entries; sentences in place of counts. Case 1 is scored " +
      "against the 64 increasing counts; Case 3 is printed as far as its 15th sentence.",
    n: `${rows.reduce((sum, { asked }) => Math.max(sum, asked ?? 0), 0) || "three printed"} replies`,
    columns: [
      { field: "kind", label: "The reply …" },
      { field: "of", label: "Whose" },
      { field: "often", label: "Replies" },
      { field: "reply", label: "The first of them" },
      { field: "entries", label: "Entries" },
      { field: "found", label: "Right" },
    ],
  });
}

/** The versions with values of their own: name, number of stars, and whether the counts increase. */
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
      "A point is a star of a version, at its place in the text, with the count that its sentence says. Sorted, each list rises " +
      "by about 4 a star. The last panel has the lengths at which versions (M-32) and (M-16) ask.",
  });
}
