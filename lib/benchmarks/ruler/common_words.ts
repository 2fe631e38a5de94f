import { fillWording, RULER_SUITE, type Variant, VARIANT_KNOB, type Wording } from "./wording.ts";
import wordings from "./wordings.json" with { type: "json" };
import {
  countOnce,
  drawEachOnce,
  measureWords,
  type OrderWords,
  orderWords,
  sumTokens,
  wordFact,
  WordList,
  wordsInTurn,
  writeInOrder,
} from "./word_lists.ts";
import {
  also,
  checkWhole,
  type Fact,
  type FactRole,
  family,
  type Layout,
  type Materials,
  measureOnce,
  type Named,
  type Recipe,
  type RecipeRequest,
  templateWords,
  whole,
  type Wrapping,
} from "@/lib/generators/mod.ts";
import { type Draw, stream } from "@/lib/random/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { join, type Measured, type Tokenizer } from "@/lib/text/mod.ts";

/** The knobs of common words; sample ids list them in this order. */
const KNOBS = {
  variant: VARIANT_KNOB,
  common: also(whole({ from: 1, to: 100, byDefault: 10 }, "common words"), ["num_cw"]),
  asked: whole({ from: 1, to: 100 }, "common words asked for; all unless given"),
  commonFrequency: also(
    whole({ from: 2, to: 1000 }, "count of each common word; 30 (6 below 4K tokens) unless given"),
    ["freq_cw"],
  ),
  uncommonFrequency: also(
    whole({ from: 1, to: 1000 }, "count of each other word; 3 (1 below 4K tokens) unless given"),
    ["freq_ucw"],
  ),
  examples: also(
    whole({ from: 0, to: 20, byDefault: 1 }, "worked examples before the task; 0 asks without", { omitDefault: true }),
    ["num_fewshot"],
  ),
};

/**
 * Common words: some words of a numbered list appear more often than all others, and the question asks for them (RULER, section
 * 3.3; common_words_extraction.py).
 *
 * Unlike the reference, no common word is part of another word or of the wording, the task repeats no word of the example, each
 * sample has its own order, and the vocabulary is large enough for the longest contexts. The short form, the reference's below
 * 4,096 tokens, is also used if many common words need more room.
 */
