import { deepEqual, equal } from "node:assert/strict";
import { grouped, mean, percent, rangeText, sum } from "@/lib/base/mod.ts";

Deno.test("sum() and mean() add numbers in their order, or what is made of each item", () => {
  equal(sum([]), 0);
  equal(sum([0.1, 0.2, 0.3]), 0.1 + 0.2 + 0.3);
  equal(sum(new Map([["a", 2], ["b", 3]]).values()), 5);
  equal(sum([{ n: 2 }, { n: 3 }], ({ n }, at) => n * (at + 1)), 8);
  equal(mean([1, 2, 6]), 3);
  equal(mean(["a", "abc"], ({ length }) => length), 2);
  equal(mean([]), NaN);
});

Deno.test("grouped(), percent() and rangeText() format numbers", () => {
  deepEqual([999, 1234.5, 2_000_000].map(grouped), ["999", "1,235", "2,000,000"]);
  deepEqual([percent(0.123), percent(0.12345, 1), percent(-0.5)], ["12%", "12.3%", "-50%"]);
  deepEqual([rangeText([9, 7, 8]), rangeText([7, 7]), rangeText([1000, 0.5], String)], ["7 to 9", "7", "0.5 to 1000"]);
});
