import { distance } from "fastest-levenshtein";
import { guardScorer } from "./reference_parts.ts";
import { removeSpace } from "./python_text.ts";
import type { Answerable, Grading, Score, Scorer } from "./scorer.ts";

const TRIMMED = "the same, for a reply first cut to about the reference's length";
const [EDITS, KEYWORD] = [
  "1 minus the edit distance between reply and reference, divided by the length of the longer",
  "1 if the reply contains the keyword, else a fifth of the edit score",
];

/** OpenCompass's score by edit distance from one reference. */
export const edits: Scorer = editScorer("edit distance", EDITS, false);
/** {@linkcode edits} of a reply that is first cut to about the reference's length. */
export const trimmedEdits: Scorer = editScorer("trimmed edit distance", TRIMMED, true);
/** OpenCompass's score of an answer that must contain a keyword, which is the last reference. */
export const keywordFound: Scorer = keywordScorer("keyword", KEYWORD, false);
/** {@linkcode keywordFound} of a reply that is first cut to about the answer's length. */
export const trimmedKeyword: Scorer = keywordScorer("trimmed keyword", TRIMMED, true);

function editScorer(name: string, about: string, trim: boolean): Scorer {
  const grade = (reply: string, { references: [wanted] }: Answerable): Grading => {
    const score = editMatch(reply, wanted!, { trim });
    return { score, penalised: score };
  };
  return guardScorer({ name, about, shape: "text", parts: { names: ["the answer"] }, grade });
}

function keywordScorer(name: string, about: string, trim: boolean): Scorer {
  const grade = (reply: string, { references: [answer, keyword] }: Answerable): Grading => {
    const score = keywordMatch(reply, { answer: answer!, keyword: keyword! }, { trim });
    return { score, penalised: score.edits };
  };
  return guardScorer({ name, about, shape: "text", parts: { names: ["the answer", "the keyword"] }, grade });
}

/** The edit distance of a reply from a reference. */
export interface EditScore extends Score {
  /** Characters inserted, deleted or replaced. */
  readonly distance: number;
  /** Length of the longer one, in characters. */
  readonly longer: number;
}

/**
 * Scores a reply by its edit distance from the reference: 1 − distance / length of the longer, ignoring white space.
 *
 * OpenCompass's CDMEEvaluator at e975a96f, which gives the same in percent. A character is a code point. All further text in the
 * reply costs points, even quotation marks around the answer.
 *
 * @param reply The reply of a model.
 * @param reference The right answer.
 * @param options With `trim` the reply is cut first: to at most 1.2 times the reference's length, and from 0.8 times its length on
 * after the first character that ends the reference, usually a full stop.
 * @returns The score, in [0, 1]: 1 if both are empty, 0 if one is.
 */
export function editMatch(reply: string, reference: string, options: { readonly trim?: boolean } = {}): EditScore {
  const wanted = removeSpace(reference);
  const whole = removeSpace(reply);
  const answer = options.trim ? trimReply(whole, wanted) : whole;
  const longer = Math.max(Array.from(answer).length, Array.from(wanted).length);
  const distance = editDistance(answer, wanted);
  return {
    value: longer === 0 ? 1 : 1 - distance / longer,
    answer,
    why: answer === "" && wanted !== "" ? "no answer" : `${distance} edits, ${longer} characters`,
    distance,
    longer,
  };
}

// The range in which a reply is cut, as shares of the reference's length.
const [EARLIEST, LATEST] = [0.8, 1.2];

function trimReply(reply: string, reference: string): string {
  const wanted = Array.from(reference);
  const kept = Array.from(reply).slice(0, Math.floor(LATEST * wanted.length));
  const end = kept.indexOf(wanted.at(-1) ?? "", Math.floor(EARLIEST * wanted.length));
  return kept.slice(0, end < 0 ? kept.length : end + 1).join("");
}

/**
 * Returns the Levenshtein distance (1966) of two texts in code points, so that a rare Chinese character or an emoji is one edit
 * and not two, or of two lists of words in words.
 */
export function editDistance(left: string | readonly string[], right: string | readonly string[]): number {
  const areTexts = typeof left === "string" && typeof right === "string";
  if (areTexts && !/[\ud800-\udfff]/.test(left + right)) return distance(left, right);
  // The package compares UTF-16 units, so each code point or word is mapped to one unit.
  const units = new Map<string, string>();
  const toUnits = (parts: Iterable<string>): string =>
    Array.from(parts, (part) => {
      const unit = units.get(part) ?? String.fromCharCode(units.size);
      units.set(part, unit);
      return unit;
    }).join("");
  return distance(toUnits(left), toUnits(right));
}

/** The factor on the edit score if the keyword is missing. */
export const WITHOUT_KEYWORD = 0.2;

/**
 * Scores a reply by a keyword: 1 if the reply has it, otherwise a fifth of its {@linkcode editMatch} score.
 *
 * OpenCompass's CDMEEvaluator for several needles (cdme_multi.py at e975a96f). There a keyword with a space can never be
 * found, because white space is removed from the reply only; here it is removed from both.
 */
export function keywordMatch(
  reply: string,
  reference: { readonly answer: string; readonly keyword: string },
  options: { readonly trim?: boolean } = {},
): Score & {
  /** Whether the keyword is in the reply. */
  readonly found: boolean;
  /** The score by edit distance alone. */
  readonly edits: EditScore;
} {
  const edits = editMatch(reply, reference.answer, options);
  const { answer } = edits;
  const keyword = removeSpace(reference.keyword);
  const found = answer.includes(keyword);
  const value = found ? 1 : WITHOUT_KEYWORD * (edits.value ?? 0);
  const why = answer === "" && !found ? "no answer" : `keyword ${keyword} ${found ? "found" : "missing"}; ${edits.why}`;
  return { value, answer, why, found, edits };
}
