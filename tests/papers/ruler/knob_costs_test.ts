import { deepEqual, equal, ok } from "node:assert/strict";
import { knobCosts, publishedAblationLines } from "@/lib/papers/ruler/ablations.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";

const published = publishedAblationLines(await openPublished());

Deno.test("knobCosts() gives Yi-34B's losses of all eight knobs, those of the figures averaged over the lengths", () => {
  const costs = knobCosts(published);
  equal(costs.length, 8);
  const keys = costs.find(({ knob }) => knob.startsWith("keys:"))!;
  const scoresOf = (name: string): readonly number[] =>
    published.find(({ series }) => series === name)!.points.map(({ score }) => score);
  const [one, full] = [scoresOf("#K=1"), scoresOf("#K=FULL")];
  const mean = one.reduce((sum, score, at) => sum + score - full[at]!, 0) / one.length;
  ok(Math.abs(keys.score - mean) < 1e-9, `${keys.score} ${mean}`);
  for (const { low, score, high } of costs) ok(low <= score && score <= high);
});

Deno.test("knobCosts() leaves out knobs that were not asked at both ends", () => {
  const few = published.filter(({ series }) => ["#K=1", "#K=FULL", "#V=1"].includes(series));
  deepEqual(knobCosts(few).map(({ knob }) => knob), ["keys: 1 to nothing else"]);
  deepEqual(knobCosts([]), []);
});
