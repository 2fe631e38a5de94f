import { lengthText } from "@/lib/base/mod.ts";
import { LARGE_FALL, NEARLY_PERFECT } from "./leaderboard_claims.ts";
import { judge, scoreText } from "./line_findings.ts";
import { RULER_GROUPS, RULER_OVERALL } from "@/lib/benchmarks/ruler/tasks.ts";
import {
  cannotTell,
  type Claim,
  decidedByDifference,
  differenceInterval,
  effectiveLengthBoard,
  type Finding,
  lengthMeans,
  meanOfRows,
  notAsked,
  pointsText,
  RULER_THRESHOLD,
  type RunEvidence,
  scoredRows,
  type SummaryRow,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** RULER's claims about a run of one model, decided only if the 95% intervals leave no doubt. */
export const RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "M2",
    source: "abstract, section 4; as R11",
    quote: "all models exhibit large performance drops as the context length increases",
    quantifier: { of: "all", word: "all" },
    statement:
      `The model shows a large drop as the context grows (our measure: ${LARGE_FALL} points or more of the mean over 13 tasks, from the shortest to the longest length).`,
    check: ({ rows }) => {
      const totals = meansOf(rows);
      if (totals.length < 2) return notAsked("Fewer than two lengths have a score on all 13 tasks.");
      const [first, last] = [totals[0]!, totals.at(-1)!];
      const fall = differenceInterval(first, last);
      const observed = `From ${lengthText(first.length)} to ${lengthText(last.length)} it falls by ${
        pointsText(fall)
      }.`;
      return decidedByDifference(fall, observed, { scores: [first, last], bar: LARGE_FALL });
    },
  },
  {
    id: "M3",
    source: "sections 1 and 4; as R2",
    quote: "almost all models fall below the threshold before reaching the claimed context lengths",
    quantifier: { of: "most", word: "almost all" },
    statement: "The model falls below the threshold before its claimed length: its effective length is shorter.",
    check: checkEffectiveLength,
  },
  {
    id: "M4",
    source: "section 4 and appendix E; as R10",
    quote: "Despite achieving nearly perfect performance on the passkey retrieval and the vanilla NIAH task",
    statement:
      `Passkey and vanilla needles are found nearly perfectly (our measure: ${NEARLY_PERFECT} or more on average over both and the lengths up to the claimed one).`,
    check: ({ rows, claimedLength }) => {
      const needles = ["niah_single_1", "niah_single_2"].flatMap((task) => scoredRows(rows, task))
        .filter((row) => claimedLength === null || row.length <= claimedLength);
      if (new Set(needles.map(({ task }) => task)).size < 2) {
        return cannotTell("Not both tasks have a score at such a length.");
      }
      const mean = meanOfRows(needles, needles.map(() => 1));
      const worst = needles.reduce((least, row) => row.score < least.score ? row : least);
      return {
        verdict: judge(mean, NEARLY_PERFECT),
        observed: `The mean is ${scoreText(mean)}, and the lowest of ${needles.length} scores ${
          scoreText(worst)
        }, of ${worst.task} at ${lengthText(worst.length)}.`,
      };
    },
  },
];

function checkEffectiveLength({ rows, claimedLength }: RunEvidence): Finding {
  const totals = meansOf(rows);
  if (claimedLength === null) return cannotTell("The claimed length is not known.");
  if (totals.length === 0) return cannotTell("No length has a score on all 13 tasks.");
  const entry = { model: "", rows: totals, threshold: RULER_THRESHOLD };
  const { found, lengths, range, isSettled } = effectiveLengthBoard([entry])[0]!;
  const longest = totals.at(-1)!.length;
  // Subtle: passing at the longest tested length decides nothing about a claim beyond it.
  const isShorter = (length: number | null): boolean =>
    length === null || (length < claimedLength && (length < longest || longest >= claimedLength));
  const possible = lengths.filter(({ isPossible }) => isPossible);
  const isReached = possible.every(({ length }) => (length ?? 0) >= claimedLength);
  const others = isSettled ? "exclude all others" : `do not exclude ${range}`;
  return {
    verdict: verdictOf(possible.every(({ length }) => isShorter(length)), isReached),
    observed:
      `At a threshold of ${RULER_THRESHOLD} the effective length is ${found}, of ${lengthText(claimedLength)} ` +
      `claimed and ${lengthText(longest)} tested; the scores ${others}.`,
  };
}

/** Returns the means over all 13 tasks, lengths rising. */
function meansOf(rows: readonly SummaryRow[]): ReturnType<typeof scoredRows> {
  return scoredRows(lengthMeans(rows, { groups: RULER_GROUPS.slice(0, 1) }), RULER_OVERALL);
}
