import { blankListNumbers } from "./loops.ts";
import { once } from "@/lib/base/mod.ts";
import type { FailedOutcome, FailedSample } from "./failure_rows.ts";
import { type Fact, lastText, promptText } from "@/lib/generators/mod.ts";
import {
  type AnswerEnd,
  type AnswerRule,
  type AnswerShape,
  cleanPrediction,
  findAll,
  firstAnswer,
  FRAMING_WORDS,
  shapeOf,
} from "@/lib/scorers/mod.ts";

/** What a sample asks for and offers, normalised. */
interface Asked {
  readonly sample: FailedSample;
  /** The form of one answer, which decides what counts as an item of a reply. */
  readonly shape: AnswerShape;
  /** The right answers; any one will do if `count` is 1. */
  readonly answers: readonly string[];
  readonly count: number;
  /** Wrong answers in the context, each with its fact if it has one. */
  readonly rivals: ReadonlyMap<string, Fact | null>;
  readonly others: () => readonly { readonly fact: Fact; readonly text: string }[];
  readonly examples: ReadonlySet<string>;
  /** The keys of the facts, which a reply may repeat before a value. */
  readonly keys: ReadonlySet<string>;
  readonly steps: ReadonlySet<string>;
  /** Whether an answer is right because it is frequent in the context. */
  readonly isCounted: boolean;
  /** The line of the question with the answer prefix. */
  readonly question: string;
  /** The prompt up to the question, as one line. */
  readonly context: () => string;
  /** The context's last numbered list; the whole context without one. */
  readonly listed: () => string;
  readonly normalise: (text: string) => string;
}

/** A reply with what it gives. */
export interface Given extends Asked {
  /** The whole reply, cleaned as RULER does. */
  readonly whole: string;
  readonly reply: string;
  /** Whether the scorer found an answer of its form. */
  readonly isExtracted: boolean;
  /** The items of the first answer; none in plain text. */
  readonly items: readonly string[];
  /** The items of the reply as far as it begins its list again. */
  readonly itemsAgain: readonly string[];
  readonly found: readonly string[];
  readonly missing: readonly string[];
  /** Whether the output limit ended the first answer. */
  readonly isCut: boolean;
  readonly isFiltered: boolean;
  readonly closedBookAnswer: string | undefined;
}

function readAsked(sample: FailedSample, rule: AnswerRule): Asked {
  const normalise = (text: string): string => rule.normalise?.(spell(text)) ?? spell(text);
  const { facts, distractors = [], prompt } = sample;
  // Only a judge needs a question among the references.
  const plain = sample.references.filter((reference) => !/[?？]$/.test(reference));
  const references = [...new Set(plain.length > 0 ? plain : sample.references)];
  const answers = references.map(normalise);
  const ofRole = (...roles: readonly Fact["role"][]): Fact[] => facts.filter(({ role }) => roles.includes(role));
  const targets = ofRole("target");
  const targetKeys = new Set(targets.map(({ key }) => normalise(key)));
  const isKey = targets.length > 0 && answers.every((answer) => targetKeys.has(answer));
  const isCounted = isKey && targets.every(({ depth, value }) => depth === null && /^\d+$/.test(value));
  const answerOf = ({ key, value }: Fact): string => normalise(isKey ? key : value);
  const rivals = new Map<string, Fact | null>(distractors.map((distractor) => [normalise(distractor), null]));
  for (const fact of ofRole("distractor", "noise")) rivals.set(answerOf(fact), fact);
  for (const none of ["", ...answers]) rivals.delete(none);
  const shown = ofRole("example");
  const most = Math.max(...shown.map(({ value }) => Number(value)));
  const isAny = rule.contains === "any";
  const shape = shapeOf(sample.references, rule);
  const text = promptText(prompt);
  const last = lastText(prompt);
  const asks = text.length - last.length + last.lastIndexOf("\n") + 1;
  const context = once(() => oneLine(text.slice(0, Math.max(0, asks - 1))));
  return {
    sample,
    // Any one of several answers is read as plain text.
    shape: isAny && shape !== "UUID" ? "text" : shape,
    answers,
    count: isAny ? 1 : answers.length,
    rivals,
    others: once(() => ofRole("distractor", "noise").map((fact) => ({ fact, text: spell(fact.text) }))),
    // Of counted words, the most frequent are the answers of a worked example.
    examples: new Set(shown.filter(({ value }) => !isCounted || Number(value) === most).map(answerOf)),
    keys: isKey ? new Set() : new Set(facts.map(({ key }) => normalise(key))),
    steps: new Set(targets.map(answerOf).filter((step) => !answers.some((answer) => answer.includes(step)))),
    isCounted,
    question: oneLine(`${text.slice(asks)}${prompt.answerPrefix ?? ""}`),
    context,
    listed: once(() => context().slice(Math.max(context().lastIndexOf(" 1. "), 0))),
    normalise,
  };
}

