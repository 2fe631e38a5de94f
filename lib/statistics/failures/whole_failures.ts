import { type Attempt, skipAnnounced, type WantedAnswer } from "./attempt.ts";
import type { FailureMode } from "./failure_rows.ts";
import { isOtherShape, type Item, listItems } from "./items.ts";
import { givesPart, isEmptyProse, skipRestated } from "./traces.ts";
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
import { answerMatch } from "@/lib/scorers/mod.ts";

/** Classifies a reply that failed as a whole; `null` if it must be read item by item. */
export function explainWhole(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  return explainSilence(attempt) ?? explainLoop(attempt, items) ?? explainExample(attempt, items) ??
    explainCopy(attempt, items) ?? explainRefusal(attempt, items) ?? explainMemory(attempt);
}

/**
 * Whether a reply says anything that could be an answer; if not, all of it is judged. The question's own words are none, nor is
 * prose about something else; a number alone is one, if not of the form asked for.
 */
function isAnswered({ shape, reply, found, otherForm, question }: Attempt, items: readonly Item[]): boolean {
  if (found.length + otherForm.length > 0) return true;
  if (shape.kind !== "text") return items.length > 0 || /^\s*\d+\s*$/.test(reply);
  return ownWords(reply, question).length > 0 && !isEmptyProse(skipRestated(reply, question), question);
}

function explainSilence({ reply, rest, isCut, isFiltered, isExtracted }: Attempt): FailureMode | null {
  if (isExtracted || plainWords(`${reply} ${rest}`).length > 0) return null;
  if (isFiltered) {
    return {
      class: "refusal",
      why: "the provider's content filter stopped the reply before its first word",
      evidence: [],
    };
  }
  if (isCut) {
    return { class: "cut off", why: "the output limit was reached before the first word of an answer", evidence: [] };
  }
  return { class: "empty", why: reply === "" ? "the reply is empty" : "the reply is only punctuation", evidence: [] };
}

/** A reply that repeats itself before its first answer is complete. */
function explainLoop(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { reply, rest, shape, isCut } = attempt;
  if (!isAnswered(attempt, items)) {
    // A question that holds the answer is none without it, and a sentence of the text stands in place of an answer.
    if (isOtherShape(reply) || attempt.holds(rest) || copiesContext(attempt, items)) return null;
    const whole = `${reply}\n${rest}`;
    return loopMode(findLoop(whole, LEAST_ROUNDS) ?? findBeginnings(whole, attempt.question));
  }
  // More rounds than items asked for: giving the same answer for each item is not a loop.
  const least = isCut ? Math.max(LEAST_ROUNDS, shape.asked + 1) : Math.max(LEAST_ROUNDS + 1, shape.asked + 2);
  if (shape.kind === "text") {
    const sentence = firstSentence(reply);
    const [clause] = /^[^,，]*/.exec(sentence)!;
    // What comes after a clause that has answered is said of it.
    return loopMode(findLoop(afterLead(clause, attempt.question) === trimMarks(clause) ? sentence : clause, least));
  }
  return loopMode(findLoop(reply, least) ?? findListLoop(attempt, items));
}

function loopMode(loop: Loop | null): FailureMode | null {
  if (loop === null) return null;
  const { unit, rounds } = loop;
  return { class: "loop", why: `the same text is repeated ${rounds} times`, evidence: [{ said: unit, times: rounds }] };
}

/** What at least three sentences or lines of a text say: all the same, or the same beginning where the question has it. */
function findBeginnings(text: string, question: string): Loop | null {
  const beginnings = text.split(/[.!?。！？\n"“”]+/).map((part) => {
    const said = trimMarks(oneLine(part).replace(/^\d{1,3}[).、]?\s*/, ""));
    const start = /^\p{Script=Han}.{7}/u.exec(said)?.[0] ?? said.split(" ", LEAST_BEGUN).join(" ");
    return question.includes(start) ? start : said;
  }).filter((part) => part !== "").map((part, at, all) =>
    // What the output limit cut was begun again.
    at === all.length - 1 ? all.find((earlier) => earlier.startsWith(part)) ?? part : part
  );
  const [most] = [...Map.groupBy(beginnings, (part) => part)].sort(([, left], [, right]) => right.length - left.length);
  return most !== undefined && most[1].length >= LEAST_ROUNDS ? { unit: most[0], rounds: most[1].length } : null;
}

// The words by which two beginnings are the same.
const LEAST_BEGUN = 4;

/**
 * A list that goes on past the items asked for and says only what it said before, though not even half of them were given.
 * Where more were given, those decide.
 */
