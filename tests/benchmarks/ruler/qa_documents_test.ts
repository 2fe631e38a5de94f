import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { OTHER_ENCODINGS } from "../../generators/_encodings.ts";
import { openTestMaterials, withOther } from "../../generators/_materials.ts";
import { smallSet, WORLD } from "./_questions.ts";
import { fillGap } from "@/lib/benchmarks/ruler/qa.ts";
import { distractorOrder, documentCounts } from "@/lib/benchmarks/ruler/qa_documents.ts";
import { firstAsked, questionsAt } from "@/lib/benchmarks/ruler/qa_questions.ts";
import type { DocumentSet, Question } from "@/lib/generators/mod.ts";

const numbersFrom = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);
const sorted = (numbers: readonly number[]): readonly number[] => numbers.toSorted((left, right) => left - right);

/** The question of a context that has one. */
function askedAt(
  set: DocumentSet,
  place: { readonly seed: string; readonly index: number; readonly length?: number },
): Question {
  return questionsAt(set, { ...place, questions: 1, materials: WORLD })[0]!;
}

Deno.test("questionsAt() asks all of a set, then all again in another order, and a seed has its own", () => {
  const set = smallSet(8);
  const orderOf = (seed: string, round: number): readonly number[] =>
    numbersFrom(8).map((place) => askedAt(set, { seed, index: 8 * round + place }).gold[0]!);
  const orders = [0, 1, 2].map((round) => orderOf("1", round));
  for (const order of orders) deepEqual(sorted(order), numbersFrom(8));
  equal(new Set([...orders, orderOf("2", 0)].map(String)).size, 4);
  throws(() => askedAt({ ...set, questionCount: 0 }, { seed: "1", index: 0 }), RangeError);
});

Deno.test("questionsAt() keeps the questions of a context together in every round, and drops a rest that is too small", () => {
  const set = smallSet(8);
  const rounds = numbersFrom(3).map((round) =>
    numbersFrom(2).map((place) => {
      const asked = { seed: "1", index: 2 * round + place, questions: 3, materials: WORLD };
      equal(firstAsked(set, asked) < 2, true);
      return questionsAt(set, asked).map(({ gold }) => gold[0]!);
    })
  );
  for (const groups of rounds) {
    equal(new Set(groups.flat()).size, 6);
    deepEqual(groups.map(String).toSorted(), rounds[0]!.map(String).toSorted());
  }
  throws(() => questionsAt(set, { seed: "1", index: 0, questions: 9, materials: WORLD }), {
    name: "RangeError",
    message: /must hold at least 9: current value is 8/,
  });
});

Deno.test("firstAsked() is the sample itself in the first round, and later the one of the first that asks the same", () => {
  const set = smallSet(8);
  for (const index of numbersFrom(24)) {
    const first = firstAsked(set, { seed: "1", index, questions: 1, materials: WORLD });
    equal(first < 8, true);
    if (index < 8) equal(first, index);
    const [own, other] = [index, first].map((at) => askedAt(set, { seed: "1", index: at }));
    deepEqual(own!.gold, other!.gold);
  }
});

Deno.test("distractorOrder() has near documents first, then all others, then all of them in each further round", () => {
  const set = smallSet(12);
  for (const number of numbersFrom(12)) {
    // One document near the question also answers it.
    const question = { ...set.question(number), gold: [number, (number + 1) % 12] };
    const order = distractorOrder(set, { questions: [question], path: ["1", number] });
    const others = numbersFrom(12).filter((each) => !question.gold.includes(each));
    const near = question.near.filter((each) => !question.gold.includes(each));
    const rounds = [0, 1, 2].map((round) => others.map((_, place) => order.numberOf(10 * round + place)));
    for (const round of rounds) deepEqual(sorted(round), others);
    deepEqual(sorted(rounds[0]!.slice(0, 2)), sorted(near));
    deepEqual(numbersFrom(12).filter(order.isNear), sorted(near));
    equal(new Set(rounds.map(String)).size, 3);
    equal(order.isEmpty, false);
    deepEqual(order.first(5), numbersFrom(5));
    deepEqual(order.first(3), numbersFrom(3));
    const depths = numbersFrom(5).map(order.depthOf);
    order.first(9);
    deepEqual(numbersFrom(5).map(order.depthOf), depths);
    equal(new Set(numbersFrom(9).map(order.depthOf)).size, 9);
  }
});

