import type { FailedOutcome, FailedSample } from "./failure_rows.ts";
import { type Fact, lastText, promptText } from "@/lib/generators/mod.ts";
import {
  type AnswerEnd,
  type AnswerRule,
  type AnswerShape,
  cleanPrediction,
  type FirstAnswer,
  firstAnswer,
  FRAMING_WORDS,
  shapeOf,
} from "@/lib/scorers/mod.ts";

/** A reply with its sample, parsed but not judged. */
export interface Attempt {
  readonly sample: FailedSample;
  readonly wanted: WantedAnswers;
  /** Normalises an answer for comparison. */
  readonly spell: (text: string) => string;
  /** Whether the scorer found an answer of its form in the reply. */
  readonly isExtracted: boolean;
  /** The first answer of the reply, cleaned as RULER does. */
  readonly reply: string;
  /** The text after the first answer. */
  readonly rest: string;
  readonly endedBy: AnswerEnd | null;
  /** The right answers in the first answer. */
  readonly found: readonly string[];
  /** The right answers in it in another form only. */
  readonly otherForm: readonly string[];
  /** The right answers not in it, in the order wanted. */
  readonly missing: readonly string[];
  /** Whether a text has all right answers, in any form. */
  readonly holds: (text: string) => boolean;
  readonly holdsOne: (text: string) => boolean;
  /** Whether the output limit ended the first answer. */
  readonly isCut: boolean;
  /** Whether the provider's filter ended the reply. */
  readonly isFiltered: boolean;
  readonly closedBookAnswer: string | undefined;
  /** The prompt up to the line of the question, normalised, as one line. */
  readonly context: () => string;
  /** The context's last numbered list; the whole context without one. */
  readonly listed: () => string;
  /** The line of the question with the answer prefix, normalised. */
  readonly question: string;
}

/** The right answers of a sample and the wrong ones that it offers, all normalised. */
export interface WantedAnswers {
  /** The form of one answer, which decides what counts as an item of a reply. */
  readonly shape: AnswerShape;
  /** The number of items asked for; 1 if any one of the references will do. */
  readonly asked: number;
  /** The right answers, each with its fact. */
  readonly targets: ReadonlyMap<string, Fact>;
  /** Wrong answers in the context, each with its fact if it has one. */
  readonly rivals: ReadonlyMap<string, Fact | null>;
  /** The answers of the worked example. */
  readonly examples: ReadonlySet<string>;
  /** The keys of the facts, if their values are the answers; a reply may repeat a key. */
  readonly keys: ReadonlySet<string>;
  /** Values on the way to an answer. */
  readonly links: ReadonlySet<string>;
  /** Whether an answer is right because it is the most frequent in the context. */
  readonly isCounted: boolean;
  /** The possible lengths of an item, in characters. */
  readonly sizes: ReadonlySet<number>;
}

/** The characters of a reply that are read; an endless reply repeats itself long before. */
const MAX_CHARS = 20_000;

/** The parts of an attempt that all replies to a sample share. */
export type Asked = Pick<Attempt, "sample" | "wanted" | "spell" | "context" | "listed" | "question">;

/** Reads a sample for its attempts. */
export function readAsked(sample: FailedSample, rule: AnswerRule): Asked {
  const normalise = (text: string): string => rule.normalise?.(spell(text)) ?? spell(text);
  const { answerPrefix = "" } = sample.prompt;
  const [prompt, last] = [promptText(sample.prompt), lastText(sample.prompt)];
  const asks = prompt.length - last.length + last.lastIndexOf("\n") + 1;
  const context = once(() => oneLine(prompt.slice(0, Math.max(0, asks - 1))));
  return {
    sample,
    wanted: readWanted(sample, rule, normalise),
    spell: normalise,
    context,
    // From 0 without a list.
    listed: once(() => context().slice(Math.max(context().lastIndexOf(" 1. "), 0))),
    question: oneLine(`${prompt.slice(asks)}${answerPrefix}`),
  };
}