export function readGiven(
  sample: FailedSample,
  { rule, closedBookAnswer }: FailedOutcome,
  answer: Extract<FailedOutcome["reply"], { readonly kind: "answer" }>,
): Given {
  const asked = readAsked(sample, rule);
  const { shape, answers, normalise } = asked;
  const { finishReason, completionTokens = 0 } = answer;
  const whole = cleanPrediction(answer.text.slice(0, MAX_CHARS));
  const { text, rest, endedBy } = firstAnswer(whole, sample.references, rule);
  const reply = cleanPrediction(text);
  const spelled = ` ${oneLine(normalise(reply))} `;
  const items = shape === "text" ? [] : listItems(reply, asked);
  const found = answers.filter((each) => items.includes(each) || holdsWords(spelled, oneLine(each)));
  const isAtLimit = finishReason === "length" || finishReason === "unknown" && completionTokens >= sample.answerRoom;
  return {
    ...asked,
    whole,
    reply,
    isExtracted: typeof rule.extract?.(whole) === "string",
    items,
    itemsAgain: endedBy !== null && AGAIN.includes(endedBy) ? listItems(whole, asked) : items,
    found,
    missing: answers.filter((each) => !found.includes(each)),
    isCut: rest.trim() === "" && isAtLimit,
    isFiltered: finishReason === "content_filter",
    closedBookAnswer,
  };
}

const AGAIN: readonly AnswerEnd[] = ["the list again", "a repeated line"];

/** The characters of a reply that are read; an endless reply repeats itself long before. */
const MAX_CHARS = 20_000;

/** Runs of letters and digits, joined by hyphens, apostrophes and points as in 2.5; Chinese characters are apart from others. */
const TOKEN =
  /\p{Script=Han}+|[[\p{L}\p{N}\p{M}_]--\p{Script=Han}]+(?:(?:[\-'’]|\.(?=\d))[[\p{L}\p{N}\p{M}_]--\p{Script=Han}]+)*/gv;

/** What a token of a shape looks like. */
const SHAPES: Readonly<Record<Exclude<AnswerShape, "text" | object>, RegExp>> = {
  number: /^\d+(?:\.\d+)?$/,
  UUID: /^(?=.*\d)[\da-f][\da-f-]{3,}$/i,
  variable: /^(?!VAR$)[A-Z]{3,}$/,
  code: /^(?=.*\d)(?=.*\p{L})[\p{L}\d]{4,}$/u,
  "word pair": /\p{L}-\p{L}/u,
  word: /^\p{L}[\p{L}\p{M}'’-]*$/u,
};

/** Returns the items of a text: the tokens of the form asked for, and those that the sample knows. */
function listItems(reply: string, asked: Asked): string[] {
  const { shape, normalise, keys, rivals, examples, steps, answers } = asked;
  const text = blankListNumbers(reply).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const isKnown = (token: string): boolean =>
    rivals.has(token) || examples.has(token) || steps.has(token) || answers.includes(token);
  if (typeof shape === "object") return Array.from(text.matchAll(findAll(shape)), ([item]) => normalise(item));
  const isItem = (token: string): boolean => shape !== "text" && SHAPES[shape].test(token);
  const pieces = shape === "word" ? text.split(/[,;:、，\n•*]|\s{2}/) : [text];
  const items = pieces.flatMap((piece) => {
    const tokens = piece.match(TOKEN) ?? [];
    // A word alone between marks is an item; among others, the words that frame an answer are not.
    const isAlone = shape !== "word" || tokens.length === 1;
    const isOwn = (token: string): boolean => isAlone || token.length > 1 && !FRAMING_WORDS.has(spell(token));
    return tokens.filter((token) => isKnown(normalise(token)) || isItem(token) && isOwn(token)).map(normalise);
  });
  const values = items.filter((item) => !keys.has(item) || isKnown(item));
  return values.length > 0 ? values : items;
}

/** Normalises text for comparison: lower case, one kind of hyphen and apostrophe, compatible forms as one. */
export function spell(text: string): string {
  // Prompts of a million ASCII characters are frequent, and need nothing else.
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7F]*$/.test(text)) return text.toLowerCase().trim();
  return text.normalize("NFKC").replaceAll(/\p{Cf}/gu, "").replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .toLowerCase().replaceAll(/[‘’ʼ]/g, "'").trim();
}

/** {@linkcode spell} with every run of white space as one space. */
export function oneLine(text: string): string {
  return spell(text).replaceAll(/\s+/g, " ");
}

/** Whether a text contains another at word boundaries; scripts without spaces have none. */
export function holdsWords(text: string, part: string): boolean {
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

/** Returns the words of a text that the question lacks and that frame no answer; in Chinese, stretches between marks. */
export function ownWords(text: string, question: string): string[] {
  const asked = new Set(wordsOf(question));
  return wordsOf(text).filter((word) =>
    !asked.has(word) && !FRAMING_WORDS.has(word) && !(/\p{Script=Han}/u.test(word) && question.includes(word))
  );
}

/** Returns the words of a text without marks: runs of letters and digits in lower case. */
export function wordsOf(text: string): string[] {
  return spell(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
