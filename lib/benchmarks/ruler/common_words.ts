import { RULER_SUITE, type Variant, VARIANT_KNOB, type Wording } from "./wording.ts";
import {
  countOnce,
  countPlaces,
  measureWords,
  orderWords,
  sumNumberTokens,
  sumTokens,
  type WordGroup,
} from "./word_lists.ts";
import {
  checkWhole,
  type Fact,
  type FactRole,
  family,
  type Layout,
  type Materials,
  type Named,
  type Reading,
  type Recipe,
  type RecipeRequest,
  templateWords,
  whole,
  type Wrapping,
} from "@/lib/generators/mod.ts";
import { continueWith, FREQUENT_WORDS, lastMatch, rankWords, readNumber } from "@/lib/models/mod.ts";
import { type Draw, pick, stream } from "@/lib/random/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { measure, type Measured } from "@/lib/text/mod.ts";

/** The knobs of common words; sample ids list them in this order. */
const KNOBS = {
  variant: VARIANT_KNOB,
  common: whole({ from: 1, to: 100, byDefault: 10 }, "common words", { aliases: ["num-cw"] }),
  asked: whole({ from: 1, to: 100 }, "common words asked for; all unless given", { aliases: ["num-asked"] }),
  commonFrequency: whole({ from: 2, to: 1000 }, "count of each common word; 30 (6 below 4K tokens) unless given", {
    aliases: ["freq-cw"],
  }),
  uncommonFrequency: whole({ from: 1, to: 1000 }, "count of each other word; 3 (1 below 4K tokens) unless given", {
    aliases: ["freq-ucw"],
  }),
  examples: whole({ from: 0, to: 20, byDefault: 1 }, "worked examples before the task; 0 asks without", {
    aliases: ["num-fewshot"],
    omitDefault: true,
  }),
};

/**
 * Common words: some words of a numbered list appear more often than all others, and the question asks for them (RULER, section
 * 3.3; common_words_extraction.py).
 *
 * Unlike the reference, no common word is part of another word or of the wording, the task repeats no word of the example, each
 * sample has its own order, and the vocabulary is large enough for the longest contexts. The short form, the reference's below
 * 4,096 tokens, is also used where many common words need more room.
 */
export const COMMON_WORDS = family({
  suite: RULER_SUITE,
  name: "cwe",
  about: "asks for the most common words of a long list",
  category: "aggregation",
  knobs: KNOBS,
  tasks: { cwe: {} },
  scorers: [allFound],
  answerRoom: ({ asked }) => Math.max(120, 12 * asked),
  readers: [{ name: "common words", recognise: recogniseCommonWords }],
  settle,
  recipe: commonRecipe,
});

interface CommonSettings extends Omit<Named<typeof KNOBS>, "commonFrequency" | "uncommonFrequency"> {
  readonly asked: number;
  readonly commonFrequency: number | "auto";
  readonly uncommonFrequency: number | "auto";
}

function settle(values: Named<typeof KNOBS>): CommonSettings {
  const { name, common, asked = common, commonFrequency = "auto", uncommonFrequency = "auto" } = values;
  checkWhole(asked, { task: name, knob: "asked", low: 1, high: common });
  const settings: CommonSettings = { ...values, asked, commonFrequency, uncommonFrequency };
  for (const isShort of [true, false]) {
    const { often, seldom } = readFrequencies(settings, isShort);
    const low = seldom + (asked < common ? 2 : 1);
    checkWhole(often, { task: name, knob: "commonFrequency", low, high: 1000 });
  }
  return settings;
}

/** How often common and other words appear; without the knobs it depends on the form, as in the reference. */
function readFrequencies(
  { commonFrequency, uncommonFrequency }: CommonSettings,
  isShort: boolean,
): { readonly often: number; readonly seldom: number } {
  return {
    often: commonFrequency === "auto" ? (isShort ? 6 : 30) : commonFrequency,
    seldom: uncommonFrequency === "auto" ? (isShort ? 1 : 3) : uncommonFrequency,
  };
}

