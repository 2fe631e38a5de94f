import { type Attempt, FREQUENT_WORDS, oneLine, spell, trimMarks } from "./attempt.ts";
import type { FailureClass, FailureEvidence } from "./failure_rows.ts";
import { pieceShare, slipShare } from "./pieces.ts";
import type { Fact } from "@/lib/generators/mod.ts";
import { FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/** Where an item of a reply comes from. */
export interface Trace extends FailureEvidence {
  /** The class it indicates; `null` if it is right or only repeats the question. */
  readonly class: FailureClass | null;
  /** How many steps lead to it, if it only leads to the answer. */
  readonly steps?: number;
}

/** Finds where an item comes from, trying the more likely source first. */
export function traceItem(said: string, attempt: Attempt): Trace {
  const { shape, found, otherForm, missing } = attempt;
  if (shape.targets.has(said) || found.includes(said) || otherForm.includes(said)) return { class: null, said };
  return traceResult(said, attempt) ?? traceRival(said, attempt) ?? traceExample(said, attempt) ??
    traceWord(said, attempt) ??
    traceSlip(said, attempt) ?? tracePart(said, missing) ?? traceText(said, attempt);
}

/** Traces a wrong number to an answer that had to be computed: any number where all had to be, else one that stands nowhere. */
function traceResult(said: string, attempt: Attempt): Trace | null {
  const { shape, missing } = attempt;
  if (shape.kind !== "number" || !missing.some((answer) => shape.computed.has(answer))) return null;
  const isAlone = shape.asked === shape.computed.size;
  if (!isAlone && (shape.rivals.has(said) || isInPrompt(said, attempt))) return null;
  return { class: "wrong result", said };
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

/** Traces a value with a slip to the answer or the fact that it is closest to. */
function traceSlip(said: string, attempt: Attempt): Trace | null {
  const { shape, missing } = attempt;
  const isPiece = missing.some((answer) => answer.includes(said));
  if (isPiece || shape.kind === "text") return null;
  const closest = (answers: Iterable<string>): { readonly answer: string; readonly share: number } | null => {
    const slips = Array.from(answers, (answer) => ({ answer, share: slipShare(said, answer) ?? 0 }));
    const best = slips.reduce((most, slip) => slip.share > most.share ? slip : most, { answer: "", share: 0 });
    return best.share === 0 ? null : best;
  };
  const wanted = closest(missing);
  const rival = shape.isCounted ? null : closest(shape.rivals.keys());
  if (wanted !== null && wanted.share >= (rival?.share ?? 0)) {
    const key = shape.targets.get(wanted.answer)?.key;
    return { class: "near miss", said, share: wanted.share, ...(key === undefined ? {} : { key }) };
  }
  return rival === null ? null : traceRival(rival.answer, attempt);
}

function tracePart(said: string, missing: readonly string[]): Trace | null {
  const shares = missing.map((answer) => pieceShare(said, answer)).filter((share) => share !== null);
  return shares.length > 0 ? { class: "partial value", said, share: Math.max(...shares) } : null;
}

/** Traces a word to the words that are counted, or to common English. */
function traceWord(said: string, { shape, counts }: Attempt): Trace | null {
  if (shape.kind !== "word") return null;
  const count = shape.isCounted ? counts().get(said) : undefined;
  if (count !== undefined) return { class: "less frequent word", said, count };
  return FREQUENT_WORDS.has(said) ? { class: "frequent words", said } : null;
}

function traceText(said: string, attempt: Attempt): Trace {
  const isKnown = attempt.shape.keys.has(said) || isInPrompt(said, attempt);
  return { class: isKnown ? "other text" : "not in context", said };
}

/** Whether the prompt says a normalised text, at word boundaries. */
export function isInPrompt(said: string, { context, question }: Attempt): boolean {
  return holdsWords(question, said) || holdsWords(context(), said);
}

// The least number of characters by which an incomplete value of another fact is recognised.
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

/** The start of a variable's chain: the number that its first variable gets. */
function chainOf(fact: Fact, facts: readonly Fact[]): string {
  let first = fact;
  for (let steps = 0; steps < facts.length; steps++) {
    const source = facts.find(({ key }) => key === first.value);
    if (!source) break;
    first = source;
  }
  return first.value;
}

/**
 * The distance of a given fact from the nearest missing target, and the share of other facts closer to that target.
 */
function measureDistance(
  fact: Fact,
  { sample, shape, missing }: Attempt,
  others: Iterable<Fact | null>,
): Pick<FailureEvidence, "away" | "nearer"> {
  const { depth } = fact;
  const wanted = missing.map((answer) => shape.targets.get(answer)).filter((target) => target !== undefined);
  const targets = wanted.length > 0 ? wanted : sample.facts.filter(({ role }) => role === "target");
  const depths = targets.map((target) => target.depth).filter((at) => at !== null);
  if (depth === null || depths.length === 0) return {};
  const distance = (from: number, to: number): number => Math.abs(from - to);
  const target = depths.reduce((best, at) => distance(depth, at) < distance(depth, best) ? at : best);
  const rest = [...others].filter((other) => other !== null && other !== fact && other.depth !== null);
  const nearer = rest.filter((other) => distance(other!.depth!, target) < distance(depth, target));
  return { away: depth - target, ...(rest.length === 0 ? {} : { nearer: nearer.length / rest.length }) };
}

/** Whether a text contains another at word boundaries; scripts without spaces have none. */
function holdsWords(text: string, part: string): boolean {
  if (part === "") return false;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!isWithinWord(text, at) && !isWithinWord(text, at + part.length)) return true;
  }
  return false;
}

