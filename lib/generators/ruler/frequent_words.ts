import { stream } from "@/lib/random/mod.ts";
import { measure, type Measured } from "@/lib/text/mod.ts";
import { checkWhole } from "../_check_knob.ts";
import { codedWords } from "./_coded_words.ts";
import { ASKED_RANKS, zipfFrequencies } from "./_frequencies.ts";
import { FWE_WORDING, noiseWord } from "./_fwe_wording.ts";
import type { Layout } from "../_layout.ts";
import { makeTask, type Recipe } from "../_recipe.ts";
import { orderWords, type WordGroup } from "./_word_order.ts";
import { countOnce, measureWords, sumTokens } from "./_words.ts";
import { zeta } from "./_zeta.ts";
import { BASE_FRAME, frameWords } from "../frame.ts";
import type { Fact } from "../sample.ts";
import { RULER_SUITE } from "../suite.ts";
import type { SampleRequest, Task } from "../task.ts";
import type { Variant } from "./variant.ts";

/** Options for {@linkcode fweTask}. */
export interface FweOptions {
  /**
   * What the task is called.
   *
   * @default {"fwe"}
   */
  readonly name?: string;
  /**
   * How fast frequencies fall: the word of rank k appears in proportion to `k ** -alpha`. Range: above 1, to 10.
   *
   * @default {2}
   */
  readonly alpha?: number;
  /**
   * Number of different words there are, the noise included; those that would appear less than once are left out. Range: 4 to
   * 100,000. Where it is not given, it is a fiftieth of the length, as in RULER.
   */
  readonly vocabulary?: number;
  /**
   * Number of letters of a coded word. Range: 4 to 20.
   *
   * @default {6}
   */
  readonly wordLength?: number;
  /**
   * Whose wording to follow.
   *
   * @default {"2026"}
   */
  readonly variant?: Variant;
}

type Settings = Required<Omit<FweOptions, "vocabulary">> & { readonly vocabulary: number | "auto" };

/**
 * Makes a frequent words task: a text of made-up words, their frequencies falling by Zipf's law, and the three most frequent
 * ones are asked for, the noise `...` left aside.
 *
 * RULER, section 3.3 and freq_words_extraction.py. Unlike the reference, the answer's tokens are inside the budget, the three
 * asked words and the next one never appear equally often, no word is part of another or of the prompt's own words or its
 * chat template's, and each sample has an order of its own. The tokens that one more step of the frequencies would overshoot
 * are filled with noise.
 *
 * @param options The knobs.
 * @returns The task. Its samples leave 50 tokens for the answer.
 * @throws {RangeError} If a knob is outside its range.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(fweTask({ alpha: 3.5 }).options["alpha"], 3.5);
 * ```
 */
export function fweTask(options: FweOptions = {}): Task {
  const { name = "fwe", alpha = 2, vocabulary = "auto", wordLength = 6, variant = "2026" } = options;
  const settings: Settings = { name, alpha, vocabulary, wordLength, variant };
  if (!(alpha > 1 && alpha <= 10)) {
    throw new RangeError(`Cannot make task ${name} as alpha must be above 1 and at most 10: current value is ${alpha}`);
  }
  if (vocabulary !== "auto") checkWhole(vocabulary, { task: name, knob: "vocabulary", low: 4, high: 100_000 });
  checkWhole(wordLength, { task: name, knob: "wordLength", low: 4, high: 20 });
  return makeTask({
    suite: RULER_SUITE,
    name,
    category: "aggregation",
    options: { variant, alpha, vocabulary, wordLength },
    answerRoom: 50,
    scoring: "all",
    recipe: (request) => fweRecipe(settings, request),
  });
}

/** Ranks beside the asked ones whose words are listed among the facts: those most easily mistaken for them. */
const RUNNER_UP_RANKS: readonly number[] = [5, 6, 7];

function fweRecipe({ name, ...knobs }: Settings, request: SampleRequest): Recipe {
  const { materials: { tokenizer }, length, seed, index, frame = BASE_FRAME } = request;
  const { alpha, wordLength, variant } = knobs;
  const vocabulary = knobs.vocabulary === "auto" ? Math.max(4, Math.floor(length / 50)) : knobs.vocabulary;
  const path = [seed, RULER_SUITE, name, JSON.stringify(knobs), length, index];
  const wordAt = codedWords(stream(...path), {
    letters: wordLength,
    noise: noiseWord(variant),
    prompt: [...Object.values(FWE_WORDING), frameWords(frame)].join(" "),
  });
  const tokensOf = countOnce((word) => ` ${wordAt(word)}`, { size: vocabulary, tokenizer });
  const frequencies = zipfFrequencies({ alpha, vocabulary });
  const before = [{ measured: measure(FWE_WORDING.opening, tokenizer) }];
  const after = [{ measured: measure(FWE_WORDING.question, tokenizer) }];

  const shuffleWords = (counts: readonly number[]): Measured => {
    const groups = counts.map((count, word): WordGroup => ({ words: [word], count }));
    const order = orderWords(groups, stream(...path, "order"));
    return measureWords({
      head: ` ${wordAt(order.first)}`,
      tail: ` ${wordAt(order.last)}`,
      inner: sumTokens(groups, tokensOf) - tokensOf(order.first) - tokensOf(order.last),
      write: () => ` ${Array.from(order.all(), wordAt).join(" ")}`,
    }, tokenizer);
  };
  const layOutWords = (counts: readonly number[]): Layout => ({
    before,
    context: [{ measured: shuffleWords(counts) }],
    after,
  });
  return {
    least: 1,
    // As many words of noise as there are tokens.
    most: Math.ceil(length * zeta(alpha)),
    layOut: (scale) => layOutWords(frequencies(scale)),
    closeGap(scale, gap, fits): Layout {
      const [noise = 0, ...coded] = frequencies(scale);
      for (let more = Math.floor(gap / tokensOf(0)); more > 0; more--) {
        const layout = layOutWords([noise + more, ...coded]);
        if (fits(layout)) return layout;
      }
      return layOutWords([noise, ...coded]);
    },
    answerPrefix: FWE_WORDING.answerPrefix,
    references: () => ASKED_RANKS.map((rank) => wordAt(rank - 1)),
    spreadFacts: (scale) => listFacts(frequencies(scale), wordAt),
  };
}

function listFacts(counts: readonly number[], wordAt: (word: number) => string): Fact[] {
  const listed = [...ASKED_RANKS, ...RUNNER_UP_RANKS].filter((rank) => rank <= counts.length);
  return listed.map((rank) => {
    const word = wordAt(rank - 1);
    const role = ASKED_RANKS.includes(rank) ? "target" : "distractor";
    return { role, text: word, key: word, value: String(counts[rank - 1]), depth: null, tokenOffset: null };
  });
}
