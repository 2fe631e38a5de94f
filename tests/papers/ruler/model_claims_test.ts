import { deepEqual, equal, match, ok } from "node:assert/strict";
import { FAMILY_CLAIMS } from "@/lib/papers/ruler/model_claims.ts";
import type { ModelLine } from "@/lib/papers/ruler/model_lines.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

/** A line from 4K in doublings, its scores with an interval of that many points. */
function line(
  series: string,
  scores: readonly number[],
  options: { trained?: number; reach?: number } = {},
): ModelLine {
  const { trained = null, reach = 1 } = options;
  const points = scores.map((score, at) => ({
    length: 4096 * 2 ** at,
    score,
    low: Math.max(0, score - reach),
    high: Math.min(100, score + reach),
  }));
  return { panel: "family", series, points, trained };
}

const verdicts = (lines: readonly ModelLine[]) => checkClaims(FAMILY_CLAIMS, lines).map(({ verdict }) => verdict);

Deno.test("FAMILY_CLAIMS hold of a family as section 6 describes it", () => {
  const lines = [line("large", [95, 90, 85, 80]), line("small", [85, 75, 65, 20], { trained: 16_384 })];
  deepEqual(verdicts(lines), ["holds", "holds", "holds", "holds"]);
});

Deno.test("FAMILY_CLAIMS fail of a family that is the other way round", () => {
  const lines = [line("large", [70, 69, 68, 20]), line("small", [95, 94, 93, 92], { trained: 16_384 })];
  deepEqual(verdicts(lines), ["fails", "fails", "fails", "fails"]);
});

Deno.test("FAMILY_CLAIMS are open where intervals are wide", () => {
  const lines = [
    line("large", [95, 90, 85, 80], { reach: 30 }),
    line("small", [85, 75, 65, 50], { trained: 16_384, reach: 30 }),
  ];
  deepEqual(verdicts(lines), ["cannot tell", "cannot tell", "cannot tell", "cannot tell"]);
});

Deno.test("FAMILY_CLAIMS know how surely a model lost everything", () => {
  const [, relative] = checkClaims(FAMILY_CLAIMS, [line("large", [95, 90]), line("small", [80, 0])]);
  // From 95 to 90 is 5.26%; the bound of 0 is 1 of 80.
  equal(relative?.verdict, "holds");
  match(
    relative?.observed ?? "",
    /large loses 5\.3 \(3\.8 to 6\.7\) percent of its score, small 100\.0 \(98\.8 to 100\.0\)\./,
  );
});

Deno.test("FAMILY_CLAIMS are open for one model, none, scores of 0 or one length, without NaN", () => {
  const families = [[], [line("only", [90])], [line("a", []), line("b", [])], [
    line("a", [0, 0, 0]),
    line("b", [0, 0, 0]),
  ]];
  for (const family of families) {
    for (const { id, verdict, observed } of checkClaims(FAMILY_CLAIMS, family)) {
      ok(!/NaN|Infinity|undefined/.test(observed), `${id}: ${observed}`);
      if (id !== "F4") equal(verdict, "cannot tell", `${id}: ${observed}`);
    }
  }
});
