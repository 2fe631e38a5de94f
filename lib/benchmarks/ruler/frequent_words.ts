import { sum } from "@/lib/base/mod.ts";
import { fillWording, RULER_SUITE, VARIANT_KNOB, type Wording } from "./wording.ts";
import wordings from "./wordings.json" with { type: "json" };
import { countOnce, measureWords, orderWords, wordFact, WordList, writeInOrder } from "./word_lists.ts";
import {
  also,
  checkWhole,
  type Fact,
  family,
  type Layout,
  measureOnce,
  type Named,
  number,
  type Recipe,
  type RecipeRequest,
  templateWords,
  whole,
} from "@/lib/generators/mod.ts";
import { type Draw, drawInTurn, placeIn, stream } from "@/lib/random/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import type { Measured } from "@/lib/text/mod.ts";

const KNOBS = {
  variant: VARIANT_KNOB,
  alpha: number({ above: 1, to: 10, byDefault: 2 }, "exponent of Zipf's law; closer to 1 is harder"),
  vocabulary: also(
    whole({ from: 4, to: 100_000 }, "different words; a fiftieth of the length unless given"),
    ["vocab_size"],
  ),
  wordLength: also(whole({ from: 4, to: 20, byDefault: 6 }, "letters of a coded word"), ["coded_wordlen"]),
  asked: whole({ from: 2, to: 50, byDefault: 3 }, "most frequent words asked for", { omitDefault: true }),
};

type Settings = Omit<Named<typeof KNOBS>, "vocabulary"> & { readonly vocabulary: number | "auto" };

/**
 * Frequent words: the frequencies of made-up words follow Zipf's law, and the question asks for the most frequent ones
 * besides the noise `...`, by default three (RULER, section 3.3, K = 3; freq_words_extraction.py).
 *
 * Unlike the reference, the answer is inside the budget, the asked words and the next one are never tied, no word is part
 * of another or of the wording, and each sample has its own order. Noise fills the rest of the length.
 */
export const FREQUENT_WORDS = family({
  suite: RULER_SUITE,
  name: "fwe",
  about: "asks for the most frequent coded words of a text, three by default",
  asks: /What are the \S+ most frequently appeared words in the above coded text\?/,
  category: "aggregation",
  knobs: KNOBS,
  tasks: { fwe: {}, "fwe_alpha_3_5": { alpha: 3.5 } },
  scorers: [allFound],
  answerRoom: ({ asked }) => Math.max(50, 14 * asked),
  settle,
  harder: { alpha: "down" },
  recipe: fweRecipe,
});

function settle({ vocabulary, ...given }: Named<typeof KNOBS>): Settings {
  if (vocabulary === undefined) return { ...given, vocabulary: "auto" };
  // The noise and the asked words.
  checkWhole(vocabulary, { task: given.name, knob: "vocabulary", low: given.asked + 1, high: 100_000 });
  return { ...given, vocabulary };
}

/** The first rank asked for; rank 1 is the noise. */
const FIRST_ASKED = 2;

/** The number of further ranks that are listed as facts, as their words are easily mistaken for the asked ones. */
const RUNNERS_UP = 3;

/** The steps after which the error of a guessed scale is small. */
const MAX_STEPS = 4;

function fweRecipe(settings: Settings, request: RecipeRequest): Recipe {
  const { materials, length, seed, index, template, options } = request;
  const { name, alpha, wordLength, variant, asked } = settings;
  const { tokenizer } = materials;
  const vocabulary = settings.vocabulary === "auto"
    ? Math.max(asked + 1, Math.floor(length / 50))
    : settings.vocabulary;
  const wording = fweWording(asked);
  // Subtle: in the path of every draw the variant comes last.
  const { variant: _, ...others } = options;
  const path = [seed, RULER_SUITE, name, JSON.stringify({ ...others, variant }), length, index];
  const wordAt = codedWords(stream(...path), {
    letters: wordLength,
    // Three dots in the code, a single sign in the paper.
    noise: variant === "paper" ? "…" : "...",
    prompt: [...Object.values(wording), templateWords(template)].join(" "),
  });
  const tokensOf = countOnce((word) => ` ${wordAt(word)}`, { size: vocabulary, tokenizer });
  const frequencies = zipfFrequencies({ alpha, vocabulary, asked });
  const before = [{ measured: measureOnce(wording.opening, materials) }];
  const after = [{ measured: measureOnce(wording.question, materials) }];

  const order = orderWords(...path, "order");
  const shuffleWords = (counts: readonly number[]): Measured => {
    const list = new WordList();
    for (let word = 0; word < counts.length; word++) list.add(word, counts[word]!, tokensOf(word));
    const { first, last, all } = order(list, counts.length);
    return measureWords({
      head: ` ${wordAt(first)}`,
      tail: ` ${wordAt(last)}`,
      inner: list.tokens(counts.length) - tokensOf(first) - tokensOf(last),
      write(): string {
        const texts = list.words.map((word) => ` ${wordAt(word)}`);
        return writeInOrder(all(), { textOf: (word) => texts[word]!, numbered: false });
      },
    }, tokenizer);
  };
  const tokensAt = (scale: number): number => sum(frequencies(scale), (count, word) => count * tokensOf(word));
  const layOutWords = (counts: readonly number[]): Layout => (
    { before, context: [{ measured: shuffleWords(counts) }], after }
  );
  return {
    least: 1,
    // As many noise words as tokens.
    most: Math.ceil(length * zeta(alpha)),
    guess(tokens): number {
      const room = tokensAt(1) + tokens;
      // The tokens grow almost in proportion.
      let scale = Math.max(1, Math.floor(room / 2));
      for (let step = 0; step < MAX_STEPS; step++) scale = Math.max(1, Math.floor(scale * room / tokensAt(scale)));
      return greatestNear(scale, (candidate) => tokensAt(candidate) <= room);
    },
    layOut: (scale) => layOutWords(frequencies(scale)),
    closeGap(scale, gap, fits): Layout {
      const [noise = 0, ...coded] = frequencies(scale);
      for (let more = Math.floor(gap / tokensOf(0)); more > 0; more--) {
        const layout = layOutWords([noise + more, ...coded]);
        if (fits(layout)) return layout;
      }
      return layOutWords([noise, ...coded]);
    },
    answerPrefix: wording.answerPrefix,
    references: () => askedRanks(asked).map((rank) => wordAt(rank - 1)),
    spreadFacts: (scale) => listFacts(frequencies(scale), { asked, wordAt }),
  };
}

