import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { LEAST_WORDS, PAIR_NAMES, PAIRS, paperPlaces, REPEATED_WORDS_SUITE, writeCopy } from "./copies.ts";
import { copiedPlace, copiedWord, copyEdits, exactCopy } from "./scorer.ts";
import {
  family,
  firstAlone,
  type Layout,
  maybe,
  measureOnce,
  type Named,
  number,
  oneOf,
  type Part,
  placeInGrid,
  type Recipe,
  type RecipeRequest,
  whole,
} from "@/lib/generators/mod.ts";
import { spread } from "@/lib/random/mod.ts";
import type { Scorer } from "@/lib/scorers/mod.ts";
import { countTokens, EMPTY, join, measure, type Measured, repeater, type Tokenizer } from "@/lib/text/mod.ts";

/** The words before the text (run_repeated_words.py); the text follows a space. */
const INSTRUCTION = "Simply replicate the following text, output the exact same text:";

/** The scorers, by the value of the knob `score`. */
const SCORERS = { edits: copyEdits, exact: exactCopy, word: copiedWord, place: copiedPlace } as const;

/** The most tokens for an answer per token of the prompt. */
const MAX_ROOM = 4;

const KNOBS = {
  pair: oneOf(PAIR_NAMES, "the common word, and the modified one that replaces it once"),
  words: maybe(
    whole({ from: LEAST_WORDS, to: 1_000_000 }, "words of the text; as many as fit the length unless given"),
  ),
  places: oneOf(
    ["spread", "grid"],
    "places of the modified word: spread evenly, or the report's, the middle first, so that few samples cover them",
  ),
  depth: number({ from: 0, to: 1 }, "one place of the modified word, 0 first and 1 last, instead of several"),
  room: number(
    { from: 1, to: MAX_ROOM, byDefault: 2 },
    "tokens for the answer per token of the prompt: 2 is the report's output limit, 1 just fits the copy; a copy that never " +
      "stops scores 1 / room",
  ),
  score: oneOf(
    ["edits", "exact", "word", "place"],
    "the report's edit score; or whether the copy is exact, has the modified word, or has it in its place",
    { omitDefault: true },
  ),
};

type Settings = Named<typeof KNOBS>;

/**
 * Repeated words: a text of one word, again and again, with one modified word is to be copied exactly (Hong, Troynikov and Huber,
 * "Context Rot", Chroma 2025; run_repeated_words.py at 1091346). The answer is as long as the text.
 *
 * The length is that of the prompt and of `room` times as many tokens for the answer. Unlike the original, the text can fill a
 * length, and tokens are the model's own.
 */
export const REPEATED_WORDS = family({
  suite: REPEATED_WORDS_SUITE,
  name: "repeated_words",
  about: "asks for an exact copy of one word repeated many times, with one modified word among them",
  asks: new RegExp(INSTRUCTION),
  category: "retrieval",
  knobs: KNOBS,
  tasks: {
    "repeated_apple_apples": {},
    "repeated_apples_apple": { pair: "apples_apple" },
    "repeated_golden_Golden": { pair: "golden_Golden" },
    "repeated_orange_run": { pair: "orange_run" },
    "repeated_orange_San_Francisco": { pair: "orange_San_Francisco" },
    "repeated_San_Francisco_sf": { pair: "San_Francisco_sf" },
    "repeated_Golden_Gate_Bridge_Park": { pair: "Golden_Gate_Bridge_Park" },
  },
  scorers: [copyEdits, exactCopy, copiedWord, copiedPlace],
  scorerOf: ({ score }): Scorer => SCORERS[score],
  answerRoom: 0,
  answerShare: ({ room }) => room / (1 + room),
  write: firstAlone,
  harder: ({ words }) => words === undefined ? {} : { words: "up" },
  recipe: copyRecipe,
});

function copyRecipe(settings: Settings, { materials, length, seed, index }: RecipeRequest): Recipe {
  const { tokenizer } = materials;
  const { pair, words, places, depth, room } = settings;
  const [common, modified] = PAIRS[pair];
  const repeat = materials.remember(`repeated words/${pair}`, () => wordRepeater(` ${common}`, tokenizer));
  const before = [{ measured: measureOnce(INSTRUCTION, materials) }];
  const fact = { role: "target", text: modified, key: common, value: modified } as const;
  const word: Part = { measured: measure(` ${modified}`, tokenizer), fact };
  // The way of scoring changes no text.
  const [share = 0] = spread([seed, REPEATED_WORDS_SUITE, pair, words ?? "", length], { index, dimensions: 1 });
  const placeAmong = (size: number): number => {
    if (depth !== undefined) return Math.round(depth * (size - 1));
    const grid = places === "grid" ? paperPlaces(size) : [];
    // Further samples would be the same prompts again.
    return index < grid.length ? grid[placeInGrid(index, grid.length).place]! : Math.floor(share * size);
  };
  const layOut = (size: number): Layout => {
    const place = placeAmong(size);
    const runs = [place, size - 1 - place].map((times): Part[] => times === 0 ? [] : [{ measured: repeat(times) }]);
    return { before, context: [...runs[0]!, word, ...runs[1]!], after: [] };
  };
  const tokensOf = (size: number): number => {
    const { before, context } = layOut(size);
    return countTokens(join([...before, ...context].map(({ measured }) => measured), tokenizer), tokenizer);
  };
  const least = words ?? LEAST_WORDS;
  return {
    least,
    most: words ?? Infinity,
    layOut,
    guess: (tokens) => least + Math.floor(tokens / ((1 + room) * tokenizer.countAfterCut(` ${common}`))),
    answerRoom: (size) => Math.ceil(room * tokensOf(size)),
    answerPrefix: "",
    references: (size) => [writeCopy({ pair, words: size, place: placeAmong(size) })],
  };
}

/** Makes a function that repeats a word that begins with a space; it is counted once. */
function wordRepeater(word: string, tokenizer: Tokenizer): (times: number) => Measured {
  // Two of them have a safe cut between them, where counts add up.
  const [one, pairs] = [measure(word, tokenizer), repeater(measure(word + word, tokenizer), tokenizer)];
  return (times) => join([pairs(times >> 1), times % 2 === 0 ? EMPTY : one], tokenizer);
}

/** Repeated words, with each of the report's combinations. */
export const REPEATED_WORDS_BENCHMARK: Benchmark = {
  name: "repeated_words",
  title: "Repeated words",
  source: "Hong, Troynikov and Huber: Context Rot (Chroma, July 2025); chroma-core/context-rot at 1091346",
  families: [REPEATED_WORDS],
  tasks: REPEATED_WORDS.tasks,
  paper: async () => (await import("@/lib/papers/repeated_words/paper.ts")).REPEATED_WORDS_PAPER,
};
