import { deepEqual, equal, ok } from "node:assert/strict";
import { meanOfCells } from "./_mean_of_cells.ts";
import { intervalText } from "@/lib/figures/mod.ts";
import { withinRange } from "@/lib/statistics/mean_interval.ts";
import { statedInterval, unitsText } from "@/lib/statistics/stated_interval.ts";
import {
  comparePairs,
  decidedByDifference,
  modelTaskScores,
  pointsText,
  type ScoredRecord,
  summarise,
} from "@/lib/statistics/mod.ts";

const [low, high] = [61.24, 98.76];

Deno.test("statedInterval() has no ends below five independent units, and is as given from five on, or if none are known", () => {
  for (const row of [{ n: 1 }, { n: 4 }, { n: 140, units: 4 }]) {
    deepEqual(statedInterval({ low, high, ...row }), { low: null, high: null });
    equal(intervalText({ low, high, ...row }), "");
  }
  for (const row of [{}, { n: null }, { n: 5 }, { n: 140, units: 5 }, { n: 500 }]) {
    deepEqual(statedInterval({ low, high, ...row }), { low, high });
    equal(intervalText({ low, high, ...row }), " [61.2, 98.8]");
  }
  equal(intervalText({ low: null, high: null, n: 500 }), "");
});

Deno.test("unitsText() states what results without an interval are about", () => {
  equal(unitsText([{ n: 35, units: 1 }, { n: 105, units: 1 }]), "about this text only");
  equal(unitsText([{ n: 2 }, { n: 4 }]), "about these 2 to 4 texts only");
  equal(unitsText([{ n: 2 }, { n: 40 }]), "95% interval in brackets; a result without one is about these 2 texts only");
  equal(unitsText([{ n: 40, units: 8 }]), "95% interval in brackets, over 8 questions or texts with 5 samples each");
  equal(unitsText([{}, { n: 500 }], "95% interval"), "95% interval");
});

/** Grades from 1 to 5 of two readers: one that finds everything, and one that finds nothing. */
function grades(value: number, count: number): readonly (ScoredRecord & { readonly value: number })[] {
  return Array.from({ length: count }, () => (
    { task: "recall", length: 4096, failed: false, noAnswer: false, least: 0.2, value }
  ));
}

Deno.test("intervals of recall stay in 20 to 100, and those of its differences within 80 points", () => {
  for (const count of [5, 6, 20, 200]) {
    for (const value of [0.2, 0.4, 1]) {
      const [{ low, high } = { low: null, high: null }] = summarise(grades(value, count));
      ok(
        low! >= 20 && high! <= 100 && low! <= 100 * value && high! >= 100 * value,
        `${count} of ${value}: ${low} to ${high}`,
      );
      const mean = meanOfCells(grades(value, count));
      const [task] = modelTaskScores([{ name: "a", records: grades(value, count) }]);
      for (const row of [mean, task!]) ok(row.low! >= 20 && row.high! <= 100);
    }
    const pairs = grades(1, count).map((each) => ({ ...each, third: null, baseline: 1, other: 0.2 }));
    const [rows] = comparePairs([pairs]).rows;
    for (const { difference, low, high } of rows!) {
      ok(low >= -80 && high <= 80 && Math.abs(difference + 80) < 1e-9, `${low} to ${high}`);
    }
  }
});

Deno.test("a mean of tasks with other ranges has the mean of their ranges", () => {
  const zero = grades(0, 6).map((each) => ({ ...each, task: "vt", least: 0 }));
  const mean = meanOfCells([...grades(0.2, 6), ...zero]);
  ok(mean.low >= 10 - 1e-9 && mean.low <= mean.score, `${mean.low}`);
  const pairs = [...grades(1, 6), ...zero].map((each) => ({ ...each, third: null, baseline: 1, other: each.least! }));
  const [all] = comparePairs([pairs], { by: ["all"] }).rows[0]!;
  ok(all!.low >= -90 - 1e-9, `${all!.low}`);
});

Deno.test("withinRange() moves the ends alone", () => {
  deepEqual(withinRange({ score: 20, low: 5, high: 107 }, [20, 100]), { score: 20, low: 20, high: 100 });
});

Deno.test("claims about few texts state no interval, and stay open", () => {
  const difference = { score: 40, low: 10, high: 70, units: 3 };
  equal(pointsText(difference), "40.0 points (about these 3 texts only)");
  equal(pointsText({ ...difference, units: 5 }), "40.0 points (95% interval 10.0 to 70.0)");
  deepEqual([3, 5].map((units) => decidedByDifference({ ...difference, units }, "").verdict), ["cannot tell", "holds"]);
});
