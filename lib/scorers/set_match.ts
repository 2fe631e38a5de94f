import { splitText } from "./_python_text.ts";
import { FRAMING_WORDS } from "./reply_kind.ts";
import { cleanPrediction, type Score } from "./string_match.ts";

/** Options for {@linkcode setMatch}. */
export interface SetMatchOptions {
  /**
   * Items that count neither for nor against a reply, such as the keys that the question names and the reply may repeat.
   *
   * @default {[]}
   */
  readonly ignore?: readonly string[];
}

/** A score that counts what is wrong as well as what is right. */
export interface SetScore extends Score {
  /** The share of the reply's different items that are wanted, in [0, 1]; `null` where it has none. */
  readonly precision: number | null;
  /** The share of the references that the reply gives, in [0, 1]; `null` where there are none. */
  readonly recall: number | null;
  /** The references that the reply gives. */
  readonly found: readonly string[];
  /** The references that it leaves out. */
  readonly missing: readonly string[];
  /** Items of the same kind that are not wanted, each once. */
  readonly extra: readonly string[];
  /** How many of its items the reply had given before. */
  readonly repeats: number;
}

/**
 * Scores a reply as a set of items: F1 of precision and recall, so that listing every candidate cannot win.
 *
 * What counts as an item follows from the references. Numbers, variable names and coded words: whole ones of the
 * references' length. UUIDs and `adjective-noun` pairs: every one. Words: every word that is not plain framing ("the most
 * common words are"). A reference inside a longer number or word is not found. Case does not matter, except that variable
 * names are looked for in upper case first.
 *
 * @param reply What a model wrote; it is cleaned as RULER does.
 * @param references The right answers, all of them wanted; equal ones count once.
 * @param options What to ignore.
 * @returns F1, in [0, 1], with what it is made of; `null` where there are no references.
 *
 * @example One right, one wrong, one missing
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const score = setMatch("1234567 and 1111111", ["1234567", "7654321"]);
 * equal(score.value, 0.5);
 * deepEqual(score.extra, ["1111111"]);
 * ```
 */
export function setMatch(reply: string, references: readonly string[], options: SetMatchOptions = {}): SetScore {
  const answer = cleanPrediction(reply);
  const kind = kindOf(references);
  const wanted = new Set(references.map((reference) => spell(reference, kind)));
  const ignored = new Set((options.ignore ?? []).map((item) => spell(item, kind)).filter((item) => !wanted.has(item)));
  const items = references.length === 0 ? [] : findItems(answer, references).filter((item) => !ignored.has(item));
  const given = new Set(items);
  const found = [...wanted].filter((item) => given.has(item));
  const missing = [...wanted].filter((item) => !given.has(item));
  const extra = [...given].filter((item) => !wanted.has(item));
  const sets = { found, missing, extra, repeats: items.length - given.size };
  if (wanted.size === 0) {
    const why = "nothing to score: there are no references";
    return { value: null, answer, why, precision: null, recall: null, ...sets };
  }
  return {
    // F1 = 2PR / (P + R), with P = found / given and R = found / wanted.
    value: 2 * found.length / (given.size + wanted.size),
    answer,
    why: answer === "" ? "no answer" : explain(sets),
    precision: given.size === 0 ? null : found.length / given.size,
    recall: found.length / wanted.size,
    ...sets,
  };
}

function explain(
  { found, missing, extra, repeats }: Pick<SetScore, "found" | "missing" | "extra" | "repeats">,
): string {
  return [
    `found ${found.length} of ${found.length + missing.length}${found.length > 0 ? `: ${found.join(", ")}` : ""}`,
    ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
    ...(extra.length > 0 ? [`extra: ${shorten(extra)}`] : []),
    ...(repeats > 0 ? [`repeated: ${repeats}`] : []),
  ].join("; ");
}

/** The most extras that `why` names; a reply can hold thousands. */
const NAMED = 10;