/** Returns the greatest number that fits, by doubling steps from a number near it; 1 if none does. */
function greatestNear(start: number, fits: (number: number) => boolean): number {
  let greatest = start;
  for (let step = 1; greatest > 1 && !fits(greatest); step *= 2) greatest = Math.max(1, greatest - step);
  let step = 1;
  for (; fits(greatest + step); step *= 2) greatest += step;
  for (; step >= 1; step = Math.floor(step / 2)) if (fits(greatest + step)) greatest += step;
  return greatest;
}

function askedRanks(asked: number): number[] {
  return Array.from({ length: asked }, (_, place) => FIRST_ASKED + place);
}

function listFacts(
  counts: readonly number[],
  { asked, wordAt }: { readonly asked: number; readonly wordAt: (word: number) => string },
): Fact[] {
  const listed = askedRanks(asked + RUNNERS_UP).filter((rank) => rank <= counts.length);
  return listed.map((rank, place) =>
    wordFact(place < asked ? "target" : "distractor", wordAt(rank - 1), counts[rank - 1]!)
  );
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Makes words of lower-case letters, all different and none part of the prompt's own words; word 0 is the noise. */
function codedWords(
  draw: Draw,
  { letters, noise, prompt }: { readonly letters: number; readonly noise: string; readonly prompt: string },
): (word: number) => string {
  const taken = prompt.toLowerCase();
  const drawn = new Set<string>();
  const drawWord = (): string => {
    for (;;) {
      let word = "";
      while (word.length < letters) word += LETTERS[placeIn(draw, LETTERS)]!;
      if (drawn.has(word) || taken.includes(word)) continue;
      drawn.add(word);
      return word;
    }
  };
  return drawInTurn((word) => word === 0 ? noise : drawWord());
}

/**
 * Returns the count of each rank in a text of about `scale` words: `floor(scale * k ** -alpha / zeta(alpha))` for rank k (RULER,
 * section 3.3).
 *
 * An asked rank that would be tied with the next one appears once more; the reference keeps ties, which have no right answer.
 */
export function zipfFrequencies(
  { alpha, vocabulary, asked = 3 }: { readonly alpha: number; readonly vocabulary: number; readonly asked?: number },
): (scale: number) => number[] {
  const whole = zeta(alpha);
  const shares: number[] = [];
  const lastFirst = askedRanks(asked).reverse();
  const shareOf = (rank: number): number => shares[rank] ??= rank ** -alpha / whole;
  return (scale) => {
    const counts: number[] = [];
    for (let rank = 1; rank <= vocabulary; rank++) {
      const count = Math.floor(scale * shareOf(rank));
      if (count < 1) break;
      counts.push(count);
    }
    for (const rank of lastFirst) {
      const least = (counts[rank] ?? 0) + 1;
      counts[rank - 1] = Math.max(counts[rank - 1] ?? 0, least);
    }
    counts[0] ??= 0;
    return counts;
  };
}

/** Terms added one by one; the formula for the rest is then exact to 15 digits. */
const TERMS = 40;

/**
 * Returns the Riemann zeta function: the sum of `k ** -power` over all whole k from 1, by the Euler-Maclaurin formula up to the third
 * Bernoulli number (Edwards, "Riemann's Zeta Function", section 6.4).
 */
export function zeta(power: number): number {
  let sum = 0;
  for (let term = 1; term < TERMS; term++) sum += term ** -power;
  const last = TERMS ** -power;
  const second = power * last / TERMS;
  const fourth = second * (power + 1) * (power + 2) / TERMS ** 2;
  const sixth = fourth * (power + 3) * (power + 4) / TERMS ** 2;
  return sum + last * TERMS / (power - 1) + last / 2 + second / 12 - fourth / 720 + sixth / 30_240;
}

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten".split(" ");

/** The words of a question about frequent words (freq_words_extraction.py; paper, Table 8); the text follows the opening. */
function fweWording(asked: number): Wording {
  return fillWording(wordings.fwe, { asked: NUMBER_WORDS[asked] ?? asked });
}