const ALPHABETIC = /^[\p{L}\p{N}\p{M}]$/u;

const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

function isWithinWord(text: string, at: number): boolean {
  const [before, after] = [text[at - 1] ?? " ", text[at] ?? " "];
  const isPart = (character: string): boolean => ALPHABETIC.test(character) && !SPACELESS.test(character);
  return isPart(before) && isPart(after);
}

/** Words that introduce an answer. */
const LEAD =
  /^(?:(?:the |my |final |correct |short )*answer(?: to (?:the|this|your) question)?(?: is| would be)?\s*[:：]?|based on the (?:given |provided )?(?:documents|context|text),?|答案(?:是|为|：|:)?)\s*/i;

/** Names and numbers: what most questions ask for. */
const SPAN =
  /(?:\p{Lu}\. ?)*\p{Lu}[\p{L}\p{M}'’-]+(?: (?:(?:of|the|de|von|van|and) )?(?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}'’-]+))*|\d[\d,.]*\d|\d+/gu;

// The most spans of one line that are looked up.
const MOST_SPANS = 20;

/**
 * Traces a plain-text answer: its first line as a whole or, if that is nowhere, the names and numbers in it that the question
 * does not have.
 */
export function traceAnswer(attempt: Attempt): Trace[] {
  const { reply, question } = attempt;
  const lines = reply.split("\n").filter((text, at, all) => !(/[:：][\s"”'’]*$/.test(text) && at < all.length - 1));
  const line = lines.map((text) => trimMarks(text.trim().replace(LEAD, ""))).find((text) => text !== "");
  if (line === undefined) return [];
  const find = findHolders(attempt);
  const trace = (said: string): Trace => traceSpan(said, { attempt, holders: find(said) });
  const whole = trace(spell(line));
  if (whole.class !== "not in context") return [whole];
  const spans = Array.from(line.matchAll(SPAN), ([span]) => spell(trimMarks(span)))
    .filter((span) => span.length > 1 && !holdsWords(question, span) && !isFraming(span));
  // What follows "is" in a sentence that restates the question.
  const tail = /^.{0,1000}\b(?:is|was|are|were|called|named)\b[\s:"“]*(?:an? |the )?(\p{L}.*)$/iu.exec(line)?.[1] ?? "";
  const told = trace(oneLine(trimMarks(tail)));
  if (spans.length === 0 && tail !== "" && told.class !== "not in context") return [told];
  const traces = [...new Set(spans)].slice(0, MOST_SPANS).map(trace);
  const known = traces.filter((trace) => trace.class !== "not in context");
  if (known.length > 0) return known;
  const [end] = line.match(SPAN)?.slice(-1) ?? [];
  if (traces.length === 0 && end !== undefined && line.endsWith(end)) {
    return [{ class: "other text", said: spell(end) }];
  }
  return traces.length > 0 && traces.length < 4 ? traces : [whole];
}

function isFraming(span: string): boolean {
  return span.split(" ").every((word) => FRAMING_WORDS.has(word));
}

/** Normalises the facts' own texts once, to be searched for what was said. */
function findHolders({ sample }: Attempt): (said: string) => Fact[] {
  const texts = sample.facts.filter(({ role }) => role === "distractor" || role === "noise").map((fact) => ({
    fact,
    text: spell(fact.text),
  }));
  return (said) => texts.filter(({ text }) => holdsWords(text, said)).map(({ fact }) => fact);
}

function traceSpan(
  said: string,
  { attempt, holders }: { readonly attempt: Attempt; readonly holders: readonly Fact[] },
): Trace {
  const { sample, shape, missing } = attempt;
  const isAsked = holdsWords(attempt.question, said);
  const parts = missing.filter((answer) => said.length > 1 && !isAsked && holdsWords(answer, said));
  if (parts.length > 0) {
    return { class: "partial value", said, share: Math.max(...parts.map((answer) => said.length / answer.length)) };
  }
  if (shape.links.has(said) && shape.asked > 1) return { class: "chain lost", said };
  const rival = shape.rivals.get(said);
  if (rival === null) return { class: "distractor", said };
  if (rival) {
    return { class: "distractor", said, key: rival.key, ...measureDistance(rival, attempt, shape.rivals.values()) };
  }
  if (sample.facts.some(({ role, key }) => role === "target" && spell(key) === said)) {
    return { class: "other text", said };
  }
  const others = sample.facts.filter(({ role }) => role === "distractor" || role === "noise");
  const [nearest] = holders.map((fact) => ({ fact, ...measureDistance(fact, attempt, others) }))
    .sort((left, right) => Math.abs(left.away ?? 2) - Math.abs(right.away ?? 2));
  if (nearest) {
    const { fact, ...distance } = nearest;
    return { class: "distractor", said, key: fact.key, ...distance };
  }
  return { class: isInPrompt(said, attempt) ? "other text" : "not in context", said };
}