function shorten(items: readonly string[]): string {
  const rest = items.length - NAMED;
  return items.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** What the references of a task are, which decides what in a reply counts as an item. */
type ItemKind = "number" | "uuid" | "name" | "pair" | "coded word" | "word";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** What a set of references is made of, from the strictest kind to the loosest. */
function kindOf(references: readonly string[]): ItemKind {
  const all = (pattern: RegExp): boolean => references.every((reference) => pattern.test(reference));
  if (all(/^\d+$/)) return "number";
  if (all(new RegExp(`^${UUID.source}$`, "i"))) return "uuid";
  if (all(/^[A-Z]{3,}$/)) return "name";
  if (all(/^\p{L}+(?:['’-]\p{L}+)*-\p{L}+$/u)) return "pair";
  // Words drawn from English lists are hardly ever all of six letters.
  if (all(/^[a-z]{6}$/)) return "coded word";
  return "word";
}

/** Finds every item of a kind in a reply, in its order, in the spelling that is compared. */
function findItems(reply: string, references: readonly string[]): string[] {
  const kind = kindOf(references);
  const wanted = new Set(references.map((reference) => spell(reference, kind)));
  const sizes = new Set(references.map((reference) => reference.length));
  const items = listAll(reply, kind, sizes).map((item) => spell(item, kind));
  const isOfKind: Readonly<Record<ItemKind, (item: string) => boolean>> = {
    number: (item) => sizes.has(item.length),
    uuid: () => true,
    name: (item) => sizes.has(item.length),
    pair: () => true,
    "coded word": (item) => sizes.has(item.length) && !FRAMING_WORDS.has(item),
    word: (item) => !FRAMING_WORDS.has(item),
  };
  return items.filter((item) => wanted.has(item) || isOfKind[kind](item));
}

/** Returns the spelling in which items of a kind are compared. */
function spell(item: string, kind: ItemKind): string {
  return kind === "name" ? item.toUpperCase() : item.trim().toLowerCase().replaceAll(/[’ʼ]/g, "'");
}

function listAll(reply: string, kind: ItemKind, sizes: ReadonlySet<number>): string[] {
  // Typographic hyphens are the same hyphen; the numbers of a numbered list are not items.
  const text = reply.replaceAll(/[\u2010\u2011]/g, "-").replaceAll(/^[ \t]*\d{1,3}[.)、]/gm, " ");
  const find = (pattern: RegExp): string[] => text.match(pattern) ?? [];
  switch (kind) {
    case "number":
      // Whole numbers only: neither a stretch of a longer number nor a side of a decimal point.
      return find(/(?<!\d)(?<!\d\.)\d+(?!\d)(?!\.\d)/g);
    case "uuid":
      return find(new RegExp(`(?<![0-9a-z])${UUID.source}(?![0-9a-z])`, "gi"));
    case "name": {
      const names = find(/(?<![A-Za-z0-9_])[A-Z]+(?![A-Za-z0-9_])/g);
      // A reply all in lower case still names variables, and then any of its words can be one.
      return names.some((name) => sizes.has(name.length)) ? names : find(/(?<![A-Za-z0-9_])[A-Za-z]+(?![A-Za-z0-9_])/g);
    }
    case "pair":
      return findWords(text).filter((word) => word.includes("-"));
    case "coded word":
      return find(/(?<![A-Za-z0-9_])[A-Za-z]+(?![A-Za-z0-9_])/g);
    case "word":
      return findWords(text);
  }
}

function findWords(text: string): string[] {
  return text.match(/[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu) ?? [];
}

/** How well a reply gives a short answer, and nothing else. */
export interface AnswerScore extends Score {
  /** Whether the reply is one of the accepted answers, word for word, once both are normalised. */
  readonly exact: boolean | null;
}

/**
 * Scores a reply to a question by the words it shares with the nearest accepted answer: F1 of its words.
 *
 * Rajpurkar et al., SQuAD (2016), section 6.1 and evaluate-v1.1.py: lower case, ASCII punctuation and the articles a, an
 * and the left out, words counted as often as they stand. A reply that copies a document shares every word and still
 * scores low, as it says much else.
 *
 * @param reply What a model wrote; it is cleaned as RULER does.
 * @param references The accepted answers; the nearest counts.
 * @returns The greatest F1, in [0, 1], and whether a reply equals an answer; `null` where there are no references.
 *
 * @example Two of three words, and one too many
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const score = answerMatch("The Denver Broncos won.", ["Denver Broncos", "Broncos"]);
 * equal(score.value, 0.8);
 * equal(score.exact, false);
 * ```
 */
export function answerMatch(reply: string, references: readonly string[]): AnswerScore {
  const answer = cleanPrediction(reply);
  if (references.length === 0) {
    return { value: null, answer, why: "nothing to score: there are no references", exact: null };
  }
  const words = normalise(answer);
  let best = { value: -1, reference: "" };
  let exact = false;
  for (const reference of references) {
    const accepted = normalise(reference);
    const value = shareWords(words, accepted);
    if (value > best.value) best = { value, reference };
    exact ||= words.join(" ") === accepted.join(" ");
  }
  const why = `${exact ? "the words" : `F1 ${best.value.toFixed(2)} with the words`} of ${best.reference}`;
  return { value: best.value, answer, why: answer === "" ? "no answer" : why, exact };
}

/** The characters of Python's `string.punctuation`. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** The articles, as whole words of Python's kind: letters, numerals and the low line, in any script. */
const ARTICLES = /(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu;

function normalise(text: string): string[] {
  return splitText(text.toLowerCase().replaceAll(PUNCTUATION, "").replaceAll(ARTICLES, " "));
}

/** F1 of two bags of words; where one is empty, 1 if both are. */
function shareWords(words: readonly string[], accepted: readonly string[]): number {
  if (words.length === 0 || accepted.length === 0) return words.length === accepted.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of accepted) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  return 2 * shared / (words.length + accepted.length);
}
