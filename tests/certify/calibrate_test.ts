import { deepEqual, equal, ok } from "node:assert/strict";
import {
  affordableCells,
  flipsOfMix,
  forecastFlips,
  nextOfCalibration,
  readCalibration,
} from "@/lib/certify/calibrate.ts";
import type { MixCell } from "@/lib/certify/design.ts";
import { compareItself, isUnstable } from "@/lib/certify/itself.ts";
import type { AskedSample } from "@/lib/asking/choose_samples.ts";
import { stream } from "@/lib/random/mod.ts";
import type { ScoredReply } from "@/lib/records/mod.ts";
import type { Plan } from "@/lib/studies/mod.ts";
import { cases } from "../_cases.ts";

const RULE = { margin: 5, errorChance: 0.025, method: "betting", samples: 600 } as const;

function mixOf(scores: readonly number[]): readonly MixCell[] {
  return scores.map((score, at) => {
    return { task: `task ${at}`, length: 4096, weight: 1, score, n: 8, flips: forecastFlips(score, 8) };
  });
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

/** A ladder of three settings, from the given one to the easiest. */
const LADDER = { task: "c", rungs: [..."cba"].map((name) => ({ task: "vt", name })) };
const F = null;

Deno.test.each([
  ["keeps the given setting", { c: [1, 0, 1, 0] }, "c", "c 50 of 4"],
  ["drops a ceiling", { c: [1, 1, 1, 1] }, "c", "ceiling"],
  ["turns a floor easier", { c: [0, 0, 0, 0], b: [1, 1, 1, 0] }, "cb", "b 75 of 4"],
  ["keeps scores at the ends of the rule", { c: [0.9, 0.9, 0.9, 0.9] }, "c", "c 90 of 4"],
  ["ends at the easiest", { c: [0, 0, 0, 0], b: [0, 0, 0, 0], a: [0, 0, 0, 0] }, "cba", "floor"],
  ["never turns back", { c: [0, 0, 0, 0], b: [1, 1, 1, 1] }, "cb", "ceiling"],
  ["leaves out failed calls", { c: [F, 1, 0, F] }, "c", "c 50 of 2"],
  ["drops what fails more than half of its calls", { c: [F, 1, F, F] }, "c", "failed calls"],
  ["drops a length that is too short", {}, "", "does not fit", ""],
  ["stops where the next does not fit", { c: [0, 0, 0, 0] }, "c", "floor, and the next setting does not fit", "c"],
] as [string, Record<string, (number | null)[]>, string, string, string?][])(
  "a calibration %s",
  (_name, scores, asked, wanted, fitting) => {
    const fits = typeof fitting === "string" ? fitting : "abcde";
    const plan = { cells: [...fits].map((name) => ({ task: { name }, length: 4096 })) } as unknown as Pick<
      Plan,
      "cells"
    >;
    const rule = { samples: 4, low: 25, high: 90 };
    const calibrating = { ladders: [LADDER], lengths: [4096], rule };
    const replies: ScoredReply[] = [];
    for (;;) {
      const next = nextOfCalibration(replies as unknown as AskedSample[], plan, calibrating);
      if (next.length === 0) break;
      // Two at a time, as a session can end anywhere.
      const scored = next.slice(0, 2).map((name) => ({ ...name, value: scores[name.task]![name.index]! }));
      replies.push(...scored.map((each) => ({ ...each, record: { reply: { kind: "answer", text: "" } } }) as never));
    }
    equal([...new Set(replies.map(({ task }) => task))].join(""), asked);
    const { mix, dropped } = readCalibration(replies, plan, calibrating);
    equal(
      [...mix.map((cell) => `${cell.task} ${cell.score} of ${cell.n}`), ...dropped.map(({ reason }) => reason)].join(),
      wanted,
    );
    deepEqual(dropped.flatMap(({ tried }) => tried.map(({ task }) => task)).join(""), dropped.length > 0 ? asked : "");
  },
);
