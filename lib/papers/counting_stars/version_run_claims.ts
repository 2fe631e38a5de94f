import { lengthStability } from "./length_stability.ts";
import { meanOf } from "./published.ts";
import type { StarScore } from "@/lib/benchmarks/counting_stars/mod.ts";
import {
  cannotTell,
  type Claim,
  differenceInterval,
  type Finding,
  independent,
  inPercent,
  meanInterval,
  pointsText,
  type RunEvidence,
  type RunReply,
  type ScoreWithInterval,
  unlessAtEdge,
} from "@/lib/statistics/mod.ts";

/** What counts as much worse, in points, as for C8. */
const MUCH = 10;

/** What the text says about versions, order, lengths and sums, asked of a run. */
export const STAR_VERSION_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "S7",
    source: "as C7; the length-stability dilemma",
    kind: "paper",
    quote:
      "both GPT-4 Turbo and Kimi Chat can get better results in a longer text than in a shorter one; 100K, say, is better than 92K",
    statement:
      "A longer text beats a shorter one more often than if length did not matter (our measure: in a task at least, p < 0.05 corrected for the number of tasks).",
    check: checkStability,
  },
  {
    id: "S8",
    source: "as C8",
    kind: "paper",
    quote: "once the order is shuffled, the results of both GPT-4 Turbo and Kimi Chat are much worse than before",
    statement:
      `Shuffling the counts makes the model much worse (our measure: by ${MUCH} points or more, at the same lengths).`,
    check: (run) => {
      const { pairs, scores: [rising, shuffled] } = matchTasks(run, "order", ["increasing", "shuffled"]);
      if (pairs === 0) return cannotTell("There are no scores in both orders.");
      const loss = differenceInterval(rising!, shuffled!);
      const verdict = loss.low >= MUCH ? "holds" : loss.high < MUCH ? "fails" : "cannot tell";
      const finding: Finding = { verdict, observed: `Increasing less shuffled: ${pointsText(loss)}.` };
      return verdict === "fails" ? unlessAtEdge(finding, [rising!, shuffled!], { bar: MUCH }) : finding;
    },
  },
  {
    id: "S13",
    source: "as C13",
    kind: "paper",
    quote: "the task of counting stars gets harder as M grows",
    statement: "The test gets harder as M grows (our measure: the fewest stars less the most, at the same lengths).",
    check: (run) => {
      const { pairs, scores: [few, many] } = matchTasks(run, "stars", (counts) => [
        Math.min(...counts.map(Number)),
        Math.max(...counts.map(Number)),
      ]);
      if (pairs === 0) return cannotTell("There are no scores with different numbers of stars.");
      return compare(differenceInterval(few!, many!), "Fewest less most stars");
    },
  },
  {
    id: "S14",
    source: "as C14",
    kind: "paper",
    quote: "N=16 can also lower the difficulty of the test",
    statement:
      "Half of the lengths make the test easier (our measure: every second length, the longest among them, less the others, in tasks of four lengths or more).",
    check: ({ replies }) => {
      const [kept, left] = [0, 1].map((which) =>
        taskReplies(replies).flatMap(([lengths, ofTask]) =>
          ofTask.filter(({ length }) => (lengths.length - 1 - lengths.indexOf(length)) % 2 === which)
            .map(({ value }) => value!)
        )
      );
      if (kept!.length === 0 || left!.length === 0) return cannotTell("There is no task with four lengths or more.");
      return compare(differenceInterval(meanOrZero(kept!), meanOrZero(left!)), "The lengths kept less those left out");
    },
  },
  {
    id: "S16",
    source: "as C16b",
    kind: "paper",
    quote: "this mistake is more obvious where the first number of stars is 1",
    statement:
      "Rising lists are made up more often where the first count is 1 (our measure: replies with five or more made-up numbers in even steps, with firstCount 1 less without, at the same lengths).",
    check: (run) => {
      const { pairs, scores: [ones, others] } = matchTasks(
        run,
        "firstCount",
        [1, 0],
        ({ score }) =>
          (score as Partial<StarScore> | undefined)?.run === undefined
            ? null
            : (score as StarScore).run === null
            ? 0
            : 1,
      );
      if (pairs === 0) return cannotTell("There are no replies both with and without a first count of 1.");
      return compare(differenceInterval(ones!, others!), "Replies with a made-up list, first count 1 less others");
    },
  },
  {
    id: "S18",
    source: "as C18",
    kind: "paper",
    quote:
      "we have tested [sums] before; as the results of both GPT-4 Turbo and Kimi were poor, we changed the task to listing the counts",
    statement:
      "Asked for the sum of all counts, the model does poorly (our measure: fewer than half of the sums are right).",
    check: ({ replies, tasks }) => {
      const right = replies.flatMap((reply) => {
        const ask = tasks[reply.task]?.options["ask"];
        const isSum = ask === "sum" || ask === "list_and_sum";
        return isSum && reply.value !== null ? [ask === "sum" ? reply.value : sumOf(reply)] : [];
      });
      if (right.length === 0) return cannotTell("No sum was asked for.");
      const { score, low, high } = meanOrZero(right);
      return {
        verdict: high < 50 ? "holds" : low >= 50 ? "fails" : "cannot tell",
        observed: `Of ${right.length} sums ${score.toFixed(1)}% are right (95% interval ${low.toFixed(1)} to ${
          high.toFixed(1)
        }).`,
      };
    },
  },
];

