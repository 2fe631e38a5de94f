import { THREADING_CLAIMS } from "./claims.ts";
import type { ThreadingKind } from "@/lib/benchmarks/needle_threading/mod.ts";
import {
  cannotTell,
  type Claim,
  contextLimits,
  decidedBySign,
  differenceInterval,
  type Finding,
  type GridCell,
  independent,
  inPercent,
  knobCells,
  meanInterval,
  pointsText,
  quoteOf,
  type RunEvidence,
  type ScoreWithInterval,
  unlessAtEdge,
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
      const depths = cellsOf(run, "single_needle", "depth");
      const isMiddle = ({ difficulty }: GridCell): boolean => difficulty > MIDDLE[0] && difficulty < MIDDLE[1];
      const [middle, ends] = [scoreOf(depths.filter(isMiddle)), scoreOf(depths.filter((cell) => !isMiddle(cell)))];
      if (middle === null || ends === null) return cannotTell("There are no scores to compare.");
      const found = differenceInterval(ends, middle);
      return decidedBySign(found, `Ends less middle: ${pointsText(found)}.`);
    },
  },
  {
    id: "R10",
    source: "as N10",
    quote: "capable of simultaneously following multiple threads without significant loss in performance",
    statement:
      `Following more threads at a time costs little (our measure: from the fewest to the most at most ${FLAT} points).`,
    check: (run) => compareEnds(cellsOf(run, "multi_thread", "threads"), "threads"),
  },
  {
    id: "R11",
    source: "as N11",
    quote: quoteOf(THREADING_CLAIMS, "N11"),
    statement:
      "The effective context limit is shorter than the largest size tested (our measure: at 75% accuracy, with the most needles asked for).",
    check: (run) => compareLimit(cellsOf(run, "multi_needle", "needles")),
  },
  {
    id: "R12",
    source: "as N12",
    quote: quoteOf(THREADING_CLAIMS, "N12"),
    statement:
      `Asking for more needles at a time costs little (our measure: from the fewest to the most at most ${FLAT} points).`,
    check: (run) => compareEnds(cellsOf(run, "multi_needle", "needles"), "needles"),
  },
  {
    id: "R13",
    source: "as N17",
    quote: quoteOf(THREADING_CLAIMS, "N17"),
    statement:
      "A thread that runs forward is followed to its end more often than one that runs backward (our measure: at the lengths and numbers of steps that have both).",
    check: (run) => {
      const found = compareWays(run, { kind: "single_thread", knob: "direction", ways: ["forward", "backward"] });
      if (found === null) return cannotTell("There are no scores of threads in both directions.", { isAsked: false });
      return decidedBySign(found, `Forward less backward: ${pointsText(found)}.`);
    },
  },
  {
    id: "R14",
    source: "as N18",
    quote: quoteOf(THREADING_CLAIMS, "N18"),
    statement:
      `Needles whose keys are given are found as often side by side as scattered (our measure: the two differ by at most ${FLAT} points, at the lengths and numbers of needles that have both).`,
    check: (run) => {
      const found = compareWays(run, { kind: "multi_needle", knob: "placement", ways: ["clustered", "random"] });
      if (found === null) {
        return cannotTell("There are no scores of needles side by side and scattered.", { isAsked: false });
      }
      const verdict = found.low >= -FLAT && found.high <= FLAT
        ? "holds"
        : found.low > FLAT || found.high < -FLAT
        ? "fails"
        : "cannot tell";
      return { verdict, observed: `Side by side less scattered: ${pointsText(found)}.` };
    },
  },
  {
    id: "R15",
    source: "as N19",
    quote: quoteOf(THREADING_CLAIMS, "N19"),
    statement:
      "Needles that meet a condition are found more often side by side than scattered (our measure: at the lengths and numbers of needles that have both).",
    check: (run) => {
      const found = compareWays(run, { kind: "conditional_needle", knob: "placement", ways: ["clustered", "random"] });
      if (found === null) {
        return cannotTell("There are no scores of marked needles side by side and scattered.", { isAsked: false });
      }
      return decidedBySign(found, `Side by side less scattered: ${pointsText(found)}.`);
    },
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

/** Compares, for each kind of task, the shortest length with the longest. */
function compareLengths({ replies, tasks }: RunEvidence): Finding {
  const scored = replies.filter(({ value }) => value !== null);
  const kinds = Map.groupBy(scored, ({ task }) => String(tasks[task]?.options["kind"] ?? ""));
  const falls = [...kinds].flatMap(([kind, ofKind]) => {
    const ends = [...Map.groupBy(ofKind, ({ task }) => task).values()].flatMap((ofTask) => {
      const lengths = ofTask.map(({ length }) => length);
      const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
      const at = (wanted: number): number[] =>
        ofTask.filter(({ length }) => length === wanted).map(({ value }) => value!);
      return least === most ? [] : [{ short: at(least), long: at(most) }];
    });
    if (kind === "" || ends.length === 0) return [];
    const [short, long] = [ends.flatMap((end) => end.short), ends.flatMap((end) => end.long)];
    return [{ kind: kind.replaceAll("_", " "), loss: differenceInterval(meanOf(short), meanOf(long)) }];
  });
  if (falls.length === 0) return cannotTell("No task was asked at two lengths.", { isAsked: false });
  const verdict = falls.every(({ loss }) => loss.low > 0)
    ? "holds"
    : falls.some(({ loss }) => loss.high <= 0)
    ? "fails"
    : "cannot tell";
  return {
    verdict,
    observed: `Lost with length: ${falls.map(({ kind, loss }) => `${kind} ${pointsText(loss)}`).join("; ")}.`,
  };
}

/** Compares the context limit for the most needles with the longest context tested. */
function compareLimit(needles: readonly GridCell[]): Finding {
  if (needles.length === 0) return cannotTell("There are no scores.");
  const most = Math.max(...needles.map(({ difficulty }) => difficulty));
  const sizes = needles.map(({ size }) => size);
  const [shortest, longest] = [Math.min(...sizes), Math.max(...sizes)];
  const [limit] = contextLimits(needles, { difficulties: [most] });
  const { limit: found, low, high } = limit!;
  const whole = (size: number): string => Math.round(size).toLocaleString("en");
  const observed = `With ${most} needles it is ${whole(found)} (95% interval ${whole(low)} to ${whole(high)}) of ${
    whole(longest)
  } tokens tested.`;
  if (found === 0) {
    // A model that fails at all sizes does not fail because of the length.
    const at = (wanted: number): ScoreWithInterval | null =>
      scoreOf(needles.filter(({ size, difficulty }) => size === wanted && difficulty === most));
    const [short, long] = [at(shortest), at(longest)];
    const loss = short === null || long === null ? null : differenceInterval(short, long);
    if (loss === null || loss.low <= 0) {
      const further = loss === null || shortest === longest
        ? ""
        : `, and from there to the longest it loses ${pointsText(loss)}`;
      return cannotTell(
        `${observed} Accuracy is below the bar at ${
          whole(shortest)
        } tokens already${further}: the task is too hard to tell what length costs.`,
      );
    }
  }
  return { verdict: high < longest ? "holds" : low >= longest ? "fails" : "cannot tell", observed };
}

/** Compares two values of a knob in one kind of task, at the lengths and settings that have both; `null` if none has. */
function compareWays(
  { replies, tasks }: RunEvidence,
  { kind, knob, ways }: { kind: ThreadingKind; knob: string; ways: readonly [string, string] },
): ScoreWithInterval | null {
  const places = Map.groupBy(
    replies.filter(({ task, value }) => tasks[task]?.options["kind"] === kind && value !== null),
    ({ task, length }) => JSON.stringify([length, { ...tasks[task]!.options, [knob]: "" }]),
  );
  const found: [number[], number[]] = [[], []];
  for (const ofPlace of places.values()) {
    const [first, second] = ways.map((way) =>
      ofPlace.filter(({ task }) => tasks[task]!.options[knob] === way).map(({ value }) => value!)
    );
    if (first!.length === 0 || second!.length === 0) continue;
    found[0].push(...first!);
    found[1].push(...second!);
  }
  return found[0].length === 0 ? null : differenceInterval(meanOf(found[0]), meanOf(found[1]));
}

/** Returns the scores of one kind of task by length and by a knob or the needle's depth. */
function cellsOf({ replies, tasks }: RunEvidence, kind: ThreadingKind, knob: string): readonly GridCell[] {
  const ofKind = replies.filter(({ task }) => tasks[task]?.options["kind"] === kind);
  return knobCells(ofKind, { tasks, knob });
}

/** Compares the lowest difficulty with the highest, at the sizes that have both. */
function compareEnds(cells: readonly GridCell[], what: string): Finding {
  const difficulties = cells.map(({ difficulty }) => difficulty);
  const [least, most] = [Math.min(...difficulties), Math.max(...difficulties)];
  const sizesOf = (wanted: number): Set<number> =>
    new Set(cells.filter(({ difficulty }) => difficulty === wanted).map(({ size }) => size));
  const shared = sizesOf(least).intersection(sizesOf(most));
  const at = (wanted: number): ScoreWithInterval | null =>
    scoreOf(cells.filter(({ difficulty, size }) => difficulty === wanted && shared.has(size)));
  const [few, many] = [at(least), at(most)];
  if (few === null || many === null || least === most) {
    return cannotTell(`There are no scores at different numbers of ${what}.`, { isAsked: false });
  }
  const loss = differenceInterval(few, many);
  const verdict = loss.high <= FLAT ? "holds" : loss.low > FLAT ? "fails" : "cannot tell";
  const finding: Finding = { verdict, observed: `${least} less ${most} ${what}: ${pointsText(loss)}.` };
  return verdict === "holds" ? unlessAtEdge(finding, [few, many], { bar: FLAT }) : finding;
}

/** Returns the mean score of cells in percent; `null` if they have no score. */
function scoreOf(cells: readonly GridCell[]): ScoreWithInterval | null {
  const scores = cells.flatMap((cell) => cell.scores);
  return scores.length === 0 ? null : meanOf(scores);
}

function meanOf(scores: readonly number[]): ScoreWithInterval {
  return inPercent(meanInterval(independent(scores)));
}
