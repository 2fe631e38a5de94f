import { percent, sum } from "@/lib/base/mod.ts";
import {
  afterLead,
  type Asked,
  type Attempt,
  blankListNumbers,
  firstSentence,
  oneLine,
  ownWords,
  plainWords,
  readAsked,
  readAttempt,
  SENTENCE_END,
  skipAnnounced,
  trimMarks,
} from "./attempt.ts";
import {
  type FailedOutcome,
  type FailedSample,
  FAILURE_CLASSES,
  type FailureClass,
  type FailureEvidence,
  type FailureMode,
} from "./failure_rows.ts";
import {
  givesPart,
  isInPrompt,
  isOtherShape,
  type Item,
  listItems,
  type Trace,
  traceAnswer,
  traceItem,
} from "./items.ts";
import type { Failure } from "@/lib/models/mod.ts";
import { answerMatch, type AnswerRule, findRefusal, isAnnouncement } from "@/lib/scorers/mod.ts";

/**
 * Classifies how a reply failed: by the wrong answers in it and their origin, or by the answers that it lacks.
 *
 * The classes are those of RULER, section 5, and what can happen to a call. A reply that failed as a whole (empty, refused,
 * looped, copied) has that one class; any other is read item by item and can have several. The scorer's rule defines the items,
 * and the roles of the sample's facts their origin, so samples of any suite will do.
 *
 * @param sample Rebuilt from its record.
 * @returns The failures in the order of `FAILURE_CLASSES`, the primary one first; empty for a right reply, or if there was
 * nothing to score.
 * @throws {RangeError} If the score is outside [0, 1].
 */
export function classifyFailure(sample: FailedSample, outcome: FailedOutcome): FailureMode[] {
  return classify(sample, outcome);
}

/** Returns {@linkcode classifyFailure} for many replies to a sample, whose prompt is read once. */
export function openClassifier(sample: FailedSample, rule: AnswerRule): (outcome: FailedOutcome) => FailureMode[] {
  let asked: Asked | undefined;
  return (outcome) => classify(sample, outcome, asked ??= readAsked(sample, rule));
}

function classify(sample: FailedSample, outcome: FailedOutcome, asked?: Asked): FailureMode[] {
  const { reply, value, promptCut, rule } = outcome;
  if (value !== null && !(value >= 0 && value <= 1)) {
    throw new RangeError(`Cannot classify the reply as its score must be in [0, 1]: current value is ${value}`);
  }
  if (reply.kind === "failure") return [explainFailedCall(reply)];
  if (value === null || value === 1) return [];
  const own = rule.explain?.(reply.text, sample);
  const modes = own ? [mode(own.class, own.why)] : explainReply(readAttempt(sample, outcome, asked)!);
  if (promptCut !== undefined) {
    modes.push(mode("prompt cut", `the server read ${promptCut.counted} tokens of about ${promptCut.expected}`));
  }
  return modes.toSorted((left, right) => FAILURE_CLASSES.indexOf(left.class) - FAILURE_CLASSES.indexOf(right.class));
}

