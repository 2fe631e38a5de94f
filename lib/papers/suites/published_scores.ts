import { mean } from "@/lib/base/mod.ts";
import { PROMPT_DEPENDENCE } from "@/lib/benchmarks/prompt_dependence/prompt_dependence.ts";
import { firstRuns, openStars } from "@/lib/papers/counting_stars/published.ts";
import { OPENAI_TASK } from "@/lib/papers/mrcr/claims.ts";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";
import { openRecallPublished } from "@/lib/papers/prompt_dependence/published.ts";
import { openPublished } from "@/lib/papers/ruler/published.ts";
import { publishedModels, publishedScoreRows } from "@/lib/papers/ruler/published_leaderboard.ts";
import type { Evidence, LengthEvidence } from "@/lib/reports/mod.ts";
import { openEvidence } from "@/lib/papers/evidence/evidence.ts";

/** What scores of tables without a file of evidence have in common. */
const form = { knobs: {}, depth: null, origin: "published", source: "a table of the paper" } as const;

/**
 * Reads the published scores of the suites that have some by length: RULER's mean of 13 tasks (the leaderboard of its repository),
 * both operations of GraphWalks, and OpenAI's MRCR with 8 needles. Scores are in percent, with the widest 95% intervals that their
 * numbers of samples allow. Those of GraphWalks and MRCR were read in secondary copies of the vendors' pages.
 */
export async function publishedSuiteScores(): Promise<readonly LengthEvidence[]> {
  const [{ rows }, graphs, mrcr] = await Promise.all([
    openPublished(),
    openEvidence("graphwalks"),
    openEvidence("mrcr"),
  ]);
  const board = rows.filter(({ edition, category }) => edition === "repository" && category === "RULER-13");
  return [
    ...publishedModels(board).flatMap(({ model, rows: ofModel }) =>
      ofModel.map(({ length, n, score, low, high }) => (
        { ...form, suite: "RULER", task: "RULER-13", model, length, n, score: score!, low: low!, high: high! }
      ))
    ),
    ...mrcr.filter((row): row is LengthEvidence => row.task === OPENAI_TASK).map((row) => (
      { ...row, suite: "MRCR, 8 needles" }
    )),
    ...graphs.filter((row): row is LengthEvidence => row.length !== null).map((row) => (
      { ...row, suite: `GraphWalks, ${row.knobs["operation"]}` }
    )),
  ];
}

/**
 * Reads the published scores by length of all suites in one form: those of {@linkcode publishedSuiteScores} (without RULER's), Tables
 * 3 and 10 to 16 of RULER, Tables 1 and 3 to 7 of Needle Threading, the matrices of the later Counting-Stars, and the two heatmaps of
 * prompt dependence that are known, whose grades from 1 to 5 are shares of 5. Where samples are not stated, `n` is `null`.
 */
export async function publishedScores(): Promise<readonly Evidence[]> {
  const unknown = { ...form, n: null, low: null, high: null };
  const [ruler, threading, stars, recall, others] = await Promise.all([
    openPublished(),
    openThreadingPublished(),
    openStars(),
    openRecallPublished(),
    publishedSuiteScores(),
  ]);
  const grades = Map.groupBy(recall.grades, ({ model, test, length }) => JSON.stringify([model, test, length]));
  return [
    ...ruler.rows.filter(({ edition }) => edition === "v1").flatMap((row) =>
      publishedScoreRows(row).map(({ task, length, n, score, low, high }) => (
        { ...form, suite: "RULER", model: row.model, task, length, n, score: score!, low: low!, high: high! }
      ))
    ),
    ...firstRuns(stars, "v3"),
    ...threading.scores.map(({ model, task, length, score }) => (
      { ...unknown, suite: "Needle Threading", model, task, length, score }
    )),
    ...Array.from(grades.values(), (cells) => {
      const { model, test: task, length } = cells[0]!;
      const score = 20 * mean(cells.map((cell) => cell.score));
      return {
        ...unknown,
        suite: PROMPT_DEPENDENCE.title,
        model,
        task,
        length,
        score,
        n: cells.length,
      };
    }),
    ...others.filter(({ suite }) => suite !== "RULER"),
  ];
}
