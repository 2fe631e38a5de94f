import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openStarsPublished, type StarPanel } from "@/lib/papers/counting_stars/published.ts";
import { starChanges } from "@/lib/papers/counting_stars/star_changes.ts";
import { panelDifference } from "@/lib/papers/counting_stars/star_changes.ts";
import { stream } from "@/lib/random/mod.ts";

const published = await openStarsPublished();
const { panels } = published;
const changes = starChanges(published, "42");

Deno.test("starChanges() compares six changes for both models, as their printed accuracies do", () => {
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

function panel(figure: string, model: string): StarPanel {
  return panels.find((candidate) => candidate.figure === figure && candidate.model.startsWith(model))!;
}

function columnsOf(means: readonly number[]): StarPanel {
  return { model: "m", columns: means.map((mean, at) => ({ length: at + 1, cells: [mean, mean] })) };
}

Deno.test("panelDifference() permutes by chance: with 2 equal differences half of the swaps are as large", () => {
  // Of the four ways to swap, two give the whole difference or its opposite.
  const { p, difference } = panelDifference(columnsOf([1, 1]), columnsOf([0.5, 0.5]), { seed: "b", rounds: 3999 });
  equal(difference, 0.5);
  ok(Math.abs(p - 0.5) < 0.03, `${p}`);
});

Deno.test("panelDifference() compares shared lengths, and changes sign when they are exchanged", () => {
  const first = panel("stone_32_16", "Kimi");
  const second = panel("stone_32_32", "Kimi");
  const there = panelDifference(first, second, { seed: "c" });
  const back = panelDifference(second, first, { seed: "c" });
  equal(there.lengths, 16);
  ok(Math.abs(there.difference + back.difference) < 1e-12);
  deepEqual(panelDifference(first, second, { seed: "c" }), there);
});

Deno.test("panelDifference()'s interval holds the true difference in at least 88% of 200 drawn pairs of 16 lengths", () => {
  const next = stream("coverage");
  let held = 0;
  for (let round = 0; round < 200; round++) {
    const drawn = (level: number): StarPanel => columnsOf(Array.from({ length: 16 }, () => level * next()));
    const { low, high } = panelDifference(drawn(1), drawn(0.5), { seed: String(round), rounds: 199 });
    if (low <= 0.25 && 0.25 <= high) held++;
  }
  // Percentiles of 16 values are a little too narrow: 91.5% to be expected of a normal mean.
  ok(held >= 176, `${held} of 200`);
});

Deno.test("panelDifference() refuses matrices that share one length, and too few rounds", () => {
  throws(() => panelDifference(columnsOf([1]), columnsOf([1, 1]), { seed: "d" }), {
    name: "RangeError",
    message: "Cannot compare the matrices as they must share at least 2 lengths: current value is 1",
  });
  throws(() => panelDifference(columnsOf([1, 1]), columnsOf([1, 1]), { seed: "d", rounds: 10 }), /as rounds must be/);
});
