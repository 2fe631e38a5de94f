import { sum } from "@/lib/base/mod.ts";
import { distractorOrder, documentCost, documentCounts, documentReader, layOutDocuments } from "./qa_documents.ts";
import { firstAsked, questionsAt } from "./qa_questions.ts";
import { RULER_SUITE, VARIANT_KNOB } from "./wording.ts";
import wordings from "./wordings.json" with { type: "json" };
import {
  askAll,
  type Asked,
  cannotMake,
  type ChatTemplate,
  type DocumentSet,
  family,
  firstAlone,
  type Layout,
  type Materials,
  type Named,
  oneOf,
  type Question,
  QUESTIONS,
  type Recipe,
  type RecipeRequest,
  type SamplePlace,
  whole,
} from "@/lib/generators/mod.ts";
import { spreadDepths } from "@/lib/random/mod.ts";
import { anyFound } from "@/lib/scorers/mod.ts";
import { join, measure } from "@/lib/text/mod.ts";

const ANSWER_ROOM = 32;

/** The knobs of question answering; sample ids list them in this order. */
const KNOBS = {
  variant: VARIANT_KNOB,
  hops: whole({ from: 1, to: 2, byDefault: 1 }, "documents it takes to answer: 1 as in SQuAD, 2 as in HotpotQA"),
  documents: whole({ from: 0, to: 50_000 }, "documents; 0 asks closed book; by default the most that fit"),
  fresh: oneOf(
    ["off", "on"],
    "whether each length asks other questions, so that its samples are independent of the others",
    { omitDefault: true },
  ),
  questions: QUESTIONS,
};

type Settings = Named<typeof KNOBS>;

/**
 * Question answering: the documents that answer a question are hidden among many that do not (RULER, qa.py; paper, Table 9).
 *
 * Documents similar to the question come first, as in RULER, then any others; in a set with too few, all but the gold ones are
 * repeated. Unlike the reference, the depths of gold documents are spread evenly over the samples, the seed decides the
 * order of the questions, and the last documents are chosen to fill the length.
 *
 * A closed-book prompt is the question alone, in Fathom's wording: the paper has the score (Figure 3) but not the wording.
 */
export const QUESTION_ANSWERING = family({
  suite: RULER_SUITE,
  name: "qa",
  about: "asks a question that a few of many documents answer",
  asks: /Question: (.+?)(?: Answer:)?$/,
  category: "question answering",
  knobs: KNOBS,
  tasks: { "qa_1": {}, "qa_2": { hops: 2 } },
  scorers: [anyFound],
  answerRoom: ANSWER_ROOM,
  write: firstAlone,
  settle(settings): Settings {
    const { name, hops, documents, questions } = settings;
    if (documents === 0 && questions > 1) throw cannotMake(name, "questions must be 1 without documents", questions);
    const least = hops * questions;
    if (documents === undefined || documents === 0 || documents >= least) return settings;
    throw cannotMake(name, `documents must be 0 or a whole number from ${least} to 50000`, documents);
  },
  // Probes alone would miss the longest gold documents of a real data set.
  leastLength(settings, { materials, template, probe }): number {
    const least = qaLeastLength(settings, { materials, template });
    return settings.documents === undefined ? least : Math.max(least, probe());
  },
  clusterOf({ sample, task, length, ...place }): string | undefined {
    const [, own, fresh, questions = 1] = QA_ID.exec(sample) ?? [];
    const hops = own ?? /^qa_([12])$/.exec(task)?.[1];
    if (hops === undefined) return undefined;
    return questionCluster({ ...place, hops, questions, ...(fresh === undefined ? {} : { length }) });
  },
  harder: { documents: "up" },
  recipe: qaRecipe,
});

/** The id of a sample of question answering; the knobs of no other family begin with hops. */
const QA_ID = /^[^/]*\/[^/]*\/(?:variant=[^,/]*,)?hops=([12])(?:,documents=\d+)?(,fresh=on)?(?:,questions=(\d+))?\//;

/** The same question at every length and with any number of documents is one cluster; so are the questions of a context. */
function questionCluster({ hops, seed, index, questions, length }: Pick<SamplePlace, "seed" | "index"> & {
  readonly hops: number | string;
  readonly questions: number | string;
  /** Only if each length has questions of its own. */
  readonly length?: number;
}): string {
  const own = length === undefined ? "" : `,length=${length}`;
  const [kind, together] = Number(questions) === 1 ? ["question", ""] : ["context", `,questions=${questions}`];
  return `${kind}:hops=${hops}${together}${own}/${seed}/${index}`;
}

