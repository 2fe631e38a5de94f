import wordings from "./wordings.json" with { type: "json" };
import type { Grading, Score, Scorer } from "@/lib/scorers/mod.ts";

/** The grades of a reply with all keywords, with one of two, and with none. */
export type RecallGrade = 5 | 3 | 1;

const MOST_KEYWORDS = 2;

/**
 * Grades a reply by the needle's keywords, without a judging model: 5 with all, 3 with one of two, 1 with none.
 *
 * The scale is that of Machlab and Battle (arXiv 2404.08865, section 3.3). On 711 recorded replies of Claude 2.1 with a judge's
 * scores the keywords agree on accepting (4 and 5) in 99.2% and on the grade in 98.3%. They read words, not meaning: a denied
 * answer counts, and one in other words does not. Of 123 invented replies with such traps they accept 62.6% as a reader does.
 * Where grades decide something, ask a judge (`fathom regrade --by judge`).
 *
 * @returns The grade; `value` is the grade over 5, as the paper's recall counts it, so that the lowest is 0.2.
 */
export function gradeRecall(reply: string, needle: string, { question }: { readonly question: string }): Score & {
  readonly grade: RecallGrade;
} {
  const keywords = recallKeywords(needle, question);
  const text = reply.toLowerCase().replaceAll(/\s+/g, " ");
  const found = keywords.filter((keyword) => text.includes(keyword.toLowerCase()));
  const grade = gradeBy(found.length, keywords.length);
  const answer = reply.trim();
  const why = answer === "" ? "no answer" : `found ${found.join(", ") || "none"} of ${keywords.join(", ")}`;
  return { value: grade / 5, answer, why, grade };
}

function gradeBy(found: number, wanted: number): RecallGrade {
  if (found === wanted) return 5;
  return found > 0 ? 3 : 1;
}

/**
 * Returns the two words of a needle that a reply is least likely to have by chance: names and numbers first, then the longest
 * word. Words of the question and common words are none; adjacent names are one keyword.
 */
export function recallKeywords(needle: string, question: string): readonly string[] {
  const wanted = new Set(wantedWords(needle, question));
  const keywords: { text: string; isName: boolean }[] = [];
  let end = 0;
  for (const { 0: word, index } of needle.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!wanted.delete(stem(word.toLowerCase()))) continue;
    const isName = index > 0 && /^[\p{Lu}\p{N}]/u.test(word);
    const last = keywords.at(-1);
    if (isName && last?.isName && needle.slice(end, index).trim() === "") last.text += ` ${word}`;
    else keywords.push({ text: word, isName });
    end = index + word.length;
  }
  return keywords
    .toSorted((left, right) => Number(right.isName) - Number(left.isName) || right.text.length - left.text.length)
    .slice(0, MOST_KEYWORDS).map(({ text }) => text);
}

/** The grade by keywords; the first reference is the needle, the others are the question in its wordings. */
export const recallScorer: Scorer = {
  // The name in recorded runs.
  name: "recall rubric",
  about:
    "5 with both keywords of the needle, 3 with one, 1 with none, as a share of 5; penalised: above the lowest grade",
  shape: "text",
  parts: { names: ["the needle", "the question"], several: "last" },
  grade(reply, { references }): Grading {
    const [needle, ...questions] = references as readonly [string, ...string[]];
    const score = gradeRecall(reply, needle, { question: questions.join(" ") });
    return { score, penalised: { value: (score.grade - 1) / 4, answer: score.answer, why: score.why }, least: 1 / 5 };
  },
};

/** Returns the stems of a text's content words, each once: no articles, prepositions, pronouns, auxiliaries or words of degree. */
export function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(stem))];
}

/** Returns the stems of the needle that are not in the question, or all if the question has them all. */
function wantedWords(needle: string, question: string): readonly string[] {
  const asked = new Set(contentWords(question));
  const own = contentWords(needle);
  const wanted = own.filter((word) => !asked.has(word));
  return wanted.length > 0 ? wanted : own;
}

/** Strips common English endings: `sitting` is `sit`; `received` and `receive` are `receiv`. */
function stem(word: string): string {
  const bare = word.replace(/['’]s$/, "");
  if (bare.length < 4) return bare;
  const cut = bare.replace(/(?:ing|ed|es|s|e)$/, "");
  if (cut.length < 3) return bare;
  return /([b-df-hj-np-tv-z])\1$/.test(cut) ? cut.slice(0, -1) : cut;
}

const EMPTY_WORDS = new Set(wordings.emptyWords.split(" "));
