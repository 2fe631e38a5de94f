import { equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { stream } from "@/lib/random/mod.ts";
import { type SearchDesign, type SearchSample, searchWith } from "@/lib/statistics/mod.ts";

const LENGTHS = [4096, 8192, 16_384, 32_768];
const design: SearchDesign = { tasks: ["a", "b"], lengths: LENGTHS, samples: 100, threshold: 85.6 };

/** A reader whose chance of a right answer at each length is known; the same sample always has the same score. */
function reader(chances: readonly number[], seed: string): (sample: SearchSample) => number {
  return ({ task, length, index }) => stream(seed, task, length, index)() < chances[LENGTHS.indexOf(length)]! ? 1 : 0;
}

Deno.test("adaptiveSearch() gives the first verdict that does not end it the whole chance of error", () => {
  // At the length that is asked first it is settled as soon as it would be alone, at the others later.
  for (const [rule, value, first] of [["published", 0, 3], ["contiguous", 1, 0]] as const) {
    const alone = searchWith(() => value, { ...design, lengths: [4096], rule, threshold: 50 }).scores.length;
    const search = searchWith(() => value, { ...design, rule, threshold: 50 });
    const counts = LENGTHS.map((length) => search.scores.filter((each) => each.length === length).length);
    equal(counts[first], alone);
    ok(counts.every((count) => count >= alone) && counts.some((count) => count > alone), `${counts}`);
  }
});

Deno.test("adaptiveSearch() is wrong in at most 5% of searches, wherever the true length is", () => {
  const searches = cases(5, 400);
  for (
    const [chances, truth] of [
      [[0.87, 0.87, 0.87, 0.87], ">32K"],
      [[0.87, 0.87, 0.84, 0.84], "8K"],
      [[0.84, 0.84, 0.84, 0.84], "<4K"],
    ] as const
  ) {
    const wrong = Array.from({ length: searches }, (_, at) => {
      const { answer, isSettled } = searchWith(reader(chances, `wrong ${at}`), { ...design, samples: cases(60, 200) });
      return isSettled && answer!.text !== truth;
    }).filter(Boolean).length;
    ok(wrong / searches <= 0.05 + 3 * Math.sqrt(0.05 * 0.95 / searches), `${truth}: ${wrong} of ${searches}`);
  }
});