function qaRecipe(settings: Settings, request: RecipeRequest): Recipe {
  const { materials, length, seed, index, options } = request;
  const { tokenizer } = materials;
  const { name, documents: count, hops, fresh, questions: asking } = settings;
  const set = documentsOf(settings, materials);
  const place = { seed, index, questions: asking, ...(fresh === "on" ? { length } : {}) };
  const questions = questionsAt(set, { ...place, materials });
  const cluster = questionCluster({ ...place, hops, index: firstAsked(set, { ...place, materials }) });
  const path = [seed, RULER_SUITE, name, JSON.stringify(options), length];
  if (count === 0) return { cluster, ...askAlone(questions[0]!, set.name, tokenizer) };
  // A document that answers two questions is at the depth of the first.
  const depthOf = new Map<number, number>();
  questions.forEach(({ gold }, question) => {
    const place = { index: index * asking + question, count: gold.length, remember: materials.remember };
    spreadDepths(path, place).forEach((depth, at) => depthOf.has(gold[at]!) || depthOf.set(gold[at]!, depth));
  });
  const gold = [...depthOf.keys()];
  const golds = gold.length;
  const order = distractorOrder(set, { questions, path: [...path, index] });
  const reader = documentReader(materials, set);
  const { opening, instruction } = materials.remember("words of questions", () => ({
    opening: measure(QA_OPENING, tokenizer),
    instruction: measure(askQuestion(""), tokenizer),
  }));
  const before = [{ measured: opening }];
  const asked = questions.map(({ question, answers }): Asked => {
    const after = [{ measured: join([instruction, measure(` ${question}`, tokenizer)], tokenizer) }];
    return { after, answerPrefix: QA_ANSWER_PREFIX, references: () => answers };
  });
  const { after } = asked[0]!;
  const counts = documentCounts(materials, set);
  const places = { set, reader, counts, questions, gold, order, depths: [...depthOf.values()] };
  const layOut = (chosen: readonly number[]): Layout => ({ before, context: layOutDocuments(chosen, places), after });
  const most = order.isEmpty ? golds : Infinity;
  const fixed = count === undefined ? undefined : Math.min(most, Math.max(golds, count));
  const recipe: Recipe = {
    least: fixed ?? golds,
    most: fixed ?? most,
    layOut: (size) => layOut(order.first(size - golds)),
    ...askAll(asked),
    source: set.name,
    cluster,
  };
  if (recipe.least === recipe.most) return recipe;
  return {
    ...recipe,
    guess(tokens): number {
      let [size, left] = [golds, tokens];
      for (;;) {
        left -= documentCost(order.numberOf(size - golds), size + 1, places);
        if (left < 0) return size;
        size++;
      }
    },
    closeGap(size, gap, fits): Layout {
      const taken = order.first(size - golds);
      const costOf = (place: number): number => documentCost(order.numberOf(place), size, places);
      const fresh = order.first(taken.length + FRESH_DOCUMENTS).slice(taken.length);
      for (const documents of fillGap(taken, { fresh, costOf, gap })) {
        const layout = layOut(documents);
        if (fits(layout)) return layout;
      }
      return layOut(taken);
    },
  };
}

function askAlone(question: Question, source: string, tokenizer: Materials["tokenizer"]): Recipe {
  const asked = measure(askQuestion(question.question, { isAlone: true }), tokenizer);
  return {
    least: 0,
    most: 0,
    layOut: () => ({ before: [{ measured: asked }], context: [], after: [] }),
    answerPrefix: QA_ANSWER_PREFIX,
    source,
    references: () => question.answers,
  };
}

function documentsOf({ hops }: Settings, { documents }: Materials): DocumentSet {
  return hops === 1 ? documents.oneHop : documents.twoHop;
}

/** The most questions of a set that are all measured; of more, some are, with a margin for longer ones. */
const MAX_MEASURED = 10_000;
const SAMPLED = 500;
const SPARE = 1.06;

