import { deepEqual, equal, ok } from "node:assert/strict";
import { costText, type KnobCost, knobCosts, openAblations } from "@/lib/papers/ruler/ablations.ts";

const published = await openAblations();

Deno.test("knobCosts() gives Yi-34B's losses at 256K, the largest first", () => {
  const costs = knobCosts(published);
  equal(costs.length, 9);
  // From 100.0 with one key to 33.2 and 58.6.
  deepEqual(costs.slice(0, 2).map(({ knob, score, length }) => [knob, score.toFixed(1), length]), [
    ["a text full of UUID distractors", "66.8", 262_144],
    ["a text full of distractor needles", "41.4", 262_144],
  ]);
  for (const [at, { low, score, high }] of costs.entries()) {
    ok(low <= score && score <= high);
    ok(at === 0 || score <= costs[at - 1]!.score);
  }
});

Deno.test("knobCosts() leaves out knobs that were not asked at both ends", () => {
  const few = published.filter(({ task }) => ["niah_single_2", "niah_multikey_2"].includes(task));
  deepEqual(knobCosts(few).map(({ knob }) => knob), ["a text full of distractor needles"]);
  deepEqual(knobCosts([]), []);
});

Deno.test("costText() names the knobs that cost most in the data, if any costs points", () => {
  equal(
    costText("Yi-34B", knobCosts(published)),
    "For Yi-34B the hardest setting is a text full of UUID distractors, which costs 67 points at the longest length. " +
      "Next: a text full of distractor needles (41), word counts that differ little (25).",
  );
  const cost = (knob: string, score: number): KnobCost => ({
    knob,
    length: 4096,
    score,
    low: score - 5,
    high: score + 5,
  });
  equal(
    costText("mine", [cost("four chains of variables", 20), cost("eight keys asked for", 3)]),
    "For mine the hardest setting is four chains of variables, which costs 20 points at the longest length.",
  );
  equal(
    costText("mine", [cost("eight keys asked for", 3)]),
    "mine loses points to none of the 1 settings that were compared.",
  );
});
