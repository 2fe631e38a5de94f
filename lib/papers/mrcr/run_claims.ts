import { MRCR_CLAIMS } from "./claims.ts";
import {
  cannotTell,
  type Claim,
  decidedByCases,
  decidedByGroups,
  type Finding,
  quoteOf,
  type RunEvidence,
  type ScoreWithInterval,
  shortestLessLongest,
  summarise,
} from "@/lib/statistics/mod.ts";

/** Points of a random text on the request above 1/n: the most of Google's noise rates. */
const ABOVE = 2.5;

/** Claims that a run of any MRCR is checked for. */
export const MRCR_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "M9",
    source: "as M1",
    quote: quoteOf(MRCR_CLAIMS, "M1"),
    quantifier: { of: "all", word: "typically" },
    statement:
      `Scores are above the floor of a random text on the request at every length (our measure: 1/n and ${ABOVE} points, with 95% confidence).`,
    check(run): Finding {
      const cells = cellsOf(run);
      if (cells.length === 0) return cannotTell("There are no scores.");
      const shown = cells.map(({ task, length, score, floor }) =>
        `${task} at ${length}: ${score.toFixed(1)}, floor ${floor.toFixed(1)}`
      );
      return decidedByCases(
        cells.map(({ low, high, floor }) => {
          if (low > floor) return true;
          return high <= floor ? false : null;
        }),
        `${shown.join("; ")}.`,
      );
    },
  },
  {
    id: "M10",
    source: "as M5",
    statement: "Scores are lower at the longest length than at the shortest, all tasks together.",
    check: ({ replies }) => decidedByGroups(replies, shortestLessLongest(replies)),
  },
];

interface Cell extends ScoreWithInterval {
  readonly task: string;
  readonly length: number;
  /** In percent. */
  readonly floor: number;
}

/** The scores of each task and length with the floor of its number of needles. */
function cellsOf({ replies, tasks }: RunEvidence): readonly Cell[] {
  return scoredRows(replies).flatMap((row) => {
    const needles = Number(tasks[row.task]?.options["needles"] ?? /_(\d)_needles/.exec(row.task)?.[1]);
    return needles > 0 ? [{ ...row, floor: 100 / needles + ABOVE }] : [];
  });
}

/** Scores by task and length, in percent; lengths rise. */
function scoredRows(replies: RunEvidence["replies"]): readonly Omit<Cell, "floor">[] {
  return summarise(replies).flatMap(({ task, length, score, low, high }) =>
    score === null || low === null || high === null ? [] : [{ task, length, score, low, high }]
  );
}
