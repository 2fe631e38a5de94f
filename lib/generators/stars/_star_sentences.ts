import type { FactRole } from "../sample.ts";

/** The languages that stars are counted in. */
export type StarLanguage = "en" | "zh";

/**
 * What the sentences say.
 *
 * - `plain`: a count.
 * - `corrected`: a wrong count, then the right one, as in the reference's reasoning task.
 * - `miscounted`: a wrong count, then by how much it is wrong: the right one must be worked out.
 * - `linked`: a count; half of the counts are set right by another sentence, half an interval later.
 *
 * The last two are what the authors sketch for a next version.
 */
export type StarSentence = "plain" | "corrected" | "miscounted" | "linked";

/** A stretch of a sentence, with what it says of a count. */
export interface StarPiece {
  readonly role: FactRole;
  readonly text: string;
  readonly value: number;
}

/** One count as it is written, wrong or right. */
export interface WrittenStar {
  readonly right: number;
  readonly wrong: number;
}

/** Writes a count that is right as it stands. */
export function plainSentence(language: StarLanguage, count: number): StarPiece[] {
  const text = language === "zh" ? `小企鹅数了${count}颗★` : `The little penguin counted ${count} ★`;
  return [{ role: "target", text, value: count }];
}

/** Writes a wrong count and the right one after it. */
export function correctedSentence(language: StarLanguage, { right, wrong }: WrittenStar): StarPiece[] {
  return language === "zh"
    ? [
      { role: "distractor", text: `小企鹅数了${wrong}颗★，但发现数错了，`, value: wrong },
      { role: "target", text: `于是又数了一遍，这次数对了，是${right}颗★`, value: right },
    ]
    : [
      {
        role: "distractor",
        text: `The little penguin counted ${wrong} ★, but found that a mistake had been made,`,
        value: wrong,
      },
      {
        role: "target",
        text: ` so the counting was done again, and this time ${right} ★ was counted correctly.`,
        value: right,
      },
    ];
}

/** Writes a wrong count and how far it is from the right one. */
export function miscountedSentence(language: StarLanguage, star: WrittenStar): StarPiece[] {
  const { right, wrong } = star;
  const chinese = [`小企鹅数了${wrong}颗★，`, `但小企鹅发现它${slipOf(language, star)}★`];
  const english = [
    `The little penguin counted ${wrong} ★,`,
    ` but the little penguin found that it had counted ${slipOf(language, star)}`,
  ];
  const [first, second] = language === "zh" ? chinese : english;
  return [
    { role: "distractor", text: first!, value: wrong },
    { role: "target", text: second!, value: right },
  ];
}

/** Writes a wrong count, and the sentence that sets it right from further on. */
export function linkedSentences(language: StarLanguage, star: WrittenStar): readonly [StarPiece[], StarPiece[]] {
  const [count] = plainSentence(language, star.wrong);
  const text = language === "zh"
    ? `小企鹅发现上一次${slipOf(language, star)}★`
    : `The little penguin found that the last time it had counted ${slipOf(language, star)}`;
  return [[{ ...count!, role: "distractor" }], [{ role: "target", text, value: star.right }]];
}

/** Words by how much a count is wrong. */
function slipOf(language: StarLanguage, { right, wrong }: WrittenStar): string {
  const slip = Math.abs(wrong - right);
  if (language === "zh") return `${wrong > right ? "多" : "少"}数了${slip}颗`;
  return `${slip} ★ too ${wrong > right ? "many" : "few"}`;
}
