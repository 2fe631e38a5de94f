import type { Attempt } from "./attempt.ts";
import type { FailureClass, FailureEvidence } from "./failure_rows.ts";
import { afterLead, firstSentence, FREQUENT_WORDS, MIXED_WORD, oneLine, ownWords, spell, trimMarks } from "./words.ts";
import type { Fact } from "@/lib/generators/mod.ts";
import { editMatch, FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/** An item of a reply with its origin. */
export interface Trace extends FailureEvidence {
  /** The class that it indicates; `null` if it is right or only repeats the question. */
  readonly class: FailureClass | null;
}

/** Finds the origin of an item, the more likely source first. */
export function traceItem(given: string, attempt: Attempt): Trace {
  const { wanted, found, otherForm, missing } = attempt;
  const { shape, targets, links, rivals, isCounted } = wanted;
  if (targets.has(given) || found.includes(given) || otherForm.includes(given)) return { class: null, given };
  if (links.has(given)) return { class: "incomplete answer", given };
  const rival = rivals.has(given) ? given : rivalLike(given, attempt);
  if (rival !== undefined) return traceRival(given, rival, attempt);
  if (wanted.examples.has(given)) return { class: "other text", given };
  if (shape === "word" && isCounted && attempt.listed().has(given)) return { class: "distractor", given };
  if (shape === "word" && FREQUENT_WORDS.has(given)) return { class: "prior knowledge", given };
  if (missing.some((answer) => slipShare(given, answer) !== null)) return { class: "not in context", given };
  return tracePart(given, missing) ?? traceText(given, attempt);
}

function traceRival(given: string, rival: string, attempt: Attempt): Trace {
  const { rivals, isCounted } = attempt.wanted;
  const fact = rivals.get(rival);
  if (!fact) return { class: "distractor", given };
  const distance = isCounted ? {} : measureDistance(fact, attempt, [...rivals.values()]);
  return { class: "distractor", given, key: fact.key, ...distance };
}

// The least number of characters by which the start of another fact's value is recognised.
const MIN_START = 5;

/** Returns the wrong answer that an item begins, or gives with a slip and closer than any right one. */
function rivalLike(given: string, { wanted: { rivals, isCounted, shape }, missing }: Attempt): string | undefined {
  if (isCounted || missing.some((answer) => answer.startsWith(given))) return undefined;
  const begun = given.length < MIN_START
    ? undefined
    : [...rivals].find(([answer, fact]) => fact && answer.startsWith(given));
  if (begun !== undefined) return begun[0];
  if (shape === "text" || missing.some((answer) => answer.includes(given))) return undefined;
  const slips = Array.from(rivals.keys(), (answer) => ({ answer, share: slipShare(given, answer) ?? 0 }));
  const closest = slips.reduce((best, slip) => slip.share > best.share ? slip : best, { answer: "", share: 0 });
  const right = Math.max(0, ...missing.map((answer) => slipShare(given, answer) ?? 0));
  return closest.share > right ? closest.answer : undefined;
}

function tracePart(given: string, missing: readonly string[]): Trace | null {
  const shares = missing.map((answer) => pieceShare(given, answer)).filter((share) => share !== null);
  return shares.length > 0 ? { class: "partial value", given, share: Math.max(...shares) } : null;
}

function traceText(given: string, attempt: Attempt): Trace {
  const isKnown = attempt.wanted.keys.has(given) || isInPrompt(given, attempt);
  return { class: isKnown ? "other text" : "not in context", given };
}

/** Whether the prompt has a normalised text, at word boundaries. */
export function isInPrompt(given: string, { context, question }: Attempt): boolean {
  return holdsWords(question, given) || holdsWords(context(), given);
}

/** Measures a fact's distance from the nearest missing target, and the share of other facts closer to that target. */
function measureDistance(
  fact: Fact,
  { sample, wanted, missing }: Attempt,
  others: readonly (Fact | null)[],
): Pick<FailureEvidence, "away" | "nearer"> {
  const { depth } = fact;
  const lacking = missing.map((answer) => wanted.targets.get(answer)).filter((target) => target !== undefined);
  const targets = lacking.length > 0 ? lacking : sample.facts.filter(({ role }) => role === "target");
  const depths = targets.map((target) => target.depth).filter((at) => at !== null);
  if (depth === null || depths.length === 0) return {};
  const target = depths.reduce((best, at) => Math.abs(depth - at) < Math.abs(depth - best) ? at : best);
  const rest = others.flatMap((other) => other && other !== fact && other.depth !== null ? [other.depth] : []);
  const nearer = rest.filter((other) => Math.abs(other - target) < Math.abs(depth - target));
  return { away: depth - target, ...(rest.length === 0 ? {} : { nearer: nearer.length / rest.length }) };
}

// The least share of an answer that counts as a part of it, at its start and elsewhere.
const MIN_HEAD = 0.25;
const MIN_PIECE = 0.5;

// The least number of characters of a stretch, and of one end of a code, that is no coincidence.
const MIN_STRETCH = 8;
const MIN_END = 6;

/** Returns the share of an answer that a text gives: its start, a stretch, or one end of it with something else. */
export function pieceShare(text: string, answer: string): number | null {
  if (text === answer || text.length < 2) return null;
  const share = text.length / answer.length;
  if (answer.startsWith(text)) return share >= MIN_HEAD ? share : null;
  if (answer.includes(text)) return share >= MIN_PIECE || text.length >= MIN_STRETCH ? share : null;
  if (!/\d/.test(answer) || text.length > answer.length + 2) return null;
  const reverse = (each: string): string => [...each].reverse().join("");
  const common = Math.max(commonStart(text, answer), commonStart(reverse(text), reverse(answer)));
  return common >= MIN_END ? common / answer.length : null;
}

function commonStart(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}

// The least length of an answer in which a slip is no other answer.
const MIN_SLIPPED = 5;

/** Returns the share of an answer that a text gives with at most a third of its characters wrong; `null` for a mere piece. */
export function slipShare(text: string, answer: string): number | null {
  const most = Math.floor(answer.length / 3);
  if (answer.length < MIN_SLIPPED || Math.abs(text.length - answer.length) > most) return null;
  if (answer.includes(text)) return null;
  const { distance } = editMatch(text, answer);
  return distance <= most ? 1 - distance / answer.length : null;
}

/** Whether a text contains another at word boundaries; scripts without spaces have none. */
function holdsWords(text: string, part: string): boolean {
  if (part === "") return false;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!isWithinWord(text, at) && !isWithinWord(text, at + part.length)) return true;
  }
  return false;
}

