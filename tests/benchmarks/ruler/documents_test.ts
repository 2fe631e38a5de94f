import { DOCUMENT_READER, WORLD_READER } from "@/lib/benchmarks/ruler/document_readers.ts";
import { equal, ok } from "node:assert/strict";
import { documentsFromSquad, worldDocuments } from "@/lib/generators/mod.ts";
import { stringMatchPart } from "@/lib/scorers/string_match.ts";

const INSTRUCTION =
  "Answer the question based on the given documents. Only give me the answer and do not output any other words.";

/** Words a question about documents as RULER does. */
function ask(question: string, documents: readonly string[]): string {
  const listed = documents.map((text, number) => `Document ${number + 1}:\n${text}`).join("\n\n");
  return `${INSTRUCTION}\n\nThe following are given documents.\n\n${listed}\n\n${INSTRUCTION}\n\nQuestion: ${question} Answer:`;
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

const SQUAD = new URL("../../../../shared/data/qa/squad_dev_half.json", import.meta.url);

function isThere(file: URL): boolean {
  try {
    return Deno.statSync(file).isFile;
  } catch {
    return false;
  }
}

Deno.test({
  name: `DOCUMENT_READER is right about one SQuAD question in four, among twenty paragraphs${
    isThere(SQUAD) ? "" : " (skipped: ../shared/data/qa is not there)"
  }`,
  ignore: !isThere(SQUAD),
  async fn(): Promise<void> {
    const squad = documentsFromSquad(await Deno.readTextFile(SQUAD));
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
