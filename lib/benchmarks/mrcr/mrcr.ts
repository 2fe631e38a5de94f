import { AUTHORS_MRCR, MRCR_TEST_FILES } from "./authors_files.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { defined } from "@/lib/base/mod.ts";
import { Grammar, KEYS, textOf, type Word } from "./grammar.ts";
import { MRCR_SCORERS } from "./scorer.ts";
import { HASH_LENGTHS, MOST_NEEDLES, questionOf, requestOf, type TextKey, writeExamples } from "./wording.ts";
import {
  askAll,
  type Asked,
  checkWhole,
  family,
  fillBy,
  type Filler,
  firstAlone,
  type Layout,
  maybe,
  measureOnce,
  type Named,
  oneOf,
  type Part,
  type PartFact,
  type Planted,
  plantFacts,
  QUESTIONS,
  type Recipe,
  type RecipeRequest,
  startMessage,
  whole,
} from "@/lib/generators/mod.ts";
import { type Draw, pick, strata, stream } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";

/** The suite and its version; raised when any task's samples change. Part of every sample id and published score. */
const MRCR_SUITE = "mrcr-grammar-1";

const KNOBS = {
  needles: whole({ from: 1, to: MOST_NEEDLES, byDefault: 8 }, "texts on the request that the question names"),
  asked: whole({ from: 1, to: MOST_NEEDLES }, "the number of the text that is asked for, from 1; any unless given"),
  parts: oneOf(
    ["2", "3"],
    "parts of a request: 2 (format and topic, in the words of OpenAI) or 3 (and style, in the words of Google DeepMind)",
  ),
  ending: oneOf(
    ["anywhere", "needle"],
    "whether texts that are not asked for can also come last, or a needle always does, as in Google's code",
  ),
  examples: whole({ from: 0, to: 4, byDefault: 1 }, "solved examples at the start of the first message"),
  questions: QUESTIONS,
  scorer: maybe(oneOf(
    ["openai", "google", "opencompass"],
    "how replies are scored, which also sets the length of the hash; by default as the authors of the request's words do",
  )),
};

/** The settings of a task; the scorer also decides the length of hashes. */
type MrcrSettings = Named<typeof KNOBS> & { readonly scorer: keyof typeof HASH_LENGTHS };

/** Tokens of the longest answer, in small vocabularies. */
const ANSWER_ROOM = 256;

/**
 * MRCR in chat turns with texts of a grammar: the model is asked for the text that it wrote as its i-th on some request, after a hash.
 *
 * Vodrahalli et al., arXiv 2409.12640, section 3; the form of OpenAI's openai/mrcr (messages, keys of format and topic) or of
 * Google DeepMind's MRCR v2 (also style). Their texts are written by language models; these are of a seeded grammar, so scores
 * are not comparable with the authors'.
 */
export const MRCR_GRAMMAR = family({
  suite: MRCR_SUITE,
  name: "mrcr",
  about:
    "asks for one of several texts that were written on the same request in a conversation; texts are of a grammar",
  asks: /Prepend \w+ to the .+?\.(?= Do not include)/,
  tasks: { "mrcr_2_needles": { needles: 2 }, "mrcr_4_needles": { needles: 4 }, "mrcr_8_needles": { needles: 8 } },
  answerRoom: ANSWER_ROOM,
  category: "retrieval",
  knobs: KNOBS,
  scorers: [MRCR_SCORERS.openai, MRCR_SCORERS.google, MRCR_SCORERS.opencompass],
  scorerOf: ({ scorer }: MrcrSettings) => MRCR_SCORERS[scorer],
  write: firstAlone,
  settle(values: Named<typeof KNOBS>): MrcrSettings {
    const { name, needles, asked, parts, scorer = parts === "2" ? "openai" : "google" } = values;
    if (asked !== undefined) checkWhole(asked, { task: name, knob: "asked", low: 1, high: needles });
    return { ...values, scorer };
  },
  harder: { needles: "up" },
  recipe: mrcrRecipe,
});

/** MRCR in chat turns: with texts of a grammar, and the rows of both MRCRs. */
export const MRCR: Benchmark = {
  name: "mrcr",
  title: "MRCR",
  source: "Vodrahalli et al. 2024, arXiv 2409.12640; openai/mrcr; google-deepmind/eval_hub at 67b7fd2",
  families: [MRCR_GRAMMAR, ...AUTHORS_MRCR],
  tasks: MRCR_GRAMMAR.tasks,
  testFiles: MRCR_TEST_FILES,
  paper: async () => (await import("@/lib/papers/mrcr/paper.ts")).MRCR_PAPER,
};

/** The texts of a solved example. */
const EXAMPLE_TEXTS = 2;