/** The sum's part of the score of a list and its sum, which is worth as much as one count. */
function sumOf({ value, score }: RunReply): number {
  const cells = score?.cells ?? [];
  return value! * (cells.length + 1) - cells.reduce((sum, cell) => sum + cell, 0);
}

/** Asks whether length matters in any task, by the means of its stars at each length. */
function checkStability({ replies }: RunEvidence): Finding {
  const found = taskReplies(replies, 2).flatMap(([lengths, ofTask]) => {
    const columns = lengths.map((length) => {
      const lists = ofTask.flatMap((reply) => reply.length === length ? [reply.score!.cells!] : []);
      return { length, cells: lists[0]!.map((_, star) => meanOf(lists.map((cells) => cells[star]!))) };
    });
    return [lengthStability({ model: ofTask[0]!.task, columns }, { seed: "42" })];
  });
  if (found.length === 0) return cannotTell("There is no task with two lengths or more.");
  const best = found.reduce((least, next) => next.p < least.p ? next : least);
  const p = Math.min(1, best.p * found.length);
  return {
    verdict: p < 0.05 ? "holds" : "cannot tell",
    observed:
      `Of ${found.length} tasks ${best.model} shows it most: a longer text wins ${best.longer} of ${best.pairs} pairs ` +
      `of lengths, ${(100 * best.share).toFixed(0)}% of them beyond chance, ${
        (100 * best.expected).toFixed(0)
      }% expected ` +
      `(p = ${p.toFixed(3)}).`,
  };
}

/** The replies with a list, by task, with the task's lengths in order; tasks of fewer lengths are left out. */
function taskReplies(replies: readonly RunReply[], least = 4): readonly [readonly number[], readonly RunReply[]][] {
  const listed = replies.filter(({ value, score }) => value !== null && (score?.cells ?? []).length > 0);
  return [...Map.groupBy(listed, ({ task }) => task).values()].flatMap((ofTask) => {
    const lengths = [...new Set(ofTask.map(({ length }) => length))].sort((one, other) => one - other);
    return lengths.length < least ? [] : [[lengths, ofTask] satisfies [number[], RunReply[]]];
  });
}

/** Scores at two values of a knob, at the lengths and with the other knobs that both have. */
interface MatchedTasks {
  /** How many settings have both. */
  readonly pairs: number;
  /** In percent, the first value's first. */
  readonly scores: readonly ScoreWithInterval[];
}

type KnobValue = string | number;

/** Which two values are compared, in each setting of the other knobs or among those that it has. */
type ComparedValues =
  | readonly [KnobValue, KnobValue]
  | ((had: readonly KnobValue[]) => readonly [KnobValue, KnobValue]);

function matchTasks(
  { replies, tasks }: RunEvidence,
  knob: string,
  compared: ComparedValues,
  valueOf: (reply: RunReply) => number | null = ({ value }) => value,
): MatchedTasks {
  const known = replies.flatMap((reply) => {
    const { options } = tasks[reply.task] ?? {};
    const value = valueOf(reply);
    if (options?.["ask"] === undefined || value === null) return [];
    const { [knob]: chosen = 0, ...others } = options;
    return [{ chosen, value, place: JSON.stringify([reply.length, others]) }];
  });
  const matched = [...Map.groupBy(known, ({ place }) => place).values()].flatMap((ofPlace) => {
    const values = typeof compared === "function" ? compared(ofPlace.map(({ chosen }) => chosen)) : compared;
    const groups = values.map((wanted) => ofPlace.flatMap(({ chosen, value }) => chosen === wanted ? [value] : []));
    return values[0] !== values[1] && groups.every((group) => group.length > 0) ? [groups] : [];
  });
  const scores = [0, 1].map((which) => meanOrZero(matched.flatMap((groups) => groups[which]!)));
  return { pairs: matched.length, scores };
}

function compare(difference: ScoreWithInterval, what: string): Finding {
  return {
    verdict: difference.low > 0 ? "holds" : difference.high <= 0 ? "fails" : "cannot tell",
    observed: `${what}: ${pointsText(difference)}.`,
  };
}

function meanOrZero(scores: readonly number[]): ScoreWithInterval {
  return scores.length === 0 ? { score: 0, low: 0, high: 0 } : inPercent(meanInterval(independent(scores)));
}
