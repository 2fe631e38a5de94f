import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { documentsFromSquad } from "@/lib/generators/mod.ts";

const FILE = new URL("../../../shared/data/qa/squad_dev_half.json", import.meta.url);
const isAbsent = !exists(FILE);

function exists(url: URL): boolean {
  try {
    return Deno.statSync(url).isFile;
  } catch {
    return false;
  }
}

const answer = (text: string): object => ({ text, answer_start: 0 });

const SMALL = {
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
  const set = documentsFromSquad(JSON.stringify(SMALL));
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

Deno.test("documentsFromSquad() makes one document of paragraphs with equal text", () => {
  equal(documentsFromSquad(JSON.stringify(SMALL)).documentCount, 3);
});

Deno.test("documentsFromSquad() reads version 1.1, where no question is impossible", () => {
  const qas = [{ id: "1", question: "What?", answers: [answer("this")] }];
  const file = { version: "1.1", data: [{ title: "A", paragraphs: [{ context: "This.", qas }] }] };
  deepEqual(documentsFromSquad(JSON.stringify(file), "mine").question(0).answers, ["this"]);
});

const WANTED = 'Cannot read the documents as the file must be SQuAD 1.1 or 2.0 in JSON, {"data": [{"paragraphs": ' +
  '[{"context", "qas"}]}]}: current ';

Deno.test.each([
  ["what is not JSON", "a,b", "text is not JSON"],
  ["a HotpotQA file", "[]", 'value of "data" is missing'],
  ["an object of another kind", '{"data": {}}', 'value of "data" is an object'],
  ["paragraphs without questions", '{"data": [{"paragraphs": [{"context": "A"}]}]}', 'value of "qas" is missing'],
  [
    "no question",
    '{"data": [{"paragraphs": [{"context": "A", "qas": []}]}]}',
    "number of questions with an answer is 0",
  ],
  ["null", "null", 'value of "data" is missing'],
] as [string, string, string][])("documentsFromSquad() refuses %s", (_name, json, found) => {
  throws(() => documentsFromSquad(json), { name: "SyntaxError", message: WANTED + found });
});

Deno.test({
  name: `documentsFromSquad() reads a half of the SQuAD 2.0 dev set${isAbsent ? " (skipped: no ../shared)" : ""}`,
  ignore: isAbsent,
  fn(): void {
    const set = documentsFromSquad(Deno.readTextFileSync(FILE));
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
