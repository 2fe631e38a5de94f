import { equal } from "node:assert/strict";
import { THREADING_CLAIMS } from "@/lib/papers/needle_threading/claims.ts";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";

const published = await openThreadingPublished();
Deno.test("THREADING_CLAIMS fail where the numbers are others", () => {
  const verdictOf = (id: string, evidence: Parameters<typeof checkClaims<never>>[1]): string =>
    checkClaims(THREADING_CLAIMS.filter((claim) => claim.id === id), evidence)[0]!.verdict;
  const base = { published, gpt4oPairTokens: 49.5 };
  equal(verdictOf("N5", { ...base, gpt4oPairTokens: 64 } as never), "fails");
  const worse = published.scores.map((row) => row.model === "GPT-4o" ? { ...row, score: 90 } : row);
  equal(verdictOf("N8", { ...base, published: { ...published, scores: worse } } as never), "fails");
  const safety = (change: object) => {
    const threadSafety = published.threadSafety.map((row) => ({ ...row, ...change }));
    const drawn = new Set(threadSafety.map(({ model }) => model));
    const scores = published.scores.filter(({ model }) => drawn.has(model));
    return verdictOf("N10", { ...base, published: { ...published, threadSafety, scores } } as never);
  };
  equal(safety({ score: 60, low: 55, high: 65 }), "holds");
  equal(safety({ low: 0, high: 100 }), "cannot tell", "two lines fall, but their bands would be as wide as all scores");
  const level = published.contours.map((point) => ({ ...point, limit: point.at === 50 ? 300 : 100, side: "under" }));
  equal(verdictOf("N9", { ...base, published: { ...published, contours: level } } as never), "fails");
  const falling = published.contours.map((point) => ({ ...point, limit: 300 - 10 * point.at, side: "under" }));
  equal(verdictOf("N12", { ...base, published: { ...published, contours: falling } } as never), "fails");
  const whole = published.limits.map((row) => ({ ...row, effective: row.supported, percent: 100 }));
  equal(verdictOf("N11", { ...base, published: { ...published, limits: whole } } as never), "fails");
  const rising = published.scores.map((row) => row.length === 1200 ? { ...row, score: 95 } : { ...row, score: 99 });
  equal(verdictOf("N7", { ...base, published: { ...published, scores: rising } } as never), "fails");
  equal(verdictOf("N20", { ...base, published: { ...published, scores: rising } } as never), "fails");
  const once = published.repeats.map((row) => ({ ...row, repeats: 1 }));
  equal(verdictOf("N14", { ...base, published: { ...published, repeats: once } } as never), "fails");
  const tripled = published.contexts.map((bar) => bar.name === "Moby Dick" ? { ...bar, millionTokens: 0.42 } : bar);
  equal(verdictOf("N4", { ...base, published: { ...published, contexts: tripled } } as never), "holds");
});