/** Returns the length at which the gold documents of every question fit, and those of a context's questions together. */
function qaLeastLength(
  settings: Settings,
  { materials, template }: { readonly materials: Materials; readonly template: ChatTemplate },
): number {
  const set = documentsOf(settings, materials);
  const { documents, questions } = settings;
  const isAlone = documents === 0;
  return materials.remember(
    `least length of ${isAlone ? "questions" : "gold"}/${questions}/${set.name}/${JSON.stringify(template)}`,
    () => {
      const { tokenizer } = materials;
      const places = { reader: documentReader(materials, set), counts: documentCounts(materials, set) };
      const isSampled = set.questionCount > MAX_MEASURED;
      let most = 0;
      for (let number = 0; number < (isSampled ? SAMPLED : set.questionCount); number++) {
        const { question, gold } = set.question(number);
        let tokens = tokenizer.count(askQuestion(question, { isAlone }));
        if (!isAlone) gold.forEach((document, index) => tokens += documentCost(document, index + 1, places));
        most = Math.max(most, tokens);
      }
      const { system = "", before, after, answerPrefix } = template;
      const texts = [system, before, isAlone ? "" : QA_OPENING, after, answerPrefix ? QA_ANSWER_PREFIX : ""];
      const rest = texts.reduce((tokens, text) => tokens + tokenizer.count(text), ANSWER_ROOM + template.extraTokens);
      // The count can differ by a token at joins.
      return Math.ceil((questions * most * (isSampled ? SPARE : 1) + rest + 4) / 8) * 8;
    },
  );
}

const { instruction: INSTRUCTION } = wordings.qa;
const QA_OPENING = INSTRUCTION + wordings.qa.opening;
const QA_ANSWER_PREFIX = " Answer:";

/** The text after the documents; alone it is the whole prompt. */
function askQuestion(question: string, options: { readonly isAlone?: boolean } = {}): string {
  const instruction = options.isAlone ? INSTRUCTION.replace(" based on the given documents", "") : INSTRUCTION;
  return `${instruction}\n\nQuestion:${question === "" ? "" : ` ${question}`}`;
}

/** The number of further documents that are candidates for the gap. */
const FRESH_DOCUMENTS = 48;
/** The number of candidates for the last documents; all combinations are tried. */
const MAX_COMBINED = 30;
/** The number of last documents that can be replaced. */
const REPLACEABLE = 2;
/** The number of choices: the count can differ by a token at the joins of documents. */
const MAX_TRIES = 12;

/**
 * Fills a gap that is too small for the next document: takes those that fit, then replaces the last two documents by the one to
 * three that fill their room best. Yields the choices, the fullest first.
 */
export function* fillGap(
  taken: readonly number[],
  options: { readonly fresh: readonly number[]; readonly costOf: (document: number) => number; readonly gap: number },
): Generator<number[]> {
  const { fresh, costOf } = options;
  const kept = [...taken];
  const rest: number[] = [];
  let gap = options.gap;
  for (const document of fresh) {
    const cost = costOf(document);
    if (cost > gap) rest.push(document);
    else {
      kept.push(document);
      gap -= cost;
    }
  }
  const back = kept.splice(Math.max(0, kept.length - REPLACEABLE));
  const spent = sum(back, costOf);
  const candidates = [...back, ...rest].slice(0, MAX_COMBINED);
  const costs = candidates.map(costOf);
  const choices = [...sumsWithin(costs, { least: spent + 1, most: spent + gap })];
  // Equal sums keep their order.
  for (const { places } of choices.sort((one, other) => other.total - one.total).slice(0, MAX_TRIES)) {
    yield [...kept, ...places.map((place) => candidates[place]!)];
  }
  if (kept.length + back.length > taken.length) yield [...kept, ...back];
}

/** One to three costs, by their places, and their sum. */
interface Sum {
  readonly total: number;
  readonly places: readonly number[];
}

/** Yields one to three costs with a sum within limits, in the order of their places. */
function* sumsWithin(
  costs: readonly number[],
  { least, most }: { readonly least: number; readonly most: number },
): Generator<Sum> {
  const smallest = Math.min(...costs);
  for (let first = 0; first < costs.length; first++) {
    const one = costs[first]!;
    if (one >= least && one <= most) yield { total: one, places: [first] };
    for (let second = first + 1; second < costs.length; second++) {
      const two = one + costs[second]!;
      if (two >= least && two <= most) yield { total: two, places: [first, second] };
      if (two + smallest > most) continue;
      for (let third = second + 1; third < costs.length; third++) {
        const three = two + costs[third]!;
        if (three >= least && three <= most) yield { total: three, places: [first, second, third] };
      }
    }
  }
}
