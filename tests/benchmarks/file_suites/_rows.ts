/** A row of LongBench v2's data.json, with white space that pred.py strips, and a place of its prompts in the text. */
export const CHOICE_ROW = {
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

/** 1,404 replies to such rows. */
export const LETTER_REPLIES: readonly string[] = STARTS.flatMap((start) =>
  [...FORMS, ...OTHER_FORMS].flatMap((form) =>
    ["A", "B", "E"].flatMap((letter) => ENDS.map((end) => start + form.replaceAll("X", letter) + end))
  )
);

/** Rows of HELMET's folders. */
export const PAIRS_ROW = {
  "num_kvs": 2,
  context: `JSON data:\n{"k-1": "v-1", "k-2": "v-2"}${" ".repeat(600)}`,
  question: "k-2",
  answer: "v-2",
  demos: [["d-1", "e-1"], ["d-2", "e-2"], ["d-3", "e-3"]],
};
export const PASSAGES_ROW = {
  id: 7,
  question: "who wrote the song?",
  answers: ["Ann Lee", "The Lees"],
  ctxs: Array.from({ length: 12 }, (_, at) => ({ title: `T${at}`, text: `é ${"word ".repeat(12)}` })),
};
const NEEDLE = "One of the special magic numbers for calm-river is: 12345.";
export const NEEDLE_ROW = {
  query: "calm-river",
  "type_needle_v": "number",
  outputs: ["12345"],
  context: `${NEEDLE}\nx`,
};
export const NEEDLES_ROW = {
  ...NEEDLE_ROW,
  "type_needle_v": "numbers",
  outputs: ["12345", "77"],
  context: `An essay. ${NEEDLE}`,
};

const ONE = "The Beatles;a;An apple a day;Łódź;10,000;ΣΑΣ;the the;İstanbul;x_the_y;日本 the 語".split(";");
const ANSWERS = [["U.S.A.", "United States"], ["rock'n'roll", "Rock and Roll"], ...ONE.map((answer) => [answer])];
const BEFORE = ["", "Answer: ", "answer:\n", "The ", "Answer:the ", "an-", "\u00a0é"];
const AFTER = ["", ".", "\nAnswer: no", " a", "s", "\u3000the", "\u0085Answer: x"];
const CHANGES = [/^(?!)/, /[^\p{L}\p{N}\s]/gu, /^./, /.+/].map((part) => (text: string) => text.replace(part, ""));

/** 7,056 replies to questions about documents, each with the accepted answers. */
export const ANSWER_REPLIES = ANSWERS.flatMap((answers) =>
  BEFORE.flatMap((before) =>
    [" ", "  THE ", "\n"].flatMap((space) => CHANGES.map((change) => change(answers.at(-1)!.replaceAll(" ", space))))
      .flatMap((text) => AFTER.map((after): [string, readonly string[]] => [before + text + after, answers]))
  )
);
