import { stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";
import { drawCommonWords } from "./_common_draw.ts";
import { cweExampleEnding, cweWording } from "./_cwe_wording.ts";
import type { Layout } from "../_layout.ts";
import { type Lexicon, openLexicon } from "./_numbered_list.ts";
import type { Recipe } from "../_recipe.ts";
import type { WordGroup } from "./_word_order.ts";
import { BASE_FRAME, frameWords } from "../frame.ts";
import type { Fact, FactRole } from "../sample.ts";
import { RULER_SUITE } from "../suite.ts";
import type { SampleRequest } from "../task.ts";
import type { Variant } from "./variant.ts";

/** The knobs of a common words task. */
export interface CommonSettings {
  readonly name: string;
  readonly variant: Variant;
  readonly common: number;
  readonly asked: number;
  readonly commonFrequency: number | "auto";
  readonly uncommonFrequency: number | "auto";
}

/** Tells how often common and other words appear; what is not given depends on the form, as in the reference. */
export function readFrequencies(
  { commonFrequency, uncommonFrequency }: CommonSettings,
  isShort: boolean,
): { readonly often: number; readonly seldom: number } {
  return {
    often: commonFrequency === "auto" ? (isShort ? 6 : 30) : commonFrequency,
    seldom: uncommonFrequency === "auto" ? (isShort ? 1 : 3) : uncommonFrequency,
  };
}

/** How often the example's words appear, and how many there are beside the common ones, as in the reference. */
const EXAMPLE = { often: 10, seldom: 3, others: 30 };
const SHORT_EXAMPLE = { often: 3, seldom: 1, others: 10 };

/** The reference takes the long form from this length on, in tokens. */
const LONG_FORM = 4096;

/** What an item of a list (space, number, full stop, word) takes at most on average, in tokens. */
const TOKENS_PER_ITEM = 7;

/** The length from which the long form is used: the reference's, or more where many common words would not fit in it. */
function longFormLength(settings: CommonSettings): number {
  const { common, asked } = settings;
  const items = common * readFrequencies(settings, false).often + asked * EXAMPLE.often +
    EXAMPLE.others * EXAMPLE.seldom;
  return Math.max(LONG_FORM, items * TOKENS_PER_ITEM);
}

/** Decides everything random about a sample of the common words task. */
export function commonRecipe(settings: CommonSettings, request: SampleRequest): Recipe {
  const { name, ...knobs } = settings;
  const { common, asked, variant } = knobs;
  const { materials, length, seed, index, frame = BASE_FRAME } = request;
  const { tokenizer } = materials;
  const path = [seed, RULER_SUITE, name, JSON.stringify(knobs), length, index];
  const isShort = length < longFormLength(settings);
  const shape = isShort ? SHORT_EXAMPLE : EXAMPLE;
  const { often, seldom } = readFrequencies(settings, isShort);
  const wording = cweWording(asked);
  const lexicon = openLexicon(materials);
  const drawn = drawCommonWords(stream(...path), {
    lexicon,
    sizes: { example: asked + shape.others, common },
    wording: [...Object.values(wording), frameWords(frame)].join(" "),
  });

  const example = [
    { words: drawn.example.slice(0, asked), count: shape.often },
    { words: drawn.example.slice(asked), count: shape.seldom },
  ];
  const targets = { words: drawn.common.slice(0, asked), count: often };
  const nearMisses = { words: drawn.common.slice(asked), count: often - 1 };
  const solved = example[0]!.words.map(lexicon.wordAt);
  const before = [
    { measured: measure(wording.opening, tokenizer) },
    { measured: lexicon.list(example, stream(...path, "example")) },
    { measured: measure(cweExampleEnding(solved, { variant, wrapping: frame }) + wording.opening, tokenizer) },
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
      if (drawn.uncommon(size).length < size) throw tooLong(name, { length, most: length - gap });
      return layOut(size);
    },
    answerPrefix: wording.answerPrefix,
    references: () => targets.words.map(lexicon.wordAt),
    spreadFacts: () => [
      ...example.flatMap((group) => listFacts("example", group, lexicon)),
      ...listFacts("target", targets, lexicon),
      ...listFacts("distractor", nearMisses, lexicon),
    ],
  };
}

function tooLong(name: string, { length, most }: { readonly length: number; readonly most: number }): RangeError {
  return new RangeError(
    `Cannot generate ${name} as length must be at most ${most} tokens, which take the whole vocabulary: current value is ${length}`,
  );
}

function listFacts(role: FactRole, { words, count }: WordGroup, lexicon: Lexicon): Fact[] {
  return words.map((number) => {
    const word = lexicon.wordAt(number);
    return { role, text: word, key: word, value: String(count), depth: null, tokenOffset: null };
  });
}
