/** A row in the form of data.json, with white space that pred.py strips, and a place of its prompts in the text. */
export const ROW = {
  _id: "66f36490821e116aacb2cc22",
  domain: "Single-Document QA",
  "sub_domain": "Legal",
  difficulty: "easy",
  length: "short",
  question: " Which word is the last? ",
  "choice_A": "one",
  "choice_B": "two \n",
  "choice_C": "$Q$ three",
  "choice_D": "four",
  answer: "B",
  context: `\n  ${Array.from({ length: 200 }, (_, at) => `word${at}`).join(" ")} é𝔘 $C_A$ two\n`,
};

const IS = "The correct answer is";
const STARTS = ["", "Let me think. ", "**", "I cannot say.\n", `${IS} (A). `, `${IS} not D. `];
const FORMS = [" (X)", " X", " **(X)**", " (X).", ": (X)", "\n(X)", " ( X )", " Because", "  X"].map((end) => IS + end);
const OTHER_FORMS = ["Answer: (X)", "the correct answer is X", "The *correct* answer is (X)", ""];
const ENDS = ["", ".", `\n${IS} (D)`, ` ${IS} B`, "*", "\u2028so"];

/** Replies in many forms. */
export const REPLIES: readonly string[] = STARTS.flatMap((start) =>
  [...FORMS, ...OTHER_FORMS].flatMap((form) =>
    ["A", "B", "E"].flatMap((letter) => ENDS.map((end) => start + form.replaceAll("X", letter) + end))
  )
);