function findListLoop(attempt: Attempt, items: readonly Item[]): Loop | null {
  const { shape, rest, endedBy } = attempt;
  const said = new Set(items.map(({ text }) => text));
  if (shape.asked < 2 || items.length < shape.asked || 2 * said.size > shape.asked) return null;
  const again = endedBy === "the list again" ? listItems({ ...attempt, reply: rest }).map(({ text }) => text) : [];
  const end = again.findIndex((text) => !said.has(text));
  const given = items.length + (end < 0 ? again.length : end);
  if (given < shape.asked + LEAST_AGAIN) return null;
  return { unit: [...said].join(" "), rounds: Math.floor(given / said.size) };
}

function explainRefusal(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { reply, shape, found, otherForm, isFiltered } = attempt;
  if (found.length + otherForm.length > 0) return null;
  if (isFiltered) return { class: "refusal", why: "the provider's content filter stopped the reply", evidence: [] };
  const text = oneLine(reply);
  const refusal = findRefusal(text);
  if (!refusal || refusal.at > endOfOpening(text, shape, items)) return null;
  if (isCopied(sentenceAt(text, refusal.at), attempt)) return null;
  return { class: "refusal", why: "the reply says that it has no answer", evidence: [{ said: refusal.said }] };
}

function sentenceAt(text: string, at: number): string {
  const [before = ""] = text.slice(0, at).split(/[.!?。！？]/).slice(-1);
  return trimMarks(/^[^.!?。！？]*/.exec(text.slice(at - before.length))![0]);
}

/** Whether the prompt says this too, as in "Do not provide any explanation". */
function isCopied(sentence: string, { context, question }: Attempt): boolean {
  return question.includes(sentence) || context().includes(sentence);
}

/**
 * Where the opening of a reply ends: at its first item or, for plain text, after its second sentence. "The text holds no
 * other" after an answer is not a refusal.
 */
function endOfOpening(text: string, { kind }: WantedAnswer, [first]: readonly Item[]): number {
  if (kind === "text" || kind === "word") return /^(?:[^.!?。！？]*(?:[.!?。！？]+|$)){0,2}/.exec(text)![0].length;
  const at = first ? text.indexOf(first.text) : -1;
  return at < 0 ? Infinity : at;
}

/** At least half of the places of the first answer have the worked example's. */
function explainExample({ shape }: Attempt, items: readonly Item[]): FailureMode | null {
  const given = items.slice(0, shape.asked).map(({ text }) => text);
  const copied = given.filter((text) => shape.examples.has(text) && !shape.targets.has(text));
  // Of a list that is cut short, one item is too few.
  if (copied.length === 0 || 2 * copied.length < (copied.length > 1 ? given.length : shape.asked)) return null;
  const why = `${copied.length} of ${given.length} items are from the worked example`;
  return { class: "example copied", why, evidence: [...new Set(copied)].map((text) => ({ said: text })) };
}

/** In place of an answer a stretch of the prompt: of its text or, where no answer is given, also of its question. */
function explainCopy(attempt: Attempt, items: readonly Item[]): FailureMode | null {
  const { shape, context, question, reply } = attempt;
  if (isOtherShape(reply)) return null;
  const isEmpty = shape.kind === "text" ? ownWords(reply, question).length === 0 : !isAnswered(attempt, items);
  const copy = copiesContext(attempt, items) ?? (isEmpty ? findCopy(attempt, `${context()} ${question}`, 1) : null);
  if (!copy) return null;
  const { text, depth } = copy;
  const why = `${text.length} characters are copied from the prompt word for word`;
  return { class: "context copied", why, evidence: [{ said: text, depth }] };
}

/** The stretch of the text that stands in place of an answer; a sentence of the text with an item of its own is none. */
function copiesContext(attempt: Attempt, items: readonly Item[]): Copy | null {
  if (attempt.shape.kind === "text" && givesPart(attempt.reply, attempt)) return null;
  const copy = findCopy(attempt, attempt.context(), LEAST_SHARE);
  return copy !== null && items.some(({ text }) => copy.others.includes(text)) ? null : copy;
}

/** Whether a copied stretch says a planted fact, or the answer of the worked example: it is classified by that. */
function saysFact(copied: string, { shape }: Attempt): boolean {
  if (shape.isCounted) return false;
  return [...shape.rivals.keys(), ...shape.targets.keys(), ...shape.examples.keys()].some((said) =>
    copied.includes(said)
  );
}

function explainMemory({ reply, closedBookAnswer }: Attempt): FailureMode | null {
  if (closedBookAnswer === undefined || plainWords(closedBookAnswer).length === 0) return null;
  if (answerMatch(reply, [closedBookAnswer]).exact !== true) return null;
  return {
    class: "closed-book answer",
    why: "the same answer was given without the context",
    evidence: [{ said: reply }],
  };
}

