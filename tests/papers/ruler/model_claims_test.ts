import { equal } from "node:assert/strict";
import { MODEL_CLAIMS, MODEL_RUN_CLAIMS } from "@/lib/papers/ruler/model_claims.ts";
import { type ModelLine, openModelLines } from "@/lib/papers/ruler/model_lines.ts";
import { RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { checkClaims, type CheckedClaim, summarise } from "@/lib/statistics/mod.ts";
import { checkOnRun } from "@/lib/reports/run_claims.ts";

const published = await openModelLines();

/** Checks a claim on the published lines, with other scores of one model. */
function changed(id: string, model: string, score: (before: number, at: number) => number): CheckedClaim {
  const lines = published.map((line): ModelLine =>
    line.series.startsWith(model)
      ? {
        ...line,
        points: line.points.map((point, at) => {
          const moved = score(point.score, at);
          return { ...point, score: moved, low: Math.max(0, moved - 1), high: Math.min(100, moved + 1) };
        }),
      }
      : line
  );
  return checkClaims(MODEL_CLAIMS, lines).find((claim) => claim.id === id)!;
}

Deno.test.each(
  [
    ["the longest-trained is worse", "R22-overall", "LWM-1M", (score) => score - 30],
    ["a model does not drop beyond its training", "R23", "LWM-128K", () => 70],
    ["the small model is better", "R25", "Yi-6B", () => 99],
    ["the small model loses nothing", "R25", "Yi-6B", () => 60],
    ["Mamba is above Llama2", "R26", "Mamba", () => 99],
  ] as [string, string, string, (before: number, at: number) => number][],
)("MODEL_CLAIMS fail where the numbers differ: %s", (_name, id, model, score) => {
  equal(changed(id, model, score).verdict, "fails");
});

/** Checks the claims on a run whose share of right replies at each length is given. */
function ofRun(shares: readonly number[], claimedLength: number | null): readonly CheckedClaim[] {
  const replies = shares.flatMap((share, at) =>
    RULER_TASK_NAMES.flatMap((task) =>
      Array.from({ length: 100 }, (_, index) => ({
        task,
        length: 4096 * 2 ** at,
        value: index < 100 * share ? 1 : 0,
        failed: false,
        noAnswer: false,
        record: { index, seed: "1" },
      }))
    )
  );
  return checkOnRun(MODEL_RUN_CLAIMS, { rows: summarise(replies), replies, tasks: {}, claimedLength });
}

Deno.test("MODEL_RUN_CLAIMS take the claimed length for the training length", () => {
  const verdictOf = (shares: readonly number[], claimed: number | null) => ofRun(shares, claimed)[0]!.verdict;
  equal(verdictOf([0.9, 0.8, 0.7, 0.6, 0.1], 32_768), "holds");
  equal(verdictOf([0.9, 0.85, 0.8, 0.75, 0.7], 32_768), "fails");
  equal(verdictOf([0.9, 0.8, 0.7, 0.6], 32_768), "cannot tell");
  equal(verdictOf([0.9, 0.8, 0.7, 0.1], null), "cannot tell");
});
