import { deepEqual, equal } from "node:assert/strict";
import { answerWorldQuestion, readWorldFacts, readWorldQuestion } from "./_world_facts.ts";
import { openNames } from "@/lib/generators/world/world_names.ts";
import { fillSlots, PADDING, RELATIONS, SLOT_WORDS } from "@/lib/generators/world/world_wordings.ts";

const { name: nameOf } = openNames("test");
const ALL = Object.values(RELATIONS).flat();

Deno.test("readWorldFacts() reads back every statement of the grammar", () => {
  for (const relation of ALL) {
    relation.statements.forEach((statement, number) => {
      const subject = nameOf(relation.subject, number);
      const object = nameOf(relation.object, 100 + number);
      for (const name of [subject.full, subject.word]) {
        const words: Record<string, string> = { s: name, o: object.full, year: "1871" };
        const sentence = fillSlots(statement, (slot) => words[slot]!);
        deepEqual(readWorldFacts(`Document 7:\nIt rained. ${sentence} It cleared.`), [
          { subject: subject.word, relation: relation.name, object: object.full, at: 23 },
        ], sentence);
      }
    });
  }
});

Deno.test("readWorldFacts() finds nothing in openings and remarks", () => {
  for (const [kind, { openings, remarks }] of Object.entries(PADDING)) {
    const name = nameOf(kind as "person" | "firm" | "town", 3).full;
    for (const phrasing of [...openings, ...remarks]) {
      const sentence = fillSlots(phrasing, (slot) => ({ s: name, year: "1900" })[slot] ?? SLOT_WORDS[slot]![0]!);
      deepEqual(readWorldFacts(sentence), [], sentence);
    }
  }
});

Deno.test("readWorldFacts() passes over other text, half sentences and strangers' names", () => {
  for (
    const text of [
      "",
      "The grass is green. The sky is blue.",
      "Goethe was born in Frankfurt.",
      "Grovelumert was born in",
      "Grovelumert was born in Skenolamund",
      "Grovelumert was never born in Skenolamund.",
      "小明最喜欢的实习的地点就是上海人工智能实验室。",
    ]
  ) deepEqual(readWorldFacts(text), [], text);
});

Deno.test("readWorldQuestion() understands every question of the grammar, of one hop and of two, in one way", () => {
  const seen = new Set<string>();
  for (const last of ALL) {
    for (const question of last.questions) {
      const name = nameOf(last.subject, 5);
      const asked = question.replace("{s}", name.full);
      seen.add(asked);
      deepEqual(readWorldQuestion(asked), { subject: name.word, path: [last.name] }, asked);
      for (const first of ALL.filter(({ object }) => object === last.subject)) {
        for (const description of first.descriptions) {
          const start = nameOf(first.subject, 5);
          const longer = question.replace("{s}", description).replace("{s}", start.full);
          seen.add(longer);
          deepEqual(readWorldQuestion(longer), { subject: start.word, path: [first.name, last.name] }, longer);
        }
      }
    }
  }
  // Fifteen relations with 33 questions; each of the eleven that lead on has two descriptions.
  const questions = ALL.reduce((sum, { questions }) => sum + questions.length, 0);
  equal(questions, 33);
  const further = ALL.flatMap(({ object, descriptions }) =>
    descriptions.flatMap(() => ALL.filter(({ subject }) => subject === object).flatMap((last) => last.questions))
  );
  equal(seen.size, questions + further.length);
});

Deno.test("readWorldQuestion() gives null for questions about anything else", () => {
  for (const question of ["", "Who wrote Faust?", "In which town was Goethe born?", "Who owns Brelodex Mills?"]) {
    equal(readWorldQuestion(question), null, question);
  }
});

const KNOWN = readWorldFacts(
  "Brelodex Mills was founded by Ilse Grovelumert. Grovelumert was born in Skenolamund. " +
    "Skenolamund lies in the valley of the Brivaleth. Grovelumert was born in Stavolaholm.",
);

Deno.test.each([
  ["one hop", "Who founded Brelodex Mills?", "Ilse Grovelumert"],
  ["one hop from a given name and a family name", "Where was Ilse Grovelumert born?", "Skenolamund"],
  ["two hops", "What is the birthplace of the founder of Brelodex Mills?", "Skenolamund"],
  ["two hops to the valley", "In which river valley does the birthplace of Ilse Grovelumert lie?", "Brivaleth"],
  ["a statement that is missing", "Who manages Brelodex Mills?", null],
  ["a second hop that is missing", "Who taught the founder of Brelodex Mills the craft?", null],
  ["a question about something else", "Who wrote Faust?", null],
] as [string, string, string | null][])("answerWorldQuestion() answers %s", (_name, question, want) => {
  equal(answerWorldQuestion(question, KNOWN), want);
});