function commonRecipe(settings: CommonSettings, request: RecipeRequest): Recipe {
  const { name, common, asked, variant, examples } = settings;
  const { materials, length, seed, index, template, options } = request;
  const { tokenizer } = materials;
  const path = [seed, RULER_SUITE, name, JSON.stringify(options), length, index];
  const isShort = length < longFormLength(settings);
  const shape = isShort ? SHORT_EXAMPLE : EXAMPLE;
  const { often, seldom } = readFrequencies(settings, isShort);
  const wording = cweWording(asked);
  const lexicon = materials.remember("numbered list", () => makeLexicon(materials));
  const drawn = drawCommonWords(stream(...path), {
    lexicon,
    sizes: { example: examples * (asked + shape.others), common },
    wording: [...Object.values(wording), templateWords(template)].join(" "),
  });

  const solved = Array.from({ length: examples }, (_, number): readonly [WordGroup, WordGroup] => {
    const words = drawn.example.slice(number * (asked + shape.others), (number + 1) * (asked + shape.others));
    return [
      { words: words.slice(0, asked), count: shape.often },
      { words: words.slice(asked), count: shape.seldom },
    ];
  });
  const targets = { words: drawn.common.slice(0, asked), count: often };
  const nearMisses = { words: drawn.common.slice(asked), count: often - 1 };
  const before = [
    { measured: measure(wording.opening, tokenizer) },
    ...solved.flatMap((groups, number) => {
      // Subtle: the first example has the draws that it had when there could be one alone.
      const order = stream(...path, "example", ...(number === 0 ? [] : [number]));
      const answer = groups[0].words.map(lexicon.wordAt);
      const ending = cweExampleEnding(answer, { variant, wrapping: template }) + wording.opening;
      return [{ measured: lexicon.list(groups, order) }, { measured: measure(ending, tokenizer) }];
    }),
  ];
  const after = [{ measured: measure(wording.question, tokenizer) }];
  const layOut = (size: number): Layout => {
    const groups = [targets, nearMisses, { words: drawn.uncommon(size), count: seldom }];
    return { before, context: [{ measured: lexicon.list(groups, stream(...path, "order")) }], after };
  };
  return {
    least: 1,
    most: lexicon.numbers.length,
    layOut,
    closeGap(size, gap): Layout {
      if (drawn.uncommon(size).length === size) return layOut(size);
      throw new RangeError(
        `Cannot generate ${name} as length must be at most ${length - gap} tokens, which take the whole vocabulary: ` +
          `current value is ${length}`,
      );
    },
    answerPrefix: wording.answerPrefix,
    references: () => targets.words.map(lexicon.wordAt),
    spreadFacts: () => [
      ...solved.flat().flatMap((group) => listFacts("example", group, lexicon)),
      ...listFacts("target", targets, lexicon),
      ...listFacts("distractor", nearMisses, lexicon),
    ],
  };
}

/** How often the words of the example appear, and how many of them are not common, as in the reference. */
const EXAMPLE = { often: 10, seldom: 3, others: 30 };
const SHORT_EXAMPLE = { often: 3, seldom: 1, others: 10 };

/** The reference uses the long form from this length on, in tokens. */
const LONG_FORM = 4096;

/** The most tokens that an item of a list (space, number, full stop, word) takes on average. */
const TOKENS_PER_ITEM = 7;

/** The least length of the long form: the reference's, or more where many common words would not fit. */
function longFormLength(settings: CommonSettings): number {
  const { common, asked, examples } = settings;
  const { often } = readFrequencies(settings, false);
  const items = common * often + Math.max(1, examples) * (asked * EXAMPLE.often + EXAMPLE.others * EXAMPLE.seldom);
  return Math.max(LONG_FORM, items * TOKENS_PER_ITEM);
}

