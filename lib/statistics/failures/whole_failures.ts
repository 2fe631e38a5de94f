import { type Attempt, skipAnnounced } from "./attempt.ts";
import type { FailureMode } from "./failure_rows.ts";
import { isOtherShape, type Item, listItems } from "./items.ts";
import { givesPart } from "./traces.ts";
import {
  afterLead,
  blankListNumbers,
  firstSentence,
  oneLine,
  ownWords,
  plainWords,
  SENTENCE_END,
  trimMarks,
} from "./words.ts";
import { answerMatch, findRefusal } from "@/lib/scorers/mod.ts";

/** Classifies a reply that failed as a whole; `null` if it must be read item by item. */
export function explainWhole(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  return explainSilence(attempt) ?? explainLoop(attempt, items) ?? explainExample(attempt, items) ??
    explainCopy(attempt, items) ?? explainRefusal(attempt, items) ?? explainMemory(attempt);
}

/** Whether the reply has anything that could be an answer; the question's own words could not. */
function isAnswered({ wanted, reply, found, otherForm, question }: Attempt, items: readonly Item[]): boolean {
  if (found.length + otherForm.length > 0) return true;
  if (wanted.shape === "text") return ownWords(reply, question).length > 0;
  return items.length > 0 || /^\s*\d+\s*$/.test(reply);
}

function explainSilence({ reply, rest, isCut, isFiltered, isExtracted }: Attempt): FailureMode | null {
  if (isExtracted || plainWords(`${reply} ${rest}`).length > 0) return null;
  if (isFiltered) {
    const why = "the provider's content filter stopped the reply before its first word";
    return { class: "refusal", why, evidence: [] };
  }
  if (isCut) {
    const why = "the output limit was reached before the first word of an answer";
    return { class: "incomplete answer", why, evidence: [] };
  }
  return { class: "empty", why: reply === "" ? "the reply is empty" : "the reply is only punctuation", evidence: [] };
}

/** Finds a reply that repeats itself before its first answer is complete. */
function explainLoop(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const loop = isAnswered(attempt, items) ? findAnswerLoop(attempt, items) : findEmptyLoop(attempt, items);
  if (loop === null) return null;
  const { unit, rounds } = loop;
  return {
    class: "loop",
    why: `the same text is repeated ${rounds} times`,
    evidence: [{ given: unit, times: rounds }],
  };
}

function findEmptyLoop(attempt: Attempt, items: readonly Item[]): Loop | null {
  const { reply, rest, question } = attempt;
  // A question that holds the answer is none without it, and a sentence of the text was given instead of an answer.
  if (isOtherShape(reply) || attempt.holds(rest) || copiesContext(attempt, items)) return null;
  const whole = `${reply}\n${rest}`;
  return findLoop(whole, MIN_ROUNDS) ?? findBeginnings(whole, question);
}

/** Finds a loop of more rounds than items asked for: the same answer for each item is no loop. */
function findAnswerLoop(attempt: Attempt, items: readonly Item[]): Loop | null {
  const { reply, wanted: { shape, asked }, isCut, question } = attempt;
  const least = isCut ? Math.max(MIN_ROUNDS, asked + 1) : Math.max(MIN_ROUNDS + 1, asked + 2);
  if (shape !== "text") return findLoop(reply, least) ?? findListLoop(attempt, items);
  // Text after a clause that has answered is about the answer.
  const sentence = firstSentence(reply);
  const [clause] = /^[^,，]*/.exec(sentence)!;
  return findLoop(afterLead(clause, question) === trimMarks(clause) ? sentence : clause, least);
}

/** Finds at least three sentences or lines that are the same, or begin alike as the question does. */
function findBeginnings(text: string, question: string): Loop | null {
  const beginnings = text.split(/[.!?。！？\n"“”]+/).map((part) => {
    const given = trimMarks(oneLine(part).replace(/^\d{1,3}[).、]?\s*/, ""));
    const start = /^\p{Script=Han}.{7}/u.exec(given)?.[0] ?? given.split(" ", MIN_BEGUN).join(" ");
    return question.includes(start) ? start : given;
  }).filter((part) => part !== "");
  // The output limit can cut the last one.
  const last = beginnings.pop() ?? "";
  beginnings.push(beginnings.find((earlier) => earlier.startsWith(last)) ?? last);
  const [most] = [...Map.groupBy(beginnings, (part) => part)].sort(([, left], [, right]) => right.length - left.length);
  return most !== undefined && most[1].length >= MIN_ROUNDS ? { unit: most[0], rounds: most[1].length } : null;
}

// The words by which two beginnings are the same.
const MIN_BEGUN = 4;

