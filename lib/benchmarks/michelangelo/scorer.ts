import type { Answerable, Grading, Score, Scorer } from "@/lib/scorers/mod.ts";

/** An option's letter: in parentheses anywhere, or at the start of a line before a mark or alone in it. */
const OPTION = /\(([A-Z])\)|^[^\w\n(]*([A-Z])(?=[.):]|[^\w\n]*$)/gm;

/** A list of numbers. */
const LIST = /\[[\d\s,-]*\]/g;

/** A number, with or without commas between thousands. */
const NUMBER = /-?\d+(?:,\d{3})*(?:\.\d+)?/g;

/** Scores a reply by its last answer of the reference's form: a list, a number, or an option such as `(B) brown`. */
export const lastAnswer: Scorer = {
  name: "last answer",
  about: "1 if the last list, number or option in the reply is the right one; penalised: if it also names no other",
  shape: { name: "answer", pattern: /\([A-Z]\)|\[[\d\s,-]*\]|\d+/ },
  parts: { names: ["the answer"] },
  grade(reply: string, { references: [wanted = ""] }: Answerable): Grading {
    const [given, [right]] = [findAnswers(reply, wanted), findAnswers(wanted, wanted)];
    const answer = given.at(-1) ?? "";
    const why = answer === "" ? "no answer" : `${answer}, wanted ${wanted}`;
    const score: Score = { value: Number(answer === right), answer, why };
    const other = given.find((each) => each !== right);
    const penalised: Score = other === undefined ? score : { value: 0, answer, why: `${why}; the reply has ${other}` };
    return { score, penalised, unparsable: answer === "" && reply.trim() !== "" };
  },
};

/** Finds the answers in a text, in its order, without white space. */
function findAnswers(text: string, reference: string): string[] {
  const [, option, meaning] = /^(\([A-Z]\)) (.+)$/.exec(reference) ?? [];
  if (option === undefined || meaning === undefined) {
    const found = text.match(reference.startsWith("[") ? LIST : NUMBER) ?? [];
    return found.map((each) => each.replaceAll(reference.startsWith("[") ? /\s/g : /,/g, ""));
  }
  const letters = Array.from(text.matchAll(OPTION), ([, inside, alone]) => `(${inside ?? alone})`);
  // The words of the right option without its letter count too.
  return letters.length === 0 && spell(text) === spell(meaning) ? [option] : letters;
}

function spell(text: string): string {
  return text.toLowerCase().replaceAll("’", "'").replaceAll(/[^\w' ]/g, "").trim();
}