function listFacts(role: FactRole, { words, count }: WordGroup, lexicon: Lexicon): Fact[] {
  return words.map((number) => {
    const word = lexicon.wordAt(number);
    return { role, text: word, key: word, value: String(count), depth: null, tokenOffset: null };
  });
}

/** The words of one sample, by their numbers in the vocabulary; all are different. */
interface CommonDraw {
  readonly example: readonly number[];
  /** None is part of another word of the sample or of its wording. */
  readonly common: readonly number[];
  /** Draws this many other words, or all there are. */
  uncommon(count: number): readonly number[];
}

function drawCommonWords(
  draw: Draw,
  { lexicon, sizes, wording }: {
    readonly lexicon: Lexicon;
    readonly sizes: { readonly example: number; readonly common: number };
    readonly wording: string;
  },
): CommonDraw {
  const next = drawEachOnce(draw, lexicon.numbers);
  const { wordAt } = lexicon;
  const example: number[] = [];
  grow(example, { to: sizes.example, next, accepts: () => true });

  const around = [wording, ...example.map(wordAt)].join(" ").toLowerCase();
  const common: number[] = [];
  const commonWords: string[] = [];
  grow(common, {
    to: sizes.common,
    next,
    accepts(number): boolean {
      const word = wordAt(number);
      const isApart = !around.includes(word) &&
        !commonWords.some((other) => other.includes(word) || word.includes(other));
      if (isApart) commonWords.push(word);
      return isApart;
    },
  });

  const uncommon: number[] = [];
  const letters = commonWords.map(lettersOf);
  const holdsNone = (number: number): boolean => {
    const word = wordAt(number);
    const own = lexicon.letters(number);
    // A word that lacks a letter cannot hold the other.
    return !commonWords.some((other, which) => (letters[which]! & ~own) === 0 && word.includes(other));
  };
  return {
    example,
    common,
    uncommon(count): readonly number[] {
      grow(uncommon, { to: count, next, accepts: holdsNone });
      return uncommon.slice(0, count);
    },
  };
}

/** Adds drawn numbers that are accepted until there are enough, or none are left to draw. */
function grow(numbers: number[], options: {
  readonly to: number;
  readonly next: () => number | undefined;
  readonly accepts: (number: number) => boolean;
}): void {
  const { to, next, accepts } = options;
  while (numbers.length < to) {
    const number = next();
    if (number === undefined) return;
    if (accepts(number)) numbers.push(number);
  }
}

/** Draws numbers of a list without repeats (a Fisher-Yates shuffle, one step at a time). */
function drawEachOnce(draw: Draw, numbers: Int32Array): () => number | undefined {
  const order = numbers.slice();
  let drawn = 0;
  return () => {
    if (drawn >= order.length) return undefined;
    const place = drawn + Math.floor(draw() * (order.length - drawn));
    const number = order[place];
    order[place] = order[drawn]!;
    drawn++;
    return number;
  };
}

/** The vocabulary, with its tokens counted. */
interface Lexicon {
  /** The numbers of all words. */
  readonly numbers: Int32Array;
  wordAt(number: number): string;
  /** The letters of a word, as {@linkcode lettersOf} has them. */
  letters(number: number): number;
  /** Lists words as `1. word 2. word`, in random order. */
  list(groups: readonly WordGroup[], draw: Draw): Measured;
}

