import { deepEqual, equal, throws } from "node:assert/strict";
import { countingStarsLengths } from "@/lib/benchmarks/counting_stars/stars.ts";

Deno.test("countingStarsLengths() gives the paper's lengths: 4K steps for N = 32, 8K steps for N = 16", () => {
  const lengths = countingStarsLengths(32);
  deepEqual([lengths.length, lengths[0], lengths[23], lengths[31]], [32, 4000, 96_000, 128_000]);
  equal(countingStarsLengths(16)[0], 8000);
});

Deno.test("countingStarsLengths() refuses a count that is no whole number from 1 to the longest", () => {
  for (const count of [0, 1.5, 1001]) {
    throws(() => countingStarsLengths(count, 1000), {
      name: "RangeError",
      message: `Cannot give lengths as their count must be a whole number from 1 to 1000: current value is ${count}`,
    });
  }
});
