import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { INSTRUCTION, OPENING, openSquad, SQUAD_FILE } from "./_questions.ts";
import { testOnRealData } from "../../_real_data.ts";
import { readSimulated } from "../../_read_simulated.ts";
import { DOCUMENT_READER, QUESTION_READER, WORLD_READER } from "@/lib/benchmarks/ruler/document_readers.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import { userText, worldDocuments } from "@/lib/generators/mod.ts";
import { openProfile } from "@/lib/simulated/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { stringMatchPart } from "@/lib/scorers/string_match.ts";

/** Words a question about documents as RULER does. */
function ask(question: string, documents: readonly string[]): string {
  const listed = documents.map((text, number) => `Document ${number + 1}:\n${text}`).join("\n\n");
  return `${OPENING}${listed}\n\n${INSTRUCTION}\n\nQuestion: ${question} Answer:`;
}

Deno.test("WORLD_READER follows two statements to an answer, and has its like as rivals", () => {
  const world = worldDocuments({ hops: 2 });
  for (let number = 0; number < 40; number++) {
    const { question, answers, gold, near } = world.question(number);
    const reading = WORLD_READER.recognise(ask(question, [...gold, ...near].map((at) => world.document(at).text)))!;
    equal(reading.write(reading.wanted.map(({ value }) => value)), ` ${answers[0]}`);
    equal(reading.wanted[0]!.links, 2);
    ok(reading.rivals.every(({ value }) => !answers.includes(value)));
  }
});

Deno.test("WORLD_READER leaves a question whose documents are missing, and questions about the real world, to others", () => {
  const world = worldDocuments({ hops: 1 });
  const { question } = world.question(0);
  equal(WORLD_READER.recognise(ask(question, ["It rained."])), null);
  equal(WORLD_READER.recognise(ask("Who wrote Hamlet?", ["Shakespeare wrote Hamlet."])), null);
});

Deno.test("DOCUMENT_READER guesses by shared words, and says that it guesses", () => {
  const documents = ["The tower was built in 1887 by Anna Berg.", "The mill was built in 1912 by Otto Lind."];
  const answer = (question: string): string => {
    const reading = DOCUMENT_READER.recognise(ask(question, documents))!;
    equal(reading.isGuess, true);
    return reading.write(reading.wanted.map(({ value }) => value));
  };
  equal(answer("When was the mill built?"), " 1912");
  equal(answer("Who built the tower?"), " Anna Berg");
  equal(answer("Was the tower built by Otto Lind?"), " yes");
});

Deno.test("DOCUMENT_READER reads no label of a document, and no document below the instruction", () => {
  const documents = ["Some towers stand there, and a mill.", "Some mills stand here."];
  const reading = DOCUMENT_READER.recognise(ask("How many mills stand here?", documents))!;
  deepEqual([...reading.wanted, ...reading.rivals].map(({ value }) => value), documents.toReversed());
});

testOnRealData("DOCUMENT_READER is right about one SQuAD question in four, among twenty paragraphs", {
  reads: SQUAD_FILE,
  fn(): void {
    const squad = openSquad();
    let right = 0;
    const asked = 120;
    for (let sample = 0; sample < asked; sample++) {
      const { question, answers, gold } = squad.question(sample * Math.floor(squad.questionCount / asked));
      const others = Array.from({ length: 19 }, (_, at) => (gold[0]! + 7 * (at + 1)) % squad.documentCount);
      const texts = [...others.slice(0, 9), ...gold, ...others.slice(9)].map((at) => squad.document(at).text);
      const reading = DOCUMENT_READER.recognise(ask(question, texts))!;
      right += stringMatchPart(reading.write(reading.wanted.map(({ value }) => value)), answers).value ?? 0;
    }
    ok(right / asked > 0.2 && right / asked < 0.5, `${right} of ${asked}`);
  },
});

const materials = await openMaterials();
const ALONE = "Answer the question. Only give me the answer and do not output any other words.";

Deno.test("QUESTION_READER answers a question without documents from memory, the same each time", () => {
  const { prompt } = QUESTION_ANSWERING.make({ documents: 0 }).sample({ length: 256, seed: "42", index: 0, materials });
  const text = userText(prompt) + prompt.answerPrefix;
  const said = (): string => {
    const reading = QUESTION_READER.recognise(text)!;
    equal(reading.isGuess, true);
    return reading.write(reading.wanted.map(({ value }) => value));
  };
  match(said(), /^ \S/);
  equal(said(), said());
  equal(readSimulated(text, openProfile("ideal")).text, said());
  equal(readSimulated(text, openProfile("ideal")).task, "questions");
});

Deno.test("QUESTION_READER finds the question in chat templates, and says no where it asks whether", () => {
  const wordings = ["", " Answer:", " [/INST] Answer:", "<|eot_id|><|start_header_id|>assistant"];
  for (const after of wordings) {
    const reading = QUESTION_READER.recognise(`[INST] ${ALONE}\n\nQuestion: Is Oslo in Peru?${after}`)!;
    equal(reading.wanted[0]?.key, "Is Oslo in Peru?");
    equal(reading.wanted[0]?.value, "no");
  }
});

Deno.test("QUESTION_READER leaves questions that have documents to others", () => {
  const { prompt } = QUESTION_ANSWERING.make().sample({ length: 2048, seed: "42", index: 0, materials });
  equal(QUESTION_READER.recognise(userText(prompt) + prompt.answerPrefix), null);
  notEqual(readSimulated(userText(prompt) + prompt.answerPrefix, openProfile("ideal")).task, "questions");
});