function makeLexicon({ words: { vocabulary }, tokenizer }: Materials): Lexicon {
  const wordAt = (number: number): string => vocabulary[number]!;
  const tokensOf = countOnce((number) => ` ${wordAt(number)}`, { size: vocabulary.length, tokenizer });
  const sumNumbers = sumNumberTokens(tokenizer);
  const letters = new Int32Array(vocabulary.length);
  const labels: string[] = [];
  const labelOf = (place: number): string => {
    for (let next = labels.length; next <= place; next++) labels.push(`${next === 0 ? "" : " "}${next + 1}. `);
    return labels[place]!;
  };
  return {
    numbers: Int32Array.from(vocabulary, (_, number) => number),
    wordAt,
    letters: (number) => letters[number] ||= lettersOf(wordAt(number)),
    list(groups, draw): Measured {
      const order = orderWords(groups, draw);
      const numberTokens = sumNumbers(countPlaces(groups)) - sumNumbers(1);
      return measureWords({
        head: "1.",
        tail: ` ${wordAt(order.last)}`,
        inner: numberTokens + sumTokens(groups, tokensOf) - tokensOf(order.last),
        write(): string {
          const pieces: string[] = [];
          const words = order.all();
          for (let place = 0; place < words.length; place++) pieces.push(labelOf(place), wordAt(words[place]!));
          return pieces.join("");
        },
      }, tokenizer);
    },
  };
}

/** The letters of a word, one bit each; some that are not a to z share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** The words of a question about common words (common_words_extraction.py; paper, Table 8); the list follows the opening. */
function cweWording(asked: number): Wording {
  return {
    opening:
      "Below is a numbered list of words. In these words, some appear more often than others. Memorize the ones that appear most often.\n",
    question: `\nQuestion: What are the ${asked} most common words in the above list?`,
    answerPrefix: ` Answer: The top ${asked} words that appear most often in the list are:`,
  };
}

/**
 * The words between the example's list and the task's opening. The code puts the chat template around the example too; in the
 * paper's Table 8 one template is around both.
 */
function cweExampleEnding(
  answer: readonly string[],
  { variant, wrapping: { before, after } }: { readonly variant: Variant; readonly wrapping: Wrapping },
): string {
  const { question, answerPrefix } = cweWording(answer.length);
  const solved = `${answerPrefix}${variant === "2024" ? "" : " "}${numberWords(answer)}\n`;
  return variant === "paper" ? question + solved : question + after + solved + before;
}

function numberWords(words: readonly string[]): string {
  return words.map((word, place) => `${place + 1}. ${word}`).join(" ");
}

const QUESTION = /What are the (\w+) most common words in the above list\?/g;
const OPENING = "Memorize the ones that appear most often.";
const EXAMPLE_ANSWER = /appear most often in the list are:([^\n]*)/g;

function recogniseCommonWords(prompt: string): Reading | null {
  const question = lastMatch(prompt, QUESTION);
  const asked = readNumber(question?.[1] ?? "");
  if (!question || asked === null) return null;
  const end = prompt.lastIndexOf("Question:", question.index);
  const opening = prompt.lastIndexOf(OPENING, question.index);
  const start = opening < 0 ? 0 : opening + OPENING.length;
  const list = prompt.slice(start, end < start ? question.index : end);
  const example = lastMatch(prompt.slice(0, Math.max(0, opening)), EXAMPLE_ANSWER);
  const join = continueWith(prompt, "appear most often in the list are:");
  const ranked = rankWords(readNumberedList(list), asked);
  const words = ranked.rivals.length > 0 ? ranked.rivals : ranked.wanted;
  return {
    category: "aggregation",
    ...ranked,
    example: example ? readNumberedList(example[1]!) : [],
    invent: (draw) => mangleWord(pick(draw, words).value, draw),
    // Mistral, as the paper saw it (section 5).
    remember: (draw) => pick(draw, FREQUENT_WORDS),
    write: (said) => join(numberWords(said)),
  };
}

/** Makes a word of the list one that it has not, as small models do: the first half, and the last syllable made up. */
function mangleWord(word: string, draw: Draw): string {
  return `${word.slice(0, Math.ceil(word.length / 2))}${pick(draw, ENDINGS)}`;
}

const ENDINGS = ["apees", "ibbles", "oning", "erest", "ulky"];

/** Reads `1. one 2. two`; a word may hold a space. */
function readNumberedList(list: string): string[] {
  return list.split(/(?:^|\s)\s*\d+\.\s/).map((word) => word.trim()).filter((word) => word !== "");
}
