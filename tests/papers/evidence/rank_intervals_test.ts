import { ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { rankModels, rankTable } from "@/lib/papers/evidence/rank_models.ts";
import { stream } from "@/lib/random/mod.ts";
import { midInterval } from "@/lib/statistics/mod.ts";

const DRAWS = Number(Deno.env.get("FATHOM_DRAWS") ?? cases(100, 1000));
/** Three standard errors of a share near its bound. */
const CHANCE = 3 * Math.sqrt(0.05 * 0.95 / DRAWS);

/** True scores of models, all different, and the yes/no samples of each. */
const LAWS = [
  ["ten models a point apart", 400, Array.from({ length: 10 }, (_, at) => 0.8 + at / 100)],
  ["ten models a fifth of a point apart", 400, Array.from({ length: 10 }, (_, at) => 0.8 + at / 500)],
  ["eight models near 100%", 200, Array.from({ length: 8 }, (_, at) => 0.965 + at / 200)],
  ["40 models that are almost alike", 50, Array.from({ length: 40 }, (_, at) => 0.6 + at / 4000)],
] as const;

/** Returns the board of models that answered so many of their samples right, and the words of its title. */
function boardOf(
  right: readonly number[],
  n: number,
): { readonly board: ReturnType<typeof rankModels>; readonly title: string } {
  const models = right.map((count, at) => {
    const { low, high } = midInterval(count, n);
    const row = { task: "mean", n, failed: 0, noAnswer: 0, score: 100 * count / n, low: 100 * low, high: 100 * high };
    return {
      model: `m${at}`,
      origin: "measured" as const,
      claimedWindow: null,
      rows: [{ ...row, length: 4096 }],
    };
  });
  const board = rankModels(models);
  return { board, title: rankTable(board, { mean: "all", threshold: "none" }).title };
}

Deno.test.each([...LAWS])(
  "rankModels() has the true rank of each model in its range in at least 95%% of draws, the first and the last too, and its title is right: %s",
  (name, n, chances) => {
    const draw = stream("ranks", name);
    const held = chances.map(() => 0);
    let wrong = 0;
    for (let run = 0; run < DRAWS; run++) {
      const right = chances.map((chance) =>
        Array.from({ length: n }, () => Number(draw() < chance)).reduce<number>((sum, each) => sum + each, 0)
      );
      const { board, title } = boardOf(right, n);
      for (const { model, average } of board.rows) {
        const at = Number(model.slice(1));
        const [best, worst] = average!.ranks;
        // The last model of a law is the best.
        const rank = chances.length - at;
        if (best <= rank && rank <= worst) held[at]!++;
      }
      const [, highest] = /^m(\d+) has the highest/.exec(title) ?? [];
      if (highest !== undefined && Number(highest) !== chances.length - 1) wrong++;
    }
    const worst = Math.min(...held) / DRAWS;
    ok(worst >= 0.95 - CHANCE, `${worst}: ${held}`);
    ok(wrong / DRAWS <= 0.05 + CHANCE, `${wrong} wrong titles`);
  },
);
