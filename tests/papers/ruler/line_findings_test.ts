import { equal, match } from "node:assert/strict";
import { scoresOf } from "./_ablation_scores.ts";
import { ordered } from "@/lib/papers/ruler/line_findings.ts";
import type { ScoreLine } from "@/lib/papers/ruler/score_lines.ts";

/** A line whose scores have an interval of `reach` points on both sides. */
function line(series: string, scores: readonly number[], reach = 2): ScoreLine {
  const points = scoresOf("vt", ...scores).map((row) => (
    { ...row, low: row.score - reach, high: row.score + reach }
  ));
  return { series, points };
}

Deno.test("ordered() holds where all are in order and the ends clearly apart", () => {
  const finding = ordered([line("easy", [90, 80]), line("middle", [85, 75]), line("hard", [85, 60])]);
  equal(finding.verdict, "holds");
  equal(
    finding.observed,
    "On average easy is above middle by 5.0 (3.0 to 7.0), middle is above hard by 7.5 (5.5 to 9.5). In order at 2 of 2 lengths.",
  );
});

Deno.test("ordered() fails where two are clearly reversed, and cannot tell where that may be chance", () => {
  equal(ordered([line("easy", [90, 60]), line("hard", [80, 80])]).verdict, "fails");
  // One length may be reversed by chance.
  const { verdict, observed } = ordered([line("easy", [90, 60]), line("hard", [80, 62])]);
  equal(verdict, "holds");
  match(observed, /In order at 1 of 2 lengths/);
  equal(ordered([line("easy", [90, 60]), line("hard", [89, 62])]).verdict, "cannot tell");
});

Deno.test("ordered() allows for the number of comparisons", () => {
  // Reversed at a length: 4 points are beyond the interval of three comparisons (3.45), and 3 points are not.
  equal(ordered([line("easy", [90, 90]), line("hard", [94, 80])]).verdict, "fails");
  equal(ordered([line("easy", [90, 90]), line("hard", [93, 80])]).verdict, "holds");
});

Deno.test("ordered() cannot tell from lines that are the same, alone or at no common length", () => {
  equal(ordered([line("easy", [90]), line("hard", [90])]).verdict, "cannot tell");
  equal(ordered([line("only", [90])]).observed, "Fewer than two lines have a score at any one length.");
  equal(ordered([]).verdict, "cannot tell");
});
