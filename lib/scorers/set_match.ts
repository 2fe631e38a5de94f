import { FRAMING_WORDS } from "./reply_words.ts";
import { cleanPrediction, splitText } from "./python_text.ts";
import { nothingToScore } from "./reference_parts.ts";
import { shapeOf } from "./first_answer.ts";
import type { Score } from "./scorer.ts";

/** A score that counts wrong items as well as right ones. */
export interface SetScore extends Score {
  /** The references in the reply. */
  readonly found: readonly string[];
  readonly missing: readonly string[];
  /** Items of the same form that are not references, each once. */
  readonly extra: readonly string[];
  /** The number of repeated items. */
  readonly repeats: number;
}

/**
 * Scores a reply as a set of items: F1 of precision and recall, so that listing every candidate costs points.
 *
 * The form of the references defines an item. Numbers, variables and coded words: whole ones of the references' length. UUIDs
 * and `adjective-noun` pairs: all of them. Words: all but {@linkcode FRAMING_WORDS}. A reference inside a longer number or
 * word is not found. Case is ignored, except that variables are searched in upper case first.
 *
 * @param reply The reply of a model; it is cleaned as RULER does.
 * @param references The right answers; equal ones count once.
 * @returns F1, in [0, 1], and its parts; `null` if there are no references.
 */
export function setMatch(reply: string, references: readonly string[]): SetScore {
  const answer = cleanPrediction(reply);
  const kind = kindOf(references);
  const wanted = new Set(references.map((reference) => spell(reference, kind)));
  const items = wanted.size === 0 ? [] : findItems(answer, kind, wanted);
  const given = new Set(items);
  const found = [...wanted].filter((item) => given.has(item));
  const missing = [...wanted].filter((item) => !given.has(item));
  const extra = [...given].filter((item) => !wanted.has(item));
  const sets = { found, missing, extra, repeats: items.length - given.size };
  if (wanted.size === 0) return { ...nothingToScore(answer), ...sets };
  return {
    // F1 = 2PR / (P + R), with P = found / given and R = found / wanted.
    value: 2 * found.length / (given.size + wanted.size),
    answer,
    why: answer === "" ? "no answer" : explain(sets),
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

// A reply can have thousands of extra items.
const MAX_NAMED = 10;

function shorten(items: readonly string[]): string {
  const rest = items.length - MAX_NAMED;
  return items.slice(0, MAX_NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** The shape of the references; `coded word` is a word of six letters, as all of a list of English words hardly ever are. */
type ItemKind = "number" | "UUID" | "variable" | "word pair" | "coded word" | "word";

function kindOf(references: readonly string[]): ItemKind {
  const shape = shapeOf(references);
  if (shape === "number" || shape === "UUID" || shape === "variable" || shape === "word pair") return shape;
  return references.every((reference) => /^[a-z]{6}$/.test(reference)) ? "coded word" : "word";
}

/** Finds the items of a reply, in its order, normalised. */
function findItems(reply: string, kind: ItemKind, wanted: ReadonlySet<string>): string[] {
  const sizes = new Set(Array.from(wanted, ({ length }) => length));
  const items = listAll(reply, kind, sizes).map((item) => spell(item, kind));
  // Numbers, variables and coded words are as long as a reference; words that frame an answer are no items.
  const isSized = kind === "number" || kind === "variable" || kind === "coded word";
  const isWord = kind === "word" || kind === "coded word";
  const isOfKind = (item: string): boolean =>
    !(isSized && !sizes.has(item.length)) && !(isWord && FRAMING_WORDS.has(item));
  return items.filter((item) => wanted.has(item) || isOfKind(item));
}

function spell(item: string, kind: ItemKind): string {
  return kind === "variable" ? item.toUpperCase() : item.trim().toLowerCase().replaceAll(/[’ʼ]/g, "'");
}

const WORDS = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;

function listAll(reply: string, kind: ItemKind, sizes: ReadonlySet<number>): string[] {
  // Typographic hyphens are equal; the numbers of a numbered list are not items.
  const text = reply.replaceAll(/[\u2010\u2011]/g, "-").replaceAll(/^[ \t]*\d{1,3}[.)、]/gm, " ");
  const find = (pattern: RegExp): string[] => text.match(pattern) ?? [];
  switch (kind) {
    case "number":
      // Whole numbers only, no part of a longer number or of a decimal one.
      return find(/(?<!\d)(?<!\d\.)\d+(?!\d)(?!\.\d)/g);
    case "UUID":
      return find(/(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi);
    case "variable": {
      const names = find(/(?<![A-Za-z0-9_])[A-Z]+(?![A-Za-z0-9_])/g);
      // In a reply all in lower case any word can be a variable.
      return names.some((name) => sizes.has(name.length)) ? names : find(/(?<![A-Za-z0-9_])[A-Za-z]+(?![A-Za-z0-9_])/g);
    }
    case "word pair":
      return find(WORDS).filter((word) => word.includes("-"));
    case "coded word":
      return find(/(?<![A-Za-z0-9_])[A-Za-z]+(?![A-Za-z0-9_])/g);
    case "word":
      return find(WORDS);
  }
}

/**
 * Scores a reply to a question by the F1 of the words that it shares with the closest accepted answer.
 *
 * Rajpurkar et al., SQuAD (2016), section 6.1 and evaluate-v1.1.py: lower case, without ASCII punctuation and the articles a,
 * an and the, repeated words counted each time. A reply that copies a whole document scores low.
 *
 * @param reply The reply of a model; it is cleaned as RULER does.
 * @param references The accepted answers.
 * @returns The greatest F1, in [0, 1]; `null` if there are no references.
 */
export function answerMatch(reply: string, references: readonly string[]): Score & {
  /** Whether the normalised reply equals an accepted answer; `null` if there is none. */
  readonly exact: boolean | null;
} {
  const answer = cleanPrediction(reply);
  if (references.length === 0) return { ...nothingToScore(answer), exact: null };
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

/** The articles, as whole words by Python's `\w`: letters, numerals and underscores of any script. */
const ARTICLES = /(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu;

function normalise(text: string): string[] {
  return splitText(text.toLowerCase().replaceAll(PUNCTUATION, "").replaceAll(ARTICLES, " "));
}

/** Returns the F1 of two bags of words; if one is empty, 1 if both are. */
function shareWords(words: readonly string[], accepted: readonly string[]): number {
  if (words.length === 0 || accepted.length === 0) return words.length === accepted.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of accepted) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared++;
    left.set(word, count - 1);
  }
  return 2 * shared / (words.length + accepted.length);
}
