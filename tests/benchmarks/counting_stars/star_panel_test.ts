import { deepEqual, equal, throws } from "node:assert/strict";
import { openStarsPublished } from "@/lib/benchmarks/counting_stars/mod.ts";
import { starAccuracy, starRows } from "@/lib/benchmarks/counting_stars/published.ts";

const published = await openStarsPublished();

Deno.test("starAccuracy() gives the accuracy in the title of each of the 24 published panels, to three decimals", () => {
  equal(published.panels.length, 24);
  for (const panel of published.panels) {
    // Half a unit of the last place, and what binary numbers add to it.
    equal(Math.abs(starAccuracy(panel) - panel.printed) < 0.0005 + 1e-9, true, `${panel.figure} ${panel.model}`);
  }
});

Deno.test("starRows() lists every cell once, stars from 1", () => {
  const rows = starRows({ model: "m", columns: [{ length: 1, cells: [1, 0] }, { length: 2, cells: [0.25, 0.5] }] });
  deepEqual(rows.map(({ length, star, score }) => [length, star, score]), [
    [1, 1, 1],
    [1, 2, 0],
    [2, 1, 0.25],
    [2, 2, 0.5],
  ]);
});

Deno.test("starAccuracy() refuses a matrix without cells", () => {
  throws(() => starAccuracy({ model: "m", columns: [] }), {
    name: "RangeError",
    message: "Cannot give the accuracy of m as there must be at least one cell: current value is 0",
  });
});
