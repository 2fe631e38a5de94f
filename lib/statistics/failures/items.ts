import {
  afterLead,
  type Attempt,
  blankListNumbers,
  endOfWords,
  findListNumbers,
  firstSentence,
  foldForms,
  FREQUENT_WORDS,
  MIXED_WORD,
  oneLine,
  ownWords,
  spell,
  trimMarks,
  WORD,
} from "./attempt.ts";
import type { FailureClass, FailureEvidence } from "./failure_rows.ts";
import type { Fact } from "@/lib/generators/mod.ts";
import { type AnswerPattern, type AnswerShape, editMatch, findAll, FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/** An item of a reply: an answer of the form asked for, or a part of one. */
export interface Item {
  readonly text: string;
  /** Whether only marks come after it. */
  readonly isLast: boolean;
  /** Whether the sentence or list around it still ran at the reply's end. */
  readonly isOpen: boolean;
  /** Its number among the items of its line, from 0, if other lines have the same words; else 0. */
  readonly place: number;
}

/** An item and its place in the reply. */
type Placed = Item & Readonly<Record<"index" | "end", number>>;

/** Finds the items of a reply, in its order; a plain-text answer is not split into items. */
export function listItems(attempt: Attempt): Item[] {
  const { wanted: { shape, asked }, reply } = attempt;
  if (shape === "text") return [];
  const text = foldForms(reply);
  const matches = typeof shape === "object" ? findPattern(text, shape, attempt) : FINDERS[shape](text, attempt);
  const last = endOfWords(text);
  const lastBreak = [...text.matchAll(/[.!?。！？][\s"”'’)\]]+\p{L}/gu)].at(-1)?.index ?? -1;
  const places = placesInLines(text, matches);
  const items = matches.map(({ 0: match, index }, at): Placed => {
    const end = index + match.length;
    const bare = shape === "number" ? match.replaceAll(",", "") : match;
    return { text: attempt.spell(bare), isLast: end >= last, isOpen: end > lastBreak, place: places[at]!, index, end };
  });
  return dropRepeatedSentence(dropKeys(items, text, attempt), blankListNumbers(text), asked);
}

/** Numbers the items within each line whose words repeat another line's: 0 and 1 for repetitions of "It counted 5, no, 6". */
function placesInLines(text: string, matches: readonly Match[]): number[] {
  const formOf = (line: string): string => line.replaceAll(/\d+/g, "0");
  const lines = text.split("\n");
  const forms = Map.groupBy(lines, formOf);
  const places: number[] = [];
  let end = 0;
  for (const line of lines) {
    end += line.length + 1;
    const isForm = forms.get(formOf(line))!.length > 1;
    for (let place = 0; places.length < matches.length && matches[places.length]!.index < end; place++) {
      places.push(isForm ? place : 0);
    }
  }
  return places;
}

type Match = Pick<RegExpExecArray, 0 | "index">;

const FINDERS: Readonly<Record<Exclude<AnswerShape, "text" | AnswerPattern>, (text: string, of: Attempt) => Match[]>> =
  {
    UUID(text, { wanted: { targets, examples, keys } }): Match[] {
      const found = [...text.matchAll(/(?<![0-9a-z])[0-9a-f]{2,}(?:-[0-9a-f]+)*-?(?![0-9a-z])/gi)]
        .filter(([match]) => match.length >= 8 || /\d/.test(match) && match.length >= 4);
      if (!/^[^[]*\{\s*"/.test(text.slice(0, found[0]?.index))) return found;
      // Of an object the values count, if one of them is a right answer, the example's, or a key.
      const values = found.filter(({ index }) => /:\s*"$/.test(text.slice(0, index).slice(-10)));
      return values.some(({ 0: match }) => [targets, examples, keys].some((of) => of.has(spell(match)))) ? values : [];
    },
    number(text, { wanted: { sizes }, missing }): Match[] {
      const least = Math.min(3, ...sizes);
      if (isOtherShape(text)) return [];
      // Numbers of a numbered list or within a code are not items; a sign or decimals make another number.
      const bare = blankListNumbers(text).replaceAll(CODES, (code) => " ".repeat(code.length));
      const matches = bare.matchAll(
        /(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)|(?<=^|[^\S\n]|[([{,:;"=])-\d+(?:\.\d+)?|\d+(?:\.\d+)?/g,
      );
      return [...matches].filter(([match]) => match.length >= least || isPieceOf(match, missing));
    },
    code: (text, { wanted: { sizes }, missing }) =>
      [...text.matchAll(/(?<![A-Za-z\d])[A-Za-z\d]{2,}/g)].filter(([match]) =>
        match.search(CODES) === 0 || /\d/.test(match) && sizes.has(match.length) || isPieceOf(match, missing)
      ),
    variable(text, { wanted: { sizes, targets, rivals, examples }, missing }): Match[] {
      const named = [...text.matchAll(/(?<![A-Za-z0-9_])[A-Z]{2,}(?![A-Za-z0-9_])/g)].filter(([match]) =>
        match !== "VAR" && (sizes.has(match.length) || isPieceOf(match, missing))
      );
      if (named.length > 0) return named;
      // In lower case only known variables count, as any word could be one.
      return [...text.matchAll(/(?<![A-Za-z0-9_])[a-z]{3,}(?![A-Za-z0-9_])/g)]
        .filter(([match]) => [targets, rivals, examples].some((of) => of.has(match)));
    },
    "word pair": (text, { missing }) =>
      [...text.matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*-?/gu)]
        .filter(([match]) => match.includes("-") || isPieceOf(match, missing)),
    // Letters can number a list as well.
    word: (text, attempt) => listWords(text.replaceAll(/(?<!\S)[a-z][.)](?=\s)/gi, " ,"), attempt),
  };

const CODES = new RegExp(MIXED_WORD, "g");

/** Finds answers of a scorer's own pattern, and words that are a piece of a missing one. */
function findPattern(text: string, shape: AnswerPattern, { missing }: Attempt): Match[] {
  const found = [...text.matchAll(findAll(shape))];
  const isInside = (index: number): boolean =>
    found.some((match) => index >= match.index && index < match.index + match[0].length);
  const pieces = [...text.matchAll(/[\p{L}\p{N}]{2,}/gu)].filter(({ 0: word, index }) =>
    !isInside(index) && isPieceOf(word, missing)
  );
  return [...found, ...pieces].sort((left, right) => left.index - right.index);
}

/** Whether a text is JSON of another shape: a list of objects instead of values. */
export function isOtherShape(text: string): boolean {
  return /\[\s*\{\s*["']/.test(text);
}

function isPieceOf(match: string, missing: readonly string[]): boolean {
  return missing.some((answer) => pieceShare(spell(match), answer) !== null);
}

/**
 * Drops keys that lead to a value, as in "the number for calm-river is 1234567". A key between the marks of a list, or at the
 * end of a line, was given instead of a value.
 */
function dropKeys(items: readonly Placed[], text: string, { wanted }: Attempt): Placed[] {
  const { keys, targets, rivals, links } = wanted;
  const isKey = ({ text }: Item): boolean => keys.has(text) && ![targets, rivals, links].some((of) => of.has(text));
  // Words after the last key of a line can be its value in another form.
  const leadsOn = /^[^\n]*?(?:\b(?:is|are)\b|[:：=是])\s*["'“]?[\p{L}\d]/u.test(text.slice(items.at(-1)?.end ?? 0));
  return items.filter((item, at) => {
    if (!isKey(item)) return true;
    const next = items.findIndex((other, place) => place > at && !isKey(other));
    if (next < 0) return !leadsOn;
    const gap = text.slice(items[next - 1]!.end, items[next]!.index);
    return /^["'”’]*\s*[,，、;]/.test(gap) || /[\]}\n]/.test(gap) && !/[:：=]/.test(gap);
  });
}

/** Drops a further sentence without a new item, as in "It is A and B. The answer is A and B". */
function dropRepeatedSentence(items: readonly Placed[], text: string, asked: number): Item[] {
  const texts = items.map((item) => item.text);
  const given = new Set(texts);
  const lastNew = Math.max(...Array.from(given, (each) => texts.indexOf(each)));
  const again = items.findIndex(({ index }, at) => {
    if (at <= lastNew) return false;
    // The marks of a list end no sentence.
    const gap = text.slice(items[at - 1]!.end, index)
      .replaceAll(/(?<!\s)(?=[^\S\n]*\n)\s+(?:[-*•+]|\d{1,3}[.)])/g, " ");
    if (!/[.!?。\n]/.test(gap) || !/\p{L}{2}/u.test(gap)) return false;
    // On its own line it can be one more item of the list.
    return !gap.includes("\n") || at >= asked || new Set(texts.slice(at)).size === given.size;
  });
  return again < 0 ? [...items] : items.slice(0, again);
}

/**
 * Finds the words that a reply lists.
 *
 * A numbered item is the first word after its number ("1. apple (30 times)"). In other lists, words between two marks are items
 * if they do not frame an answer. Of more than two words with framing ones, only words of the context are, and a word after
 * "are" or "be" at the end or, after another item, at the start.
 */
function listWords(text: string, { wanted: { examples }, listed }: Attempt): Match[] {
  const numbers = findListNumbers(text);
  if (numbers.length >= 2 || numbers[0]?.index === 0) {
    return numbers.flatMap(({ 0: number, index }, at) => {
      const start = index + number.length;
      return wordsOf(text.slice(start, numbers[at + 1]?.index ?? text.length), start).slice(0, 1);
    });
  }
  const items: Match[] = [];
  for (const { 0: stretch, index } of text.matchAll(/[^,;:.!?\n•*"“”()]+/g)) {
    const all = wordsOf(stretch, index);
    const words = all.length > 1 && /^(?:and|or)$/i.test(all[0]![0]) ? all.slice(1) : all;
    const bare = words.filter(({ 0: word }) => !FRAMING_WORDS.has(spell(word)));
    const isNext = items.length > 0 && text[index - 1] === ",";
    const isNamed = /^(?:are|is|be|were)$/i.test(words.at(-2)?.[0] ?? "");
    if (words.length === 1 && FREQUENT_WORDS.has(spell(words[0]![0]))) items.push(...words);
    else if (words.length <= 2 || bare.length === words.length) items.push(...bare);
    else {
      items.push(...bare.filter((word) =>
        examples.has(spell(word[0])) || holdsWords(listed(), spell(word[0])) ||
        isNext && word === words[0] || isNamed && word === words.at(-1)
      ));
    }
  }
  return items;
}

function wordsOf(text: string, start: number): Match[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ 0: word, index: start + index }));
}

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
  if (shape === "word" && isCounted && holdsWords(attempt.listed(), given)) return { class: "distractor", given };
  if (shape === "word" && FREQUENT_WORDS.has(given)) return { class: "prior knowledge", given };
  if (missing.some((answer) => slipShare(given, answer) !== null)) return { class: "not in context", given };
  const share = Math.max(0, ...missing.map((answer) => pieceShare(given, answer) ?? 0));
  return share > 0 ? { class: "partial value", given, share } : traceText(given, attempt);
}

function traceRival(given: string, rival: string, attempt: Attempt): Trace {
  const { rivals, isCounted } = attempt.wanted;
  const fact = rivals.get(rival);
  const distance = !fact || isCounted ? {} : measureDistance(fact, attempt, [...rivals.values()]);
  return { class: "distractor", given, ...(fact ? { key: fact.key } : {}), ...distance };
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