/** Finds a list that continues past the items asked for without a new one, though at most half of them were given. */
function findListLoop(attempt: Attempt, items: readonly Item[]): Loop | null {
  const { wanted: { asked }, rest, endedBy } = attempt;
  const given = new Set(items.map(({ text }) => text));
  if (asked < 2 || items.length < asked || 2 * given.size > asked) return null;
  const again = endedBy === "the list again" ? listItems({ ...attempt, reply: rest }).map(({ text }) => text) : [];
  const end = again.findIndex((text) => !given.has(text));
  const count = items.length + (end < 0 ? again.length : end);
  return count < asked + MIN_AGAIN ? null : { unit: [...given].join(" "), rounds: Math.floor(count / given.size) };
}

// The least number of items past those asked for in a loop.
const MIN_AGAIN = 2;

function explainRefusal(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { reply, found, otherForm, isFiltered, context, question } = attempt;
  if (found.length + otherForm.length > 0) return null;
  if (isFiltered) return { class: "refusal", why: "the provider's content filter stopped the reply", evidence: [] };
  const text = oneLine(reply);
  const refusal = findRefusal(text);
  if (refusal === null || refusal.at > endOfOpening(text, attempt, items)) return null;
  // The prompt's own words, such as "Do not provide any explanation", are no refusal.
  const [before = ""] = text.slice(0, refusal.at).split(/[.!?。！？]/).slice(-1);
  const sentence = trimMarks(/^[^.!?。！？]*/.exec(text.slice(refusal.at - before.length))![0]);
  if (question.includes(sentence) || context().includes(sentence)) return null;
  return { class: "refusal", why: "the reply states that it has no answer", evidence: [{ given: refusal.text }] };
}

/** Returns the end of a reply's opening: its first item or, in words and plain text, its second sentence. */
function endOfOpening(text: string, { wanted: { shape } }: Attempt, [first]: readonly Item[]): number {
  if (shape === "text" || shape === "word") return /^(?:[^.!?。！？]*(?:[.!?。！？]+|$)){0,2}/.exec(text)![0].length;
  const at = first ? text.indexOf(first.text) : -1;
  return at < 0 ? Infinity : at;
}

/** Finds a first answer of which at least half is the worked example's. */
function explainExample({ wanted: { asked, examples, targets } }: Attempt, items: readonly Item[]): FailureMode | null {
  const given = items.slice(0, asked).map(({ text }) => text);
  const copied = given.filter((text) => examples.has(text) && !targets.has(text));
  // Of a list that is cut short, one item is too few.
  if (copied.length === 0 || 2 * copied.length < (copied.length > 1 ? given.length : asked)) return null;
  const why = `${copied.length} of ${given.length} items are from the worked example`;
  return { class: "example copied", why, evidence: [...new Set(copied)].map((given) => ({ given })) };
}

/** Finds a stretch of the prompt instead of an answer: of its text or, without any answer, also of its question. */
function explainCopy(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { wanted: { shape }, context, question, reply } = attempt;
  if (isOtherShape(reply)) return null;
  const isEmpty = shape === "text" ? ownWords(reply, question).length === 0 : !isAnswered(attempt, items);
  const copy = copiesContext(attempt, items) ?? (isEmpty ? findCopy(attempt, `${context()} ${question}`, 1) : null);
  if (!copy) return null;
  const why = `${copy.text.length} characters are copied from the prompt word for word`;
  return { class: "context copied", why, evidence: [{ given: copy.text, depth: copy.depth }] };
}

/** Finds a stretch of the context instead of an answer; a sentence with an item of its own is none. */
function copiesContext(attempt: Attempt, items: readonly Item[]): Copy | null {
  if (attempt.wanted.shape === "text" && givesPart(attempt)) return null;
  const copy = findCopy(attempt, attempt.context(), MIN_SHARE);
  return copy !== null && items.some(({ text }) => copy.others.includes(text)) ? null : copy;
}

function explainMemory({ reply, closedBookAnswer }: Attempt): FailureMode | null {
  if (closedBookAnswer === undefined || plainWords(closedBookAnswer).length === 0) return null;
  if (answerMatch(reply, [closedBookAnswer]).exact !== true) return null;
  return {
    class: "prior knowledge",
    why: "the same answer was given without the context",
    evidence: [{ given: reply }],
  };
}

interface Stretch {
  readonly text: string;
  /** The share of the prompt before it. */
  readonly depth: number;
}

/** The longest copied stretch of a reply. */
interface Copy extends Stretch {
  /** The other text of its first sentences. */
  readonly others: string;
}

// The least length of a copied stretch, in words or, without spaces, characters, and its least share of the answer. Planted
// sentences and answers are shorter or are found earlier.
const MIN_WORDS = 8;
const MIN_CHARS = 16;
const MIN_SHARE = 0.6;

// The characters of a long reply that are compared.
const MAX_COMPARED = 2000;

