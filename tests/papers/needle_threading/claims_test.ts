import { equal } from "node:assert/strict";
import { THREADING_CLAIMS } from "@/lib/papers/needle_threading/claims.ts";
import { openThreadingPublished, type ThreadingPublished } from "@/lib/papers/needle_threading/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openThreadingPublished();

Deno.test("THREADING_CLAIMS fail where the numbers are others", () => {
  const verdictOf = (id: string, other: Partial<ThreadingPublished>): string =>
    checkClaims(THREADING_CLAIMS.filter((claim) => claim.id === id), { ...published, ...other })[0]!.verdict;
  const safety = (change: object) => {
    const threadSafety = published.threadSafety.map((row) => ({ ...row, ...change }));
    const drawn = new Set(threadSafety.map(({ model }) => model));
    const scores = published.scores.filter(({ model }) => drawn.has(model));
    return verdictOf("N10", { threadSafety, scores });
  };
  equal(safety({ score: 60, low: 55, high: 65 }), "holds");
  equal(safety({ low: 0, high: 100 }), "cannot tell", "two lines fall, but their bands would be as wide as all scores");
  const level = published.contours.map((point) => ({
    ...point,
    limit: point.at === 50 ? 300 : 100,
    side: "under" as const,
  }));
  equal(verdictOf("N9", { contours: level }), "fails");
  const falling = published.contours.map((point) => ({ ...point, limit: 300 - 10 * point.at, side: "under" as const }));
  equal(verdictOf("N12", { contours: falling }), "fails");
  const whole = published.limits.map((row) => ({ ...row, effective: row.supported, percent: 100 }));
  equal(verdictOf("N11", { limits: whole }), "fails");
  const rising = published.scores.map((row) => row.length === 1200 ? { ...row, score: 95 } : { ...row, score: 99 });
  equal(verdictOf("N7", { scores: rising }), "fails");
  equal(verdictOf("N20", { scores: rising }), "fails");
});
