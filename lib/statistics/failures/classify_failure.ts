import {
  type FailedOutcome,
  type FailedSample,
  FAILURE_CLASSES,
  type FailureClass,
  type FailureEvidence,
  type FailureMode,
} from "./failure_rows.ts";
import { type Given, holdsWords, oneLine, ownWords, readGiven, wordsOf } from "./given_answer.ts";
import { blankListNumbers, findLoop, LEAST_ROUNDS, type Loop, trimMarks } from "./loops.ts";
import type { Fact } from "@/lib/generators/mod.ts";
import type { Failure } from "@/lib/models/mod.ts";
import { answerMatch, findRefusal, isAnnouncement } from "@/lib/scorers/mod.ts";

/**
 * Classifies how a reply failed, from the facts of its sample and the scorer's own explanation.
 *
 * A reply that failed as a whole (empty, a loop, a copy, a refusal) has that one class; any other is classified by the wrong
 * answers in its first answer and by what that lacks. The roles of the facts decide, so samples of any suite will do.
 *
 * @param sample Rebuilt from its record.
 * @returns The failures in the order of `FAILURE_CLASSES`, the primary one first; empty for a right reply, or if there was
 * nothing to score.
 * @throws {RangeError} If the score is outside [0, 1].
 */
export function classifyFailure(sample: FailedSample, outcome: FailedOutcome): FailureMode[] {
  const { reply, value, rule } = outcome;
  if (value !== null && !(value >= 0 && value <= 1)) {
    throw new RangeError(`Cannot classify the reply as its score must be in [0, 1]: current value is ${value}`);
  }
  if (reply.kind === "failure") return [explainFailedCall(reply)];
  if (value === null || value === 1) return [];
  const own = rule.explain?.(reply.text, sample);
  return own ? [mode(own.class, own.why)] : explainReply(readGiven(sample, outcome, reply));
}

/** Classifies a call that gave no reply. */
export function explainFailedCall({ failure, message }: Pick<Failure, "failure" | "message">): FailureMode {
  return mode("failed call", `${failure}: ${message}`);
}

/** Classifies a reply that the provider's content filter stopped. */
export function explainFiltered(): FailureMode {
  return mode("refusal", "the provider's content filter stopped the reply");
}

function mode(name: FailureClass, why: string, evidence: readonly FailureEvidence[] = []): FailureMode {
  return { class: name, why, evidence };
}

/** The rules for a reply that failed as a whole; the first that holds is its only class. */
const WHOLE_RULES: readonly ((given: Given) => FailureMode | null)[] = [
  explainSilence,
  explainLoop,
  explainExample,
  explainCopy,
  explainRefusal,
  explainMemory,
  explainOtherForm,
];

/** The rules for the items of a reply; each that holds is a class of it. */
const ITEM_RULES: readonly ((given: Given) => FailureMode | null)[] = [
  explainFrequentWords,
  explainRivals,
  explainShortfall,
];

function explainReply(given: Given): FailureMode[] {
  for (const explain of WHOLE_RULES) {
    const whole = explain(given);
    if (whole !== null) return [whole];
  }
  const modes = ITEM_RULES.map((explain) => explain(given)).filter((each) => each !== null);
  if (modes.length === 0) modes.push(explainRest(given));
  return modes.toSorted((left, right) => FAILURE_CLASSES.indexOf(left.class) - FAILURE_CLASSES.indexOf(right.class));
}

function explainSilence({ whole, isFiltered, isCut }: Given): FailureMode | null {
  if (wordsOf(whole).length > 0) return null;
  if (isCut) return mode("incomplete answer", "the output limit was reached before the first word");
  if (isFiltered) return explainFiltered();
  return mode("empty", whole === "" ? "the reply is empty" : "the reply is only punctuation");
}

/** Whether the reply has anything that could be an answer; the question's own words could not. */
function isAnswered({ shape, items, found, reply, question }: Given): boolean {
  return found.length > 0 || (shape === "text" ? ownWords(reply, question).length > 0 : items.length > 0);
}

