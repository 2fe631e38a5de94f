import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { GOLDEN_FOLDERS, readGolden } from "./_golden.ts";
import {
  HOTPOTQA_FILE,
  INSTRUCTION,
  openHotpotqa,
  OPENING,
  openSquad,
  readDocuments,
  readQuestion,
  sampleOf,
  smallSet,
  SQUAD_FILE,
  withDocuments,
  WORLD,
} from "./_questions.ts";
import { testOnRealData } from "../../_real_data.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import { VARIANTS } from "@/lib/benchmarks/ruler/wording.ts";
import { userText, worldDocuments } from "@/lib/generators/mod.ts";

const ANSWER_PREFIX = " Answer:";

/** Renders a prompt again from what was cut out of it. */
function render(documents: readonly string[], question: string): string {
  const labelled = documents.map((text, index) => `Document ${index + 1}:\n${text}\n\n`);
  return `${OPENING}${labelled.join("")}${INSTRUCTION}\n\nQuestion: ${question}`;
}

testOnRealData("QUESTION_ANSWERING.make() words its prompts as the reference does, to the byte", {
  reads: [SQUAD_FILE, HOTPOTQA_FILE, ...GOLDEN_FOLDERS.map(([, folder]) => folder)],
  fn(): void {
    for (const [task, set] of [["qa_1", openSquad()], ["qa_2", openHotpotqa()]] as const) {
      const texts = new Set(Array.from({ length: set.documentCount }, (_, number) => set.document(number).text));
      for (const [variant] of GOLDEN_FOLDERS) {
        for (const { text, prefixAt, outputs, index } of readGolden(task, variant)) {
          const user = text.slice(0, -ANSWER_PREFIX.length);
          equal(text.slice(user.length), ANSWER_PREFIX);
          if (prefixAt !== undefined) equal(prefixAt, user.length);
          const documents = readDocuments(user);
          equal(render(documents, readQuestion(user)), user);
          ok(
            documents.length > 3 && documents.every((document) => texts.has(document)),
            "documents read as the reference does",
          );
          const { question, answers } = set.question(index);
          deepEqual([readQuestion(user), outputs], [question, answers]);
        }
      }
    }
  },
});

Deno.test("QUESTION_ANSWERING.make() asks the same in every variant", () => {
  const [first, ...others] = VARIANTS.map((variant) => {
    const { answerPrefix } =
      QUESTION_ANSWERING.make({ variant }).sample({ length: 1024, seed: "s", index: 5, materials: WORLD }).prompt;
    const user = userText(
      QUESTION_ANSWERING.make({ variant }).sample({ length: 1024, seed: "s", index: 5, materials: WORLD }).prompt,
    );
    return render([], readQuestion(user)) + answerPrefix;
  });
  for (const other of others) equal(other, first);
});

Deno.test("QUESTION_ANSWERING.make() repeats a small set where the context needs more, except the gold document", () => {
  const materials = withDocuments(smallSet(10));
  const { prompt, facts, promptTokens } = sampleOf(materials, 1, 4096);
  const documents = readDocuments(userText(prompt));
  const gold = facts.find(({ role }) => role === "target")!;
  equal(documents.filter((text) => text === gold.text).length, 1);
  equal(new Set(documents).size, 10);
  ok(documents.length > 100 && promptTokens + 32 > 0.97 * 4096);
});

Deno.test("QUESTION_ANSWERING.make() leaves a set of nothing but gold as it is", () => {
  const materials = withDocuments(smallSet(1));
  equal(readDocuments(userText(sampleOf(materials, 1, 4096).prompt)).length, 1);
});

Deno.test("QUESTION_ANSWERING.make() calls documents without title by their place", () => {
  const { facts } = sampleOf(WORLD, 1, 2048);
  deepEqual(facts.map(({ key }) => key), facts.map((_, index) => `Document ${index + 1}`));
});

Deno.test("QUESTION_ANSWERING.make() with a fixed number of documents has that many at any length", () => {
  const task = QUESTION_ANSWERING.make({ hops: 2, documents: 12 });
  for (const length of [4096, 32_768]) {
    const { facts } = task.sample({ length, seed: "s", index: 1, materials: WORLD });
    equal(facts.length, 12);
    equal(facts.filter(({ role }) => role === "target").length, 2);
  }
  throws(
    () => task.sample({ length: 512, seed: "s", index: 1, materials: WORLD }),
    /length must be at least \d+ tokens/,
  );
  deepEqual(task.options, { variant: "2026", hops: 2, documents: 12 });
});

Deno.test("QUESTION_ANSWERING.make() without documents asks the questions that it asks with them, and nothing else", () => {
  for (const hops of [1, 2] as const) {
    const [alone, among] = [QUESTION_ANSWERING.make({ hops, documents: 0 }), QUESTION_ANSWERING.make({ hops })];
    for (let index = 0; index < 5; index++) {
      const request = { seed: "42", index, materials: WORLD };
      const { prompt, facts, references, promptTokens, answerRoom } = alone.sample({ ...request, length: 256 });
      const [, question] = userText(among.sample({ ...request, length: 4096 }).prompt).split("\n\nQuestion: ");
      equal(
        userText(prompt),
        `Answer the question. Only give me the answer and do not output any other words.\n\nQuestion: ${question}`,
      );
      equal(prompt.answerPrefix, " Answer:");
      deepEqual(references, among.sample({ ...request, length: 4096 }).references);
      deepEqual(facts, []);
      ok(promptTokens + answerRoom <= 256);
      equal(alone.sample({ ...request, length: 4096 }).sha256, alone.sample({ ...request, length: 256 }).sha256);
    }
    ok(alone.leastLength(WORLD) < 256);
    ok(among.leastLength(WORLD) > alone.leastLength(WORLD));
  }
});

Deno.test.each([
  [
    "documents below the hops",
    { hops: 2, documents: 1 },
    "Cannot make task qa as documents must be 0 or a whole number from 2 to 50000: current value is 1",
  ],
  [
    "half a document",
    { name: "x", documents: 1.5 },
    "Cannot make task x as documents must be a whole number from 0 to 50000: current value is 1.5",
  ],
] as [string, Parameters<typeof QUESTION_ANSWERING.make>[0], string][])(
  "QUESTION_ANSWERING.make() refuses %s",
  (_name, options, message) => {
    throws(() => QUESTION_ANSWERING.make(options), { name: "RangeError", message });
  },
);

Deno.test("QUESTION_ANSWERING.make() refuses a set without questions", () => {
  const materials = withDocuments({ ...worldDocuments({ hops: 1 }), name: "none", questionCount: 0 });
  throws(() => sampleOf(materials, 1, 4096), {
    name: "RangeError",
    message:
      'Cannot use task qa of ruler-2: Cannot ask a question as document set "none" must hold at least one: current value is 0',
  });
});