interface Copy {
  /** The longest stretch. */
  readonly text: string;
  /** The share of the prompt before it. */
  readonly depth: number;
  /** What else the first sentences say. */
  readonly others: string;
}

// The least length of a copied stretch, in words or, in a text without spaces, characters, and its least share of the answer.
// Planted sentences and answers are shorter or are found earlier.
const LEAST_WORDS = 8;
const LEAST_CHARACTERS_COPIED = 16;
const LEAST_SHARE = 0.6;

// Of a longer text the beginning will do.
const MOST_COPIED = 2000;

/** Finds what a reply copies in place of an answer: stretches of a source that make up most of its first sentences. */
function findCopy(attempt: Attempt, source: string, leastShare: number): Copy | null {
  const { reply, rest } = attempt;
  // A question that is repeated and not answered leaves no answer at all.
  const whole = oneLine(plainWords(reply).length === 0 ? rest : skipAnnounced(reply)).replace(QUOTING, "");
  const said = openingOf(whole).slice(0, MOST_COPIED);
  // The question said again leads to what is said of it.
  const isRestated = (text: string): boolean => leastShare < 1 && ownWords(text, attempt.question).length === 0;
  const stretches = copiedStretches(said, source).filter(({ text }) => !isRestated(text));
  const copied = stretches.reduce((total, { text }) => total + text.length, 0);
  if (stretches.length === 0 || copied < Math.floor(leastShare * trimMarks(said).length)) return null;
  // The head of a counted list has some of the wanted words by chance.
  const isAnswer = !attempt.shape.isCounted && attempt.holdsOne(said);
  if (isAnswer || stretches.some(({ text }) => saysFact(text, attempt))) return null;
  const others = stretches.reduce((left, { text }) => left.replace(text, " "), said);
  const longest = stretches.reduce((most, stretch) => stretch.text.length > most.text.length ? stretch : most);
  return { ...longest, others };
}

