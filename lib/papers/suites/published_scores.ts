import { averageEvidence, isLengthEvidence, openEvidence } from "@/lib/papers/evidence/evidence.ts";
import { OPENAI_TASK } from "@/lib/papers/mrcr/claims.ts";
import type { Evidence, LengthEvidence, PlacedEvidence } from "@/lib/statistics/mod.ts";

/** The files of suites in `data/published`, with the sources whose scores count. */
const SUITES = {
  "ruler": /^arXiv 2404\.06654v1/,
  "counting_stars": /at 32e16f2, figures\/(?:acq|rea)\.png$/,
  "needle_threading": /^arXiv/,
  "prompt_dependence": /^arXiv/,
  "graphwalks": /./,
  "mrcr": /./,
  "babilong": /./,
  "repeated_words": /./,
};

/**
 * Reads the published scores by length of all suites: one of each model, task and length. Scores by depth are averaged; of several
 * settings, the first in the file counts.
 */
export async function publishedScores(): Promise<readonly PlacedEvidence[]> {
  const files = await Promise.all(Object.entries(SUITES).map(([name, source]) => openPlaced(name, source)));
  const cells = Map.groupBy(files.flat(), ({ suite, task, model, length }) => `${suite}/${task}/${model}/${length}`);
  return Array.from(cells.values(), (cell) => {
    const first = cell[0]!;
    const alike = cell.filter(({ knobs }) => JSON.stringify(knobs) === JSON.stringify(first.knobs));
    return alike.length === 1 ? first : { ...averageEvidence(alike, () => "")[0]!, length: first.length };
  });
}

/** Reads the scores by length of a file, of some sources. */
async function openPlaced(name: string, source: RegExp): Promise<readonly PlacedEvidence[]> {
  const rows = await openEvidence(name);
  return rows.filter((row): row is PlacedEvidence => row.length !== null && source.test(row.source));
}

/**
 * Reads the published scores of the suites that separate models by length: RULER's mean of 13 tasks (the leaderboard of its
 * repository), both operations of GraphWalks, and OpenAI's MRCR with 8 needles. Those of GraphWalks and MRCR were read in secondary
 * copies of the vendors' pages.
 */
export async function publishedSuiteScores(): Promise<readonly LengthEvidence[]> {
  const [ruler, mrcr, graphs] = await Promise.all([
    openPlaced("ruler", /^github\.com\/NVIDIA\/RULER/),
    openPlaced("mrcr", SUITES.mrcr),
    openPlaced("graphwalks", SUITES.graphwalks),
  ]);
  const rows: readonly Evidence[] = [
    ...ruler,
    ...mrcr.filter(({ task }) => task === OPENAI_TASK).map((row) => ({ ...row, suite: "MRCR, 8 needles" })),
    ...graphs.map((row) => ({ ...row, suite: `GraphWalks, ${row.knobs["operation"]}` })),
  ];
  return rows.filter(isLengthEvidence);
}
