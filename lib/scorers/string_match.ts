import { cleanPrediction, holdsText } from "./python_text.ts";
import { nothingToScore } from "./reference_parts.ts";
import type { Score, Scorer } from "./scorer.ts";
import { answerMatch, setMatch } from "./set_match.ts";

/** RULER's score of most tasks: the share of the references that the reply contains. */
export const allFound: Scorer = {
  name: "all",
  about: "the share of references that the reply contains",
  contains: "all",
  grade: (reply, { references }) => ({
    score: stringMatchAll(reply, references),
    get penalised(): Score {
      return setMatch(reply, references);
    },
  }),
};

/** RULER's score of question answering: 1 if the reply contains any of the references. */
export const anyFound: Scorer = {
  name: "any",
  about: "1 if the reply contains any of the references, else 0",
  contains: "any",
  grade: (reply, { references }) => ({
    score: stringMatchPart(reply, references),
    get penalised(): Score {
      return answerMatch(reply, references);
    },
  }),
};

/**
 * Scores a reply by the share of references found anywhere in it, ignoring case.
 *
 * RULER's `string_match_all` (constants.py), for needles, variables and words. Further text in the reply costs nothing, and a
 * reference inside a longer number or word counts; {@linkcode setMatch} penalises both.
 *
 * @param reply The reply of a model; it is cleaned first.
 * @param references The right answers; one that is listed twice counts twice, as in RULER.
 * @returns The share found, in [0, 1]; 0 and `no answer` for an empty reply; `null` if there are no references.
 */
export function stringMatchAll(reply: string, references: readonly string[]): Score {
  const { answer, found, missing } = compare(reply, references);
  if (references.length === 0) return nothingToScore(answer);
  const lists = [
    found.length > 0 ? `: ${found.join(", ")}` : "",
    missing.length > 0 ? `; missing: ${missing.join(", ")}` : "",
  ];
  const why = answer === "" ? "no answer" : `found ${found.length} of ${references.length}${lists.join("")}`;
  return { value: found.length / references.length, answer, why };
}

/**
 * Scores a reply 1 if any of the references is found anywhere in it, ignoring case.
 *
 * RULER's `string_match_part` (constants.py), for question answering.
 *
 * @param reply The reply of a model; it is cleaned first.
 * @param references The accepted answers.
 * @returns 1 or 0; 0 and `no answer` for an empty reply; `null` if there are no references.
 */
export function stringMatchPart(reply: string, references: readonly string[]): Score {
  const { answer, found } = compare(reply, references);
  if (references.length === 0) return nothingToScore(answer);
  const tried = new Set(references).size;
  const why = found.length > 0 ? `found ${found[0]}` : `found none of ${tried} accepted answers`;
  return { value: found.length > 0 ? 1 : 0, answer, why: answer === "" ? "no answer" : why };
}

function compare(
  reply: string,
  references: readonly string[],
): { readonly answer: string; readonly found: string[]; readonly missing: string[] } {
  const answer = cleanPrediction(reply);
  // JavaScript lowers letters as Python does, final sigma and dotted I included.
  const lowered = answer.toLowerCase();
  const found: string[] = [];
  const missing: string[] = [];
  for (const reference of references) {
    (holdsText(lowered, reference.toLowerCase()) ? found : missing).push(reference);
  }
  return { answer, found, missing };
}
