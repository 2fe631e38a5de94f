import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { differenceInterval, type ScoreWithInterval, wilsonInterval } from "@/lib/analysis/mod.ts";

function scored(successes: number, trials: number): ScoreWithInterval {
  return { score: successes / trials, ...wilsonInterval(successes, trials) };
}

Deno.test("differenceInterval() gives Newcombe's examples (1998, Table II, method 10)", () => {
  const first = differenceInterval(scored(56, 70), scored(48, 80));
  equal(first.low.toFixed(4), "0.0524");
  equal(first.high.toFixed(4), "0.3339");
  const ends = differenceInterval(scored(10, 10), scored(0, 10));
  equal(ends.low.toFixed(4), "0.6075");
  equal(ends.high.toFixed(4), "1.0000");
});

Deno.test("differenceInterval() turns round when the scores are exchanged", () => {
  const side = fc.record({ successes: fc.integer({ min: 0, max: 50 }), spare: fc.integer({ min: 1, max: 50 }) });
  fc.assert(fc.property(side, side, (left, right) => {
    const [first, second] = [left, right].map(({ successes, spare }) => scored(successes, successes + spare));
    const [there, back] = [differenceInterval(first!, second!), differenceInterval(second!, first!)];
    ok(Math.abs(there.low + back.high) < 1e-12 && Math.abs(there.high + back.low) < 1e-12);
    ok(there.low <= there.score && there.score <= there.high);
  }));
});
