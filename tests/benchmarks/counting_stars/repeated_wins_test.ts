import { deepEqual, equal, throws } from "node:assert/strict";
import { openStarsPublished, repeatedWins } from "@/lib/benchmarks/counting_stars/mod.ts";

const { panels } = await openStarsPublished();

Deno.test("repeatedWins() finds 38 of 52 pairs of lengths again in all three runs of Kimi on Journey to the West", () => {
  const runs = panels.filter(({ figure, model }) => /^west_32_32_v\d$/.test(figure) && model.startsWith("Kimi"));
  equal(runs.length, 3);
  deepEqual(repeatedWins(runs), { any: 52, all: 38 });
  deepEqual(repeatedWins([runs[0]!, runs[0]!]).all, repeatedWins([runs[0]!]).any);
});

Deno.test("repeatedWins() refuses matrices of other lengths", () => {
  const short = { model: "m", columns: panels[0]!.columns.slice(1) };
  throws(
    () => repeatedWins([panels[0]!, short]),
    /^RangeError: Cannot compare repeats as all must have the lengths 4000, /,
  );
});