/** Finds stretches of a source that make up most of a reply's first sentences; planted facts and answers are no copies. */
function findCopy(attempt: Attempt, source: string, leastShare: number): Copy | null {
  const { reply, rest, wanted: { isCounted, rivals, targets, examples } } = attempt;
  // A question that is repeated and not answered leaves no answer at all.
  const whole = oneLine(plainWords(reply).length === 0 ? rest : skipAnnounced(reply)).replace(QUOTING, "");
  const given = openingOf(whole).slice(0, MAX_COMPARED);
  const stretches = copiedStretches(given, source);
  const copied = stretches.reduce((total, { text }) => total + text.length, 0);
  if (stretches.length === 0 || copied < Math.floor(leastShare * trimMarks(given).length)) return null;
  // The head of a counted list has some of the wanted words by chance.
  const facts = isCounted ? [] : [...rivals.keys(), ...targets.keys(), ...examples];
  const isFact = stretches.some(({ text }) => facts.some((fact) => text.includes(fact)));
  if (isFact || !isCounted && attempt.holdsOne(given)) return null;
  const others = stretches.reduce((left, { text }) => left.replace(text, " "), given);
  return { ...stretches.reduce((most, each) => each.text.length > most.text.length ? each : most), others };
}

/** The introduction of a quotation. */
const QUOTING = /^[^.!?。！？:：]{0,60}[:：]\s*["“]/;

// The start of a text that is too long to be a coincidence.
const MIN_STRETCH = new RegExp(`^(?:\\p{Script=Han}\\S{${MIN_CHARS - 1}}|(?:\\S+ ){${MIN_WORDS - 1}}\\S+)`, "u");

/** Returns the whole sentences at the start of a text that reach the length of a copied stretch. */
function openingOf(text: string): string {
  const ends = Array.from(blankListNumbers(text).matchAll(new RegExp(SENTENCE_END, "gu")), ({ index }) => index + 1);
  const least = MIN_STRETCH.exec(text)?.[0].length ?? Infinity;
  return text.slice(0, ends.find((end) => end >= least) ?? text.length);
}

function copiedStretches(text: string, source: string): Stretch[] {
  const stretches: Stretch[] = [];
  for (let start = 0; start < text.length; start++) {
    if (start > 0 && text[start - 1] !== " " && !/\p{Script=Han}/u.test(text[start]!)) continue;
    const [least = null] = MIN_STRETCH.exec(text.slice(start)) ?? [];
    const at = least === null ? -1 : source.indexOf(least);
    if (least === null || at < 0) continue;
    let length = least.length;
    while (start + length < text.length && source[at + length] === text[start + length]) length++;
    stretches.push({ text: text.slice(start, start + length), depth: at / source.length });
    start += length - 1;
  }
  return stretches;
}

// The fewest rounds of a loop that the output limit ended, or in a reply without an answer.
const MIN_ROUNDS = 3;

// The longest repeated unit, in words or characters.
const MAX_UNIT = 60;

// The words or characters of a reply that are searched; a loop that starts later fills less than half of it.
const MAX_PIECES = 3000;

// The least length of a loop without spaces, in characters: a short word may repeat a syllable.
const MIN_LOOP = 24;

interface Loop {
  readonly unit: string;
  readonly rounds: number;
}

/** Finds words or, in a text without spaces, characters that repeat over at least half of a text; list numbers do not count. */
function findLoop(text: string, least: number): Loop | null {
  const words = blankListNumbers(text).split(/\s+/, 2 * MAX_PIECES).map((word) => trimMarks(word).toLowerCase())
    .filter((word) => word !== "");
  const byWord = findPeriod(words.slice(0, MAX_PIECES), { least, joint: " " });
  if (byWord) return byWord;
  const byCharacter = findPeriod([...text.replaceAll(/\s+/g, "")].slice(0, MAX_PIECES), { least, joint: "" });
  return byCharacter && byCharacter.rounds * byCharacter.unit.length >= MIN_LOOP ? byCharacter : null;
}

/** Finds the shortest row of pieces that repeats over at least half of them all. */
function findPeriod(
  pieces: readonly string[],
  { least, joint }: { readonly least: number; readonly joint: string },
): Loop | null {
  for (let period = 1; period <= Math.min(MAX_UNIT, pieces.length / least); period++) {
    let [run, longest, end] = [0, 0, 0];
    for (let at = period; at < pieces.length; at++) {
      run = pieces[at] === pieces[at - period] ? run + 1 : 0;
      if (run > longest) [longest, end] = [run, at + 1];
    }
    const length = longest + period;
    const rounds = Math.floor(length / period);
    if (rounds >= least && 2 * length >= pieces.length) {
      return { unit: pieces.slice(end - period, end).join(joint), rounds };
    }
  }
  return null;
}
