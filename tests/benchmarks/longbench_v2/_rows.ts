/** A row in the form of data.json, with white space that pred.py strips; the text is longer than 1,000 characters. */
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

const STARTS = [
  "",
  "Let me think. ",
  "**",
  "I cannot say.\n",
  "The correct answer is (A). ",
  "The correct answer is not D. ",
];
const FORMS = [
  "The correct answer is (X)",
  "The correct answer is X",
  "The correct answer is **(X)**",
  "The *correct* answer is (X).",
  "The correct answer is: (X)",
  "Answer: (X)",
  "The correct answer is\n(X)",
  "the correct answer is X",
  "The correct answer is ( X )",
  "The correct answer is Because",
  "The correct answer is  X",
  "",
];
const ENDS = ["", ".", "\nThe correct answer is (D)", " The correct answer is B", "*", "\u2028so"];

/** Replies in many forms. */
export const REPLIES: readonly string[] = STARTS.flatMap((start) =>
  FORMS.flatMap((form) =>
    ["A", "B", "E"].flatMap((letter) => ENDS.map((end) => start + form.replaceAll("X", letter) + end))
  )
);
