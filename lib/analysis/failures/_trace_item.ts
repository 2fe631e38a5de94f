import type { Fact } from "@/lib/generators/mod.ts";
import { chainOf } from "./_chains.ts";
import type { Attempt } from "./_attempt.ts";
import { measureDistance } from "./_distances.ts";
import type { FailureClass } from "./failure_class.ts";
import type { FailureEvidence } from "./failure_mode.ts";
import { FREQUENT_WORDS } from "./_frequent_words.ts";
import { pieceShare } from "./_pieces.ts";
import { holdsWords } from "./_spelling.ts";

/** Where an item of a reply comes from. */
export interface Trace extends FailureEvidence {
  /** The class that it speaks for; `null` where it is right or only repeats the question. */
  readonly class: FailureClass | null;
  /** How many steps lead to what was said, where it only leads to the answer itself. */
  readonly steps?: number;
}

/** Tells where an item comes from; the likelier source first, as a value of another fact is no part of an answer by chance. */
export function traceItem(said: string, attempt: Attempt): Trace {
  const { shape, found, otherForm, missing } = attempt;
  if (shape.targets.has(said) || found.includes(said) || otherForm.includes(said)) return { class: null, said };
  return traceRival(said, attempt) ?? traceExample(said, attempt) ?? traceWord(said, attempt) ??
    tracePart(said, missing) ??
    traceText(said, attempt);
}

function traceRival(said: string, attempt: Attempt): Trace | null {
  const { sample, shape } = attempt;
  const steps = shape.links.get(said);
  if (steps !== undefined) return { class: "chain lost", said, steps };
  const rival = shape.rivals.get(said) ?? rivalBeginningWith(said, attempt);
  if (rival === undefined) return shape.rivals.has(said) ? { class: "distractor", said } : null;
  if (shape.isCounted) {
    return { class: "less frequent word", said, count: attempt.counts().get(said) ?? Number(rival.value) };
  }
  const distance = measureDistance(rival, attempt, shape.rivals.values());
  if (shape.chain.length === 0) return { class: "distractor", said, key: rival.key, ...distance };
  return { class: "other chain", said, key: rival.key, chain: chainOf(rival, sample.facts), ...distance };
}

function traceExample(said: string, { shape }: Attempt): Trace | null {
  const example = shape.examples.get(said);
  return example ? { class: "example copied", said, key: example.key } : null;
}

function tracePart(said: string, missing: readonly string[]): Trace | null {
  const shares = missing.map((answer) => pieceShare(said, answer)).filter((share) => share !== null);
  return shares.length > 0 ? { class: "partial value", said, share: Math.max(...shares) } : null;
}

/** Traces a word among words that are counted, or one that needs no context. */
function traceWord(said: string, { shape, counts }: Attempt): Trace | null {
  if (shape.kind !== "word") return null;
  const count = shape.isCounted ? counts().get(said) : undefined;
  if (count !== undefined) return { class: "less frequent word", said, count };
  return FREQUENT_WORDS.has(said) ? { class: "frequent words", said } : null;
}

function traceText(said: string, { context, question, shape }: Attempt): Trace {
  if (shape.keys.has(said) || holdsWords(question, said) || holdsWords(context(), said)) {
    return { class: "other text", said };
  }
  return { class: "not in context", said };
}

/** What a value of another fact is recognised by where it was not given whole. */
const LEAST_BEGINNING = 5;

function rivalBeginningWith(said: string, { shape, missing }: Attempt): Fact | undefined {
  if (said.length < LEAST_BEGINNING || shape.isCounted || missing.some((answer) => answer.startsWith(said))) {
    return undefined;
  }
  for (const [answer, fact] of shape.rivals) {
    if (fact && answer.length > said.length && answer.startsWith(said)) return fact;
  }
  return undefined;
}
