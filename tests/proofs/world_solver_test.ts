import { deepEqual, equal, ok } from "node:assert/strict";
import { openTestMaterials } from "../generators/_materials.ts";
import { findImpossibleDates } from "../generators/world/_world_dates.ts";
import { readDocuments } from "../generators/world/_world_reading.ts";
import { close, findContradictions, findFaults, findWrongAnswers } from "../generators/world/_world_solver.ts";
import { QUESTION_ANSWERING } from "@/lib/benchmarks/ruler/qa.ts";
import { userText, worldDocuments } from "@/lib/generators/mod.ts";

Deno.test.each(["world", "a", "b", "c"])(
  'a whole world of seed "%s" holds no contradiction and no impossible date, and answers its 126,000 questions in one way',
  (seed) => {
    const [oneHop, twoHop] = ([1, 2] as const).map((hops) => worldDocuments({ seed, hops }));
    const numbers = Array.from({ length: oneHop!.documentCount }, (_, number) => number);
    const reading = readDocuments(numbers.map((number) => oneHop!.document(number).text));
    deepEqual(findContradictions(reading), []);
    deepEqual(findImpossibleDates(reading), []);
    const known = close(reading.statements);
    for (const set of [oneHop!, twoHop!]) {
      for (const number of numbers) {
        const { question, answers } = set.question(number);
        deepEqual(findWrongAnswers(question, answers[0]!, known), []);
      }
    }
    equal(numbers.length, 63_000);
    ok(reading.statements.length > 3 * numbers.length);
  },
);

Deno.test("4,000 contexts of the world hold no contradiction and no impossible date, and answer their question in one way", async () => {
  const materials = await openTestMaterials("cl100k_base");
  for (const hops of [1, 2] as const) {
    const task = QUESTION_ANSWERING.make({ hops });
    for (let index = 0; index < 2000; index++) {
      const length = [2048, 4096, 8192, 16_384][index % 4]!;
      const { prompt, references, id } = task.sample({ length, seed: `slow ${index % 8}`, index, materials });
      deepEqual(findFaults(userText(prompt), references[0]!), [], id);
    }
  }
});
