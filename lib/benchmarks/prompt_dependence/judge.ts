import { recallScorer } from "./recall_keywords.ts";
import wordings from "./wordings.json" with { type: "json" };
import type { Regrader } from "@/lib/benchmarks/benchmark.ts";
import { type Prompt, userPrompt } from "@/lib/generators/mod.ts";
import type { Grading } from "@/lib/scorers/mod.ts";

/** Tokens for a short explanation and the grade. */
const ANSWER_ROOM = 300;

/** The lowest grade that accepts an answer: it aligns with the needle. */
const ACCEPTED = 4;

/** The meanings of the grades from 1 to 5 (Table 4), and LangChain's prompt for labelled scores. */
const { meanings: MEANINGS, prompt: PROMPT } = wordings.judge;

/**
 * Grades a reply from 1 to 5 by a model, as the paper does with GPT-4 Turbo.
 *
 * Machlab and Battle (arXiv 2404.08865v1), section 3.3 and appendix: LangChain's prompt for labelled scores, with the needle as
 * ground truth. Empty replies are graded too.
 */
export const RECALL_JUDGE: Regrader = {
  name: "judge",
  caption:
    "Recall = sum of grades / (5 x replies), so that a model that finds nothing has 20%. With a judge, of the replies " +
    "that both graded. Alike: both accept (4 and above) or both reject. Kappa has squared weights. No answer: the judge " +
    "gave no grade that can be read, twice, and the reply stays unscored.",
  wanted: "a grade from 1 to 5 in double brackets",
  grades: 5,
  ...judgeBy({ accepted: ACCEPTED, grades: [1, 2, 3, 4, 5], closing: "Only respond with a numerical score" }),
};

/**
 * Grades a reply from 1 to 10 by a model, as Kamradt's Needle In A Haystack does: the same prompt with its criteria, of which
 * 1, 3, 5, 7 and 10 have a meaning. The steps of the two scales differ, so there is no kappa.
 */
export const KAMRADT_JUDGE: Regrader = {
  name: "judge-10",
  caption:
    "By the judge, the sum of grades / (10 x replies); by the rules, of 5. With a judge, of the replies that both graded. Alike: " +
    "both accept or both reject. No answer: the judge gave no grade that can be read, twice, and the reply stays unscored.",
  wanted: "a grade from 1 to 10 in double brackets",
  // Other grades of evaluators/openai.py have no meaning. The typing error is in the original.
  ...judgeBy({ accepted: 7, grades: [1, 3, 5, 7, 10], closing: "Only respond with a numberical score" }),
};

/** Makes a judge on a scale of five grades with a meaning. */
function judgeBy({ accepted, grades, closing }: {
  readonly accepted: number;
  readonly grades: readonly number[];
  readonly closing: string;
}): Omit<Regrader, "name" | "caption" | "wanted"> {
  const most = grades.at(-1)!;
  const meanings = MEANINGS.map((meaning, at) => ` Score ${grades[at]}: ${meaning}`);
  const criteria = ["accuracy:", ...meanings, ` ${closing}`].join("\n");
  return {
    scorers: [recallScorer],
    prompt(reply, { references: [needle = "", question = ""] }): Prompt {
      const words: Readonly<Record<string, string | number>> = { criteria, needle, most, question, reply };
      const text = PROMPT.replaceAll(/\{(\w+)\}/g, (_, place: string) => String(words[place]));
      return userPrompt(text, { system: "You are a helpful assistant." });
    },
    answerRoom: () => ANSWER_ROOM,
    grade(answer, { score }): Grading | null {
      const grade = readGrade(answer, most);
      if (grade === null) return null;
      const rest = { answer: score?.answer ?? "", why: answer };
      const penalised = { value: (grade - 1) / (most - 1), ...rest };
      return { score: { value: grade / most, ...rest }, penalised, least: 1 / most };
    },
    otherwise: "unscored",
    isAlike: (byKeywords, byJudge) => 5 * byKeywords >= ACCEPTED === most * byJudge >= accepted,
    agree: (_reply, { score }) => `Rating: [[${grades[Math.round(5 * (score?.value ?? 0)) - 1] ?? 1}]]`,
  };
}

/** Parses a grade strictly, as LangChain's parser does: the first pair of double brackets must contain a plain number. */
function readGrade(text: string, most: number): number | null {
  for (const line of text.split("\n")) {
    const start = line.indexOf("[[");
    const end = start < 0 ? -1 : line.indexOf("]]", start + 2);
    if (end < 0) continue;
    const inside = line.slice(start + 2, end);
    return /^[1-9]\d?$/.test(inside) && Number(inside) <= most ? Number(inside) : null;
  }
  return null;
}
