import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openMeasured, type ScoredReply } from "@/lib/records/mod.ts";
import { runLimits, runLimitTable } from "@/lib/papers/suites/run_limits.ts";

function replies(values: readonly (readonly [length: number, ...scores: (number | null)[]])[]): readonly ScoredReply[] {
  return values.flatMap(([length, ...scores]) =>
    scores.map((value, index) => ({
      ...{ task: "a", length, value, failed: false, noAnswer: false },
      record: { index, seed: "1" },
    } as unknown as ScoredReply))
  );
}

Deno.test("runLimits() finds where the score falls through the level: half-way in the logarithm between all and none", () => {
  const asked = replies([[4096, 1, 1], [16_384, 0, 0]]);
  const at = (level: number): number => Math.round(runLimits({ replies: asked }, { level })[0]!.limit);
  equal(at(0.5), 8192);
  equal(at(0.75), Math.round(4096 * 4 ** 0.25));
  ok(at(0.8) < at(0.75));
});

Deno.test("runLimits() says that a limit may lie beyond the longest, that it is 0 where no score reaches the level, and leaves out what has no score", () => {
  const [high] = runLimits({ replies: replies([[4096, 1], [8192, 0.8]]) }, { level: 0.8 });
  deepEqual([high!.limit, high!.isBeyond, high!.percent], [8192, true, 100]);
  const [low] = runLimits({ replies: replies([[4096, 0.5], [8192, 0.5]]) }, { level: 0.8 });
  deepEqual([low!.limit, low!.isBeyond], [0, false]);
  deepEqual(runLimits({ replies: replies([[4096, null]]) }), []);
});

Deno.test("runLimits() gives shares of the window that the model's entry names, and Needle Threading's limits in characters", async () => {
  const [run] = await openMeasured({ benchmark: "needle_threading" });
  equal(run!.manifest.claimedWindow, 32_768);
  for (const { limit, ofWindow, thousandCharacters } of runLimits(run!)) {
    equal(ofWindow, 100 * limit / 32_768);
    // A pair of 80 characters is 49.3 tokens of cl100k_base.
    ok(Math.abs(thousandCharacters! - limit * 80 / 49.299 / 1000) < 1e-9);
  }
  match(
    runLimitTable(run!)!.text,
    /Limit +Thousand characters +At the longest +Share of the longest \(%\) +Share of the window/,
  );
});
