import { sum } from "@/lib/base/mod.ts";
import { editMatch, type Prediction } from "@/lib/scorers/mod.ts";
import { WITHOUT_KEYWORD } from "@/lib/scorers/edit_match.ts";
import { removeSpace } from "@/lib/scorers/python_text.ts";

/**
 * Scores predictions as OpenCompass's CDMEEvaluator does at e975a96f, with its field names; the mean of no predictions is 0. A
 * reference of the form `answer*keyword` is one of several needles.
 */
export function opencompassResult(predictions: readonly Prediction[]): {
  readonly score: number;
  readonly details: readonly Readonly<Record<"pred" | "answer", string> & Record<"edit_distance" | "score", number>>[];
} {
  const details = predictions.map(({ prediction, references: [reference = ""] }) => {
    const [answer = "", keyword] = reference.split("*");
    const { answer: pred, distance, value } = editMatch(prediction, answer);
    const edits = 100 * value!;
    // White space is removed from the prediction but not from the keyword, so a keyword with a space is never found.
    const byKeyword = (word: string): number => pred.includes(word) ? 100 : WITHOUT_KEYWORD * edits;
    const score = keyword === undefined ? edits : byKeyword(keyword);
    return { pred, answer: removeSpace(answer), "edit_distance": distance, score };
  });
  const total = sum(details, ({ score }) => score);
  return { score: details.length === 0 ? 0 : total / details.length, details };
}
