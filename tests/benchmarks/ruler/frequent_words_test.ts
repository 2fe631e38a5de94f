import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { openTestMaterials } from "../../generators/_materials.ts";
import { FREQUENT_WORDS, zeta, zipfFrequencies } from "@/lib/benchmarks/ruler/frequent_words.ts";
import { type GivenKnobs, userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");

/** Reads the coded text and counts its words, the most frequent first. */
function readCounts(user: string): [word: string, count: number][] {
  const counts = new Map<string, number>();
  for (const word of readText(user)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}

function readText(user: string): string[] {
  return user.split("coded words. ")[1]!.split("\n")[0]!.split(" ");
}

Deno.test("FREQUENT_WORDS.make() words a prompt as the paper prints it (Table 8), with its own noise", () => {
  const { prompt } = FREQUENT_WORDS.make({ variant: "paper" })
    .sample({ length: 1024, seed: "paper", index: 0, materials });
  match(
    userText(prompt),
    /^Read the following coded text and track the frequency of each coded word\. Find the three most frequently appeared coded words\. (?:…|[a-z]{6})(?: (?:…|[a-z]{6}))*\nQuestion: Do not provide any explanation\. Please ignore the dots '\.\.\.\.'\. What are the three most frequently appeared words in the above coded text\?$/,
  );
  equal(
    prompt.answerPrefix,
    " Answer: According to the coded text above, the three most frequently appeared words are:",
  );
});

Deno.test("FREQUENT_WORDS.make() has the shares of ranks of the zeta distribution", () => {
  // Shares of ranks 1 to 4: alpha 1.5 .383 .135 .074 .048, 2 .608 .152 .068 .038, 3.5 .888 .078 .019 .007; of all N words,
  // of which the ones below 1 are left out.
  for (const [alpha, shares] of [[1.5, [0.135, 0.074, 0.048]], [2, [0.152, 0.068, 0.038]]] as const) {
    const { prompt } = FREQUENT_WORDS.make({ alpha }).sample({ length: 65_536, seed: "shares", index: 0, materials });
    const counts = readCounts(userText(prompt)).map(([, count]) => count);
    shares.forEach((share, rank) => ok(Math.abs(counts[rank + 1]! / counts[1]! - share / shares[0]) < 0.01));
  }
});

Deno.test("FREQUENT_WORDS.make() has as many different words as the knob says, and a fiftieth of the length without it", () => {
  const different = (options: GivenKnobs<typeof FREQUENT_WORDS.knobs>): number =>
    readCounts(userText(FREQUENT_WORDS.make(options).sample({ length: 8192, seed: "v", index: 0, materials }).prompt))
      .length;
  equal(different({ alpha: 1.1, vocabulary: 30 }), 30);
  equal(different({ alpha: 1.1 }), Math.floor(8192 / 50));
});

Deno.test("zipfFrequencies() gives floor(N / (k^2 * zeta(2))) for alpha 2", () => {
  // zeta(2) = 1.644934: 1000 / 1.644934 = 607.9, and a 4th, 9th, 16th … of it.
  deepEqual(zipfFrequencies({ alpha: 2, vocabulary: 8 })(1000), [607, 151, 67, 37, 24, 16, 12, 9]);
});

Deno.test("zipfFrequencies() leaves out words that would appear less than once, and words beyond the vocabulary", () => {
  deepEqual(zipfFrequencies({ alpha: 2, vocabulary: 100 })(60), [36, 9, 4, 2, 1, 1]);
  deepEqual(zipfFrequencies({ alpha: 2, vocabulary: 4 })(60), [36, 9, 4, 2]);
});

Deno.test("zipfFrequencies() parts ranks that would be tied", () => {
  // By the formula ranks 2 to 5 of 40 words would be 3, 2, 1, 1 (40 * 0.078 = 3.1, 0.048 = 1.9, 0.034 = 1.4, 0.026 = 1.04).
  const [, second, third, fourth, fifth] = zipfFrequencies({ alpha: 1.2, vocabulary: 100 })(40);
  deepEqual([second, third, fourth, fifth], [4, 3, 2, 1]);
});

Deno.test("zipfFrequencies() never ties asked ranks with each other or the next, and never falls as the text grows", () => {
  fc.assert(fc.property(
    fc.double({ min: 1.001, max: 10, noNaN: true }),
    fc.integer({ min: 4, max: 400 }),
    fc.integer({ min: 1, max: 100_000 }),
    (alpha, vocabulary, scale) => {
      const frequencies = zipfFrequencies({ alpha, vocabulary });
      const counts = frequencies(scale);
      const [, second, third, fourth] = counts as [number, number, number, number];
      const next = Math.max(0, ...counts.slice(4));
      ok(second > third && third > fourth && fourth > next);
      const longer = frequencies(scale + 1);
      ok(counts.every((count, rank) => count <= longer[rank]!));
    },
  ));
});

// Published tables: OEIS A078434 for 3/2, A002117 for 3; that of 1.2 as RULER's scipy gives it, to four places.
Deno.test.each([[1.2, 5.5916, 4], [1.5, 2.612375348685488, 14], [3, 1.202056903159594, 14]])(
  "zeta(%d) is %d, to %d places",
  (power, value, places) => ok(Math.abs(zeta(power) - value) <= 0.5 * 10 ** -places),
);

Deno.test("FREQUENT_WORDS.make() asks for as many words as told, none of them in a tie", () => {
  const task = FREQUENT_WORDS.make({ asked: 5, alpha: 1.5 });
  equal(task.options["asked"], 5);
  for (let index = 0; index < 20; index++) {
    const { prompt, references, answerRoom } = task.sample({ length: 1024, seed: "asked", index, materials });
    const counts = readCounts(userText(prompt)).filter(([word]) => word !== "...");
    deepEqual(counts.slice(0, 5).map(([word]) => word), references);
    equal(new Set(counts.slice(0, 6).map(([, count]) => count)).size, 6);
    match(userText(prompt), /What are the five most frequently appeared words/);
    equal(answerRoom, 70);
  }
});

Deno.test("FREQUENT_WORDS.make() names the three asked words in no id, and refuses a vocabulary without enough words", () => {
  equal(FREQUENT_WORDS.make({ asked: 3 }).options["asked"], undefined);
  throws(() => FREQUENT_WORDS.make({ asked: 5, vocabulary: 5 }), {
    name: "RangeError",
    message: "Cannot make task fwe as vocabulary must be a whole number from 6 to 100000: current value is 5",
  });
});
