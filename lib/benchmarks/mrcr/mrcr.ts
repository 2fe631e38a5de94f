import { GOOGLE_MRCR, MRCR_TEST_FILES, OPENAI_MRCR } from "./authors_files.ts";
import type { Benchmark } from "@/lib/benchmarks/benchmark.ts";
import { defined, sum } from "@/lib/base/mod.ts";
import { Grammar, KEY_COUNTS, keyAt, type Written } from "./grammar.ts";
import { googleRatio, openaiRatio, opencompassRatio } from "./scorer.ts";
import {
  HASH_CHARACTERS,
  HASH_LENGTHS,
  type KeyParts,
  MOST_NEEDLES,
  questionOf,
  requestOf,
  type ScorerName,
  type TextKey,
  writeAnswer,
  writeExamples,
} from "./transcript.ts";
import {
  askAll,
  type Asked,
  cannotMake,
  checkWhole,
  countPrompt,
  family,
  firstAlone,
  type Layout,
  maybe,
  type Message,
  type Named,
  oneOf,
  type Part,
  type PartFact,
  QUESTIONS,
  type Recipe,
  type RecipeRequest,
  startMessage,
  whole,
} from "@/lib/generators/mod.ts";
import { type Draw, strata, stream } from "@/lib/random/mod.ts";
import { countTokens, measure, type Measured } from "@/lib/text/mod.ts";

const SCORERS = { openai: openaiRatio, google: googleRatio, opencompass: opencompassRatio } as const;

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
  suite: "mrcr-grammar-1",
  name: "mrcr",
  about:
    "asks for one of several texts that were written on the same request in a conversation; texts are of a grammar",
  asks: /Prepend \w+ to the .+?\.(?= Do not include)/,
  tasks: { "mrcr_2_needles": { needles: 2 }, "mrcr_4_needles": { needles: 4 }, "mrcr_8_needles": { needles: 8 } },
  answerRoom: ANSWER_ROOM,
  category: "retrieval",
  knobs: KNOBS,
  scorers: [openaiRatio, googleRatio, opencompassRatio],
  scorerOf: ({ scorer }: MrcrSettings) => SCORERS[scorer],
  write: firstAlone,
  settle(values: Named<typeof KNOBS>): MrcrSettings {
    const { name, needles, asked, parts, scorer = parts === "2" ? "openai" : "google" } = values;
    if (asked !== undefined) checkWhole(asked, { task: name, knob: "asked", low: 1, high: needles });
    return { ...values, scorer };
  },
  harder: { needles: "up" },
  recipe(settings, request): Recipe {
    const { materials } = request;
    const grammar = materials.remember("mrcr grammar", () => new Grammar(materials));
    return mrcrRecipe(settings, request, { suite: "mrcr-grammar-1", grammar });
  },
});

interface MrcrSettings {
  readonly name: string;
  readonly needles: number;
  /** The number of the text that is asked for, from 1; by default any. */
  readonly asked?: number;
  readonly parts: KeyParts;
  readonly ending: "anywhere" | "needle";
  readonly examples: number;
  readonly questions: number;
  /** Also decides the length of hashes. */
  readonly scorer: ScorerName;
}

/** The texts of a solved example, of which the last is asked for. */
const EXAMPLE_TEXTS = 2;

/** A text that a question can ask for. */
interface Needle {
  readonly key: TextKey;
  /** The share of the filler before it, in [0, 1]. */
  readonly share: number;
  readonly parts: readonly Part[];
}

