import { removeSpace } from "./_python_text.ts";
import { editMatch, type EditMatchOptions } from "./edit_match.ts";
import { WITHOUT_KEYWORD } from "./keyword_match.ts";

/** One compared pair, under the names that OpenCompass writes. */
export interface OpencompassDetail {
  /** The prediction that was compared, white space taken out. */
  readonly pred: string;
  /** The reference, white space taken out. */
  readonly answer: string;
  /** The edits between them. */
  readonly "edit_distance": number;
  /** The score in percent. */
  readonly score: number;
}

/** What OpenCompass's evaluator gives for one dataset, which is one length and depth. */
export type OpencompassResult =
  | { readonly score: number; readonly details: readonly OpencompassDetail[] }
  | { readonly error: string };

/**
 * Scores predictions as OpenCompass's CDMEEvaluator does, and gives what it gives.
 *
 * At e975a96f; its documentation shows an older form with the keys `average_score` and `ref`. A reference of the form
 * `answer*keyword` is one of several needles.
 *
 * @param predictions What a model wrote.
 * @param references What was wanted, one for each prediction.
 * @param options Whether predictions are cut first (`use_trim`).
 * @returns The mean in percent, 0 where there are no predictions, with every pair; or an error where the lists differ in length.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(opencompassResult(["是 北京"], ["是北京"]), {
 *   score: 100,
 *   details: [{ pred: "是北京", answer: "是北京", edit_distance: 0, score: 100 }],
 * });
 * ```
 */
export function opencompassResult(
  predictions: readonly string[],
  references: readonly string[],
  options: EditMatchOptions = {},
): OpencompassResult {
  if (predictions.length !== references.length) {
    return { error: "predictions and references have different lengths" };
  }
  const details = predictions.map((prediction, at) => scorePair(prediction, references[at]!, options));
  const total = details.reduce((sum, { score }) => sum + score, 0);
  return { score: details.length === 0 ? 0 : total / details.length, details };
}

function scorePair(prediction: string, reference: string, options: EditMatchOptions): OpencompassDetail {
  const [answer = "", keyword] = reference.split("*");
  const { answer: pred, distance, value } = editMatch(prediction, answer, options);
  const edits = 100 * value!;
  // White space is taken out of the prediction and not out of the keyword, so that a keyword with a space is never found.
  const score = keyword === undefined ? edits : pred.includes(keyword) ? 100 : WITHOUT_KEYWORD * edits;
  return { pred, answer: removeSpace(answer), "edit_distance": distance, score };
}
