import { mean } from "@/lib/base/mod.ts";
import {
  type Answerable,
  editDistance,
  type Grading,
  holdsText,
  nothingToScore,
  type Score,
  type Scorer,
  splitText,
  stripText,
} from "@/lib/scorers/mod.ts";

/** RULER v2's score of needles and copies: the mean over the references of {@linkcode softMatch}. */
export const softFound: Scorer = {
  name: "soft match",
  about: "the mean over the references of 1 if the reply contains it, else 1 minus its word error rate, at least 0",
  grade: (reply, { references }) => gradeSoftly(reply, references),
};

/** The same on the last paragraph of the reply, for tasks that ask for steps first. */
export const softLast: Scorer = {
  name: "soft match, last part",
  about: "the same on the text after the last blank line of the reply",
  grade: (reply, { references }) => gradeSoftly(reply.split("\n\n").at(-1)!, references),
};

function gradeSoftly(answer: string, references: readonly string[]): Grading {
  const matches = references.map((reference) => softMatch(answer, reference));
  const whole = matches.filter((match) => match === 1).length;
  const found = `${whole} of ${matches.length} found; ${matches.map((match) => match.toFixed(2)).join(", ")}`;
  const why = answer.trim() === "" ? "no answer" : found;
  const score = matches.length === 0 ? nothingToScore(answer) : { value: mean(matches), answer, why };
  return { score, penalised: score };
}

/**
 * Scores a reply by one reference: 1 if it contains it, otherwise 1 − word error rate, at least 0; both ignoring case.
 *
 * RULER v2's string_match_all_single (NVIDIA-NeMo/Gym at 07d6b0d, resources_servers/ruler2/app.py, as eval_ruler2 of
 * NVIDIA-NeMo/Skills). The word error rate is the edit distance in words divided by the words of the reference, so that any text of
 * about the right length that shares words with the reference earns a part of the score.
 *
 * @returns The score in [0, 1]; 1 for an empty reference.
 */
export function softMatch(reply: string, reference: string): number {
  const [given, wanted] = [reply.toLowerCase(), reference.toLowerCase()];
  if (holdsText(given, wanted)) return 1;
  const words = splitText(wanted);
  return words.length === 0 ? 0 : Math.max(0, 1 - editDistance(splitText(given), words) / words.length);
}

/** RULER v2's score of multiple choice: 1 if the reply's letter is the reference. */
export const choiceFound: Scorer = {
  name: "choice",
  about: "1 if the letter in \\boxed{}, or else after “Answer:”, is the right one",
  shape: { name: "letter", pattern: /\b[A-D]\b/i },
  parts: { names: ["the letter"] },
  extract(reply): string | null {
    const boxed = readBoxed(reply);
    return boxed === null ? [...reply.matchAll(AFTER_ANSWER)].at(-1)?.[0] ?? null : `${BOX}${boxed}}`;
  },
  grade(reply: string, { references: [wanted] }: Answerable): Grading {
    const letter = readChoice(reply);
    const why = letter === null ? "no letter" : `${letter}, wanted ${wanted}`;
    const score: Score = { value: Number(letter === wanted!.trim().toUpperCase()), answer: letter ?? "", why };
    return { score, penalised: score, unparsable: letter === null && stripText(reply) !== "" };
  },
};

/** Letters that other scripts use for the choices. */
const OTHER_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  ["أبجد", "অবডঢ", "ＡＢＣＤ"].flatMap((letters) => Array.from(letters, (letter, at) => [letter, "ABCD"[at]!])),
);

const BOX = "\\boxed{";
/** A capital that is a word, by Python's `\b`. */
const LONE_CAPITAL = /(?<![\p{L}\p{N}_])[A-Z](?![\p{L}\p{N}_])/gu;
/** White space by Python's `\s`. */
const SPACE = "(?:[^\\S\\ufeff]|[\\x1c-\\x1f\\x85])";
/** What Python's `[A-Z]` matches beside ASCII if case is ignored. */
const OTHER_CASES = "\\u0130\\u0131\\u017f\\u212a";
const AFTER_ANSWER = new RegExp(
  `Answer[*_]{0,2}${SPACE}*:(?:${SPACE}|[*_]){0,2}${SPACE}*([A-Z${OTHER_CASES}])(?![A-Z0-9${OTHER_CASES}])`,
  "gi",
);

/**
 * Returns the letter that a reply chooses; `null` if there is none. The last "The final answer is …" counts first, then the last
 * `\boxed{…}`, in both the last lone capital; then the last "Answer: …".
 *
 * extract_mcq_letter of NVIDIA-NeMo/Gym at 07d6b0d.
 */
export function readChoice(reply: string): string | null {
  const final = [...reply.matchAll(/The final answer is ([^\n]+)/g)].at(-1)?.[1];
  const found = final ?? readBoxed(reply);
  if (found !== null) {
    const answer = stripText(found.replaceAll(/[أبجدঅবডঢＡＢＣＤ]/g, (letter) => ` ${OTHER_LETTERS[letter]}`));
    if (Array.from(answer).length === 1) return answer.toUpperCase();
    const last = [...answer.matchAll(LONE_CAPITAL)].at(-1);
    if (last !== undefined) return last[0];
  }
  return [...reply.matchAll(AFTER_ANSWER)].at(-1)?.[1]?.toUpperCase() ?? null;
}

/** Returns what the last `\boxed{…}` holds, braces balanced; `null` if it holds nothing or is not closed. */
function readBoxed(reply: string): string | null {
  const start = reply.lastIndexOf("\\boxed");
  if (start < 0 || !reply.startsWith(BOX, start)) return null;
  let open = 0;
  for (let at = start; at < reply.length; at++) {
    if (reply[at] === "{") open++;
    else if (reply[at] === "}" && --open === 0) return reply.slice(start + BOX.length, at);
  }
  return null;
}
