import { countCharacters } from "@/lib/base/mod.ts";
import { type CopyText, PAIRS, readCopy } from "./copies.ts";
import {
  type Answerable,
  editDistance,
  findRefusal,
  type Grading,
  nothingToScore,
  type OwnFailure,
  type Score,
  type Scorer,
  splitText,
} from "@/lib/scorers/mod.ts";

/** The report's score: 1 − edit distance / length of the longer. */
export const copyEdits: Scorer = copyScorer(
  "copy",
  "1 minus the edit distance between reply and text, divided by the length of the longer",
  ({ edits }) => edits,
);

/** Whether a reply is the text, character by character. */
export const exactCopy: Scorer = copyScorer("exact", "1 if the reply is the text, else 0", ({ isExact }) => isExact);

/** The report's measure of whether a reply has the modified word. */
export const copiedWord: Scorer = copyScorer(
  "modified word",
  "1 if the reply has the modified word and a space on its side, else 0",
  ({ isPresent }) => isPresent,
);

/** The report's measure of whether the modified word is where it belongs. */
export const copiedPlace: Scorer = copyScorer(
  "modified word's place",
  "1 if the modified word is first found at the same character as in the text, else 0",
  ({ isInPlace }) => isInPlace,
);

function copyScorer(name: string, about: string, valueOf: (measures: CopyMeasures) => number | boolean): Scorer {
  const grade = (reply: string, { references: [wanted] }: Answerable): Grading => {
    const measures = measureCopy(reply, wanted!);
    const score: Score = measures === null
      ? nothingToScore(reply, "the reference is no text of repeated words")
      : { value: Number(valueOf(measures)), answer: reply, why: explain(measures) };
    return { score, penalised: score };
  };
  return { name, about, shape: "text", parts: { names: ["the text"] }, explain: explainFailure, grade };
}

/**
 * The kinds of failed copies in the order in which they are looked for, with the general class of each. The first counts that a reply
 * has:
 *
 * - `empty`: it has no words;
 * - `not attempted`: it has other words, and fewer than 15 common ones;
 * - `other words`: it has words that are not in the text, such as a sentence before the copy;
 * - `too long`, `stopped early`: it has more or fewer words than the text;
 * - `word lost`, `word repeated`, `word moved`: it has the modified word not at all, several times or at another place;
 * - `spacing`: only white space differs.
 */
export const COPY_FAILURES = {
  "empty": "empty",
  "not attempted": "other answer",
  "other words": "other answer",
  "too long": "loop",
  "stopped early": "incomplete answer",
  "word lost": "incomplete answer",
  "word repeated": "other answer",
  "word moved": "other answer",
  "spacing": "other answer",
} as const satisfies Readonly<Record<string, OwnFailure["class"]>>;

/** A kind of failed copy. */
export type CopyFailure = keyof typeof COPY_FAILURES;

/** The measures of a copy. Those marked "as published" are the values of evaluate_repeated_words.py at 1091346. */
export interface CopyMeasures {
  /** 1 − edit distance / length of the longer, in characters, in [0, 1]; 0 for an empty reply. As published. */
  readonly edits: number;
  /** Characters inserted, deleted or replaced; an upper bound if not `isMeasured`. */
  readonly distance: number;
  /** The length of the longer text, in characters. */
  readonly longer: number;
  /** Whether the distance is exact, and not the sum of those of pieces. */
  readonly isMeasured: boolean;
  readonly isExact: boolean;
  /** Whether the modified word is in the reply with a space after it, or before it if it is the text's last. As published. */
  readonly isPresent: boolean;
  /** Whether the first such place is at the same character as in the text. As published. */
  readonly isInPlace: boolean;
  /** Words of the text less those of the reply: negative if the reply is too long. As published. */
  readonly missingWords: number;
  /** Whether a word of the reply is neither the common nor the modified one; so is each word of a name of several. As published. */
  readonly hasOtherWords: boolean;
  /** Whether the published code leaves the reply out as a refusal: other words, and the common one fewer than 15 times. */
  readonly isExcluded: boolean;
  /** Why the copy is not exact; `null` if it is. */
  readonly failure: CopyFailure | null;
}

/** The number of common words below which a reply with other words is no attempt. */
const LEAST_ATTEMPT = 15;

/**
 * Measures a reply by the text that was to be copied.
 *
 * Chroma's evaluate_repeated_words.py at 1091346, with its faults: "apple " is also found at the end of "pineapple ", a last "apple"
 * in every "apples", and for a common or modified word of several words every reply has other words.
 *
 * @param maxCells The most cells of the table of an edit distance that are computed, without the common beginning and end of both
 * texts. 2e10 take about 4 s on one core; the report's longest text (10,000 words) and a reply of twice its length have at most 7.2e9.
 * Above it both texts are cut into as many pieces as bring the cells below it, and the sum of the pieces' distances is an upper bound,
 * so that the score is a lower one.
 * @returns The measures; `null` if `wanted` is no text of repeated words.
 */
