import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { commonWordFrequencies, frequentWordFrequencies } from "@/lib/benchmarks/ruler/frequencies.ts";

Deno.test("commonWordFrequencies() has ten words at 30 and the others at 3 (RULER, Figure 1 left)", () => {
  const words = commonWordFrequencies({ uncommon: 90 });
  deepEqual(words.map(({ rank }) => rank), Array.from({ length: 100 }, (_, place) => place + 1));
  ok(words.every(({ rank, count }) => count === (rank <= 10 ? 30 : 3)));
});

Deno.test("commonWordFrequencies() takes other numbers", () => {
  const options = { common: 2, commonFrequency: 6, uncommon: 1, uncommonFrequency: 1 };
  deepEqual(commonWordFrequencies(options).map(({ count }) => count), [6, 6, 1]);
});

Deno.test.each(
  [
    [1.2, ".179 .078 .048 .034"],
    [1.3, ".254 .103 .061 .042"],
    [1.5, ".383 .135 .074 .048"],
    [2.0, ".608 .152 .068 .038"],
    [2.5, ".745 .132 .048 .023"],
    [3.0, ".832 .104 .031 .013"],
    [3.5, ".888 .078 .019 .007"],
  ] as [number, string][],
)("frequentWordFrequencies() with alpha %d gives the first four ranks the shares %s", (alpha, shares) => {
  const words = frequentWordFrequencies({ alpha, words: 1_000_000, ranks: 4 });
  equal(words.map(({ frequency }) => (frequency / 1e6).toFixed(3).slice(1)).join(" "), shares);
});

Deno.test("frequentWordFrequencies() adds up to less than N and is straight on log-log axes (RULER, Figure 1 right)", () => {
  const words = frequentWordFrequencies({ alpha: 2.5, words: 5000, ranks: 200 });
  ok(words.reduce((sum, { frequency }) => sum + frequency, 0) < 5000);
  for (const { rank, frequency, count } of words) {
    ok(Math.abs(Math.log(frequency / words[0]!.frequency) + 2.5 * Math.log(rank)) < 1e-9);
    equal(count, Math.floor(frequency));
  }
});

Deno.test("commonWordFrequencies() and frequentWordFrequencies() refuse what is no count", () => {
  throws(() => commonWordFrequencies({ uncommon: -1 }), {
    name: "RangeError",
    message: "Cannot count words as uncommon must be a whole number from 0: current value is -1",
  });
  throws(() => frequentWordFrequencies({ words: 10, ranks: 1.5 }), {
    name: "RangeError",
    message: "Cannot count words as ranks must be a whole number from 0: current value is 1.5",
  });
  throws(() => frequentWordFrequencies({ alpha: 1, words: 10, ranks: 1 }), {
    name: "RangeError",
    message: "Cannot sum a zeta series as the exponent must be above 1: current value is 1",
  });
});
