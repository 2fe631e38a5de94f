import { distance } from "fastest-levenshtein";
import { removeSpace } from "./_python_text.ts";
import type { Score } from "./string_match.ts";

/** Options for {@linkcode editMatch}. */
export interface EditMatchOptions {
  /**
   * Whether the reply is first cut to at most 1.2 times the reference's length, and there after the first of the reference's
   * last characters, usually a full stop, from 0.8 times its length on.
   *
   * @default {false}
   */
  readonly trim?: boolean;
}

/** How far a reply is from a reference, character by character. */
export interface EditScore extends Score {
  /** Characters to put in, take out or replace. */
  readonly distance: number;
  /** Characters of the longer of the two. */
  readonly longer: number;
}

/**
 * Scores a reply by the edits between it and the reference: 1 − distance / length of the longer, white space left out.
 *
 * OpenCompass's CDMEEvaluator at e975a96f, which gives the same in percent. A character is a code point. What else the reply
 * says counts against it: an answer in quotation marks, or after "according to the document", is not whole.
 *
 * @param reply What a model wrote.
 * @param reference What was wanted.
 * @param options Whether the reply is cut first.
 * @returns The score, in [0, 1]: 1 where both are empty, 0 where one of them is.
 *
 * @example One character too few of 23
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const wanted = "小明最喜欢的实习的地点就是上海人工智能实验室。";
 * const score = editMatch("小明最喜欢的实习地点就是上海人工智能实验室。", wanted);
 * equal(score.distance, 1);
 * equal((100 * score.value!).toFixed(4), "95.6522");
 * ```
 */
export function editMatch(reply: string, reference: string, options: EditMatchOptions = {}): EditScore {
  const wanted = removeSpace(reference);
  const whole = removeSpace(reply);
  const answer = options.trim ? trimReply(whole, wanted) : whole;
  const longer = Math.max(countCharacters(answer), countCharacters(wanted));
  const distance = editDistance(answer, wanted);
  return {
    value: longer === 0 ? 1 : 1 - distance / longer,
    answer,
    why: answer === "" && wanted !== "" ? "no answer" : `${distance} edits, ${longer} characters`,
    distance,
    longer,
  };
}

/** The shares of the reference's length at which a reply is cut at the earliest and at the latest. */
const [EARLIEST, LATEST] = [0.8, 1.2];

function trimReply(reply: string, reference: string): string {
  const wanted = Array.from(reference);
  const kept = Array.from(reply).slice(0, Math.floor(LATEST * wanted.length));
  const end = kept.indexOf(wanted.at(-1) ?? "", Math.floor(EARLIEST * wanted.length));
  return kept.slice(0, end < 0 ? kept.length : end + 1).join("");
}

/** Counts the characters of a text: code points, as Python's `len` does. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Counts the edits from one text to another: characters put in, taken out or replaced (Levenshtein 1966).
 *
 * A character is a code point, so that a rare Chinese character or an emoji is one edit and not two.
 */
function editDistance(left: string, right: string): number {
  if (!/[\ud800-\udfff]/.test(left + right)) return distance(left, right);
  // The package compares UTF-16 units, so each different code point becomes a unit of its own.
  const units = new Map<string, string>();
  const toUnits = (text: string): string =>
    Array.from(text, (character) => {
      const unit = units.get(character) ?? String.fromCharCode(units.size);
      units.set(character, unit);
      return unit;
    }).join("");
  return distance(toUnits(left), toUnits(right));
}