/** Parses a reply to a sample that is read by the same rule; `null` for a failed call. */
export function readAttempt(
  sample: FailedSample,
  outcome: FailedOutcome,
  asked: Asked = readAsked(sample, outcome.rule),
): Attempt | null {
  const { reply: answer, rule, closedBookAnswer } = outcome;
  if (answer.kind === "failure") return null;
  const { finishReason, completionTokens = 0 } = answer;
  const { wanted, spell: normalise } = asked;
  const whole = cleanPrediction(answer.text.slice(0, MAX_CHARS));
  const { text, rest, endedBy } = readFirst(whole, { sample, rule, wanted });
  const reply = cleanPrediction(text);
  const answers = rightAnswers(sample).map(normalise);
  const isOther = (given: string, answer: string): boolean =>
    holdsOtherForm(given, answer) || wanted.shape === "text" && holdsOtherWords(given, answer, sample);
  const gives = (given: string, answer: string): boolean =>
    holdsAnswer(normalise(given), answer) || isOther(given, answer);
  const lacking = answers.filter((each) => !holdsAnswer(normalise(reply), each));
  const otherForm = lacking.filter((each) => isOther(reply, each));
  return {
    ...asked,
    isExtracted: typeof rule.extract?.(whole) === "string",
    reply,
    rest,
    endedBy,
    found: answers.filter((each) => !lacking.includes(each)),
    otherForm,
    missing: lacking.filter((each) => !otherForm.includes(each)),
    holds: (given) => answers.every((each) => gives(given, each)),
    holdsOne: (given) => answers.some((each) => gives(given, each)),
    isCut: rest.trim() === "" &&
      (finishReason === "length" || finishReason === "unknown" && completionTokens >= sample.answerRoom),
    isFiltered: finishReason === "content_filter",
    closedBookAnswer,
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => made ??= make();
}

function readFirst(
  whole: string,
  { sample: { references }, rule, wanted }: Pick<Attempt, "sample" | "wanted"> & { readonly rule: AnswerRule },
): FirstAnswer {
  if (rule.extract !== undefined) return firstAnswer(whole, references, rule);
  return wanted.shape === "text"
    ? readPlain(firstAnswer(skipAnnounced(whole), references, rule), skipAnnounced(whole))
    : readList(firstAnswer(whole, references, rule), wanted);
}

/** Skips the lines at the start of a text that only announce an answer. */
export function skipAnnounced(text: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) =>
    line.trim() !== "" && (/[?？.!。！]/.test(line) || !/[:：][\s"”'’]*$/.test(line))
  );
  return start < 0 ? text : lines.slice(start).join("\n");
}

/** Takes the first item of a numbered list, as one answer is asked for; questions, the last of them cut, are no answer. */
function readPlain(first: FirstAnswer, whole: string): FirstAnswer {
  const { text, rest, endedBy } = first;
  const bare = (line: string): string => line.trim().replace(/^\d{1,3}[.)、]\s*/, "");
  const before = whole.slice(0, whole.lastIndexOf(bare(text))).split("\n");
  if (endedBy === null && bare(text) !== "" && before.some((line) => bare(line).startsWith(bare(text)))) {
    return { text: "", rest: whole, endedBy: "a new question" };
  }
  const end = text.search(/(?<!\s)[^\S\n]*\n\s*2[.)、]/);
  const item = text.slice(0, Math.max(0, end)).replace(/^\s*1[.)、]/, "");
  if (!/^\s*1[.)、]/.test(text) || !/\p{L}/u.test(item)) return first;
  if (/[?？]/.test(item)) return { text: "", rest: `${text}${rest}`, endedBy: "a new question" };
  return { text: item, rest: `${text.slice(end)}${rest}`, endedBy: "the next line" };
}

/**
 * Keeps the lines of a list that repeat an item, and the start of a line that the output limit cut. A number alone on its line
 * is the answer if one is asked for.
 */
function readList(first: FirstAnswer, { asked, shape }: Pick<WantedAnswers, "asked" | "shape">): FirstAnswer {
  const { text, rest, endedBy } = first;
  const [, number, others] = /^(\s*\d+)\n([^]*)$/.exec(text) ?? [];
  if (asked === 1 && number !== undefined) return { text: number, rest: `${others}${rest}`, endedBy: "the next line" };
  const both = `${text}\n${rest}`;
  // An item that is also the next number, as in "1. 3", begins no second list.
  const isAgain = endedBy === "the list again" && shape === "number";
  if (isAgain && findListNumbers(both).length > findListNumbers(text).length) {
    return { text: both, rest: "", endedBy: null };
  }
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const formOf = (line: string): string => line.trim().replaceAll(/\d+/g, "0");
  const formOfRest = formOf(rest);
  if (asked > 1 && formOfRest !== "" && lines.some((line) => formOf(line).startsWith(formOfRest))) {
    return { text: both, rest: "", endedBy: null };
  }
  if (endedBy !== "a repeated line" || asked < 2) return first;
  const isList = LIST_LINE.test(lines.at(-1)!);
  // Without list marks, lines of one item each are a list, as in "It counted 7" over and over.
  if (!isList && lines.some((line) => (line.match(/\d+/g) ?? []).length !== 1)) return first;
  const more = rest.split("\n");
  const isItem = (line: string): boolean =>
    line.trim() === "" || (isList ? LIST_LINE.test(line) : lines.some((each) => each.startsWith(line.trim())));
  const count = more.findIndex((line) => !isItem(line));
  const end = count < 0 ? more.length : count;
  return { text: [text, ...more.slice(0, end)].join("\n"), rest: more.slice(end).join("\n"), endedBy };
}

