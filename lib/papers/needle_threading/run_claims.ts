import { grouped } from "@/lib/base/mod.ts";
import { THREADING_CLAIMS } from "./claims.ts";
import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/pairs.ts";
import {
  cannotTell,
  type Claim,
  compareGroups,
  contextLimits,
  decided,
  decidedByCases,
  decidedByDifference,
  decidedByGroups,
  type Finding,
  type GroupComparison,
  knobCells,
  NO_DIFFERENCE,
  notAsked,
  pointsText,
  quoteOf,
  type RunEvidence,
  type RunReply,
  statedInterval,
  unitsText,
  verdictOf,
} from "@/lib/statistics/mod.ts";

/** A difference of at most this many points counts as none. */
const FLAT = 10;
/** The middle of a haystack, as depths. */
const MIDDLE = [0.3, 0.7] as const;

/** The paper's claims, checked on a run; open unless the 95% intervals decide them. */
export const THREADING_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "R9",
    source: "as N9",
    quote: quoteOf(THREADING_CLAIMS, "N9"),
    statement: `Needles in the middle are found less often than those nearer the ends (our measure: beyond ${
      MIDDLE[0]
    } and before ${MIDDLE[1]} of the haystack, at all lengths).`,
    check: (run) => {
      const placeOf = ({ task, record }: RunReply): string | undefined => {
        const depth = run.tasks[task]!.options["depth"] ?? record.depth;
        if (typeof depth !== "number") return undefined;
        return depth > MIDDLE[0] && depth < MIDDLE[1] ? "middle" : "ends";
      };
      return decidedByGroups(ofKind(run, "single_needle"), {
        of: placeOf,
        groups: ["ends", "middle"],
        alike: ({ length }) => length,
        words: "Ends less middle",
      });
    },
  },
  {
    id: "R10",
    source: "as N10",
    quote: "capable of simultaneously following multiple threads without significant loss in performance",
    statement:
      `Following more threads at a time costs little (our measure: from the fewest to the most at most ${FLAT} points).`,
    check: (run) => compareEnds(run, "multi_thread", "threads"),
  },
  {
    id: "R11",
    source: "as N11",
    quote: quoteOf(THREADING_CLAIMS, "N11"),
    statement:
      "The effective context limit is shorter than the largest size tested (our measure: at 75% accuracy, with the most needles asked for).",
    check: compareLimit,
  },
  {
    id: "R12",
    source: "as N12",
    quote: quoteOf(THREADING_CLAIMS, "N12"),
    statement:
      `Asking for more needles at a time costs little (our measure: from the fewest to the most at most ${FLAT} points).`,
    check: (run) => compareEnds(run, "multi_needle", "needles"),
  },
  {
    id: "R13",
    source: "as N17",
    quote: quoteOf(THREADING_CLAIMS, "N17"),
    statement:
      "A thread that runs forward is followed to its end more often than one that runs backward (our measure: at the lengths and numbers of steps that have both).",
    check: (run) =>
      decidedByGroups(ofKind(run, "single_thread"), {
        ...waysOf(run, "direction", ["forward", "backward"]),
        words: "Forward less backward",
      }),
  },
  {
    id: "R14",
    source: "as N18",
    quote: quoteOf(THREADING_CLAIMS, "N18"),
    statement:
      `Needles whose keys are given are found as often side by side as scattered (our measure: the two differ by at most ${FLAT} points, at the lengths and numbers of needles that have both).`,
    check: (run) => {
      const found = compareGroups(ofKind(run, "multi_needle"), waysOf(run, "placement", ["clustered", "random"]));
      if (found === null) return notAsked("There are no replies to compare.");
      const isFlat = found.low >= -FLAT && found.high <= FLAT;
      const verdict = verdictOf(isFlat, found.low > FLAT || found.high < -FLAT);
      return { verdict, observed: `Side by side less scattered: ${pointsText(found)}.` };
    },
  },
  {
    id: "R15",
    source: "as N19",
    quote: quoteOf(THREADING_CLAIMS, "N19"),
    statement:
      "Needles that meet a condition are found more often side by side than scattered (our measure: at the lengths and numbers of needles that have both).",
    check: (run) =>
      decidedByGroups(ofKind(run, "conditional_needle"), {
        ...waysOf(run, "placement", ["clustered", "random"]),
        words: "Side by side less scattered",
      }),
  },
  {
    id: "R16",
    source: "as N20",
    quote: quoteOf(THREADING_CLAIMS, "N20"),
    statement:
      "Every task is done worse at the longest length than at the shortest (our measure: with the same knobs, for each kind of task asked at several lengths).",
    check: compareLengths,
  },
];