function mrcrRecipe(
  settings: MrcrSettings,
  request: RecipeRequest,
  { suite, grammar }: { readonly suite: string; readonly grammar: Grammar },
): Recipe {
  const { name, parts, ending, examples, questions, scorer } = settings;
  const { materials, length, seed, index, options } = request;
  const { tokenizer } = materials;
  // Subtle: the options are part of the path of every draw, in their order. The scorer changes hashes alone.
  const { scorer: _, ...drawn } = options;
  const path = [seed, suite, name, JSON.stringify(drawn), length] as const;
  const draw = stream(...path, index);
  const count = keysOf(settings) + examples;
  const keyCount = KEY_COUNTS[parts];
  if (count >= keyCount) throw cannotMake(name, `there must be ${count + 1} requests of ${parts} parts`, keyCount);
  const keyNumbers = drawDifferent(draw, { count, below: keyCount });
  const [keys, exampleKeys] = [keyNumbers.slice(examples), keyNumbers.slice(0, examples)];
  const plain = (text: string): Part => ({ measured: measure(text, tokenizer) });
  const solved = exampleKeys.map((number) => {
    const key = keyAt(number, parts);
    const texts = Array.from({ length: EXAMPLE_TEXTS }, () => grammar.write(draw, key).measured.text);
    return { key, texts, hash: drawHash(draw, scorer) };
  });
  const shares = strata([...path, "places"], { index, dimensions: keys.length * settings.needles });
  const planted = keys.flatMap((number, which) => {
    const key = keyAt(number, parts);
    const hash = drawHash(draw, scorer);
    const own = shares.slice(which * settings.needles, (which + 1) * settings.needles);
    const asked = listAsked(settings, { which, shares: own });
    return own.toSorted((left, right) => left - right).map((share, at) => {
      const { measured } = grammar.write(draw, key);
      const { text } = measured;
      const asking = asked.filter(({ ordinal }) => ordinal === at + 1).map(({ question }) => question);
      const fact: PartFact = {
        role: asking.length > 0 ? "target" : "distractor",
        key: `${requestOf(key)} ${at + 1}`,
        value: writeAnswer(hash, text),
        text,
        ...(asking.length > 0
          ? { answers: Object.fromEntries(asking.map((question) => [question, writeAnswer(hash, text)])) }
          : {}),
      };
      const needle: Needle = { key, share, parts: exchange(grammar.request(key), { measured, fact }) };
      return { needle, hash, text, ordinal: at + 1, asking };
    });
  });
  const asked = Array.from({ length: questions }, (_, question): Asked => {
    const { needle: { key }, hash, text, ordinal } = planted.find(({ asking }) => asking.includes(question))!;
    return {
      after: [startMessage("user"), plain(questionOf(key, { hash, ordinal }))],
      answerPrefix: "",
      references: () => [writeAnswer(hash, text)],
    };
  });
  const fillers = drawFillers(stream(...path, index, "filler"), {
    grammar,
    parts,
    taken: keyNumbers,
    count: keyCount,
  });
  const before = [startMessage("user"), plain(writeExamples(solved))];
  const needles = planted.map(({ needle }) => needle).toSorted((left, right) => left.share - right.share);
  const last = needles.at(-1)!.share;
  const layOut = (size: number, longer?: Measured): Layout => {
    const context: Part[] = [];
    let filled = 0;
    const fillTo = (end: number): void => {
      for (; filled < end; filled++) {
        const { request, parts } = fillers(filled);
        const isLonger = longer !== undefined && filled === size - 1;
        context.push(...isLonger ? exchange(request, { measured: longer }) : parts);
      }
    };
    for (const needle of needles) {
      fillTo(Math.round(size * (ending === "needle" ? needle.share / last : needle.share)));
      context.push(...needle.parts);
    }
    fillTo(size);
    // The first request is in the message of the examples.
    return { before, context: context.slice(1), after: asked[0]!.after };
  };
  const overhead = countOverhead(request);
  return {
    least: 1,
    most: Infinity,
    layOut: (size) => layOut(size),
    guess(tokens): number {
      let [size, left] = [1, tokens];
      const counted = new Map<Measured, number>();
      for (; left >= 0; size++) {
        const { request, tokens } = fillers(size);
        left -= overhead + tokens + counted.getOrInsertComputed(request, () => countTokens(request, tokenizer));
      }
      return size - 1;
    },
    closeGap(size, gap, fits): Layout {
      const { lengthen } = fillers(size - 1);
      // Where a last word meets the next label, tokens can merge.
      for (const more of [0, 1, -1, -2, -3]) {
        if (gap + more <= 0) continue;
        const layout = layOut(size, lengthen(gap + more, stream(...path, index, "end", more)));
        if (fits(layout)) return layout;
      }
      return layOut(size);
    },
    ...askAll(asked),
  };
}