/** All choices of one to three of the numbers. */
function choices(numbers: readonly number[]): number[][] {
  return numbers.flatMap((one, first) => [
    [one],
    ...numbers.slice(first + 1).flatMap((two, second) => [
      [one, two],
      ...numbers.slice(first + second + 2).map((three) => [one, two, three]),
    ]),
  ]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The costs of documents already taken and of fresh ones, and a gap that no taken document leaves free. */
const GAPS = fc.record({
  taken: fc.array(fc.integer({ min: 20, max: 90 }), { maxLength: 4 }),
  fresh: fc.array(fc.integer({ min: 20, max: 90 }), { minLength: 1, maxLength: 8 }),
  gap: fc.integer({ min: 1, max: 89 }),
});

Deno.test("fillGap() finds what fills the gap best among all ways to replace the last two documents by one to three", () => {
  fc.assert(
    fc.property(GAPS, ({ taken, fresh, gap }) => {
      // Fresh documents that fit would be taken first.
      const costs = [...taken, ...fresh.map((cost) => cost + 90)];
      const numbers = costs.map((_, number) => number);
      const costOf = (document: number): number => costs[document]!;
      const [best] = fillGap(numbers.slice(0, taken.length), { fresh: numbers.slice(taken.length), costOf, gap });
      const kept = numbers.slice(0, Math.max(0, taken.length - 2));
      const totals = choices(numbers.slice(kept.length)).map((chosen) => sum([...kept, ...chosen].map(costOf)))
        .filter((total) => total > sum(taken) && total <= sum(taken) + gap);
      equal(best === undefined ? -Infinity : sum(best.map(costOf)), Math.max(...totals));
    }),
  );
});

/** The documents of a context, by their numbers. */
const ORDERS = [[0, 1, 2, 3], [3, 0, 2, 5], [7, 7, 1, 4]] as const;

for (const [encoding] of OTHER_ENCODINGS) {
  Deno.test(`documentCounts() add up to the tokens of whole contexts in ${encoding}, with titles and without`, async () => {
    const materials = await openTestMaterials(encoding);
    const { tokenizer, documents: { oneHop, twoHop } } = materials;
    const plain = smallSet(8);
    const titled: DocumentSet = {
      ...plain,
      name: "titled",
      document: (number) => ({ title: `T${number}`, text: `T${number}\nIt is “${number}” — or is it…` }),
    };
    const { pieces: _, ...whole } = oneHop;
    for (const set of [plain, titled, oneHop, twoHop, { ...whole, name: "without pieces" }]) {
      const counts = documentCounts(withOther(materials, {}), set)!;
      for (const order of ORDERS) {
        const costs = order.map((number) => counts.own(number));
        if (costs.some((cost) => cost < 0)) continue;
        const texts = order.map((number, at) => `Document ${at + 1}:\n${set.document(number).text}\n\n`);
        const sum = tokenizer.count("Document") + counts.labels(4) + costs.reduce((total, cost) => total + cost, 0);
        equal(sum, tokenizer.count(`${texts.join("")}Document`), `${set.name} ${order}`);
        for (const number of order) {
          const { tail, alone, meeting } = counts.end(number);
          ok(`${set.document(number).text}\n\n`.endsWith(tail));
          equal(alone, tokenizer.countAfterCut(tail));
          equal(meeting, tokenizer.countAfterCut(`${tail}Document`));
        }
      }
      ok(counts.own(0) > 0 || set.name === "titled", set.name);
    }
  });
}