/** Compares, for each kind of task, the shortest length of each task with its longest. */
function compareLengths({ replies, tasks }: RunEvidence): Finding {
  const scored = replies.filter(({ value }) => value !== null);
  const byTask = Map.groupBy(scored, ({ task }) => task);
  const lengthsOf = new Map([...byTask].map(([task, same]) => [task, new Set(same.map(({ length }) => length))]));
  const endOf = ({ task, length }: RunReply): string | undefined => {
    const lengths = lengthsOf.get(task)!;
    const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
    if (least === most) return undefined;
    if (length === least) return "shortest";
    return length === most ? "longest" : undefined;
  };
  const kinds = Map.groupBy(scored, ({ task }) => String(tasks[task]?.options["kind"] ?? ""));
  const falls = [...kinds].flatMap(([kind, ofKind]) => {
    const groups = ["shortest", "longest"] as const;
    const loss = kind === "" ? null : compareGroups(ofKind, { of: endOf, groups, alike: ({ task }) => task });
    return loss === null ? [] : [{ kind: kind.replaceAll("_", " "), loss }];
  });
  if (falls.length === 0) return notAsked("No task was asked at two lengths.");
  return decidedByCases(
    falls.map(({ loss }) => {
      if (loss.low > 0) return true;
      return loss.high < NO_DIFFERENCE ? false : null;
    }),
    `Lost with length: ${falls.map(({ kind, loss }) => `${kind} ${pointsText(loss)}`).join("; ")}.`,
  );
}

/** Compares the context limit for the most needles with the longest context tested. */
function compareLimit(run: RunEvidence): Finding {
  const replies = ofKind(run, "multi_needle");
  const needles = knobCells(replies, { tasks: run.tasks, knob: "needles" });
  if (needles.length === 0) return cannotTell("There are no scores.");
  const most = Math.max(...needles.map(({ difficulty }) => difficulty));
  const sizes = needles.map(({ size }) => size);
  const [shortest, longest] = [Math.min(...sizes), Math.max(...sizes)];
  const [limit] = contextLimits(needles, { difficulties: [most] });
  const { limit: found } = limit!;
  const { low, high } = statedInterval(limit!);
  const observed = `With ${most} needles it is ${grouped(found)} (${
    unitsText([limit!], `95% interval ${grouped(limit!.low)} to ${grouped(limit!.high)}`)
  }) of ${grouped(longest)} tokens tested.`;
  if (low === null || high === null) return cannotTell(observed);
  if (found === 0) {
    // A model that fails at all sizes does not fail because of the length.
    const loss = compareGroups(replies.filter(({ task }) => Number(run.tasks[task]!.options["needles"]) === most), {
      of: ({ length }) => length,
      groups: [shortest, longest],
      alike: () => "all",
    });
    if (loss === null || loss.low <= 0) {
      const further = loss === null ? "" : `, and from there to the longest it loses ${pointsText(loss)}`;
      return cannotTell(
        `${observed} Accuracy is below the bar at ${
          grouped(shortest)
        } tokens already${further}: the task is too hard to tell what length costs.`,
      );
    }
  }
  return { verdict: verdictOf(high < longest, low >= longest), observed };
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
  const observed = `${least} less ${most} ${knob}: ${pointsText(loss)}.`;
  const steep = decidedByDifference(loss, observed, { scores: loss.scores, bar: FLAT });
  return steep.verdict === "cannot tell" ? steep : decided(steep.verdict === "fails", observed);
}