function mrcrRecipe(settings: MrcrSettings, request: RecipeRequest): Recipe {
  const { name, parts, needles, ending, examples, questions, scorer, asked: number } = settings;
  const { materials, length, seed, index, options: { scorer: _, ...drawn } } = request;
  const { tokenizer } = materials;
  const grammar = materials.remember("mrcr grammar", () => new Grammar(materials));
  // Subtle: the options are part of the path of every draw, in their order. The scorer changes hashes alone.
  const path = [seed, MRCR_SUITE, name, JSON.stringify(drawn), length] as const;
  const draw = stream(...path, index);
  const exchangeOf = (key: TextKey, words: readonly Word[], fact?: PartFact): Exchange => {
    const request = { measured: measureOnce(requestOf(key), materials) };
    const text = { measured: grammar.measure(words), ...defined({ fact }) };
    return { key, words, parts: [startMessage("user"), request, startMessage("assistant"), text] };
  };

  // Each question is about a text of its own: one after the other of a key, or the same number of each key.
  const keyCount = number === undefined ? Math.ceil(questions / needles) : questions;
  const keys = drawKeys(draw, { parts, count: examples + keyCount });
  const solved = keys.slice(0, examples).map((key) => {
    const texts = Array.from({ length: EXAMPLE_TEXTS }, () => textOf(grammar.write(draw, key)));
    return { key, texts, hash: drawHash(draw, scorer) };
  });
  const shares = strata([...path, "places"], { index, dimensions: keyCount * needles });
  const planted = keys.slice(examples).flatMap((key, which) => {
    const hash = drawHash(draw, scorer);
    // Questions take the places in turn, so that depths of what is asked for are spread evenly.
    const places = shares.slice(which * needles, (which + 1) * needles)
      .map((share, at) => ({ share, question: number === undefined ? which * needles + at : which }))
      .sort((left, right) => left.share - right.share);
    return places.map(({ share, question }, at) => {
      const ordinal = at + 1;
      const words = grammar.write(draw, key);
      const text = textOf(words);
      const value = hash + text;
      const isAsked = question < questions && (number ?? ordinal) === ordinal;
      const [role, answers] = isAsked ? ["target" as const, { [question]: value }] : ["distractor" as const, {}];
      const fact = { role, key: `${requestOf(key)} ${ordinal}`, value, text, answers };
      const asks = { question, text: questionOf({ key, hash, ordinal }), value };
      return { share, asks: isAsked ? [asks] : [], parts: exchangeOf(key, words, fact).parts };
    });
  }).sort((left, right) => left.share - right.share);
  const asked = planted.flatMap(({ asks }) => asks).sort((left, right) => left.question - right.question)
    .map(({ text, value }): Asked => ({
      after: [startMessage("user"), { measured: measure(text, tokenizer) }],
      answerPrefix: "",
      references: () => [value],
    }));

  const drawFiller = stream(...path, index, "filler");
  const others = (written: Exchange[]): Filler => ({
    beforeQuestion: "",
    needle: (text) => measure(text, tokenizer),
    run(from, to): readonly Part[] {
      while (written.length < to) {
        const [key] = drawKeys(drawFiller, { parts, except: keys });
        written.push(exchangeOf(key!, grammar.write(drawFiller, key!)));
      }
      return written.slice(from, to).flatMap(({ parts }) => parts);
    },
    *tighten(size, gap): Generator<{ filler: Filler; added: number }> {
      const { key, words } = written[size - 1]!;
      // Where a last word meets the next label, tokens can merge.
      for (const tokens of [gap, gap + 1, gap - 1, gap - 2, gap - 3].filter((each) => each > 0)) {
        const longer = grammar.lengthen(stream(...path, index, "end", tokens - gap), words, tokens);
        yield { filler: others([...written.slice(0, size - 1), exchangeOf(key, longer)]), added: 0 };
      }
    },
  });

  const before = [startMessage("user"), { measured: measure(writeExamples(solved), tokenizer) }];
  const last = ending === "needle" ? planted.at(-1)!.share : 1;
  const layOut = (size: number, filler: Filler): Layout => {
    const placed = planted.flatMap(({ share, parts }) => {
      const at = Math.round(size * (share / last));
      return parts.map((part): Planted => ({ at, part: () => part }));
    });
    // The first request is in the message of the examples.
    return { before, context: plantFacts(placed, { filler, size }).slice(1), after: asked[0]!.after };
  };
  return { ...fillBy(others([]), layOut, { least: 1 }), ...askAll(asked) };
}

/** A text, and the messages of its request and itself. */
interface Exchange {
  readonly key: TextKey;
  readonly words: readonly Word[];
  readonly parts: readonly Part[];
}

/** Draws different keys, none of the excepted ones. */
function drawKeys(
  draw: Draw,
  { parts, count = 1, except = [] }: Pick<MrcrSettings, "parts"> & {
    readonly count?: number;
    readonly except?: readonly TextKey[];
  },
): readonly TextKey[] {
  const drawn = new Set<TextKey>();
  while (drawn.size < count) {
    const key = pick(draw, KEYS[parts]);
    if (!except.includes(key)) drawn.add(key);
  }
  return [...drawn];
}

/** The characters of hashes. */
const CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Draws a hash; a shorter one is the start of the longest, so that all other draws are the same. */
function drawHash(draw: Draw, scorer: MrcrSettings["scorer"]): string {
  const longest = Math.max(...Object.values(HASH_LENGTHS));
  return Array.from({ length: longest }, () => pick(draw, [...CHARACTERS])).join("").slice(0, HASH_LENGTHS[scorer]);
}
