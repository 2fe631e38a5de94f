import { grouped } from "@/lib/base/mod.ts";
import { HALF, LITTLE, littleLost, SCORE_CLAIMS, THREADING_CLAIMS } from "./claims.ts";
import { isAboveFloor } from "./knob_rows.ts";
import { ofKind } from "./published.ts";
import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/knobs.ts";
import { evidenceOfRun, onReplies, onRun } from "@/lib/papers/evidence/pairs.ts";
import {
  cannotTell,
  type Claim,
  contextLimits,
  decidedByGroups,
  type Finding,
  knobCells,
  notAsked,
  type RunEvidence,
  type RunReply,
  statedInterval,
  summarise,
  unitsText,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** The middle of a haystack, as depths. */
const MIDDLE = [0.3, 0.7] as const;

/** The paper's claims, checked on a run of one model: those on scores as they are, others with a measure of their own. */
export const THREADING_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  onReplies(THREADING_CLAIMS, "N9", {
    quantifier: { of: "on average", word: "frontier LLMs" },
    statement: `Needles in the middle are found less often than those nearer the ends (our measure: beyond ${
      MIDDLE[0]
    } and before ${MIDDLE[1]} of the haystack, at all lengths).`,
    check: compareDepths,
  }),
  onReplies(THREADING_CLAIMS, "N11", {
    quantifier: { of: "on average", word: "many models" },
    statement:
      `The effective context limit is significantly shorter than the supported context (our measure: with the most needles asked for, accuracy falls through 75% within ${HALF}% of the window that the model's entry names).`,
    check: compareLimit,
  }),
  onReplies(THREADING_CLAIMS, "N12", {
    quantifier: { of: "on average", word: "stronger models" },
    statement:
      `Asking for more needles at a time costs little (our measure: from the fewest to the most at most ${LITTLE} points).`,
    needs: { knobs: ["needles"] },
    check: (run) => littleLost(ofKind(evidenceOfRun(run), "multi_needle"), "needles"),
  }),
  ...SCORE_CLAIMS.map((claim) => onRun(claim)),
];

/** Compares depths in the cells of a run that have a score above the floor; others show no difference. */
function compareDepths(run: RunEvidence): Finding {
  const alike = ({ task, length }: RunReply): string =>
    JSON.stringify([length, { ...run.tasks[task]!.options, depth: "" }]);
  const replies = repliesOf(run, "single_needle");
  const above = [...Map.groupBy(replies, alike).values()].filter((same) => summarise(same).some(isAboveFloor)).flat();
  if (replies.length > 0 && above.length === 0) return cannotTell("All scores are at the floor.");
  return decidedByGroups(above, {
    of: ({ task, record }) => {
      const depth = run.tasks[task]!.options["depth"] ?? record.depth;
      if (typeof depth !== "number") return undefined;
      return depth > MIDDLE[0] && depth < MIDDLE[1] ? "middle" : "ends";
    },
    groups: ["ends", "middle"],
    alike,
    words: "Ends minus middle",
  });
}

/** Compares the context limit for the most needles with the window that the model's entry names. */
function compareLimit(run: RunEvidence): Finding {
  const cells = knobCells(repliesOf(run, "multi_needle"), { tasks: run.tasks, knob: "needles" });
  if (cells.length === 0) return notAsked("Several needles were not asked for.");
  const supported = run.claimedLength;
  if (supported === null) return notAsked("The model's entry names no window.");
  const most = Math.max(...cells.map(({ difficulty }) => difficulty));
  const [limit] = contextLimits(cells, { difficulties: [most] });
  const { low, high } = statedInterval(limit!);
  const interval = unitsText([limit!], `95% interval ${grouped(limit!.low)} to ${grouped(limit!.high)}`);
  const observed = `With ${most} needles it is ${grouped(limit!.limit)} (${interval}) of ${grouped(supported)} tokens.`;
  if (limit!.limit === 0) {
    return cannotTell(`${observed} Accuracy is below 75% at the shortest length already: the task is too hard.`);
  }
  if (low === null || high === null) return cannotTell(observed);
  const longest = Math.max(...cells.filter(({ difficulty }) => difficulty === most).map(({ size }) => size));
  const half = HALF / 100 * supported;
  // A limit at the longest length may lie beyond it.
  return { verdict: verdictOf(high <= half && high < longest, low > half), observed };
}

function repliesOf({ replies, tasks }: RunEvidence, kind: ThreadingKind): readonly RunReply[] {
  return replies.filter(({ task }) => tasks[task]?.options["kind"] === kind);
}
