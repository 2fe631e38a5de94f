import type { Attempt } from "./attempt.ts";
import type { FailureClass, FailureEvidence } from "./failure_rows.ts";
import { pieceShare, slipShare } from "./pieces.ts";
import {
  afterLead,
  countWords,
  firstSentence,
  FREQUENT_WORDS,
  MIXED_WORD,
  namesAsked,
  oneLine,
  ownWords,
  spell,
  trimMarks,
} from "./words.ts";
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
  // Where most of the reply is the example's, it was classified by that.
  return example ? { class: "other text", said, key: example.key } : null;
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

/** Names, codes and numbers: what most questions ask for. */
const SPAN = new RegExp(
  [
    MIXED_WORD,
    String
      .raw`(?:\p{Lu}\. ?){0,8}\p{Lu}[\p{L}\p{M}'’\-]+(?: (?:(?:of|the|de|von|van|and) )?(?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}'’\-]+))*`,
    String.raw`\d[\d,.]*\d|\d+`,
  ].join("|"),
  "gu",
);

// The most spans of one line that are looked up.
const MOST_SPANS = 20;

/**
 * Traces a plain-text answer: its first line as a whole or, if that is nowhere, what it says after the question, or the names
 * and numbers in it that the question does not have.
 */
export function traceAnswer(attempt: Attempt): Trace[] {
  const { reply, question } = attempt;
  const lines = reply.split("\n").filter((text, at, all) => !(/[:：][\s"”'’]*$/.test(text) && at < all.length - 1));
  const said = lines.map((text) => trimMarks(text.trim().replace(LEAD, ""))).find((text) => text !== "");
  const line = said && skipRestated(said, question);
  // A reply that only asks answers nothing.
  if (/[?？]["'”’]*$/.test(reply.trim())) return [];
  // Numbers alone are those of a list.
  if (line === undefined || /^(?:\d{1,3}[.)、:]\s*){2,}\d*$/.test(line)) return [];
  const find = findHolders(attempt);
  const trace = (said: string): Trace => traceSpan(said, { attempt, holders: find(said) });
  const isKnown = (trace: Trace): boolean => trace.class !== "not in context";
  const whole = trace(spell(line));
  if (isKnown(whole)) return [whole];
  const answer = oneLine(afterLead(firstSentence(line), question));
  const slip = traceValueSlip(answer, attempt);
  if (slip !== null) return [slip];
  const names = namesIn(line);
  const spans = names.filter((span) => !holdsWords(question, span));
  const isProse = isEmptyProse(line, question);
  const told = trace(answer);
  if (spans.length === 0 && !isProse && isKnown(told)) return [told];
  const traces = [...new Set(spans)].slice(0, MOST_SPANS).map(trace);
  const known = traces.filter(isKnown);
  if (known.length > 0) return known;
  if (ownWords(line, question).length === 0) {
    // Its last name is what it answers with, if it ends with one.
    const [last] = names.slice(-1);
    return last !== undefined && spell(line).endsWith(last) ? [{ class: "other text", said: last }] : [];
  }
  if (isProse) return [];
  return traces.length > 0 && traces.length < 4 ? traces : [whole];
}

/** The names and numbers of a text, without articles and the words that frame an answer. */
function namesIn(text: string): string[] {
  return Array.from(text.matchAll(SPAN), ([span]) => spell(trimMarks(span)).replace(/^(?:an?|the) /, ""))
    .filter((span) => span.length > 1 && !isFraming(span));
}

/** Traces what was said to the value of a target that it gives with a slip. */
function traceValueSlip(said: string, { sample, missing, question }: Attempt): Trace | null {
  if (missing.length === 0) return null;
  const slips = sample.facts.filter(({ role }) => role === "target").map(({ key, value }) => ({
    key,
    share: slipShare(said, oneLine(afterLead(value, question))) ?? 0,
  }));
  const best = slips.find(({ share }) => share > 0);
  return best ? { class: "near miss", said, ...best } : null;
}

/** Whether a plain answer gives a value of a target in part or with a slip, in whatever sentence. */
export function givesPart(reply: string, attempt: Attempt): boolean {
  const said = oneLine(afterLead(firstSentence(reply), attempt.question));
  const values = attempt.sample.facts.filter(({ role }) => role === "target").map(({ value }) =>
    oneLine(afterLead(value, attempt.question))
  );
  return traceValueSlip(said, attempt) !== null || values.some((value) => holdsWords(value, said));
}

// From how many words on an answer is prose.
const LEAST_PROSE = 8;

/** The start of a plain answer without the sentences that only give words of the question back, unless it is all of them. */
export function skipRestated(text: string, question: string): string {
  const said = text.slice(0, MOST_READ);
  const first = firstSentence(said);
  const rest = said.slice(first.length).trim();
  return rest === "" || ownWords(first, question).length > 0 ? said : skipRestated(rest, question);
}

// The characters of a plain answer that are read.
const MOST_READ = 2000;

/** Whether a text is prose with no name or number in it and nothing of what was asked. */
export function isEmptyProse(text: string, question: string): boolean {
  if (countWords(text) < LEAST_PROSE) return false;
  // The first word of a sentence is no name for its capital.
  const names = namesIn(text.replaceAll(/(?<=^|[.!?] )\p{Lu}(?=\p{Ll}* \p{Ll})/gu, (letter) => letter.toLowerCase()));
  return names.length === 0 && !namesAsked(text, question);
}

function isFraming(span: string): boolean {
  return span.split(" ").every((word) => FRAMING_WORDS.has(word) || PRONOUNS.has(word));
}

const PRONOUNS: ReadonlySet<string> = new Set(["he", "she", "him", "her", "his", "its", "we", "our"]);

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
  const targets = sample.facts.filter(({ role }) => role === "target");
  // What two facts say and nobody asked about leads from one to the other.
  if (!isAsked && targets.filter(({ text }) => holdsWords(spell(text), said)).length > 1) {
    return { class: "chain lost", said };
  }
  if (targets.some(({ key, value }) => spell(key) === said || spell(value) === said)) {
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
