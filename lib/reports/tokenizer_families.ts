import counted from "@/data/tokenizers/costs.csv" with { type: "text" };
import { countedPairs } from "@/lib/benchmarks/needle_threading/pairs.ts";
import type { Materials } from "@/lib/generators/mod.ts";
import { column, readRows } from "@/lib/statistics/mod.ts";

/** The texts that are counted, as `data/tokenizers/costs.csv` names them. */
const TEXTS = ["UUID pairs", "English prose", "Chinese prose"] as const;

/** Pairs in the first of the texts. */
const PAIRS = 1000;

/** The length of a text in the tokens of one tokenizer. */
export interface TokenizerCost {
  readonly tokenizer: string;
  readonly text: string;
  /** Code points. */
  readonly characters: number;
  /** Tokens. */
  readonly tokens: number;
  /** Mean characters of a token. */
  readonly charactersPerToken: number;
  /** Mean tokens of a pair, or of a character of prose. */
  readonly tokensPerUnit: number;
}

/** The tokens of a text in the tokenizer of a family of models. */
export interface FamilyCost extends TokenizerCost {
  /** The family, such as `Llama`. */
  readonly family: string;
  /** The package that contains the tokenizer's file. */
  readonly package: string;
  /** OpenAI's name of the tokenizer, or the folder in which a test looks for its file. */
  readonly folder: string;
}

function withRatios<Counted extends Pick<TokenizerCost, "text" | "characters" | "tokens">>(
  counted: Counted,
): Counted & Pick<TokenizerCost, "charactersPerToken" | "tokensPerUnit"> {
  const { text, characters, tokens } = counted;
  return {
    ...counted,
    charactersPerToken: characters / tokens,
    tokensPerUnit: tokens / (text === TEXTS[0] ? PAIRS : characters),
  };
}

/** Counts the tokens of 1,000 pairs of random UUIDs, and of 500 sentences of prose in each language, in one tokenizer. */
export function countTexts({ tokenizer, essaysIn }: Materials): readonly TokenizerCost[] {
  const texts = [countedPairs(PAIRS), essaysIn("en").run(0, 500).text, essaysIn("zh").run(0, 500).text];
  return texts.map((text, at) =>
    withRatios({
      tokenizer: tokenizer.name,
      text: TEXTS[at]!,
      characters: Array.from(text).length,
      tokens: tokenizer.count(text),
    })
  );
}

/**
 * Returns the tokens of the same texts in the tokenizers of OpenAI, Llama, Gemma, Qwen and others, from
 * `data/tokenizers/costs.csv`.
 */
export function tokenizerFamilies(): readonly FamilyCost[] {
  const rows = readRows(counted, {
    file: "data/tokenizers/costs.csv",
    columns: {
      tokenizer: column.text("tokenizer"),
      family: column.text("family"),
      package: column.text("package"),
      folder: column.text("folder"),
      text: column.choice("text", TEXTS),
      characters: column.count("characters"),
      tokens: column.count("tokens"),
    },
  });
  return rows.map(withRatios);
}

/**
 * Returns the characters per token of a haystack of random UUIDs; `null` for a tokenizer that was not counted.
 *
 * @param tokenizer Its name in a run's materials, such as `o200k_base`.
 */
export function pairCharactersPerToken(tokenizer: string): number | null {
  const cost = tokenizerFamilies().find(({ text, folder }) => text === "UUID pairs" && folder === tokenizer);
  return cost?.charactersPerToken ?? null;
}
