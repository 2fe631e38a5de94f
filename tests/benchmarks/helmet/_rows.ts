/** Rows in the forms of HELMET's folders json_kv, kilt and ruler. */
export const PAIRS_ROW = {
  "num_kvs": 2,
  context: `JSON data:\n{"k-1": "v-1", "k-2": "v-2"}${" ".repeat(600)}`,
  question: "k-2",
  answer: "v-2",
  demos: [["d-1", "e-1"], ["d-2", "e-2"], ["d-3", "e-3"]],
};
const PASSAGE = { text: `é ${"word ".repeat(12)}`, "has_answer": false };
export const PASSAGES_ROW = {
  id: 7,
  question: "who wrote the song?",
  answers: ["Ann Lee", "The Lees"],
  ctxs: Array.from({ length: 12 }, (_, at) => ({ title: `T${at}`, ...PASSAGE })),
};
const NEEDLE = "One of the special magic numbers for calm-river is: 12345.";
export const NEEDLE_ROW = {
  query: "calm-river",
  "type_needle_v": "number",
  outputs: ["12345"],
  context: `${NEEDLE}\nOne of the special magic numbers for x is: 2.`,
};
export const NEEDLES_ROW = {
  ...NEEDLE_ROW,
  "type_needle_v": "numbers",
  outputs: ["12345", "77"],
  context: `An essay. ${NEEDLE}`,
};

const ONE = [
  "The Beatles",
  "a",
  "An apple a day",
  "Łódź",
  "10,000",
  "ΣΑΣ",
  "the the",
  "İstanbul",
  "x_the_y",
  "日本 the 語",
];
const ANSWERS = [["U.S.A.", "United States"], ["rock'n'roll", "Rock and Roll"], ...ONE.map((answer) => [answer])];
const STARTS = ["", "Answer: ", "answer:\n", "The ", "Answer:the ", "an-", "\u00a0é"];
const ENDS = ["", ".", "\nAnswer: no", " a", "s", "\u3000the", "\u0085Answer: x"];
const CHANGES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replaceAll(/[^\p{L}\p{N}\s]/gu, ""),
  (text) => text.replaceAll(" ", "  the "),
  (text) => text.replaceAll(" ", "\n"),
  (text) => text.slice(1),
  () => "something else",
];

/** Replies in many forms, each with the accepted answers. */
export const CASES: readonly (readonly [reply: string, answers: readonly string[]])[] = ANSWERS.flatMap((answers) =>
  STARTS.flatMap((start) =>
    ENDS.flatMap((end) => CHANGES.map((change) => [start + change(answers.at(-1)!) + end, answers] as const))
  )
);
