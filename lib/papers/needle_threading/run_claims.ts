import { grouped } from "@/lib/base/mod.ts";
import { HALF, LITTLE, THREADING_CLAIMS } from "./claims.ts";
import { isAboveFloor } from "./knob_rows.ts";
import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/pairs.ts";
import {
  cannotTell,
  type Claim,
  compareGroups,
  contextLimits,
  decidedByCases,
  decidedByDifference,
  decidedByGroups,
  type Finding,
  type GroupComparison,
  knobCells,
  notAsked,
  pointsText,
  type RunEvidence,
  type RunReply,
  statedInterval,
  summarise,
  unitsText,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** The middle of a haystack, as depths. */
const MIDDLE = [0.3, 0.7] as const;

/**
 * The paper's claims, checked on a run of one model: they are about its averages, and open unless the 95% intervals decide them. They
 * have the names and quotes of the claims about published numbers.
 */
export const THREADING_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  onRun("N9", {
    statement: `Needles in the middle are found less often than those nearer the ends (our measure: beyond ${
      MIDDLE[0]
    } and before ${MIDDLE[1]} of the haystack, at all lengths).`,
    check: (run) =>
      decidedAboveFloor(ofKind(run, "single_needle"), {
        ...waysOf(run, "depth", ["ends", "middle"]),
        of: ({ task, record }) => {
          const depth = run.tasks[task]!.options["depth"] ?? record.depth;
          if (typeof depth !== "number") return undefined;
          return depth > MIDDLE[0] && depth < MIDDLE[1] ? "middle" : "ends";
        },
        words: "Ends minus middle",
      }),
  }),
  onRun("N10", {
    statement:
      `Following more threads at a time costs little (our measure: from the fewest to the most at most ${LITTLE} points).`,
    needs: { knobs: ["threads"] },
    check: (run) => compareEnds(run, "multi_thread", "threads"),
  }),
  onRun("N11", {
    statement:
      `The effective context limit is significantly shorter than the supported context (our measure: with the most needles asked for, accuracy falls through 75% within ${HALF}% of the window that the model's entry names).`,
    check: compareLimit,
  }),
  onRun("N12", {
    statement:
      `Asking for more needles at a time costs little (our measure: from the fewest to the most at most ${LITTLE} points).`,
    needs: { knobs: ["needles"] },
    check: (run) => compareEnds(run, "multi_needle", "needles"),
  }),
  onRun("N17", {
    statement:
      "A thread that runs forward is followed to its end more often than one that runs backward (our measure: at the lengths and numbers of steps that have both).",
    needs: { knobs: ["direction"] },
    check: (run) =>
      decidedAboveFloor(ofKind(run, "single_thread"), {
        ...waysOf(run, "direction", ["forward", "backward"]),
        words: "Forward minus backward",
      }),
  }),
  onRun("N18", {
    statement:
      `Needles whose keys are given are found as often side by side as scattered (our measure: the two differ by at most ${LITTLE} points, at the lengths and numbers of needles that have both).`,
    needs: { knobs: ["placement"] },
    check: (run) => {
      const found = compareGroups(ofKind(run, "multi_needle"), waysOf(run, "placement", ["clustered", "random"]));
      if (found === null) return notAsked("There are no replies to compare.");
      return littleEitherWay(found, `Side by side minus scattered: ${pointsText(found)}.`);
    },
  }),
  onRun("N19", {
    statement:
      "Needles that meet a condition are found more often side by side than scattered (our measure: at the lengths and numbers of needles that have both).",
    needs: { knobs: ["placement"] },
    check: (run) =>
      decidedAboveFloor(ofKind(run, "conditional_needle"), {
        ...waysOf(run, "placement", ["clustered", "random"]),
        words: "Side by side minus scattered",
      }),
  }),
  onRun("N20", {
    statement:
      "Every task is done worse at the longest length than at the shortest (our measure: with the same knobs, for each kind of task asked at several lengths).",
    check: compareLengths,
  }),
];

/** Returns a claim about a run with the name, source and quote of the paper's claim. */
function onRun(id: string, checked: Pick<Claim<RunEvidence>, "statement" | "needs" | "check">): Claim<RunEvidence> {
  const { check: _, expected: __, ...stated } = THREADING_CLAIMS.find((claim) => claim.id === id)!;
  const { of, word } = stated.quantifier!;
  return { ...stated, ...checked, quantifier: { of: of === "all" ? of : "on average", word } };
}