const LIST_LINE = /^\s*(?:[-*•+]|\d{1,3}[.)])/;

// Shorter numbers occur inside others by chance.
const MIN_INSIDE = 5;

function holdsAnswer(given: string, answer: string): boolean {
  // The letters of a short word occur in others by chance.
  if (/^\p{L}{1,3}$/u.test(answer) && !HAN.test(answer)) {
    const letter = "[[\\p{L}\\p{N}]--\\p{Script=Han}]";
    return new RegExp(`(?<!${letter})${answer}(?!${letter})`, "v").test(given);
  }
  if (!/^\d+$/.test(answer) || answer.length >= MIN_INSIDE) return given.includes(answer);
  return new RegExp(`(?<![\\d.]|(?<!\\d)-)${answer}(?!\\d)`).test(given);
}

/** Returns the references without questions, which only a judge needs. */
function rightAnswers({ references }: FailedSample): readonly string[] {
  const answers = references.filter((reference) => !/[?？]$/.test(reference));
  return [...new Set(answers.length > 0 ? answers : references)];
}

function readWanted(sample: FailedSample, rule: AnswerRule, spell: (text: string) => string): WantedAnswers {
  const { facts, references, distractors = [] } = sample;
  const ofRole = (...roles: readonly Fact["role"][]): Fact[] => facts.filter(({ role }) => roles.includes(role));
  const targets = ofRole("target");
  const targetKeys = new Set(targets.map(({ key }) => spell(key)));
  const isKey = targets.length > 0 && references.every((reference) => targetKeys.has(spell(reference)));
  const answerOf = (fact: Fact): string => spell(isKey ? fact.key : fact.value);
  const index = (some: readonly Fact[]): Map<string, Fact> =>
    new Map(some.toReversed().map((fact) => [answerOf(fact), fact] as const).filter(([answer]) => answer !== ""));
  const answers = new Set(rightAnswers(sample).map(spell));
  const targetOf = index(targets);
  const rivals = new Map<string, Fact | null>([
    ...distractors.map((distractor) => [spell(distractor), null] as const),
    ...index(ofRole("distractor", "noise")),
  ]);
  for (const answer of answers) rivals.delete(answer);
  const isCounted = isKey && targets.every(({ depth, value }) => depth === null && /^\d+$/.test(value));
  const shown = ofRole("example");
  const most = Math.max(...shown.map(({ value }) => Number(value)));
  // Of counted words, the most frequent are the answers of a worked example.
  const examples = new Set(index(shown.filter(({ value }) => !isCounted || Number(value) === most)).keys());
  const shape = shapeOf(references, rule);
  const isAny = rule.contains === "any";
  return {
    // Any one of several answers is read as plain text.
    shape: isAny && shape !== "UUID" ? "text" : shape,
    asked: isAny ? 1 : answers.size,
    targets: new Map([...targetOf].filter(([answer]) => answers.has(answer))),
    rivals,
    examples,
    keys: isKey ? new Set() : new Set(facts.map(({ key }) => spell(key))),
    links: new Set([...targetOf.keys()].filter((answer) => !answers.has(answer))),
    isCounted,
    sizes: new Set([...answers, ...rivals.keys(), ...examples].map((answer) => answer.length)),
  };
}

/** Whether a reply has an answer with separators or spaces inside, without its hyphens, or with other accents. */
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

/** Whether a reply has the values of the targets in another sentence, or all of an answer beyond the question's words. */
function holdsOtherWords(reply: string, answer: string, { facts, prompt }: FailedSample): boolean {
  const given = oneLine(reply);
  const values = facts.filter(({ role }) => role === "target").map(({ value }) => oneLine(value));
  const bare = values.map((value) => value.replace(/^(?:an?|the) /, ""));
  if (bare.length > 0 && !values.includes(oneLine(answer)) && bare.every((value) => value && given.includes(value))) {
    return true;
  }
  const [question = ""] = lastText(prompt).split("\n").slice(-1);
  const core = oneLine(afterLead(answer, question));
  return core.split(" ").length >= MIN_RESTATED && given.includes(core);
}

// The least number of words in the part of an answer that the question lacks.
const MIN_RESTATED = 3;