function explainReply(attempt: Attempt): FailureMode[] {
  const items = listItems(attempt);
  const whole = explainWhole(attempt, items);
  return whole ? [whole] : explainItems(attempt, items);
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

function explainItems(attempt: Attempt, items: readonly Item[]): FailureMode[] {
  const { wanted: { shape, asked }, reply, rest, found, otherForm, missing } = attempt;
  if (shape === "text" && missing.length === 0 && otherForm.length === 0) {
    return [mode("wrong format", "the answer is right, and more text lost points")];
  }
  // The first answer ends with the number of items that was asked for.
  const isAsked = (text: string): boolean => missing.length === 0 && attempt.question.includes(text);
  const own = items.slice(0, Math.max(1, asked)).filter(({ text }) =>
    !isPartOfOtherForm(text, attempt) && !isAsked(text)
  );
  const cut = explainCut(attempt, own);
  const traces = shape === "text"
    ? otherForm.length > 0 || cut ? [] : traceAnswer(attempt)
    : [...new Set(own.map(({ text }) => text))].map((text) => traceItem(text, attempt));
  const wrong = traces.filter((trace) => !(cut && trace.class === "partial value" && own.at(-1)?.text === trace.given));
  const modes = explainTraces(wrong);
  if (otherForm.length > 0) {
    const why = `given in another form: ${otherForm.join(", ")}`;
    modes.push(mode("wrong format", why, otherForm.map((given) => ({ given }))));
  }
  modes.push(...explainShortfalls(attempt, own, cut));
  if (modes.length > 0 || missing.length === 0 && otherForm.length === 0 && `${reply}${rest}` === "") return modes;
  if (items.length === 0 && !attempt.isExtracted) return [explainForm(attempt)];
  if (missing.length === 0) return [mode("wrong format", `given in another form: ${found.join(", ")}`)];
  return [mode("incomplete answer", `${found.length} of ${found.length + missing.length} items were given`)];
}

/** Whether a text is a piece of an answer given in another form, such as the 234 of 1 234 567. */
function isPartOfOtherForm(text: string, { otherForm }: Attempt): boolean {
  const bare = plainWords(text).join("");
  return otherForm.some((answer) => plainWords(answer).join("").includes(bare));
}

function explainTraces(traces: readonly Trace[]): FailureMode[] {
  const classes = Map.groupBy(traces.filter((trace) => trace.class !== null), (trace) => trace.class as FailureClass);
  return Array.from(
    classes,
    ([name, all]) =>
      mode(name, `gave ${all.map(describe).join(", ")}`, all.map(({ class: _, ...evidence }) => evidence)),
  );
}

function describe({ given, key, away, share }: Trace): string {
  const notes = [
    ...(key !== undefined && key.toLowerCase() !== given ? [`of ${key}`] : []),
    ...(away === undefined ? [] : [placeText(away)]),
    ...(share === undefined ? [] : [`${percent(share)} of the value`]),
  ];
  return notes.length === 0 ? given : `${given} (${notes.join(", ")})`;
}

function placeText(away: number): string {
  if (away === 0) return "beside the target";
  return `${percent(Math.abs(away), 1)} of the context ${away < 0 ? "before" : "after"} the target`;
}

/** Explains a reply that the output limit ended before its answer: in its lead, in a value, or in a list that still ran. */
function explainCut({ isCut, wanted, missing, reply, question }: Attempt, items: readonly Item[]): FailureMode | null {
  if (!isCut || missing.length === 0) return null;
  const last = items.at(-1);
  if (last === undefined) {
    const isBegun = wanted.shape === "text"
      ? missing.some((answer) => answer.startsWith(oneLine(reply)))
      : isAnnouncement(reply) || question.endsWith(oneLine(reply));
    if (isOtherShape(reply) || !isBegun) return null;
    return mode("incomplete answer", "the output limit cut the reply before its first item");
  }
  const isCutItem = last.isLast && missing.some((answer) => answer.startsWith(last.text));
  if (!isCutItem && (!last.isOpen || items.length >= wanted.asked)) return null;
  const why = `the output limit cut the reply after ${items.length} of ${wanted.asked} items`;
  return mode("incomplete answer", why, isCutItem ? [{ given: last.text }] : []);
}

function explainForm(attempt: Attempt): FailureMode {
  const { wanted: { shape }, reply } = attempt;
  const given = afterLead(oneLine(firstSentence(reply)), attempt.question);
  const isPiece = shape !== "text" && /\p{L}/u.test(given) && !isOtherShape(reply);
  if (isPiece && isInPrompt(given, attempt)) return mode("other text", `gave ${given}`, [{ given }]);
  const name = typeof shape === "object" ? shape.name : shape === "text" ? "answer" : shape;
  return mode("wrong format", `there is no ${name} in the reply`);
}

/** Explains what a list lacks: an item that another one repeats, or items beyond its end. */
function explainShortfalls(attempt: Attempt, items: readonly Item[], cut: FailureMode | null): FailureMode[] {
  const { wanted: { asked }, missing, otherForm } = attempt;
  const lacks = cut ? [cut] : [];
  if (missing.length === 0 || asked < 2 || items.length === 0) return lacks;
  const given = items.length + otherForm.length;
  if (!cut && given < asked) lacks.push(mode("incomplete answer", `${given} of ${asked} items were given`));
  const repeated = [...Map.groupBy(items, ({ text, place }) => `${place} ${text}`).values()]
    .filter((all) => all.length > 1);
  if (repeated.length === 0) return lacks;
  const evidence = repeated.map((all): FailureEvidence => ({ given: all[0]!.text, times: all.length }));
  const why = `repeated: ${evidence.map(({ given, times }) => `${given} ${times} times`).join(", ")}`;
  return [mode("repeated answer", why, evidence), ...lacks];
}

/** Classifies a reply that failed as a whole; `null` if it must be read item by item. */
function explainWhole(attempt: Attempt, items: readonly Item[]): FailureMode | null {
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
  if (isFiltered) return mode("refusal", "the provider's content filter stopped the reply before its first word");
  if (isCut) return mode("incomplete answer", "the output limit was reached before the first word of an answer");
  return mode("empty", reply === "" ? "the reply is empty" : "the reply is only punctuation");
}

/** Finds a reply that repeats itself before its first answer is complete. */
function explainLoop(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const loop = isAnswered(attempt, items) ? findAnswerLoop(attempt, items) : findEmptyLoop(attempt, items);
  if (loop === null) return null;
  const { unit, rounds } = loop;
  return mode("loop", `the same text is repeated ${rounds} times`, [{ given: unit, times: rounds }]);
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

/** Finds at least three sentences or lines that are the same, or begin the same way as the question. */
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
  if (isFiltered) return explainFiltered();
  const text = oneLine(reply);
  const refusal = findRefusal(text);
  if (refusal === null || refusal.at > endOfOpening(text, attempt, items)) return null;
  // The prompt's own words, such as "Do not provide any explanation", are no refusal.
  const [before = ""] = text.slice(0, refusal.at).split(/[.!?。！？]/).slice(-1);
  const sentence = trimMarks(/^[^.!?。！？]*/.exec(text.slice(refusal.at - before.length))![0]);
  if (question.includes(sentence) || context().includes(sentence)) return null;
  return mode("refusal", "the reply states that it has no answer", [{ given: refusal.text }]);
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
  return mode("example copied", why, [...new Set(copied)].map((given) => ({ given })));
}

/** Finds a stretch of the prompt instead of an answer: of its text or, without any answer, also of its question. */
function explainCopy(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { wanted: { shape }, context, question, reply } = attempt;
  if (isOtherShape(reply)) return null;
  const isEmpty = shape === "text" ? ownWords(reply, question).length === 0 : !isAnswered(attempt, items);
  const copy = copiesContext(attempt, items) ??
    (isEmpty ? findCopy(attempt, () => `${context()} ${question}`, 1) : null);
  if (!copy) return null;
  const why = `${copy.text.length} characters are copied from the prompt word for word`;
  return mode("context copied", why, [{ given: copy.text, depth: copy.depth }]);
}

/** Finds a stretch of the context instead of an answer; a sentence with its own item is none, nor is the value of another fact. */
function copiesContext(attempt: Attempt, items: readonly Item[]): Copy | null {
  const { wanted: { shape, rivals }, reply, spell } = attempt;
  if (shape === "text" && (givesPart(attempt) || rivals.has(spell(reply)))) return null;
  const copy = findCopy(attempt, attempt.context, MIN_SHARE);
  return copy !== null && items.some(({ text }) => copy.others.includes(text)) ? null : copy;
}

function explainMemory({ reply, closedBookAnswer }: Attempt): FailureMode | null {
  if (closedBookAnswer === undefined || plainWords(closedBookAnswer).length === 0) return null;
  if (answerMatch(reply, [closedBookAnswer]).exact !== true) return null;
  return mode("prior knowledge", "the same answer was given without the context", [{ given: reply }]);
}

/** A copied text; `depth`: the share of the prompt before it. */
interface Stretch {
  readonly text: string;
  readonly depth: number;
}

/** The longest copied stretch of a reply; `others`: the other text of its first sentences. */
type Copy = Stretch & { readonly others: string };

// The least length of a copied stretch, in words or, without spaces, characters, and its least share of the answer. Planted
// sentences and answers are shorter or are found earlier.
const MIN_WORDS = 8;
const MIN_CHARS = 16;
const MIN_SHARE = 0.6;

// The characters of a long reply that are compared.
const MAX_COMPARED = 2000;

/** Finds stretches of a source that make up most of a reply's first sentences; planted facts and answers are no copies. */
function findCopy(attempt: Attempt, source: () => string, leastShare: number): Copy | null {
  const { reply, rest, wanted: { isCounted, rivals, targets, examples } } = attempt;
  // A question that is repeated and not answered leaves no answer at all.
  const whole = oneLine(plainWords(reply).length === 0 ? rest : skipAnnounced(reply)).replace(QUOTING, "");
  const given = openingOf(whole).slice(0, MAX_COMPARED);
  const stretches = copiedStretches(given, source);
  const copied = sum(stretches, ({ text }) => text.length);
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

/** `read` returns the source; it is called only if the text is long enough, as normalising a long prompt takes time. */
function copiedStretches(text: string, read: () => string): Stretch[] {
  const stretches: Stretch[] = [];
  let source: string | undefined;
  for (let start = 0; start < text.length; start++) {
    if (start > 0 && text[start - 1] !== " " && !/\p{Script=Han}/u.test(text[start]!)) continue;
    const [least = null] = MIN_STRETCH.exec(text.slice(start)) ?? [];
    if (least === null) continue;
    source ??= read();
    const at = source.indexOf(least);
    if (at < 0) continue;
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

/** Whether a text repeats itself over at least half of its length, or only counts: more tokens would not complete its answer. */
export function isLooping(text: string): boolean {
  const isCount = text.trim() !== "" && trimMarks(blankListNumbers(text)) === "";
  return isCount || findLoop(text, MIN_ROUNDS) !== null;
}

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
