import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { readRealText, testOnRealData } from "../_real_data.ts";
import { documentsFromHotpotqa, documentsFromSquad } from "@/lib/generators/mod.ts";

const SQUAD_FILE = "qa/squad_dev_half.json";

const answer = (text: string): object => ({ text, answer_start: 0 });

const SQUAD = {
  version: "v2.0",
  data: [
    {
      title: "Colours",
      paragraphs: [
        {
          context: "Grass is green.",
          qas: [
            { question: "What is grass?", answers: [answer("green"), answer("Green"), answer("green")] },
            { question: "What is snow?", answers: [], plausible_answers: [answer("green")], is_impossible: true },
          ],
        },
        { context: "Sky is blue.", qas: [] },
        { context: "Grass is green.", qas: [] },
      ],
    },
    {
      title: "Numbers",
      paragraphs: [{
        context: "Two is even.",
        qas: [{ question: "What is two?", answers: [answer("even")], is_impossible: false }],
      }],
    },
  ],
};

Deno.test("documentsFromSquad() reads paragraphs, answers with all their aliases, and the article's others", () => {
  const set = documentsFromSquad(JSON.stringify(SQUAD));
  equal(set.name, "squad");
  equal(set.questionCount, 2, "the impossible question is left out");
  deepEqual(set.question(0), {
    question: "What is grass?",
    answers: ["green", "Green", "green"],
    gold: [0],
    near: [1],
  });
  deepEqual(set.question(1), { question: "What is two?", answers: ["even"], gold: [2], near: [] });
  deepEqual(set.document(1), { title: "", text: "Sky is blue." });
});

Deno.test("documentsFromSquad() reads version 1.1, where no question is impossible", () => {
  const qas = [{ id: "1", question: "What?", answers: [answer("this")] }];
  const file = { version: "1.1", data: [{ title: "A", paragraphs: [{ context: "This.", qas }] }] };
  deepEqual(documentsFromSquad(JSON.stringify(file), "mine").question(0).answers, ["this"]);
});

const SQUAD_WANTED =
  'Cannot read the documents as the file must be SQuAD 1.1 or 2.0 in JSON, {"data": [{"paragraphs": ' +
  '[{"context", "qas"}]}]}: current ';

Deno.test.each([
  ["what is not JSON", "a,b", "text is not JSON"],
  ["a HotpotQA file", "[]", 'value of "data" is missing'],
  [
    "no question",
    '{"data": [{"paragraphs": [{"context": "A", "qas": []}]}]}',
    "number of questions with an answer is 0",
  ],
] as [string, string, string][])("documentsFromSquad() refuses %s", (_name, json, found) => {
  throws(() => documentsFromSquad(json), { name: "SyntaxError", message: SQUAD_WANTED + found });
});

testOnRealData("documentsFromSquad() reads a half of the SQuAD 2.0 dev set", {
  reads: SQUAD_FILE,
  fn(): void {
    const set = documentsFromSquad(readRealText(SQUAD_FILE));
    // 16 articles, 6,078 questions of which 2,910 can be answered, 646 paragraphs: counted in the file.
    equal(set.documentCount, 646);
    equal(set.questionCount, 2910);
    for (let number = 0; number < set.questionCount; number++) {
      const { answers, gold, near } = set.question(number);
      ok(set.document(gold[0]!).text.includes(answers[0]!), `question ${number}`);
      ok(!near.includes(gold[0]!) && near.length > 5);
    }
  },
});

const HOTPOTQA_FILE = "qa/hotpotqa_100.json";

const HOTPOTQA = [
  {
    question: "Are grass and sky alike?",
    answer: "no",
    supporting_facts: [["Sky", 0], ["Grass", 1], ["Sky", 1]],
    context: [["Grass", ["Grass grows.", " It is green."]], ["Two", ["It is even."]], ["Sky", ["It is blue."]]],
  },
  {
    question: "Is two even?",
    answer: "yes",
    supporting_facts: [["Two", 0]],
    context: [["Two", ["It is even."]], ["Three", ["It is odd."]]],
  },
  { question: "Who?", answer: "nobody", supporting_facts: [["Elsewhere", 0]], context: [["Four", ["It is even."]]] },
];

Deno.test("documentsFromHotpotqa() reads documents with titles, gold in the order of the facts, and the rest as near", () => {
  const set = documentsFromHotpotqa(JSON.stringify(HOTPOTQA));
  equal(set.name, "hotpotqa");
  deepEqual(set.document(0), { title: "Grass", text: "Grass\nGrass grows. It is green." });
  deepEqual(set.question(0), { question: "Are grass and sky alike?", answers: ["no"], gold: [2, 0], near: [1] });
});

Deno.test("documentsFromHotpotqa() makes one document of equal ones, and leaves out what it has no documents for", () => {
  const set = documentsFromHotpotqa(JSON.stringify(HOTPOTQA));
  equal(set.documentCount, 5);
  equal(set.questionCount, 2);
  deepEqual(set.question(1), { question: "Is two even?", answers: ["yes"], gold: [1], near: [3] });
});

const HOTPOTQA_WANTED = "Cannot read the documents as the file must be HotpotQA of the distractor setting in JSON, " +
  '[{"question", "answer", "supporting_facts", "context"}]: current ';

Deno.test.each([
  ["what is not JSON", '{"question"', "text is not JSON"],
  ["a SQuAD file", '{"data": []}', 'value of "file" is an object'],
  [
    "the test set, which has no answers",
    '[{"question": "Who?", "context": []}]',
    'value of "supporting_facts" is missing',
  ],
  ["no question", "[]", "number of questions with their documents is 0"],
] as [string, string, string][])("documentsFromHotpotqa() refuses %s", (_name, json, found) => {
  throws(() => documentsFromHotpotqa(json), { name: "SyntaxError", message: HOTPOTQA_WANTED + found });
});

testOnRealData("documentsFromHotpotqa() reads a hundred dev questions", {
  reads: HOTPOTQA_FILE,
  fn(): void {
    const set = documentsFromHotpotqa(readRealText(HOTPOTQA_FILE));
    // 99 contexts of ten documents and one of two; one document stands in two contexts: counted in the file.
    equal(set.questionCount, 100);
    equal(set.documentCount, 991);
    for (let number = 0; number < set.questionCount; number++) {
      const { answers, gold, near } = set.question(number);
      equal(gold.length, 2);
      ok(near.length === 8 || near.length === 0);
      const texts = gold.map((document) => set.document(document).text).join("\n");
      ok(["yes", "no"].includes(answers[0]!) || texts.includes(answers[0]!), `question ${number}: ${answers[0]}`);
    }
  },
});
