import { equal, throws } from "node:assert/strict";
import { openStarsPublished } from "@/lib/benchmarks/counting_stars/mod.ts";
import { starAccuracy } from "@/lib/benchmarks/counting_stars/published.ts";

const published = await openStarsPublished();

Deno.test("starAccuracy() gives the accuracy in the title of each of the 24 published panels, to three decimals", () => {
  equal(published.panels.length, 24);
  for (const panel of published.panels) {
    // Half a unit of the last place, and what binary numbers add to it.
    equal(Math.abs(starAccuracy(panel) - panel.printed) < 0.0005 + 1e-9, true, `${panel.figure} ${panel.model}`);
  }
});

Deno.test("starAccuracy() refuses a matrix without cells", () => {
  throws(() => starAccuracy({ model: "m", columns: [] }), {
    name: "RangeError",
    message: "Cannot give the accuracy of m as there must be at least one cell: current value is 0",
  });
});
