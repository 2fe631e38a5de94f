import { spread } from "@/lib/random/mod.ts";
import { measure } from "@/lib/text/mod.ts";
import type { Layout, Part } from "../_layout.ts";
import { type DocumentReader, documentReader } from "./_qa_documents.ts";
import { fillGap, FRESH_DOCUMENTS } from "./_qa_fit.ts";
import { type Distractor, type DistractorOrder, distractorOrder, questionAt } from "./_qa_order.ts";
import type { Recipe } from "../_recipe.ts";
import type { DocumentSet, Question } from "../documents/documents.ts";
import type { Materials } from "../materials.ts";
import { RULER_SUITE } from "../suite.ts";
import type { SampleRequest } from "../task.ts";

/** The knobs of a QA task, checked. */
export interface QaSettings {
  readonly name: string;
  readonly hops: 1 | 2;
  readonly documents: number | undefined;
  /** The knobs as text, part of the path of every random draw. */
  readonly knobs: string;
}

const INSTRUCTION =
  "Answer the question based on the given documents. Only give me the answer and do not output any other words.";
/** What stands before the documents. */
export const QA_OPENING = `${INSTRUCTION}\n\nThe following are given documents.\n\n`;
/** How the answer begins. */
export const QA_ANSWER_PREFIX = " Answer:";

/** What stands after the documents; without any it is the whole prompt. */
export function askQuestion(question: string, options: { readonly isAlone?: boolean } = {}): string {
  const instruction = options.isAlone ? INSTRUCTION.replace(" based on the given documents", "") : INSTRUCTION;
  return `${instruction}\n\nQuestion: ${question}`;
}

/** Gives the documents that a task asks about. */
export function documentsOf({ hops }: QaSettings, { documents }: Materials): DocumentSet {
  return hops === 1 ? documents.oneHop : documents.twoHop;
}

/** Decides everything about a sample but how many documents there are. */
export function qaRecipe(settings: QaSettings, request: SampleRequest): Recipe {
  const { materials, length, seed, index } = request;
  const { tokenizer } = materials;
  const set = documentsOf(settings, materials);
  const question = questionAt(set, { seed, index });
  const path = [seed, RULER_SUITE, settings.name, settings.knobs, length];
  if (settings.documents === 0) return askAlone(question, { source: set.name, tokenizer });
  const golds = question.gold.length;
  const depths = spread(path, { index, dimensions: golds });
  const order = distractorOrder(set, { question, path: [...path, index] });
  const reader = documentReader(materials, set);
  const before = [{ measured: measure(QA_OPENING, tokenizer) }];
  const after = [{ measured: measure(askQuestion(question.question), tokenizer) }];
  const layOut = (distractors: readonly Distractor[]): Layout => ({
    before,
    context: dressDocuments(mixIn(distractors, { question, depths }), { reader, question }),
    after,
  });
  const most = order.isEmpty ? golds : Infinity;
  const fixed = settings.documents === undefined ? undefined : Math.min(most, Math.max(golds, settings.documents));
  const recipe: Recipe = {
    least: fixed ?? golds,
    most: fixed ?? most,
    layOut: (size) => layOut(takeFirst(order, size - golds)),
    answerPrefix: QA_ANSWER_PREFIX,
    source: set.name,
    references: () => question.answers,
  };
  if (recipe.least === recipe.most) return recipe;
  return {
    ...recipe,
    closeGap(size, gap, fits): Layout {
      const taken = takeFirst(order, size - golds);
      const costOf = ({ number }: Distractor): number => reader.cost(number, size);
      const fresh = takeFirst(order, taken.length + FRESH_DOCUMENTS).slice(taken.length);
      for (const documents of fillGap(taken, { fresh, costOf, gap })) {
        const layout = layOut(documents);
        if (fits(layout)) return layout;
      }
      return layOut(taken);
    },
  };
}

/** A question without any document. */
function askAlone(
  question: Question,
  { source, tokenizer }: { readonly source: string; readonly tokenizer: Materials["tokenizer"] },
): Recipe {
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

function takeFirst(order: DistractorOrder, count: number): Distractor[] {
  return Array.from({ length: count }, (_, rank) => order.at(rank));
}

/** What a document is to the question. */
interface Placed {
  readonly number: number;
  readonly role: "target" | "distractor" | "noise";
}

/** Puts the documents that answer among the others, each at its depth: the share of the others that stand before it. */
function mixIn(
  distractors: readonly Distractor[],
  { question, depths }: { readonly question: Question; readonly depths: readonly number[] },
): Placed[] {
  const others = distractors.toSorted((left, right) => left.place - right.place)
    .map(({ number, isNear }): Placed => ({ number, role: isNear ? "distractor" : "noise" }));
  const targets = question.gold.map((number, which) => ({ number, depth: depths[which]! }))
    .sort((left, right) => left.depth - right.depth);
  const mixed: Placed[] = [];
  let taken = 0;
  for (const { number, depth } of targets) {
    const at = Math.floor(depth * (others.length + 1));
    while (taken < at) mixed.push(others[taken++]!);
    mixed.push({ number, role: "target" });
  }
  while (taken < others.length) mixed.push(others[taken++]!);
  return mixed;
}

function dressDocuments(
  placed: readonly Placed[],
  { reader, question }: { readonly reader: DocumentReader; readonly question: Question },
): Part[] {
  return placed.flatMap(({ number, role }, index): Part[] => {
    const { title, text, measured } = reader.read(number);
    const key = title === "" ? `Document ${index + 1}` : title;
    const value = role === "target" ? question.answers[0]! : "";
    return [{ measured: reader.label(index + 1) }, { measured, fact: { role, text, key, value } }];
  });
}
