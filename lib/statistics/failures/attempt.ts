import type { FailedOutcome, FailedSample } from "./failure_rows.ts";
import type { Fact } from "@/lib/generators/mod.ts";
import { cleanPrediction, FRAMING_WORDS } from "@/lib/scorers/mod.ts";

/** An answer with its sample, parsed without judging it. */
export interface Attempt {
  readonly sample: FailedSample;
  readonly shape: AnswerShape;
  /** The reply, cleaned as RULER does. */
  readonly reply: string;
  /** The answers in it. */
  readonly found: readonly string[];
  /** The answers in it in another form only. */
  readonly otherForm: readonly string[];
  /** The answers not in it, in the order wanted. */
  readonly missing: readonly string[];
  /** Whether the output limit ended it. */
  readonly isCut: boolean;
  /** Whether the provider's filter ended it. */
  readonly isFiltered: boolean;
  /** The model's answer without any context. */
  readonly closedBookAnswer: string | undefined;
  /** The prompt up to the line of the question, normalised for comparison. */
  readonly context: () => string;
  /** How often each word occurs in the list or text whose words are counted. */
  readonly counts: () => ReadonlyMap<string, number>;
  /** The line of the question, normalised for comparison. */
  readonly question: string;
}

/** Parses an answer; `null` for a failed call. */
export function readAttempt(sample: FailedSample, outcome: FailedOutcome): Attempt | null {
  const { reply: answer, scoring, closedBookAnswer } = outcome;
  if (answer.kind === "failure") return null;
  const { finishReason, completionTokens = 0 } = answer;
  const reply = cleanPrediction(answer.text);
  const shape = readShape(sample, scoring);
  const wanted = [...new Set(sample.references.map(spell))];
  const said = spell(reply);
  const [found, lacking] = part(wanted, (text) => said.includes(text));
  const [otherForm, missing] = part(lacking, (text) => holdsOtherForm(reply, text));
  const { user } = sample.prompt;
  const end = user.lastIndexOf("\n");
  let spelled: string | undefined;
  let counted: ReadonlyMap<string, number> | undefined;
  const context = (): string => spelled ??= spell(user.slice(0, Math.max(0, end)));
  return {
    sample,
    shape,
    reply,
    found,
    otherForm,
    missing,
    isCut: finishReason === "length" || finishReason === "unknown" && completionTokens >= sample.answerRoom,
    isFiltered: finishReason === "content_filter",
    closedBookAnswer,
    context,
    counts: () => counted ??= countWords(context()),
    question: spell(user.slice(end + 1)),
  };
}

export function part(texts: readonly string[], holds: (text: string) => boolean): [string[], string[]] {
  return [texts.filter(holds), texts.filter((text) => !holds(text))];
}

/**
 * What the answers of a sample consist of, which decides what counts as an item in a reply; as strict as the references allow.
 */
type AnswerKind = "uuid" | "number" | "name" | "pair" | "word" | "text";

/** How to understand a reply to a sample: from its references and the roles of its facts, whatever its task. */
export interface AnswerShape {
  readonly kind: AnswerKind;
  /** How many items are asked for; 1 if any one of the references will do. */
  readonly asked: number;
  /** The fact of each wanted answer, by its normalised text. */
  readonly targets: ReadonlyMap<string, Fact>;
  /** The facts that could be given instead, by their normalised text; `null` for a wrong answer that is no fact. */
  readonly rivals: ReadonlyMap<string, Fact | null>;
  /** The facts of the worked example, by their normalised text. */
  readonly examples: ReadonlyMap<string, Fact>;
  /** What the facts are about, if their values are the answers; a reply may repeat it. */
  readonly keys: ReadonlySet<string>;
  /** The answers in the order of their chain; empty if they form none. */
  readonly chain: readonly string[];
  /** Intermediate values on the way to an answer, with their step, from 0. */
  readonly links: ReadonlyMap<string, number>;
  /** Whether an answer is right because it is the most frequent in the context. */
  readonly isCounted: boolean;
  /** The possible lengths of an item, in characters. */
  readonly sizes: ReadonlySet<number>;
}