/** What introduces a quotation. */
const QUOTING = /^[^.!?。！？:：]{0,60}[:：]\s*["“]/;

/** As many whole sentences as it takes to be as long as a copied stretch. */
function openingOf(text: string): string {
  const blank = blankListNumbers(text);
  const ends = Array.from(blank.matchAll(new RegExp(SENTENCE_END, "gu")), ({ index }) => index + 1);
  const [least = null] =
    new RegExp(`^(?:\\p{Script=Han}\\S{${LEAST_CHARACTERS_COPIED - 1}}|(?:\\S+ ){${LEAST_WORDS - 1}}\\S)`, "u").exec(
      text,
    ) ?? [];
  return text.slice(0, least === null ? text.length : ends.find((end) => end >= least.length) ?? text.length);
}

function copiedStretches(text: string, source: string): Omit<Copy, "others">[] {
  const stretches: Omit<Copy, "others">[] = [];
  for (let start = 0; start < text.length; start++) {
    if (start > 0 && text[start - 1] !== " " && !HAN.test(text[start]!)) continue;
    const least = leastStretch(text.slice(start));
    const at = least === null ? -1 : source.indexOf(least);
    if (least === null || at < 0) continue;
    let length = least.length;
    while (start + length < text.length && source[at + length] === text[start + length]) length++;
    stretches.push({ text: text.slice(start, start + length), depth: at / source.length });
    start += length - 1;
  }
  return stretches;
}

const HAN = /\p{Script=Han}/u;

/** The beginning of a text that is long enough to be no coincidence; `null` for a shorter text. */
function leastStretch(text: string): string | null {
  const [words] = new RegExp(`^(?:\\S+ ){${LEAST_WORDS - 1}}\\S+`).exec(text) ?? [];
  const [characters] = new RegExp(`^\\p{Script=Han}\\S{${LEAST_CHARACTERS_COPIED - 1}}`, "u").exec(text) ?? [];
  return characters ?? words ?? null;
}

// The fewest rounds of a loop that the output limit ended, or that says nothing else.
const LEAST_ROUNDS = 3;

// How many items past those asked for make a loop.
const LEAST_AGAIN = 2;

interface Loop {
  readonly unit: string;
  readonly rounds: number;
}

// The longest repeated unit, in words or characters.
const LONGEST_UNIT = 60;

// The most words or characters of a reply that are searched; a loop that starts later fills less than half of it.
const MOST_PIECES = 3000;

// The least length of a loop without spaces, in characters: a short word may repeat a syllable.
const LEAST_CHARACTERS = 24;

/**
 * Finds a loop that makes up at least half of a text: one word, or a row of words, over and over. The numbers of a numbered list
 * do not break it. A text without spaces is searched by character.
 */
function findLoop(text: string, least: number): Loop | null {
  const words = blankListNumbers(text).split(/\s+/, 2 * MOST_PIECES).map((word) => trimMarks(word).toLowerCase())
    .filter((word) => word !== "");
  const byWord = findPeriod(words.slice(0, MOST_PIECES), least);
  if (byWord) return { unit: byWord.unit.join(" "), rounds: byWord.rounds };
  const characters = [...text.replaceAll(/\s+/g, "")].slice(0, MOST_PIECES);
  const byCharacter = findPeriod(characters, least);
  if (!byCharacter || byCharacter.rounds * byCharacter.unit.length < LEAST_CHARACTERS) return null;
  return { unit: byCharacter.unit.join(""), rounds: byCharacter.rounds };
}

/** Finds the shortest row of pieces that repeats over at least half of them all. */
function findPeriod(
  pieces: readonly string[],
  least: number,
): { readonly unit: string[]; readonly rounds: number } | null {
  for (let period = 1; period <= Math.min(LONGEST_UNIT, pieces.length / least); period++) {
    let run = 0;
    let longest = 0;
    let end = 0;
    for (let at = period; at < pieces.length; at++) {
      run = pieces[at] === pieces[at - period] ? run + 1 : 0;
      if (run <= longest) continue;
      longest = run;
      end = at + 1;
    }
    const length = longest + period;
    const rounds = Math.floor(length / period);
    if (rounds >= least && 2 * length >= pieces.length) return { unit: pieces.slice(end - period, end), rounds };
  }
  return null;
}

// A few words between a verb and its object, within the sentence.
const FEW = "(?:[\\w']+,? ){0,4}";

/** English refusals. Compared in lower case with plain apostrophes. */
const ENGLISH: readonly RegExp[] = [
  // "I cannot find …", "unable to determine …", "I am not able to answer …"
  `\\b(?:cannot|can not|can't|could not|couldn't|unable to|not able to|not possible to|refrain from) ${FEW}(?:find|found|locate|answer|determine|determined|identify|provide|retrieve|say|state|tell|see|help|assist|comply|give|confirm|speculat\\w+|recall|access|complete|fulfill|extract)\\b`,
  // "the context does not mention …", "is not mentioned", "does not provide …"
  `\\b(?:do|does|did|is|are|was|were|has|have)(?: not|n't) ${FEW}(?:mention|contain|provide|include|specif|state|discuss|appear|reference|address|present|available|exist|found|enough|sufficient|know|see|given|listed|assigned)\\w*`,
  // "there is no mention of …", "no information", "no relevant documents", "no such key"
  `\\bno (?:clear |direct |specific |relevant |explicit |definitive |such |additional |special |magic )*(?:mention|information|answer|reference|record|indication|statement|details?|context|evidence|document|text|variables?|numbers?|words?|uuids?|values?|keys?)\\b`,
  `\\b(?:insufficient|not enough|without (?:more|any|additional|further)) ${FEW}(?:information|context|details?|data)\\b`,
  `\\b(?:not|never|nowhere) (?:explicitly |directly |specifically |clearly )?(?:mentioned|provided|specified|stated|found|given|available|listed|present|included)\\b`,
  // "As an AI language model …"
  `\\bas an ai\\b`,
  // The whole reply is "Unknown", "N/A", "None", "Not sure"
  `^\\W*(?:the answer is )?(?:unknown|unanswerable|n/?a|none|nothing|no answer|no idea|not sure|unclear|undetermined)\\W*$`,
].map((pattern) => new RegExp(pattern));

const CHINESE: readonly RegExp[] = [
  /(?:无法|不能|没法|難以|难以|無法)[^，。；！？\n]{0,8}(?:回答|确定|找到|提供|得知|判断|给出|识别|知道|推断|確定|回覆|回复|协助|帮助)/,
  /(?:没有|没|未|并未|并没有|未能|沒有|並未)[^，。；！？\n]{0,8}(?:提到|提及|找到|包含|说明|给出|提供|出现|记录|相关|涉及|明确|信息|答案|提過|說明)/,
  /不(?:知道|清楚|确定|詳|详)/,
  /(?:信息|資訊|内容|资料|上下文)不(?:足|够|夠)/,
  /(?:抱歉|对不起|很遗憾|對不起)[^。！？\n]{0,20}(?:无法|不能|没有|未|無法|沒有)/,
];

/**
 * Finds the first refusal in a text and its place: the context does not have the answer, it cannot be found, or the model
 * will not say it.
 */
function findRefusal(text: string): { readonly said: string; readonly at: number } | null {
  const matches = [...ENGLISH, ...CHINESE].map((pattern) => pattern.exec(text)).filter((match) => match !== null);
  const [first] = matches.sort((left, right) => left.index - right.index);
  return first ? { said: first[0], at: first.index } : null;
}