/** Compares two groups of replies in the cells that have a score above the floor; others show no difference. */
function decidedAboveFloor(
  replies: readonly RunReply[],
  comparison: GroupComparison & { readonly words: string },
): Finding {
  const cells = [...Map.groupBy(replies, comparison.alike).values()];
  const above = cells.filter((same) => summarise(same).some(isAboveFloor)).flat();
  if (replies.length > 0 && above.length === 0) return cannotTell("All scores are at the floor.");
  return decidedByGroups(above, comparison);
}

/** Compares, for each kind of task, the shortest length of each task with its longest. A task at the floor at both is left out. */
function compareLengths({ replies, tasks }: RunEvidence): Finding {
  const scored = replies.filter(({ value }) => value !== null);
  const ends = new Map(
    [...Map.groupBy(summarise(scored), ({ task }) => task)].filter(([, rows]) => rows.length > 1)
      .map(([task, rows]) => [task, [rows[0]!, rows.at(-1)!]] as const),
  );
  const endOf = ({ task, length }: RunReply): string | undefined => {
    const [shortest, longest] = ends.get(task) ?? [];
    if (shortest === undefined || ![shortest, longest!].some(isAboveFloor)) return undefined;
    if (length === shortest.length) return "shortest";
    return length === longest!.length ? "longest" : undefined;
  };
  const asked = scored.filter(({ task }) => ends.has(task));
  if (asked.length === 0) return notAsked("No task was asked at two lengths.");
  const kinds = Map.groupBy(asked, ({ task }) => String(tasks[task]?.options["kind"]).replaceAll("_", " "));
  const falls = Array.from(kinds, ([kind, ofKind]) => {
    const groups = ["shortest", "longest"] as const;
    const loss = compareGroups(ofKind, { of: endOf, groups, alike: ({ task }) => task });
    if (loss === null) return { isLost: null, text: `${kind} is at the floor` };
    const { verdict } = decidedByDifference(loss, "", { scores: loss.scores });
    return { isLost: verdict === "cannot tell" ? null : verdict === "holds", text: `${kind} ${pointsText(loss)}` };
  });
  return decidedByCases(
    falls.map(({ isLost }) => isLost),
    `Lost with length: ${falls.map(({ text }) => text).join("; ")}.`,
  );
}

/** Compares the context limit for the most needles with the window that the model's entry names. */
function compareLimit(run: RunEvidence): Finding {
  const cells = knobCells(ofKind(run, "multi_needle"), { tasks: run.tasks, knob: "needles" });
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

/** Returns the replies to tasks of a kind. */
function ofKind({ replies, tasks }: RunEvidence, kind: ThreadingKind): readonly RunReply[] {
  return replies.filter(({ task }) => tasks[task]?.options["kind"] === kind);
}

/** Compares two values of a knob at the lengths and settings that have both. */
function waysOf(
  { tasks }: RunEvidence,
  knob: string,
  groups: GroupComparison["groups"],
): Pick<GroupComparison, "of" | "groups" | "alike"> {
  return {
    of: ({ task }) => tasks[task]!.options[knob],
    groups,
    alike: ({ task, length }) => JSON.stringify([length, { ...tasks[task]!.options, [knob]: "" }]),
  };
}

/** Compares the lowest value of a knob with the highest, at the lengths that have both. */
function compareEnds(run: RunEvidence, kind: ThreadingKind, knob: string): Finding {
  const valueOf = ({ task }: RunReply): number => Number(run.tasks[task]!.options[knob]);
  const replies = ofKind(run, kind);
  const values = new Set(replies.map(valueOf));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const loss = compareGroups(replies, { of: valueOf, groups: [least, most], alike: ({ length }) => length });
  if (loss === null) return notAsked(`There are no scores at different numbers of ${knob}.`);
  return isLittle(loss, `${least} minus ${most} ${knob}: ${pointsText(loss)}.`);
}

type Difference = NonNullable<ReturnType<typeof compareGroups>>;

/** Judges whether a difference is at most {@linkcode LITTLE} points. */
function isLittle(difference: Difference, observed: string): Finding {
  const large = decidedByDifference(difference, observed, { scores: difference.scores, bar: LITTLE });
  if (large.verdict === "cannot tell") return large;
  return { ...large, verdict: verdictOf(large.verdict === "fails", true) };
}

/** Judges whether two scores differ by at most {@linkcode LITTLE} points in either direction. */
function littleEitherWay(difference: Difference, observed: string): Finding {
  const { low, high } = difference;
  const ways = [difference, { ...difference, low: -high, high: -low }].map((way) => isLittle(way, observed));
  const order = ["fails", "cannot tell", "holds"] as const;
  return order.flatMap((verdict) => ways.filter((way) => way.verdict === verdict))[0]!;
}
