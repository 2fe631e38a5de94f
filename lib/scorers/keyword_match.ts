import { removeSpace } from "./_python_text.ts";
import { editMatch, type EditMatchOptions, type EditScore } from "./edit_match.ts";
import type { Score } from "./string_match.ts";

/** What a reply to a question about several needles is compared with. */
export interface KeywordReference {
  /** The whole answer. */
  readonly answer: string;
  /** The part of it that decides. */
  readonly keyword: string;
}

/** A score in which a keyword decides, and what it would be without. */
export interface KeywordScore extends Score {
  /** Whether the keyword is in the reply. */
  readonly found: boolean;
  /** The score by edits alone. */
  readonly edits: EditScore;
}

/** The factor on the edit score if the keyword is missing. */
export const WITHOUT_KEYWORD = 0.2;

/**
 * Scores a reply by a keyword: 1 where it is in the reply, and otherwise a fifth of the score by edits.
 *
 * OpenCompass's CDMEEvaluator for several needles (cdme_multi.py at e975a96f). There a keyword with a space can never be found,
 * as white space is taken out of the reply alone; here it is taken out of both.
 *
 * @param reply What a model wrote.
 * @param reference The answer and its keyword.
 * @param options Whether the reply is cut first.
 * @returns The score, in [0, 1].
 *
 * @example The name in another script is not the keyword
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const wanted = { answer: "制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫Jack", keyword: "Jack" };
 * const score = keywordMatch("制作佛罗伦萨中排行第一的餐馆的特色菜肴的人叫杰克", wanted);
 * equal((100 * score.edits.value!).toFixed(4), "84.6154");
 * equal((100 * score.value!).toFixed(4), "16.9231");
 * ```
 */
export function keywordMatch(reply: string, reference: KeywordReference, options: EditMatchOptions = {}): KeywordScore {
  const edits = editMatch(reply, reference.answer, options);
  const { answer } = edits;
  const keyword = removeSpace(reference.keyword);
  const found = answer.includes(keyword);
  const value = found ? 1 : WITHOUT_KEYWORD * (edits.value ?? 0);
  const why = answer === "" && !found ? "no answer" : `keyword ${keyword} ${found ? "found" : "missing"}; ${edits.why}`;
  return { value, answer, why, found, edits };
}
