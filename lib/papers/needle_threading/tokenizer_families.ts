import counted from "@/data/tokenizers/costs.csv" with { type: "text" };
import { countedPairs } from "@/lib/benchmarks/needle_threading/mod.ts";
import { barChart, type Figure, type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import {
  charactersIn,
  choiceColumn,
  type ComparedText,
  compareTokenizers,
  countColumn,
  readRows,
  textColumn,
  type TokenizerCost,
} from "@/lib/statistics/mod.ts";

/** The texts that are counted, as `data/tokenizers/costs.csv` names them. */
const TEXTS = ["UUID pairs", "English prose", "Chinese prose"] as const;

/** How many pairs the first of them has. */
const PAIRS = 1000;

/** What a text costs in the tokenizer of a family of models. */
export interface FamilyCost extends TokenizerCost {
  /** Whose tokenizer it is, such as `Llama`. */
  readonly family: string;
  /** The package that its file is from. */
  readonly package: string;
  /** OpenAI's name for it, or the folder in which a test looks for its file. */
  readonly folder: string;
}

/**
 * The texts of which tokens are counted: 1,000 pairs of random UUIDs, and 500 sentences of prose in each language.
 *
 * @param materials What samples are made of; the essays that come with Fathom.
 */
export function tokenizerTexts(materials: Materials): readonly ComparedText[] {
  const prose = (language: "en" | "zh"): string => materials.essaysIn(language).run(0, 500).text;
  return [
    { name: TEXTS[0], text: countedPairs(PAIRS), units: PAIRS },
    { name: TEXTS[1], text: prose("en") },
    { name: TEXTS[2], text: prose("zh") },
  ];
}

/** Counts the texts in one tokenizer. */
export function countTexts(materials: Materials): readonly TokenizerCost[] {
  return compareTokenizers([materials.tokenizer], tokenizerTexts(materials));
}

/**
 * The tokens of the same texts in the tokenizers of OpenAI, Llama, Gemma, Qwen and others, counted once and kept in
 * `data/tokenizers/costs.csv`.
 *
 * @example A pair of UUIDs has 49 tokens in Llama 3.1's tokenizer and 69 in Gemma 3's
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const pairs = tokenizerFamilies().filter(({ text }) => text === "UUID pairs");
 * const of = (name: string) => Math.round(pairs.find(({ tokenizer }) => tokenizer === name)!.tokensPerUnit);
 * deepEqual([of("Llama 3.1"), of("Gemma 3")], [49, 69]);
 * ```
 */
export function tokenizerFamilies(): readonly FamilyCost[] {
  const rows = readRows(counted, {
    file: "data/tokenizers/costs.csv",
    columns: {
      tokenizer: textColumn("tokenizer"),
      family: textColumn("family"),
      package: textColumn("package"),
      folder: textColumn("folder"),
      text: choiceColumn("text", TEXTS),
      characters: countColumn("characters"),
      tokens: countColumn("tokens"),
    },
  });
  return rows.map((row) => ({
    ...row,
    charactersPerToken: row.characters / row.tokens,
    tokensPerUnit: row.tokens / (row.text === TEXTS[0] ? PAIRS : row.characters),
  }));
}

/**
 * Draws how many tokens a pair of UUIDs has by tokenizer, as the paper's Figure 3 does, one family a colour.
 *
 * @param costs Those of {@linkcode tokenizerFamilies}, and others counted with {@linkcode countTexts} if you like.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const figure = tokenizerFamilyChart(tokenizerFamilies(), { title: "A pair is 49 to 70 tokens" });
 * match(await figure.svg(), /Qwen 3/);
 * ```
 */
export function tokenizerFamilyChart(
  costs: readonly FamilyCost[],
  options: Pick<FigureOptions, "title"> & Partial<Pick<FigureOptions, "width">>,
): Figure {
  const pairs = costs.filter(({ text }) => text === TEXTS[0]).toSorted((left, right) =>
    left.tokensPerUnit - right.tokensPerUnit
  );
  return barChart(pairs, {
    ...options,
    caption:
      "Tokens of a pair of random UUIDs, 80 characters of JSON. Shorter bars: more text fits into the same number of tokens.",
    n: `${PAIRS.toLocaleString("en")} pairs, no model asked`,
    origin: "measured",
    category: "tokenizer",
    value: "tokensPerUnit",
    series: "family",
    stacked: true,
    horizontal: true,
    order: pairs.map(({ tokenizer }) => tokenizer),
    categoryTitle: "Tokenizer",
    valueTitle: "Tokens per pair of UUIDs",
    seriesTitle: "Family",
  });
}

/**
 * Shows how much text of each kind so many tokens hold, a row for each tokenizer, as the paper converts context limits.
 *
 * @param costs Those of {@linkcode tokenizerFamilies}, and others counted with {@linkcode countTexts} if you like.
 * @param tokens Range: 1 up.
 *
 * @example Gemma 3's 128,000 tokens hold 147 thousand characters of UUIDs, and GPT-4o's 208 thousand
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const { text } = tokenizerFitTable(tokenizerFamilies(), 128_000);
 * match(text, /Gemma 3 +69\.5 +147 /);
 * ```
 */
export function tokenizerFitTable(costs: readonly FamilyCost[], tokens: number): Table {
  const rows = Array.from(Map.groupBy(costs, ({ tokenizer }) => tokenizer), ([tokenizer, ofOne]) => {
    const of = (text: string): FamilyCost | undefined => ofOne.find((cost) => cost.text === text);
    const thousands = (text: string): number | null => {
      const cost = of(text);
      return cost === undefined ? null : Math.round(charactersIn(tokens, cost) / 1000);
    };
    const [uuids, english, chinese] = TEXTS.map(thousands);
    return { tokenizer, pair: of(TEXTS[0])?.tokensPerUnit ?? null, uuids, english, chinese };
  });
  const all = rows.flatMap(({ uuids, english, chinese }) => [uuids, english, chinese].flatMap((each) => each ?? []));
  return table(rows, {
    title: `The same ${tokens.toLocaleString("en")} tokens are ${Math.min(...all)} to ${
      Math.max(...all)
    } thousand characters`,
    caption: "How much text of each kind they hold, in thousand characters.",
    n: `${PAIRS.toLocaleString("en")} pairs and 500 sentences of prose in each language, no model asked`,
    origin: "measured",
    columns: [
      { field: "tokenizer", label: "Tokenizer" },
      { field: "pair", label: "Tokens a pair", digits: 1 },
      { field: "uuids", label: TEXTS[0], digits: 0 },
      { field: "english", label: TEXTS[1], digits: 0 },
      { field: "chinese", label: TEXTS[2], digits: 0 },
    ],
  });
}