export const COMMON_WORDS = family({
  suite: RULER_SUITE,
  name: "cwe",
  about: "asks for the most common words of a long list",
  asks: /What are the \d+ most common words in the above list\?/,
  category: "aggregation",
  knobs: KNOBS,
  tasks: { cwe: {} },
  scorers: [allFound],
  answerRoom: ({ asked }) => Math.max(120, 12 * asked),
  settle,
  harder: { commonFrequency: "down", common: "up" },
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

/** Returns the counts of common and other words; without the knobs they depend on the form, as in the reference. */
function readFrequencies(
  { commonFrequency, uncommonFrequency }: CommonSettings,
  isShort: boolean,
): { readonly often: number; readonly seldom: number } {
  const [often, seldom] = isShort ? [6, 1] : [30, 3];
  return {
    often: commonFrequency === "auto" ? often : commonFrequency,
    seldom: uncommonFrequency === "auto" ? seldom : uncommonFrequency,
  };
}

function commonRecipe(settings: CommonSettings, request: RecipeRequest): Recipe {
  const { name, common, asked, variant, examples } = settings;
  const { materials, length, seed, index, template, options, attempt = 0 } = request;
  const { tokenizer } = materials;
  const again = attempt === 0 ? [] : ["again", attempt];
  const path = [seed, RULER_SUITE, name, JSON.stringify(options), length, index, ...again];
  const isShort = length < longFormLength(settings);
  const shape = isShort ? SHORT_EXAMPLE : EXAMPLE;
  const { often, seldom } = readFrequencies(settings, isShort);
  const wording = cweWording(asked);
  const lexicon = materials.remember("numbered list", () => new Lexicon(materials));
  const exampleSize = asked + shape.others;
  const drawn = drawCommonWords(stream(...path), {
    lexicon,
    sizes: { example: examples * exampleSize, common },
    wording: [...Object.values(wording), templateWords(template)].join(" "),
  });

  const solved = Array.from({ length: examples }, (_, number): readonly [WordGroup, WordGroup] => {
    const words = drawn.example.slice(number * exampleSize, (number + 1) * exampleSize);
    return [{ words: words.slice(0, asked), count: shape.often }, { words: words.slice(asked), count: shape.seldom }];
  });
  const targets = { words: drawn.common.slice(0, asked), count: often };
  const nearMisses = { words: drawn.common.slice(asked), count: often - 1 };
  const ending = cweExampleEnding(asked, { variant, wrapping: template });
  const measureIn = (groups: readonly WordGroup[], order: OrderWords): Measured => {
    const list = lexicon.list(groups);
    return lexicon.measure(list, list.words.length, order);
  };
  const example = solved.flatMap((groups, number) => [
    // Subtle: the first example has the draws that it had when there could be one alone.
    measureIn(groups, orderWords(...path, "example", ...(number === 0 ? [] : [number]))),
    measureOnce(ending.question, materials),
    measureIn([{ words: groups[0].words, count: 1 }], wordsInTurn),
    measureOnce(ending.after + wording.opening, materials),
  ]);
  const before = [{ measured: join([measureOnce(wording.opening, materials), ...example], tokenizer) }];
  const after = [{ measured: measureOnce(wording.question, materials) }];
  const list = lexicon.list([targets, nearMisses]);
  const order = orderWords(...path, "order");
  /** Draws a number of other words, or all there are; returns their number. */
  const drawOthers = (size: number): number => {
    while (list.words.length < common + size) {
      const word = drawn.next();
      if (word === undefined) break;
      list.add(word, seldom, lexicon.tokensOf(word));
    }
    return Math.min(size, list.words.length - common);
  };
  const layOut = (size: number): Layout => {
    const all = common + drawOthers(size);
    return { before, context: [{ measured: lexicon.measure(list, all, order) }], after };
  };
  return {
    least: 1,
    most: lexicon.size,
    // Some words have too many tokens of a small vocabulary for the shortest list in the long form.
    canBeDrawnAgain: true,
    guess(tokens): number {
      let size = drawOthers(1);
      const room = lexicon.tokens(list, common + size) + tokens;
      while (drawOthers(size + 1) > size && lexicon.tokens(list, common + size + 1) <= room) size++;
      return size;
    },
    layOut,
    closeGap(size, gap): Layout {
      if (drawOthers(size) === size) return layOut(size);
      throw new RangeError(
        `Cannot generate ${name} as length must be at most ${length - gap} tokens, which take the whole vocabulary: ` +
          `current value is ${length}`,
      );
    },
    answerPrefix: wording.answerPrefix,
    references: () => targets.words.map((number) => lexicon.wordAt(number)),
    spreadFacts: () => [
      ...solved.flat().flatMap((group) => listFacts("example", group, lexicon)),
      ...listFacts("target", targets, lexicon),
      ...listFacts("distractor", nearMisses, lexicon),
    ],
  };
}

/** Words, by their numbers, that appear equally often. */
interface WordGroup {
  readonly words: readonly number[];
  readonly count: number;
}

/** The counts of the example's words, and the number of other words in it, as in the reference. */
const EXAMPLE = { often: 10, seldom: 3, others: 30 };
const SHORT_EXAMPLE = { often: 3, seldom: 1, others: 10 };

/** The least length of the reference's long form, in tokens. */
const LONG_FORM = 4096;

/** The upper bound of the mean tokens of an item: space, number, full stop, word. */
const TOKENS_PER_ITEM = 7;

/** Returns the least length of the long form: the reference's, or more for many common words. */
function longFormLength(settings: CommonSettings): number {
  const { common, asked, examples } = settings;
  const { often } = readFrequencies(settings, false);
  const items = common * often + Math.max(1, examples) * (asked * EXAMPLE.often + EXAMPLE.others * EXAMPLE.seldom);
  return Math.max(LONG_FORM, items * TOKENS_PER_ITEM);
}

function listFacts(role: FactRole, { words, count }: WordGroup, lexicon: Lexicon): Fact[] {
  return words.map((number) => wordFact(role, lexicon.wordAt(number), count));
}

/**
 * Draws the different words of one sample, by their numbers in the vocabulary. No common word is part of another word of the sample or of
 * its wording. `next` draws one other word; `undefined` if none is left.
 */
function drawCommonWords(
  draw: Draw,
  { lexicon, sizes, wording }: {
    readonly lexicon: Lexicon;
    readonly sizes: Readonly<Record<"example" | "common", number>>;
    readonly wording: string;
  },
): { readonly example: readonly number[]; readonly common: readonly number[]; next(): number | undefined } {
  const drawNumber = drawEachOnce(draw, lexicon.size);
  const drawWhere = (accepts: (number: number) => boolean): number | undefined => {
    for (;;) {
      const number = drawNumber();
      if (number === undefined || accepts(number)) return number;
    }
  };
  const drawList = (size: number, accepts: (number: number) => boolean): number[] => {
    const drawn = Array.from({ length: size }, () => drawWhere(accepts));
    return drawn.filter((number) => number !== undefined);
  };
  const example = drawList(sizes.example, () => true);
  const around = [wording, ...example.map((number) => lexicon.wordAt(number))].join(" ").toLowerCase();
  const commonWords: string[] = [];
  const common = drawList(sizes.common, (number) => {
    const word = lexicon.wordAt(number);
    const isApart = !around.includes(word) &&
      !commonWords.some((other) => other.includes(word) || word.includes(other));
    if (isApart) commonWords.push(word);
    return isApart;
  });
  const letters = common.map((number) => lexicon.letters(number));
  const holdsNone = (number: number): boolean => {
    const own = lexicon.letters(number);
    for (let which = 0; which < letters.length; which++) {
      // A word that lacks a letter cannot hold the other.
      if ((letters[which]! & ~own) === 0 && lexicon.wordAt(number).includes(commonWords[which]!)) return false;
    }
    return true;
  };
  return { example, common, next: () => drawWhere(holdsNone) };
}
class Lexicon {
  readonly size: number;
  /** Returns the tokens of a word with the space before it. */
  readonly tokensOf: (number: number) => number;
  readonly #vocabulary: readonly string[];
  readonly #tokenizer: Tokenizer;
  readonly #sumNumbers: (upTo: number) => number;

  constructor({ words: { vocabulary, vocabularyTokens: known }, tokenizer }: Materials) {
    this.size = vocabulary.length;
    this.tokensOf = countOnce((number) => ` ${vocabulary[number]!}`, { size: this.size, tokenizer, known });
    this.#vocabulary = vocabulary;
    this.#tokenizer = tokenizer;
    this.#sumNumbers = sumTokens((number) => ` ${number}.`, tokenizer);
  }

  wordAt(number: number): string {
    return this.#vocabulary[number]!;
  }

  /** Returns the letters of a word, one bit each; some that are not a to z share one. */
  letters(word: number): number {
    let letters = 0;
    const text = this.#vocabulary[word]!;
    for (let at = 0; at < text.length; at++) letters |= 1 << (text.charCodeAt(at) & 31);
    return letters;
  }

  list(groups: readonly WordGroup[]): WordList {
    const list = new WordList();
    for (const { words, count } of groups) for (const word of words) list.add(word, count, this.tokensOf(word));
    return list;
  }

  tokens(list: WordList, size: number): number {
    return list.tokens(size) + this.#sumNumbers(list.places(size));
  }

  /** Measures the first words of a list in an order, as `1. word 2. word`. */
  measure(list: WordList, size: number, orderOf: OrderWords): Measured {
    const { last, all } = orderOf(list, size);
    return measureWords({
      head: "1.",
      tail: ` ${this.wordAt(last)}`,
      inner: this.tokens(list, size) - this.#sumNumbers(1) - this.tokensOf(last),
      write: () => writeInOrder(all(), { textOf: (word) => this.wordAt(word), numbered: true }).slice(1),
    }, this.#tokenizer);
  }
}

/** The words of a question about common words (common_words_extraction.py; paper, Table 8); the list follows the opening. */
function cweWording(asked: number): Wording {
  return fillWording(wordings.cwe, { asked });
}

/**
 * The words between the example's list and its answer, and after that. The code puts the chat template around the example too; in
 * the paper's Table 8 one template is around both.
 */
function cweExampleEnding(
  asked: number,
  { variant, wrapping: { before, after } }: { readonly variant: Variant; readonly wrapping: Wrapping },
): { readonly question: string; readonly after: string } {
  const { question, answerPrefix } = cweWording(asked);
  const start = `${answerPrefix}${variant === "2024" ? "" : " "}`;
  if (variant === "paper") return { question: question + start, after: "\n" };
  return { question: question + after + start, after: `\n${before}` };
}