/** Returns the number of keys that questions ask for: one for the texts of a key, or one for each question for the same number. */
function keysOf({ needles, asked, questions }: Pick<MrcrSettings, "needles" | "asked" | "questions">): number {
  return asked === undefined ? Math.ceil(questions / needles) : questions;
}

/** Lists the questions about a key with the numbers of their texts. */
function listAsked(
  { needles, asked, questions }: MrcrSettings,
  { which, shares }: { readonly which: number; readonly shares: readonly number[] },
): readonly { readonly question: number; readonly ordinal: number }[] {
  if (asked !== undefined) return [{ question: which, ordinal: asked }];
  // Each place in turn, so that depths of what is asked for are spread evenly.
  const own = shares.map((share, at) => ({
    question: which * needles + at,
    ordinal: shares.filter((other) => other <= share).length,
  }));
  return own.filter(({ question }) => question < questions);
}

function drawDifferent(draw: Draw, { count, below }: { readonly count: number; readonly below: number }): number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(Math.floor(draw() * below));
  return [...drawn];
}

/** Draws a hash; a shorter one is the start of the longest, so that all other draws are the same. */
function drawHash(draw: Draw, scorer: ScorerName): string {
  const longest = Math.max(...Object.values(HASH_LENGTHS));
  const drawn = Array.from({ length: longest }, () => HASH_CHARACTERS[Math.floor(draw() * HASH_CHARACTERS.length)]!);
  return drawn.join("").slice(0, HASH_LENGTHS[scorer]);
}

/** A text that no question asks for. */
interface Filler extends Written {
  readonly request: Measured;
  readonly parts: readonly Part[];
}

/** The messages of a request and the text that is written on it. */
function exchange(request: Measured, { measured, fact }: Part): readonly Part[] {
  return [startMessage("user"), { measured: request }, startMessage("assistant"), { measured, ...defined({ fact }) }];
}

/** Returns a function that gives fillers by number, each written when it is first asked for. */
function drawFillers(
  draw: Draw,
  { grammar, parts, taken, count }: {
    readonly grammar: Grammar;
    readonly parts: KeyParts;
    readonly taken: readonly number[];
    readonly count: number;
  },
): (number: number) => Filler {
  const drawn: Filler[] = [];
  const drawKey = (): TextKey => {
    for (;;) {
      const number = Math.floor(draw() * count);
      if (!taken.includes(number)) return keyAt(number, parts);
    }
  };
  return (number) => {
    while (drawn.length <= number) {
      const key = drawKey();
      const [request, written] = [grammar.request(key), grammar.write(draw, key)];
      drawn.push({ ...written, request, parts: exchange(request, written) });
    }
    return drawn[number]!;
  };
}

/** Counts the tokens around two messages, as the difference that two more messages make. */
function countOverhead({ materials: { tokenizer }, template }: RecipeRequest): number {
  const turn: readonly Message[] = [{ role: "user", text: "write a poem about owls" }, {
    role: "assistant",
    text: "Owls saw.",
  }];
  const count = (turns: number): number =>
    countPrompt({ messages: [...Array.from({ length: turns }, () => turn).flat(), turn[0]!] }, template, tokenizer);
  return count(2) - count(1) - sum(turn, ({ text }) => tokenizer.countAfterCut(text));
}

/** MRCR in chat turns: with texts of a grammar, and the rows of both MRCRs. */
export const MRCR: Benchmark = {
  name: "mrcr",
  title: "MRCR",
  source: "Vodrahalli et al. 2024, arXiv 2409.12640; openai/mrcr; google-deepmind/eval_hub at 67b7fd2",
  families: [MRCR_GRAMMAR, OPENAI_MRCR, GOOGLE_MRCR],
  tasks: MRCR_GRAMMAR.tasks,
  testFiles: MRCR_TEST_FILES,
  paper: async () => (await import("@/lib/papers/mrcr/paper.ts")).MRCR_PAPER,
};
