import { equal, ok } from "node:assert/strict";
import { openStarsPublished, starChanges } from "@/lib/benchmarks/counting_stars/mod.ts";

const changes = starChanges(await openStarsPublished(), "42");

Deno.test("starChanges() compares six changes for both models, the printed accuracies apart", () => {
  equal(changes.length, 12);
  const differenceOf = (change: string, model: string): number =>
    changes.find((row) => row.change.startsWith(change) && row.model.startsWith(model))!.difference;
  // .968 - .692, .987 - .974, .833 - .691, as the panels' titles print them.
  ok(Math.abs(differenceOf("increasing", "GPT-4") - 0.276) < 0.001);
  ok(Math.abs(differenceOf("temperature", "GPT-4") - 0.013) < 0.001);
  ok(Math.abs(differenceOf("temperature", "Kimi") - 0.142) < 0.001);
});

Deno.test("starChanges() finds no change where a run is repeated or N halved, and intervals hold what they are of", () => {
  for (const { change, low, high, difference } of changes) {
    ok(low <= difference && difference <= high);
    if (change.startsWith("run") || change.startsWith("N =")) ok(low <= 0 && high >= 0, change);
  }
});
