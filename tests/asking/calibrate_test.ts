import { deepEqual, ok } from "node:assert/strict";
import { affordableCells, flipsOfMix, forecastFlips } from "@/lib/asking/calibrate.ts";
import { isUnstable } from "@/lib/asking/mod.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { compareItself, type MixCell } from "@/lib/records/mod.ts";
import { cases } from "../_cases.ts";

const RULE = { margin: 5, errorChance: 0.025, method: "betting", samples: 600 } as const;

function mixOf(scores: readonly number[]): readonly MixCell[] {
  return scores.map((score, at) => ({
    task: `task ${at}`,
    length: 4096,
    weight: 1,
    score,
    n: 8,
    flips: forecastFlips(score, 8),
  }));
}

Deno.test("forecastFlips() is highest half way, low at the ceiling, and never 0", () => {
  deepEqual([0, 50, 100].map((score) => forecastFlips(score, 8).toFixed(3)), ["4.500", "12.500", "4.500"]);
  ok(forecastFlips(100, 100) < 0.5 && forecastFlips(100, 100) > 0);
  deepEqual(flipsOfMix(mixOf([50, 100])), 8.5);
});

Deno.test("affordableCells() keeps all cells if their pairs suffice, and else those with the fewest flips", () => {
  const quiet = mixOf([100, 100, 100, 100]);
  deepEqual(affordableCells(quiet, RULE), { mix: quiet, dropped: [] });
  const mixed = mixOf([50, 100, 50, 100, 100, 100, 50]);
  deepEqual(affordableCells(mixed, { ...RULE, samples: 4000 }), { mix: mixed, dropped: [] });
  const { mix, dropped } = affordableCells(mixed, { ...RULE, samples: 430 });
  ok(dropped.length > 0 && dropped.every(({ tried }) => tried[0]!.score === 50));
  ok(mix.filter(({ score }) => score === 100).length === 4, JSON.stringify(mix));
  deepEqual(mix.length + dropped.length, 7);
  // Where half of them would not suffice either, none is left out.
  deepEqual(affordableCells(mixed, { ...RULE, samples: 100 }), { mix: mixed, dropped: [] });
});

Deno.test("isUnstable() errs in about 1% of stable servers, and finds one that drifts", () => {
  const draw = stream("stability");
  const replies = (right: (index: number) => boolean): ScoredReply[] =>
    Array.from({ length: 60 }, (_, index) => {
      const record = { task: "vt", length: 4096, index, reply: { kind: "answer", text: "" } };
      return { record, task: "vt", length: 4096, value: Number(right(index)) } as unknown as ScoredReply;
    });
  const runs = cases(100, 2000);
  const unstable = (flips: number, lost: number): number =>
    Array.from({ length: runs }, () => {
      const first = replies(() => draw() < 0.7);
      const second = first.map((reply): ScoredReply => {
        const isFlipped = draw() < flips;
        const value = draw() < lost ? 0 : isFlipped ? Number(draw() < 0.7) : reply.value;
        return { ...reply, value };
      });
      return isUnstable(compareItself(first, second)!, 1);
    }).filter(Boolean).length / runs;
  const shares = [0.1, 0.4, 1].map((flips) => unstable(flips, 0));
  ok(Math.max(...shares) <= 0.01 + 3 * Math.sqrt(0.01 / runs), `${shares}`);
  ok(unstable(0.1, 0.5) > 0.9);
});