/**
 * Words of an answer from English and not from a list: the hundred most common words of the Oxford
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

/** Normalises text for comparison: lower case, one kind of hyphen and apostrophe, compatible forms as one. */
export function spell(text: string): string {
  // Prompts of a million ASCII characters are frequent, and need nothing else.
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7F]*$/.test(text)) return text.toLowerCase().trim();
  return foldForms(text).toLowerCase().replaceAll(/[‘’ʼ]/g, "'").trim();
}

/** Writes the forms of a character as one: digits of any script, kinds of hyphen, and no characters without width. */
export function foldForms(text: string): string {
  return text.normalize("NFKC").replaceAll(/\p{Cf}/gu, "").replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0)!)));
}

/** The digits of a script follow one another from 0, and no other script's come directly before them. */
function digitValue(code: number): number {
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value % 10;
}

/** {@linkcode spell} with every run of white space as one space. */
export function oneLine(text: string): string {
  return spell(text).replaceAll(/\s+/g, " ");
}

/** Returns the place after the last letter or digit of a text. */
export function endOfWords(text: string): number {
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

/** The pattern source of a word of digits and letters, such as "e2f38cfd5e"; none of its digits is a number. */
export const MIXED_WORD = String.raw`(?<![A-Za-z\d])(?=[A-Za-z\d]*?(?:[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d))[A-Za-z\d]+`;

/** Returns the words of a text without marks and accents: runs of letters and digits in lower case. */
export function plainWords(text: string): string[] {
  return foldForms(text).normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the words of a text that the question lacks and that frame no answer; in Chinese, stretches between marks. */
export function ownWords(text: string, question: string): string[] {
  const asked = new Set(plainWords(question));
  return plainWords(text).filter((word) =>
    !asked.has(word) && !FRAMING_WORDS.has(word) && !(HAN.test(word) && question.includes(word))
  );
}

const HAN = /\p{Script=Han}/u;

/** Finds the numbers of a numbered list, which count from 1 without a gap. */
export function findListNumbers(text: string): RegExpExecArray[] {
  const numbers: RegExpExecArray[] = [];
  for (const match of text.matchAll(/(?<![^\s(*_])(\d{1,3})(?:[.)、:](?=\s*[^\s.,;:!?])|[.)]?\s*$)/g)) {
    // A number at the end belongs to the list if that has begun.
    const isEnd = match.index + match[0].length === text.length;
    if (Number(match[1]) === numbers.length + 1 && (!isEnd || numbers.length > 1)) numbers.push(match);
  }
  return numbers;
}

/** Replaces the numbers of a numbered list by spaces. */
export function blankListNumbers(text: string): string {
  let [blank, end] = ["", 0];
  for (const { 0: number, index } of findListNumbers(text)) {
    blank += text.slice(end, index) + " ".repeat(number.length);
    end = index + number.length;
  }
  return blank + text.slice(end);
}

/** A word of letters, with apostrophes and hyphens inside. */
export const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;

/** Returns the first sentence of a text. */
export function firstSentence(text: string): string {
  return new RegExp(`^.*?${SENTENCE_END}`, "su").exec(blankListNumbers(text))?.[0] ?? text;
}

// The mark that ends a sentence before another; "12." is a number of a list.
export const SENTENCE_END = '(?<!(?<!\\d)\\d{1,3})[.!?。！？](?=[\\s"”*]*\\p{L})';

/**
 * Returns a sentence without its repetition of the question and without an article: the text after its last "is", or all of it if
 * the text before that has no word of the question.
 */
export function afterLead(sentence: string, question: string): string {
  // No lead goes over the end of a line; to look for one would take long.
  const [, lead = "", given = sentence] = /[\n\r\u2028\u2029]/.test(sentence)
    ? []
    : /^(.{0,1000}(?:\b(?:is|was|are|were|called|named)\b|就是|[是为叫]))[\s:：，,"“]*(?=[\p{L}\p{N}])(.*)$/iu.exec(
      sentence,
    ) ?? [];
  return trimMarks((namesAsked(lead, question) ? given : sentence).replace(/^(?:an?|the) /i, ""));
}

/** Whether a text has a content word of a question, or four of its characters in Chinese. */
export function namesAsked(text: string, question: string): boolean {
  const [asked] = /^[^?？]*/.exec(question)!;
  const words = plainWords(asked).filter((word) => word.length >= MIN_CONTENT && !FRAMING_WORDS.has(word));
  const stretches = Array.from(spell(text).matchAll(/(?=(\p{Script=Han}{4}))/gu), ([, stretch]) => stretch!);
  const given = new Set(plainWords(text));
  return words.some((word) => given.has(word)) || stretches.some((each) => asked.includes(each));
}

// The least letters of a content word.
const MIN_CONTENT = 4;
