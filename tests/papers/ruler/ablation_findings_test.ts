import { equal, match } from "node:assert/strict";
import { ordered } from "@/lib/papers/ruler/ablation_findings.ts";
import type { ScoreLine } from "@/lib/papers/ruler/mod.ts";

/** A line whose scores are known to so many points. */
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
