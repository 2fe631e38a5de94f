import { deepEqual, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { lengthGrid } from "@/lib/generators/mod.ts";

Deno.test("lengthGrid() gives the 35 lengths from 1,000 to 16,000 that Needle In A Haystack goes through by default", () => {
  // numpy's round(linspace(1000, 16000, 35)); the step is 441.18.
  const grid = lengthGrid({ from: 1000, to: 16_000, points: 35 });
  deepEqual([...grid.slice(0, 4), ...grid.slice(-2)], [1000, 1441, 1882, 2324, 15_559, 16_000]);
});

Deno.test("lengthGrid() rises from the first length to the last, by steps that differ by at most 1", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 2, max: 60 }), (from, points) => {
    const grid = lengthGrid({ from, to: from + 20_000, points });
    equal(grid[0], from);
    equal(grid.at(-1), from + 20_000);
    const steps = grid.slice(1).map((length, at) => length - grid[at]!);
    equal(Math.max(...steps) - Math.min(...steps) <= 1, true);
  }));
});

Deno.test("lengthGrid() refuses lengths that would meet", () => {
  throws(
    () => lengthGrid({ from: 10, to: 12, points: 5 }),
    /to must be a whole number from 14 to 2000000: current value is 12/,
  );
});
