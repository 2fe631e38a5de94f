import { deepEqual, equal, ok } from "node:assert/strict";
import { orderWords, type WordGroup } from "@/lib/benchmarks/ruler/word_lists.ts";
import { stream } from "@/lib/random/mod.ts";

const GROUPS: readonly WordGroup[] = [{ words: [7], count: 2 }, { words: [1, 2], count: 1 }];

Deno.test("orderWords() puts in each word as often as its group says, and tells the ends beforehand", () => {
  for (let seed = 0; seed < 200; seed++) {
    const order = orderWords(GROUPS, stream(seed));
    const { first, last } = order;
    const all = [...order.all()];
    deepEqual(all.toSorted(), [1, 2, 7, 7]);
    deepEqual([all[0], all.at(-1)], [first, last]);
  }
});

Deno.test("orderWords() gives each of the 12 orders of two equal and two other words about equally often", () => {
  const seen = new Map<string, number>();
  for (let seed = 0; seed < 12_000; seed++) {
    const order = orderWords(GROUPS, stream("order", seed)).all().join("");
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  equal(seen.size, 12);
  // 1,000 expected each; 5 standard deviations of a binomial count are 151.
  for (const [order, times] of seen) ok(Math.abs(times - 1000) < 151, `${order} came ${times} times`);
});

Deno.test("orderWords() passes over groups without words and words without places", () => {
  const groups = [{ words: [], count: 3 }, { words: [5], count: 0 }, { words: [1], count: 2 }];
  deepEqual([...orderWords(groups, stream("a")).all()], [1, 1]);
});