export function measureCopy(reply: string, wanted: string, maxCells = 2e10): CopyMeasures | null {
  const copy = readCopy(wanted);
  if (copy === null) return null;
  const { pair, words, place } = copy;
  const [common, modified] = PAIRS[pair];
  const marked = place === words - 1 ? ` ${modified}` : `${modified} `;
  const at = reply.indexOf(marked);
  const longer = Math.max(countCharacters(reply), wanted.length);
  const { distance: compared, isMeasured } = compare(reply, wanted, maxCells);
  // The ends of pieces can add an edit.
  const distance = Math.min(longer, compared);
  const spoken = splitText(reply);
  const hasOtherWords = spoken.some((word) => word !== common && word !== modified);
  const isRare = reply.split(common).length - 1 < LEAST_ATTEMPT;
  const counted = countWords(spoken, [common.split(" "), modified.split(" ")]);
  return {
    edits: 1 - distance / longer,
    distance,
    longer,
    isMeasured,
    isExact: reply === wanted,
    isPresent: at >= 0,
    isInPlace: at >= 0 && countCharacters(reply.slice(0, at)) === wanted.indexOf(marked),
    missingWords: splitText(wanted).length - spoken.length,
    hasOtherWords,
    isExcluded: hasOtherWords && isRare,
    failure: reply === wanted ? null : classify(counted, copy),
  };
}

/** The words of a reply: the number of common ones, the places of modified ones, and the number of any others. */
interface CountedWords {
  readonly common: number;
  readonly places: readonly number[];
  readonly others: number;
}

function countWords(
  spoken: readonly string[],
  [common, modified]: readonly [readonly string[], readonly string[]],
): CountedWords {
  const [counts, places] = [{ common: 0, others: 0 }, [] as number[]];
  const isAt = (word: readonly string[], at: number): boolean => word.every((part, next) => spoken[at + next] === part);
  for (let at = 0; at < spoken.length;) {
    if (isAt(common, at)) {
      counts.common++;
      at += common.length;
    } else if (isAt(modified, at)) {
      places.push(counts.common + places.length);
      at += modified.length;
    } else {
      counts.others++;
      at++;
    }
  }
  return { ...counts, places };
}

function classify({ common, places, others }: CountedWords, { words, place }: CopyText): CopyFailure {
  const all = common + places.length;
  if (all + others === 0) return "empty";
  if (others > 0) return common < LEAST_ATTEMPT ? "not attempted" : "other words";
  if (all !== words) return all > words ? "too long" : "stopped early";
  if (places.length !== 1) return places.length === 0 ? "word lost" : "word repeated";
  return places[0] === place ? "spacing" : "word moved";
}

function explainFailure(reply: string, { references: [wanted = ""] }: Answerable): OwnFailure | null {
  const measures = measureCopy(reply, wanted);
  if (measures === null || measures.failure === null) return null;
  const isRefused = measures.failure === "not attempted" && findRefusal(reply) !== null;
  return { class: isRefused ? "refusal" : COPY_FAILURES[measures.failure], why: explain(measures) };
}

function explain({ distance, longer, isMeasured, missingWords, failure }: CopyMeasures): string {
  const bound = isMeasured ? "" : "at most ";
  const edits = `${bound}${distance} edits, ${longer} characters`;
  const words = `; ${Math.abs(missingWords)} words ${missingWords > 0 ? "missing" : "too many"}`;
  return failure === null ? "an exact copy" : `${failure}: ${edits}${missingWords === 0 ? "" : words}`;
}

/** Compares two texts, whole or in pieces. */
function compare(left: string, right: string, maxCells: number): Pick<CopyMeasures, "distance" | "isMeasured"> {
  const [one, other] = withoutCommonEnds(left, right);
  const pieces = Math.max(1, Math.ceil(one.length * other.length / maxCells));
  const cut = (text: string, piece: number): string =>
    text.slice(Math.floor(text.length * piece / pieces), Math.floor(text.length * (piece + 1) / pieces));
  let distance = 0;
  for (let piece = 0; piece < pieces; piece++) distance += editDistance(cut(one, piece), cut(other, piece));
  return { distance, isMeasured: pieces === 1 };
}

/** Removes the common beginning and the common end of two texts, which leaves their edit distance unchanged. */
function withoutCommonEnds(left: string, right: string): readonly [string, string] {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left.charCodeAt(start) === right.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && left.charCodeAt(left.length - 1 - end) === right.charCodeAt(right.length - 1 - end)) {
    end++;
  }
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)];
}