function readShape(sample: FailedSample, scoring: string): AnswerShape {
  const { facts, references, distractors = [] } = sample;
  const ofRole = (...roles: readonly Fact["role"][]): Fact[] => facts.filter(({ role }) => roles.includes(role));
  const targets = ofRole("target");
  const keys = new Set(targets.map(({ key }) => spell(key)));
  const isKey = targets.length > 0 && references.every((reference) => keys.has(spell(reference)));
  const answerOf = (fact: Fact): string => spell(isKey ? fact.key : fact.value);
  const index = (some: readonly Fact[]): Map<string, Fact> =>
    new Map(
      some.toReversed().map((fact): [string, Fact] => [answerOf(fact), fact]).filter(([answer]) => answer !== ""),
    );
  const chain = isKey ? readChain(targets) : [];
  const wanted = new Set(references.map(spell));
  const targetOf = index(targets);
  const rivals = new Map<string, Fact | null>(index(ofRole("distractor", "noise")));
  for (const distractor of distractors) if (!rivals.has(spell(distractor))) rivals.set(spell(distractor), null);
  for (const reference of wanted) rivals.delete(reference);
  const examples = index(ofRole("example"));
  return {
    kind: kindOf(references, scoring),
    asked: scoring === "any" ? 1 : wanted.size,
    targets: new Map([...wanted].flatMap((answer) => targetOf.has(answer) ? [[answer, targetOf.get(answer)!]] : [])),
    rivals,
    examples,
    keys: isKey ? new Set() : new Set(facts.map(({ key }) => spell(key))),
    chain: chain.map(answerOf),
    links: new Map(
      targets.filter((fact) => !wanted.has(answerOf(fact))).map((fact) => [answerOf(fact), countSteps(fact, targets)]),
    ),
    isCounted: isKey && chain.length === 0 &&
      targets.every(({ depth, value }) => depth === null && /^\d+$/.test(value)),
    sizes: new Set([...wanted, ...rivals.keys(), ...examples.keys()].map((answer) => answer.length)),
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function kindOf(references: readonly string[], scoring: string): AnswerKind {
  const all = (pattern: RegExp): boolean => references.length > 0 && references.every((answer) => pattern.test(answer));
  if (all(UUID)) return "uuid";
  if (scoring === "any") return "text";
  if (all(/^\d+$/)) return "number";
  if (all(/^[A-Z]{3,}$/)) return "name";
  if (all(/^[a-z]+(?:['’-][a-z]+)*-[a-z]+$/i)) return "pair";
  return all(/^[a-z]+(?:['’][a-z]+)*$/i) ? "word" : "text";
}

/**
 * Whether a reply has an answer in another form: with separators or spaces inside ("1,234,567", "A B C D E"), without its
 * hyphens, with or without accents. The answer must start and end at word boundaries.
 */
function holdsOtherForm(reply: string, answer: string): boolean {
  const wanted = plainWords(answer).join("");
  // The letters of shorter answers can occur by chance.
  if (wanted.length < 4) return false;
  const words = plainWords(reply);
  return words.some((_, start) => {
    let joined = "";
    for (let at = start; at < words.length && joined.length < wanted.length; at++) joined += words[at];
    return joined === wanted;
  });
}

/**
 * Counts the words of the context's last numbered list or, without one, of the whole context, instructions included.
 */
function countWords(context: string): Map<string, number> {
  const list = Math.max(context.lastIndexOf("\n1. "), context.startsWith("1. ") ? 0 : -1);
  const counts = new Map<string, number>();
  for (const [word] of context.slice(Math.max(0, list)).matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** An item of the kind asked for, or a part of one. */
export interface Item {
  /** Normalised. */
  readonly text: string;
  /** Whether only marks come after it. */
  readonly isLast: boolean;
}

/** Finds the items of a reply, in its order; a plain-text answer is not split into items. */
export function listItems(attempt: Attempt): Item[] {
  const { shape, reply } = attempt;
  if (shape.kind === "text") return [];
  const text = reply.replaceAll(/[\u2010\u2011]/g, "-");
  const matches = FINDERS[shape.kind](text, attempt);
  const end = endOfWords(text);
  const items = matches.map(({ 0: match, index }): Item => ({
    text: spell(shape.kind === "number" ? match.replaceAll(",", "") : match),
    isLast: index + match.length >= end,
  }));
  const answers = dropKeys(items, attempt);
  return answers.length > shape.asked ? dropRestated(answers) : answers;
}

type Match = Pick<RegExpExecArray, 0 | "index">;

const FINDERS: Readonly<Record<Exclude<AnswerKind, "text">, (text: string, attempt: Attempt) => Match[]>> = {
  uuid: (text) =>
    [...text.matchAll(/(?<![0-9a-z])[0-9a-f]{2,}(?:-[0-9a-f]+)*-?(?![0-9a-z])/gi)]
      .filter(([match]) => match.length >= 8 || /\d/.test(match) && match.length >= 4),
  number(text, { shape, missing }): Match[] {
    const least = Math.min(3, ...shape.sizes);
    // The numbers of a numbered list are not items.
    const matches = blankListNumbers(text).matchAll(/(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)|\d+/g);
    return [...matches].filter(([match]) => match.length >= least || isPieceOf(match, missing));
  },
  name(text, { shape, missing }): Match[] {
    const named = [...text.matchAll(/(?<![A-Za-z0-9_])[A-Z]{2,}(?![A-Za-z0-9_])/g)].filter(([match]) =>
      match !== "VAR" && (shape.sizes.has(match.length) || isPieceOf(match, missing))
    );
    if (named.length > 0) return named;
    // A reply in lower case can name variables too, but its other words are not names.
    const isKnown = (name: string): boolean => [shape.targets, shape.rivals, shape.examples].some((of) => of.has(name));
    return [...text.matchAll(/(?<![A-Za-z0-9_])[a-z]{3,}(?![A-Za-z0-9_])/g)].filter(([match]) => isKnown(match));
  },
  pair: (text, { missing }) =>
    [...text.matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*-?/gu)]
      .filter(([match]) => match.includes("-") || isPieceOf(match, missing)),
  word: (text, attempt) => listWords(text, attempt),
};

function isPieceOf(match: string, missing: readonly string[]): boolean {
  return missing.some((answer) => pieceShare(spell(match), answer) !== null);
}

/** Drops what the facts are about if something else is said too, as in "the number for calm-river is 1234567". */
function dropKeys(items: readonly Item[], { shape }: Attempt): Item[] {
  const isAnswer = ({ text }: Item): boolean =>
    !shape.keys.has(text) || [shape.targets, shape.rivals].some((of) => of.has(text)) || shape.links.has(text);
  const answers = items.filter(isAnswer);
  return answers.length > 0 ? answers : [...items];
}

/** Drops the repetition of a whole list, as in "A and B. So the answer is A and B". */
function dropRestated(items: readonly Item[]): Item[] {
  for (let size = 2; size <= items.length / 2; size++) {
    if (items.length % size !== 0 || new Set(items.slice(0, size).map(({ text }) => text)).size < 2) continue;
    if (items.every(({ text }, at) => text === items[at % size]!.text)) return items.slice(-size);
  }
  return [...items];
}

/** Finds the numbers of a numbered list: those that count from 1 without a gap. */
function findListNumbers(text: string): Match[] {
  const numbers: Match[] = [];
  for (const match of text.matchAll(/(?<![^\s(*_])(\d{1,3})[.)、:](?=\s*[^\s.,;:!?])/g)) {
    if (Number(match[1]) === numbers.length + 1) numbers.push(match);
  }
  return numbers;
}

/** Replaces the numbers of a numbered list by spaces. */
export function blankListNumbers(text: string): string {
  let blank = text;
  for (const { 0: number, index } of findListNumbers(text)) {
    blank = blank.slice(0, index) + " ".repeat(number.length) + blank.slice(index + number.length);
  }
  return blank;
}

/**
 * Finds the words that a reply lists, without its framing words.
 *
 * A numbered item is the first word after its number ("1. apple (30 times)"). In other lists a stretch between two marks is an
 * item if it is one or two words, or has no framing word. In a longer stretch those words count that occur in the context, that
 * follow "are" or "be" at its end, or that start it right after another item.
 */
function listWords(text: string, attempt: Attempt): Match[] {
  const numbers = findListNumbers(text);
  return numbers.length >= 2 || numbers[0]?.index === 0 ? listNumbered(text, numbers) : listPlain(text, attempt);
}

function listNumbered(text: string, numbers: readonly Match[]): Match[] {
  return numbers.flatMap(({ 0: number, index }, at) => {
    const start = index + number.length;
    const [first, second, third] = wordsOf(text.slice(start, numbers[at + 1]?.index ?? text.length), start);
    const isArticle = first !== undefined && /^(?:an?|the)$/i.test(first[0]);
    const word = isArticle && second && !third ? second : first;
    return word ? [word] : [];
  });
}

function listPlain(text: string, { shape, counts }: Attempt): Match[] {
  const isKnown = (word: string): boolean => shape.examples.has(word) || counts().has(word);
  const isFraming = ({ 0: word }: Match): boolean => FRAMING_WORDS.has(spell(word));
  const items: Match[] = [];
  for (const { 0: stretch, index } of text.matchAll(/[^,;:.!?\n•*"“”()]+/g)) {
    const all = wordsOf(stretch, index);
    const words = all.length > 1 && /^(?:and|or)$/i.test(all[0]![0]) ? all.slice(1) : all;
    const bare = words.filter((word) => !isFraming(word));
    const goesOn = items.length > 0 && text[index - 1] === ",";
    if (words.length === 1) items.push(...(bare.length === 1 || FREQUENT_WORDS.has(spell(words[0]![0])) ? words : []));
    else if (words.length === 2 || bare.length === words.length) items.push(...bare);
    else {
      const isPlaced = (word: Match): boolean =>
        word === words[0] && goesOn || word === words.at(-1) && /^(?:are|is|be|were)$/i.test(words.at(-2)![0]);
      items.push(...bare.filter((word) => isKnown(spell(word[0])) || isPlaced(word)));
    }
  }
  return items;
}

function wordsOf(text: string, start: number): Match[] {
  return Array.from(text.matchAll(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu), ({ 0: word, index }) => ({
    0: word,
    index: start + index,
  }));
}

/** Puts variables in the order of their chain: each gets its value from the one before it. */
function readChain(facts: readonly Fact[]): Fact[] {
  const sourceOf = (fact: Fact): Fact | undefined => facts.find(({ key }) => key === fact.value);
  const sources = new Set(facts.map(sourceOf));
  const ends = facts.filter((fact) => !sources.has(fact));
  const chain: Fact[] = [];
  for (let fact = ends[0]; fact && !chain.includes(fact); fact = sourceOf(fact)) chain.push(fact);
  return ends.length === 1 && chain.length === facts.length && chain.length >= 2 ? chain.reverse() : [];
}

/** Counts the steps from a fact through others, each of which says the key of the next. */
function countSteps(fact: Fact, facts: readonly Fact[]): number {
  let steps = 0;
  for (let at: Fact | undefined = fact; at && steps <= facts.length; steps++) {
    const { key }: Fact = at;
    at = facts.find(({ value }) => value === key);
  }
  return steps - 1;
}

/**
 * Words that a model says when it answers from English and not from a list: the hundred most common words of the Oxford
 * English Corpus (Oxford University Press, 2006, by dictionary form), and the inflected forms among the fifty most common of
 * Google Books (Norvig, "English letter frequency counts: Mayzner revisited", 2012).
 */
export const FREQUENT_WORDS: ReadonlySet<string> = new Set(
  `the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she
   or an will my one all would there their what so up out if about who get which go me when make can like time
   no just him know take people into year your good some could them see other than then now look only come its
   over think also back after use two how our work first well way even new want because any these give day most us
   is was are were has had been more`.split(/\s+/),
);

// The least share of an answer that counts as a part of it, at its start and elsewhere.
const LEAST_HEAD = 0.25;
const LEAST_PIECE = 0.5;

// The least number of equal characters at one end of two codes that is no coincidence.
const LEAST_COMMON = 6;

/**
 * The share of an answer that a text gives: its start, its end, a stretch of it, or all of it but some wrong characters at one
 * end.
 */
export function pieceShare(text: string, answer: string): number | null {
  if (text === answer || text.length < 2) return null;
  const share = text.length / answer.length;
  if (answer.startsWith(text)) return share >= LEAST_HEAD ? share : null;
  if (answer.includes(text)) return share >= LEAST_PIECE ? share : null;
  if (!/\d/.test(answer) || text.length > answer.length + 2) return null;
  const common = Math.max(commonStart(text, answer), commonStart(reverse(text), reverse(answer)));
  return common >= LEAST_COMMON ? common / answer.length : null;
}

function commonStart(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}

/** Normalises text for comparison: lower case, one kind of hyphen and apostrophe, compatible forms as one. */
export function spell(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/[\u2010-\u2015\u2212]/g, "-").replaceAll(/[‘’ʼ]/g, "'")
    .trim();
}

/** The place after the last letter or digit of a text. */
function endOfWords(text: string): number {
  // A loop, as a regular expression takes quadratic time on mostly punctuation.
  let end = text.length;
  while (end > 0 && !isLetter(text, end - 1)) end--;
  return end;
}

/** Trims everything but letters and digits from both ends. */
export function trimMarks(text: string): string {
  const end = endOfWords(text);
  let start = 0;
  while (start < end && !isLetter(text, start)) start++;
  return text.slice(start, end);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Half of a surrogate pair counts as a letter's.
  return code >= 0xd800 && code <= 0xdfff || /[\p{L}\p{N}\p{M}]/u.test(text[at]!);
}

/** The words of a text without marks and accents: runs of letters and digits in lower case. */
export function plainWords(text: string): string[] {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
