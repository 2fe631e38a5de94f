import type { SuiteScore } from "./compare_suites.ts";
import { openGraphScores, publishedPoints } from "@/lib/papers/graphwalks/mod.ts";
import { BIN_QUESTIONS, openaiScores, openMrcrPublished } from "@/lib/papers/mrcr/mod.ts";
import { openPublished, publishedModels } from "@/lib/papers/ruler/mod.ts";

/**
 * Reads the published scores of the suites that have some by length: RULER's mean of 13 tasks (the leaderboard of its repository),
 * both operations of GraphWalks, and OpenAI's MRCR with 8 needles. Scores are in percent, with the widest 95% intervals that their
 * numbers of samples allow. Those of GraphWalks and MRCR were read in secondary copies of the vendors' pages.
 */
export async function publishedSuiteScores(): Promise<readonly SuiteScore[]> {
  const [{ rows }, graphs, mrcr] = await Promise.all([openPublished(), openGraphScores(), openMrcrPublished()]);
  const board = rows.filter(({ edition, category }) => edition === "repository" && category === "RULER-13");
  return [
    ...publishedModels(board).flatMap(({ model, rows: ofModel }) =>
      ofModel.map(({ length, n, score, low, high }) => (
        { suite: "RULER", model, length, n, score: score!, low: low!, high: high! }
      ))
    ),
    ...openaiScores(mrcr).map((row) => ({ ...row, suite: "MRCR, 8 needles", n: BIN_QUESTIONS })),
    ...publishedPoints(graphs).map(({ operation, tokens, ...row }) => (
      { ...row, suite: `GraphWalks, ${operation}`, length: tokens }
    )),
  ];
}
