import { deepEqual, throws } from "node:assert/strict";
import { shuffle, stream } from "@/lib/random/mod.ts";
import { matchSamples } from "@/lib/statistics/comparison.ts";
import type { ComparedRecord } from "@/lib/statistics/mod.ts";

/** A record of a sample; a value of `null` is a failed call, and "" an empty reply. */
function of(
  index: number,
  value: number | null | "",
  changes: Partial<ComparedRecord> & { readonly seed?: string } = {},
): ComparedRecord {
  const { seed = "42", ...others } = changes;
  return {
    task: "vt",
    length: 4096,
    value: value === "" ? null : value,
    failed: value === null,
    noAnswer: value === "",
    record: { index, seed },
    ...others,
  };
}

Deno.test("matchSamples() pairs by index, drops failed calls and counts them, and scores empty replies 0", () => {
  const first = [of(0, 1), of(1, 0.5), of(2, null), of(3, 1), of(4, "")];
  const second = [of(4, 1), of(3, null), of(2, 1), of(1, 1), of(9, 0)];
  deepEqual(matchSamples(Object.freeze(first), Object.freeze(second)), [{
    task: "vt",
    length: 4096,
    pairs: [{ first: 0.5, second: 1 }, { first: 0, second: 1 }],
    first: [1, 0.5, 1, 0],
    second: [1, 1, 1, 0],
    dropped: 2,
    unmatched: 2,
  }]);
});

Deno.test("matchSamples() takes samples of other seeds, tasks and lengths for other samples", () => {
  const first = [of(0, 1), of(0, 1, { length: 8192 })];
  const second = [of(0, 1, { seed: "43" }), of(0, 1, { task: "cwe" })];
  deepEqual(
    matchSamples(first, second).map(({ task, length, pairs, unmatched }) => [task, length, pairs.length, unmatched]),
    [
      ["vt", 4096, 0, 2],
      ["vt", 8192, 0, 1],
      ["cwe", 4096, 0, 1],
    ],
  );
});

Deno.test("matchSamples() does not depend on the order of the records", () => {
  const first = Array.from({ length: 9 }, (_, index) => of(index, index / 9));
  const second = Array.from({ length: 9 }, (_, index) => of(index + 3, index / 9));
  const [cell] = matchSamples(first, second);
  const [other] = matchSamples(shuffle(stream("a"), first), shuffle(stream("b"), second));
  deepEqual(other!.pairs, cell!.pairs);
  deepEqual(matchSamples([], []), []);
});

Deno.test("matchSamples() refuses two records of one sample", () => {
  throws(() => matchSamples([of(7, 1), of(7, 0)], []), {
    name: "RangeError",
    message: "Cannot match samples as each must occur once per model: current value is vt, 4096 tokens, number 7 twice",
  });
});
