import { equal, match } from "node:assert/strict";
import { THREADING_CLAIMS, threadingAnswer } from "@/lib/papers/needle_threading/claims.ts";
import { openThreadingPublished, type ThreadingPublished } from "@/lib/papers/needle_threading/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openThreadingPublished();

Deno.test("THREADING_CLAIMS fail where the numbers are others", () => {
  const verdictOf = (id: string, other: Partial<ThreadingPublished>): string =>
    checkClaims(THREADING_CLAIMS.filter((claim) => claim.id === id), { ...published, ...other })[0]!.verdict;
  const safety = (change: object) => {
    const drawn = published.scores.filter(({ knobs }) => knobs["threads"] !== undefined);
    return verdictOf("N10", { scores: drawn.map((row) => ({ ...row, ...change })) });
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
  const rising = published.scores.map((row) => ({
    ...row,
    score: row.length === 1200 ? 95 : 99,
    low: null,
    high: null,
  }));
  equal(verdictOf("N7", { scores: rising }), "fails");
  equal(verdictOf("N20", { scores: rising }), "fails");
});

Deno.test("threadingAnswer() gives the published limit of threads, and the shortest haystack", () => {
  equal(
    threadingAnswer(published),
    "Not far: every published model follows a chain of keys through at most 3% of its context window. " +
      "In the shortest haystack the models find a single value in 96 to 100% of prompts, and the end of a chain in 6 to 78%.",
  );
});

Deno.test("threadingAnswer() follows other numbers", () => {
  const limits = published.limits.map((row) => ({ ...row, percent: 40 }));
  const scores = published.scores.map((row) => ({ ...row, score: row.knobs["kind"] === "single_thread" ? 50 : 90 }));
  const answer = threadingAnswer({ limits, scores });
  match(answer, /at most 40% .* a single value in 90% of prompts, and the end of a chain in 50%/);
});
