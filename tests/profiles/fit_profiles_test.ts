import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { expectedCategoryScore } from "./_expected_category.ts";
import { type CategoryScore, fitProfile } from "./fit_profiles.ts";
import { CATEGORIES } from "@/lib/benchmarks/ruler/tasks.ts";
import { openProfile } from "@/lib/simulated/mod.ts";

const LENGTHS = [4096, 8192, 16_384, 32_768, 65_536, 131_072];

function scoresOf(name: string, lengths: readonly number[]): CategoryScore[] {
  return CATEGORIES.flatMap((category) =>
    lengths.map((length) => ({
      category,
      length,
      score: expectedCategoryScore(openProfile(name), { category, length }),
    }))
  );
}

Deno.test("fitProfile() finds a profile again from its own scores", () => {
  for (const name of ["gpt-4", "chatglm", "lwm"]) {
    const { residuals, window } = fitProfile(scoresOf(name, LENGTHS), openProfile(name));
    for (const { published, expected } of residuals) ok(Math.abs(published - expected) < 0.3, `${name} ${expected}`);
    equal(window, null);
  }
});

Deno.test("fitProfile() never fits a strength that grows with the load, even to scores that rise", () => {
  const rising = scoresOf("gpt-4", LENGTHS).map((point) => ({
    ...point,
    score: 20 + 5 * Math.log2(point.length / 4096),
  }));
  const { strengths } = fitProfile(rising, openProfile("gpt-4"));
  for (const { slope, bend } of Object.values(strengths)) ok(slope >= 0 && bend >= 0);
});

Deno.test("fitProfile() ends the window a fifth over the last length that scores", () => {
  const cut = scoresOf("gpt-4", LENGTHS).map((point) => point.length > 16_384 ? { ...point, score: 0 } : point);
  const { window, residuals } = fitProfile(cut, openProfile("gpt-4"));
  equal(window, Math.round(1.2 * 16_384));
  deepEqual(residuals.filter(({ length }) => length > 16_384).map(({ expected }) => expected), Array(12).fill(0));
});

Deno.test("fitProfile() takes the slope from Figure 4 where a category has one length", () => {
  const { strengths, residuals } = fitProfile(scoresOf("lwm", [4096]), openProfile("lwm"));
  for (const strength of Object.values(strengths)) deepEqual([strength.slope, strength.bend], [0.7, 0]);
  for (const { published, expected } of residuals) ok(Math.abs(published - expected) < 0.1);
});

Deno.test("fitProfile() does not depend on the order of the scores", () => {
  const scores = scoresOf("mixtral", [4096, 32_768, 131_072]);
  deepEqual(
    fitProfile(scores, openProfile("mixtral")).strengths,
    fitProfile(scores.toReversed(), openProfile("mixtral")).strengths,
  );
});

Deno.test("fitProfile() refuses a category without a score above 0", () => {
  const scores = scoresOf("gpt-4", LENGTHS).filter(({ category }) => category !== "aggregation");
  throws(() => fitProfile(scores, openProfile("gpt-4")), {
    name: "RangeError",
    message: "Cannot fit profile gpt-4 as there must be a score above 0 in aggregation: current value is none",
  });
});
