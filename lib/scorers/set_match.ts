import { findItems, kindOf, spell } from "./_items.ts";
import type { Score } from "./score.ts";
import { cleanPrediction } from "./string_match.ts";

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
 * common words are"). A reference inside a longer number or word is not found. Case does not matter, save that variable
 * names are looked for in upper case first.
 *
 * @param reply What a model wrote; it is cleaned as RULER does.
 * @param references The right answers, all of them wanted; equal ones count once.
 * @param options What to leave out of account.
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

/** The most extras that a sentence names; a reply can hold thousands. */
const NAMED = 10;

function shorten(items: readonly string[]): string {
  const rest = items.length - NAMED;
  return items.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
