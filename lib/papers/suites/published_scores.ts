import { firstRuns, openStars } from "@/lib/papers/counting_stars/published.ts";
import { OPENAI_TASK } from "@/lib/papers/mrcr/claims.ts";
import type { Evidence, LengthEvidence, PlacedEvidence } from "@/lib/reports/mod.ts";
import { averageEvidence, isLengthEvidence, openEvidence } from "@/lib/papers/evidence/evidence.ts";

/**
 * Reads the published scores of the suites that have some by length: RULER's mean of 13 tasks (the leaderboard of its repository),
 * both operations of GraphWalks, and OpenAI's MRCR with 8 needles. Scores are in percent, with the widest 95% intervals that their
 * numbers of samples allow. Those of GraphWalks and MRCR were read in secondary copies of the vendors' pages.
 */
export async function publishedSuiteScores(): Promise<readonly LengthEvidence[]> {
  const [ruler, graphs, mrcr] = await Promise.all([
    openEvidence("ruler"),
    openEvidence("graphwalks"),
    openEvidence("mrcr"),
  ]);
  return [
    ...ruler.filter(({ source }) => source.startsWith("github.com/NVIDIA/RULER")),
    ...mrcr.filter(({ task }) => task === OPENAI_TASK).map((row) => (
      { ...row, suite: "MRCR, 8 needles" }
    )),
    ...graphs.map((row) => ({ ...row, suite: `GraphWalks, ${row.knobs["operation"]}` })),
  ].filter(isLengthEvidence);
}

/**
 * Reads the published scores by length of all suites in one form: those of {@linkcode publishedSuiteScores} (without RULER's), Tables
 * 3 and 10 to 16 of RULER, Tables 1 and 3 to 7 of Needle Threading, the matrices of the later Counting-Stars, and the two heatmaps of
 * prompt dependence that are known, whose grades from 1 to 5 are shares of 5. Where samples are not stated, `n` is `null`.
 */
export async function publishedScores(): Promise<readonly PlacedEvidence[]> {
  const [ruler, threading, stars, recall, others] = await Promise.all([
    openEvidence("ruler"),
    openEvidence("needle_threading"),
    openStars(),
    openEvidence("prompt_dependence"),
    publishedSuiteScores(),
  ]);
  const rows: readonly Evidence[] = [
    ...ruler.filter(({ source }) => source.startsWith("arXiv 2404.06654v1")),
    ...firstRuns(stars, "v3"),
    ...threading.filter(({ knobs }) => knobs["threads"] === undefined),
    ...byLength(recall),
    ...others.filter(({ suite }) => suite !== "RULER"),
  ];
  return rows.filter((row): row is PlacedEvidence => row.length !== null);
}

/** Keeps the scores by length, of which those by depth are averaged. */
function byLength(rows: readonly Evidence[]): readonly Evidence[] {
  return averageEvidence(
    rows.filter(({ length }) => length !== null),
    ({ suite, task, model, length }) => JSON.stringify([suite, task, model, length]),
  );
}
