import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { documentsFromHotpotqa } from "@/lib/generators/mod.ts";

const FILE = new URL("../../../shared/data/qa/hotpotqa_100.json", import.meta.url);
const isAbsent = !exists(FILE);

function exists(url: URL): boolean {
  try {
    return Deno.statSync(url).isFile;
  } catch {
    return false;
  }
}

const SMALL = [
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
  const set = documentsFromHotpotqa(JSON.stringify(SMALL));
  equal(set.name, "hotpotqa");
  deepEqual(set.document(0), { title: "Grass", text: "Grass\nGrass grows. It is green." });
  deepEqual(set.question(0), { question: "Are grass and sky alike?", answers: ["no"], gold: [2, 0], near: [1] });
});

Deno.test("documentsFromHotpotqa() makes one document of equal ones, and leaves out what it has no documents for", () => {
  const set = documentsFromHotpotqa(JSON.stringify(SMALL));
  equal(set.documentCount, 5);
  equal(set.questionCount, 2);
  deepEqual(set.question(1), { question: "Is two even?", answers: ["yes"], gold: [1], near: [3] });
});

const WANTED = "Cannot read the documents as the file must be HotpotQA of the distractor setting in JSON, " +
  '[{"question", "answer", "supporting_facts", "context"}]: current ';

Deno.test.each([
  ["what is not JSON", '{"question"', "text is not JSON"],
  ["a SQuAD file", '{"data": []}', "value of the whole is an object"],
  ["a list of something else", '[{"question": "Who?"}]', 'value of "context" is missing'],
  [
    "the test set, which has no answers",
    '[{"question": "Who?", "context": []}]',
    'value of "supporting_facts" is missing',
  ],
  ["no question", "[]", "number of questions with their documents is 0"],
] as [string, string, string][])("documentsFromHotpotqa() refuses %s", (_name, json, found) => {
  throws(() => documentsFromHotpotqa(json), { name: "SyntaxError", message: WANTED + found });
});

Deno.test({
  name: `documentsFromHotpotqa() reads a hundred dev questions${isAbsent ? " (skipped: no ../shared)" : ""}`,
  ignore: isAbsent,
  fn(): void {
    const set = documentsFromHotpotqa(Deno.readTextFileSync(FILE));
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
