import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ordered, pointsOf, printedPoint, type ScoreLine } from "@/lib/papers/ruler/score_lines.ts";

const row = { task: "vt", n: 10, failed: 0, noAnswer: 0 };

Deno.test("pointsOf() leaves out what has no score, and puts lengths in order", () => {
  const points = pointsOf([
    { ...row, length: 8192, score: 50, low: 20, high: 80 },
    { ...row, length: 16384, score: null, low: null, high: null },
    { ...row, length: 4096, score: 90, low: 60, high: 99 },
  ]);
  deepEqual(points.map(({ length, score }) => [length, score]), [[4096, 90], [8192, 50]]);
});

Deno.test("printedPoint() gives a printed score the interval of 500 answers, narrower for more tasks", () => {
  const one = printedPoint({ length: 4096, score: 100 });
  // Mid-p: the share whose 500th power is 0.05.
  equal(one.low.toFixed(3), (100 * 0.05 ** (1 / 500)).toFixed(3));
  equal(one.high, 100);
  const [narrow, wide] = [printedPoint({ length: 4096, score: 60 }, 13), printedPoint({ length: 4096, score: 60 })];
  ok(narrow.high - narrow.low < (wide.high - wide.low) / 3);
});

/** A line whose scores have an interval of `reach` points on both sides. */
function line(series: string, scores: readonly number[], reach = 2): ScoreLine {
  const points = scores.map((score, at) => ({
    length: 2 ** (at + 12),
    score,
    low: score - reach,
    high: score + reach,
  }));
  return { panel: "test", series, points };
}

Deno.test("ordered() holds where all are in order and the ends clearly apart", () => {
  const finding = ordered([line("easy", [90, 80]), line("middle", [85, 75]), line("hard", [85, 60])]);
  equal(finding.verdict, "holds");
  equal(finding.observed, "In order at 2 of 2 lengths. easy is above hard by 12.5 (10.5 to 14.5) on average.");
});

Deno.test("ordered() fails where two are clearly reversed, and cannot tell where that may be chance", () => {
  equal(ordered([line("easy", [90, 60]), line("hard", [80, 80])]).verdict, "fails");
  const { verdict, observed } = ordered([line("easy", [90, 60]), line("hard", [80, 62])]);
  equal(verdict, "cannot tell");
  match(observed, /hard above easy at 8K, by 2.0, which is within chance/);
});

Deno.test("ordered() allows for the number of comparisons", () => {
  // Reversed by 3 points: beyond the interval of one difference (2.83), not of the greatest of two.
  equal(ordered([line("easy", [90]), line("hard", [93])]).verdict, "fails");
  equal(ordered([line("easy", [90, 90]), line("hard", [93, 80])]).verdict, "cannot tell");
});

Deno.test("ordered() cannot tell from lines that are the same, alone or at no common length", () => {
  equal(ordered([line("easy", [90]), line("hard", [90])]).verdict, "cannot tell");
  equal(ordered([line("only", [90])]).observed, "Fewer than two lines have a score at any one length.");
  equal(ordered([]).verdict, "cannot tell");
});