const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

function isWithinWord(text: string, at: number): boolean {
  const isPart = (character = " "): boolean => /^[\p{L}\p{N}\p{M}]$/u.test(character) && !SPACELESS.test(character);
  return isPart(text[at - 1]) && isPart(text[at]);
}

/** Names, codes and numbers, which most questions ask for. */
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
const MAX_SPANS = 20;

/**
 * Traces a plain-text answer: its first line as a whole or, if that has no source, its words after the question's, or its names
 * and numbers that the question lacks.
 */
export function traceAnswer(attempt: Attempt): Trace[] {
  const { reply, question } = attempt;
  const lines = reply.split("\n").filter((text, at, all) => !(/[:：][\s"”'’]*$/.test(text) && at < all.length - 1));
  const line = lines.map(trimMarks).find((text) => text !== "");
  // A question answers nothing, and numbers alone are those of a list.
  if (line === undefined || /[?？]["'”’]*$/.test(reply.trim()) || /^(?:\d{1,3}[.)、:]\s*){2,}\d*$/.test(line)) {
    return [];
  }
  const isKnown = (trace: Trace): boolean => trace.class !== "not in context";
  const whole = traceSpan(spell(line), attempt);
  if (isKnown(whole)) return [whole];
  const spans = namesIn(line).filter((span) => !holdsWords(question, span));
  const bare = traceSpan(oneLine(afterLead(firstSentence(line), question)), attempt);
  if (spans.length === 0 && isKnown(bare)) return [bare];
  const known = [...new Set(spans)].slice(0, MAX_SPANS).map((span) => traceSpan(span, attempt)).filter(isKnown);
  if (known.length > 0) return known;
  return ownWords(line, question).length === 0 ? [] : [whole];
}

/** Returns the names and numbers of a text, without articles and the words that frame an answer. */
function namesIn(text: string): string[] {
  return Array.from(text.matchAll(SPAN), ([span]) => spell(trimMarks(span)).replace(/^(?:an?|the) /, ""))
    .filter((span) =>
      span.length > 1 && !span.split(" ").every((word) => FRAMING_WORDS.has(word) || PRONOUNS.has(word))
    );
}

const PRONOUNS: ReadonlySet<string> = new Set(["he", "she", "him", "her", "his", "its", "we", "our"]);

/** Whether a plain answer gives the value of a target in part or with a slip, in any sentence. */
export function givesPart({ sample, reply, question }: Attempt): boolean {
  const given = oneLine(afterLead(firstSentence(reply), question));
  const values = sample.facts.filter(({ role }) => role === "target").map(({ value }) =>
    oneLine(afterLead(value, question))
  );
  return values.some((value) => (slipShare(given, value) ?? 0) > 0 || holdsWords(value, given));
}

function traceSpan(given: string, attempt: Attempt): Trace {
  const { sample: { facts }, wanted, missing, question } = attempt;
  const isAsked = holdsWords(question, given);
  const parts = missing.filter((answer) => given.length > 1 && !isAsked && holdsWords(answer, given));
  if (parts.length > 0) {
    return { class: "partial value", given, share: Math.max(...parts.map((answer) => given.length / answer.length)) };
  }
  if (wanted.links.has(given) && wanted.asked > 1) return { class: "incomplete answer", given };
  if (wanted.rivals.has(given)) return traceRival(given, given, attempt);
  const targets = facts.filter(({ role }) => role === "target");
  // A text of two targets that the question lacks leads from one to the other.
  if (!isAsked && targets.filter(({ text }) => holdsWords(spell(text), given)).length > 1) {
    return { class: "incomplete answer", given };
  }
  if (targets.some(({ key, value }) => spell(key) === given || spell(value) === given)) {
    return { class: "other text", given };
  }
  const others = facts.filter(({ role }) => role === "distractor" || role === "noise");
  const [nearest] = others.filter(({ text }) => holdsWords(spell(text), given))
    .map((fact) => ({ key: fact.key, ...measureDistance(fact, attempt, others) }))
    .sort((left, right) => Math.abs(left.away ?? 2) - Math.abs(right.away ?? 2));
  return nearest ? { class: "distractor", given, ...nearest } : traceText(given, attempt);
}