/** Finds a reply that repeats itself before its first answer is complete; the same answer for each item asked for is no loop. */
function explainLoop(given: Given): FailureMode | null {
  const { shape, whole, reply, count, isCut } = given;
  const least = isCut ? Math.max(LEAST_ROUNDS, count + 1) : Math.max(LEAST_ROUNDS + 1, count + 2);
  const answer = shape === "text" ? sentenceOf(blankListNumbers(reply)) : reply;
  const loop = isAnswered(given) ? findLoop(answer, least) : findLoop(whole, LEAST_ROUNDS);
  const found = loop ?? findItemLoop(given) ?? findSentenceLoop(given);
  return found && mode("loop", `the same text is repeated ${found.rounds} times`, [{ given: found.unit }]);
}

/** Finds a list that runs past the items asked for and repeats at most half as many. */
function findItemLoop({ count, itemsAgain }: Given): Loop | null {
  const distinct = new Set(itemsAgain);
  if (count < 2 || itemsAgain.length < count + 2 || 2 * distinct.size > count) return null;
  return { unit: [...distinct].join(" "), rounds: Math.floor(itemsAgain.length / distinct.size) };
}

/** Finds a sentence that is repeated instead of an answer: the question's, or any in a reply without an answer. */
function findSentenceLoop(given: Given): Loop | null {
  const { whole, items, found, question, context } = given;
  const sentences = whole.split(/[.!?。！？\n"“”]+/).map((part) => trimMarks(oneLine(part)));
  if (items.length + found.length > 0) return null;
  const loops = [...Map.groupBy(sentences, (part) => part)]
    .map(([unit, all]): Loop => ({ unit, rounds: all.length }))
    .filter(({ unit, rounds }) =>
      unit !== "" && rounds >= LEAST_ROUNDS && (question.includes(unit) || !isAnswered(given))
    );
  // A sentence of the text that is repeated is a copy.
  return loops.length === 0 || context().includes(sentences[0]!) ? null : loops[0]!;
}

function sentenceOf(text: string): string {
  return /^.*?(?:[.!?。！？](?!\d)|\n|$)/su.exec(text.trimStart())![0];
}

/** Finds an answer of which at least half of the items asked for are the worked example's. */
function explainExample({ items, count, examples, answers }: Given): FailureMode | null {
  const copied = items.slice(0, count).filter((item) => examples.has(item) && !answers.includes(item));
  if (copied.length === 0 || 2 * copied.length < count) return null;
  const why = `${copied.length} of ${count} items are from the worked example`;
  return mode("copied", why, [...new Set(copied)].map((given) => ({ given, kind: "example" })));
}

// The least length of a copied stretch, in words or, without spaces, characters, and its least share of the answer.
const COPIED_STRETCH = /^(?:\p{Script=Han}\S{15}|(?:\S+ ){7}\S+)/u;
const COPIED_SHARE = 0.6;

// The least length of a question that is given back.
const ASKED_STRETCH = /^(?:\p{Script=Han}\S{7}|(?:\S+ ){3}\S+)/u;

/** The introduction of a quotation. */
const QUOTING = /^[^.!?。！？:：]{0,60}[:：]\s*["“]?/;

// The characters of a long reply that are compared.
const MAX_COMPARED = 2000;

/** Finds a stretch of the prompt instead of an answer; one with a planted fact or an answer is no copy. */
function explainCopy(given: Given): FailureMode | null {
  const { whole, reply, items, answers, rivals, examples, isCounted, question, context } = given;
  const text = oneLine(reply === "" ? whole : reply).replace(QUOTING, "").slice(0, MAX_COMPARED);
  const [{ length: least } = ""] = COPIED_STRETCH.exec(text) ?? [];
  const from = Math.max(0, least - 1);
  const opening = text.slice(0, from + 1 + blankListNumbers(text).slice(from).search(/[.!?。！？]|$/));
  const copied = longestCopy(opening, context);
  // The question leads to an answer; alone it is none.
  const isCopied = copied.length >= COPIED_SHARE * opening.length && !question.includes(copied);
  const isAsked = ASKED_STRETCH.test(opening) && question.includes(trimMarks(opening)) && !isAnswered(given);
  if (!isCopied && !isAsked) return null;
  const stretch = isCopied ? copied : opening;
  if (items.some((item) => opening.includes(item) && !stretch.includes(item))) return null;
  const facts = isCounted ? [] : [...answers, ...rivals.keys(), ...examples];
  if (facts.some((fact) => stretch.includes(fact) || fact.includes(stretch))) return null;
  const why = `${stretch.length} characters are copied from the prompt word for word`;
  return mode("copied", why, [{ given: stretch, kind: "context" }]);
}

/** Returns the longest stretch from the start of a word of a text that a source has too. */
function longestCopy(text: string, read: () => string): string {
  let longest = "";
  for (const { index } of text.matchAll(/(?<=^|\s)\S|\p{Script=Han}/gu)) {
    const [least] = COPIED_STRETCH.exec(text.slice(index)) ?? [];
    if (least === undefined) continue;
    const source = read();
    const at = source.indexOf(least);
    if (at < 0) continue;
    let end = index + least.length;
    while (end < text.length && text[end] === source[at + end - index]) end++;
    if (end - index > longest.length) longest = text.slice(index, end);
  }
  return longest;
}

/** Finds words that deny or decline an answer in the first two sentences; the prompt's own words are no refusal. */
function explainRefusal({ reply, whole, found, isFiltered, question }: Given): FailureMode | null {
  if (found.length > 0) return null;
  if (isFiltered) return explainFiltered();
  const [opening] = /^(?:[^.!?。！？]*(?:[.!?。！？]+|$)){0,2}/.exec(oneLine(reply || whole))!;
  const refusal = findRefusal(opening);
  if (refusal === null || question.includes(refusal.text)) return null;
  return mode("refusal", "the reply states that it has no answer", [{ given: refusal.text }]);
}

function explainMemory({ reply, closedBookAnswer }: Given): FailureMode | null {
  if (closedBookAnswer === undefined || wordsOf(closedBookAnswer).length === 0) return null;
  if (answerMatch(reply, [closedBookAnswer]).exact !== true) return null;
  return mode("prior knowledge", "the same answer was given without the context", [{ given: reply }]);
}

/** Finds the right answers in another form: with other marks, digits or spaces, or by the words of the planted value. */
function explainOtherForm(given: Given): FailureMode | null {
  const { whole, reply, answers, missing, count, shape, sample, steps, normalise } = given;
  const words = wordsOf(reply === "" ? whole : reply);
  const isGiven = (answer: string): boolean => holdsRun(words, wordsOf(answer).join(""));
  const isTold = ({ role, value }: Fact): boolean =>
    role === "target" && !steps.has(normalise(value)) &&
    ownWords(value, "").every((word) => words.some((each) => each.includes(word)));
  const isRight = count < answers.length ? answers.some(isGiven) : missing.every(isGiven);
  const isForm = isRight || shape === "text" && sample.facts.some(isTold);
  return isForm ? mode("wrong format", "the answer is right in another form, or more text lost points") : null;
}

/** Whether neighbouring words joined are a text: 1, 234 and 567 are 1234567. */
function holdsRun(words: readonly string[], text: string): boolean {
  return words.some((word, from) => {
    let joined = word;
    for (let at = from + 1; at < words.length && joined.length < text.length; at++) joined += words[at];
    return joined === text;
  });
}

/** Finds common English words that a list of words lacks. */
function explainFrequentWords({ shape, items, isCounted, listed }: Given): FailureMode | null {
  if (shape !== "word" || !isCounted) return null;
  const words = [...new Set(items)].filter((item) => FREQUENT_WORDS.has(item) && !holdsWords(listed(), item));
  if (words.length === 0) return null;
  return mode("prior knowledge", `common English words: ${words.join(", ")}`, words.map((given) => ({ given })));
}

/** Finds the wrong answers that the context offers: values of other facts, and words of other documents. */
function explainRivals(given: Given): FailureMode | null {
  const { shape, items, rivals, isCounted, answers, listed } = given;
  const isRival = (item: string): boolean =>
    rivals.has(item) || isCounted && shape === "word" && !answers.includes(item) && holdsWords(listed(), item);
  const evidence = shape === "text"
    ? rivalsInText(given)
    : [...new Set(items)].filter(isRival).map((item) => rivalEvidence(item, rivals.get(item) ?? null, given));
  if (evidence.length === 0) return null;
  const names = evidence.map(({ given, key }) => key === undefined || key === given ? given : `${given} (of ${key})`);
  return mode("distractor", `given instead: ${names.join(", ")}`, evidence);
}

/** Finds the names and numbers of a plain answer, or all of it, in distracting facts. */
function rivalsInText(given: Given): FailureEvidence[] {
  const { reply, found, missing, question, others } = given;
  const [line = ""] = reply.split("\n");
  const text = trimMarks(oneLine(line));
  if (found.length > 0 || missing.some((answer) => answer.includes(text))) return [];
  const names = new Set(Array.from(line.matchAll(NAME), ([name]) => oneLine(name)));
  const own = [...names].filter((name) => !holdsWords(question, name) && ownWords(name, "").length > 0);
  for (const name of [text, ...own]) {
    const other = others().find(({ text }) => holdsWords(text, name));
    if (other !== undefined) return [rivalEvidence(name, other.fact, given)];
  }
  return [];
}

const NAME = /\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)*|\d[\d,.]*\d|\d+/gu;

/** Describes a wrong answer, with the share of the other distractors that are closer to the nearest target. */
function rivalEvidence(given: string, fact: Fact | null, { sample, rivals, isCounted }: Given): FailureEvidence {
  if (fact === null) return { given };
  const { key, depth } = fact;
  const targets = sample.facts.flatMap(({ role, depth }) => role === "target" ? depth ?? [] : []);
  if (isCounted || depth === null || targets.length === 0) return { given, key };
  const away = (from: number): number => Math.min(...targets.map((target) => Math.abs(from - target)));
  const others = [...rivals.values()].flatMap((other) => other === fact ? [] : other?.depth ?? []);
  if (others.length === 0) return { given, key };
  return { given, key, nearer: others.filter((other) => away(other) < away(depth)).length / others.length };
}

/** Finds what an answer lacks: it was cut, has too few items or repeated ones, a part of one, or a step on the way. */
function explainShortfall(given: Given): FailureMode | null {
  const { items, itemsAgain, count, missing, steps, isCut, isExtracted, shape, reply } = given;
  if (missing.length === 0) return null;
  const asked = itemsAgain.slice(0, count);
  const repeated = [...new Set(asked.filter((item, at) => asked.indexOf(item) < at))];
  const evidence = repeated.map((given): FailureEvidence => ({ given, kind: "repeated" }));
  const lacks = (why: string, more: readonly FailureEvidence[] = []): FailureMode =>
    mode("incomplete answer", why, [...more, ...evidence]);
  const isBegun = items.length > 0 || isAnnouncement(reply);
  const isOpen = shape === "text" ? sentenceOf(reply) === reply : isBegun && items.length < count;
  if (isCut && isOpen) return lacks("the output limit ended the answer");
  const text = oneLine(reply);
  const step = [...steps].find((each) => shape === "text" ? holdsWords(text, each) : items.includes(each));
  if (step !== undefined) return lacks(`a value on the way: ${step}`, [{ given: step }]);
  if (repeated.length > 0) return lacks(`given more than once: ${repeated.join(", ")}`);
  if (count > 1 && (items.length > 0 || isExtracted) && items.length < count) {
    return lacks(`${items.length} of ${count} items were given`);
  }
  const pieces = items.length > 0 ? items : [trimMarks(text)];
  const piece = pieces.find((item) => item.length >= LEAST_PIECE && missing.some((answer) => answer.includes(item)));
  return piece === undefined ? null : lacks(`part of an answer: ${piece}`, [{ given: piece, kind: "part" }]);
}

/** The least number of characters by which a part of an answer is recognised. */
const LEAST_PIECE = 4;

function explainRest({ items, reply, shape }: Given): FailureMode {
  if (items.length > 0) {
    return mode("other answer", `given instead: ${items.join(", ")}`, [...new Set(items)].map((given) => ({ given })));
  }
  const none = [{ given: oneLine(reply) }];
  return mode(shape === "text" ? "other answer" : "wrong format", "no answer of the form asked for", none);
}

/** The hundred most common words of the Oxford English Corpus (2006), and inflected forms of Google Books (Norvig, 2012). */
const FREQUENT_WORDS: ReadonlySet<string> = new Set(
  `the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she
   or an will my one all would there their what so up out if about who get which go me when make can like time
   no just him know take people into year your good some could them see other than then now look only come its
   over think also back after use two how our work first well way even new want because any these give day most us
   is was are were has had been more`.split(/\s+/),
);
