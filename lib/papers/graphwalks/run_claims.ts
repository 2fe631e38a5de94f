import type { OwnGraphScore } from "./published.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import {
  cannotTell,
  type Claim,
  decidedBySign,
  differenceInterval,
  type Finding,
  inPercent,
  meanOfClusters,
  pointsText,
  type RunEvidence,
  type RunReply,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** The claims about published scores, checked on a run; open unless the 95% interval decides them. */
export const GRAPHWALKS_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "H1",
    source: "as G5",
    statement:
      "The score falls with length (our measure: the shortest length less the longest, of tasks asked at both).",
    check: (run) => {
      const replies = scoredReplies(run);
      const lengths = [...new Set(replies.map(({ length }) => length))].sort((one, other) => one - other);
      return compare(replies, {
        of: ({ length }) => length,
        groups: [lengths[0], lengths.at(-1)],
        alike: ({ task }) => task,
        words: `${lengths[0]} less ${lengths.at(-1)} tokens`,
      });
    },
  },
  {
    id: "H2",
    source: "as G9",
    statement: "Parents are found better than nodes of a BFS (our measure: at the lengths that have both).",
    check: (run) =>
      compare(scoredReplies(run), {
        of: ({ task }) => run.tasks[task]?.options["operation"],
        groups: ["parents", "bfs"],
        alike: ({ length }) => String(length),
        words: "Parents less BFS",
      }),
  },
  {
    id: "H3",
    source: "as G9",
    statement:
      "Nodes at a greater depth are found less often (our measure: the least depth less the greatest, at the lengths that have both).",
    check: (run) => {
      const depthOf = ({ task }: RunReply): number | undefined => {
        const depth = run.tasks[task]?.options["depth"];
        return depth === undefined ? undefined : Number(depth);
      };
      const replies = scoredReplies(run);
      const depths = [...new Set(replies.map(depthOf))].filter((depth) => depth !== undefined).sort((one, other) =>
        one - other
      );
      return compare(replies, {
        of: depthOf,
        groups: [depths[0], depths.at(-1)],
        alike: ({ length }) => String(length),
        words: `Depth ${depths[0]} less depth ${depths.at(-1)}`,
      });
    },
  },
];

function scoredReplies({ replies, tasks }: RunEvidence): readonly RunReply[] {
  return replies.filter(({ task, value }) => value !== null && tasks[task]?.options["operation"] !== undefined);
}

interface Comparison {
  /** What is compared. */
  of(reply: RunReply): string | number | undefined;
  readonly groups: readonly [first: string | number | undefined, second: string | number | undefined];
  /** What both groups must share: replies of one group alone are left out. */
  alike(reply: RunReply): string;
  readonly words: string;
}

/** Decides whether the mean of a group is above that of another. */
function compare(replies: readonly RunReply[], { of, groups: [one, other], alike, words }: Comparison): Finding {
  const [first, second] = [one, other].map((group) => replies.filter((reply) => of(reply) === group));
  const shared = new Set(first!.map(alike)).intersection(new Set(second!.map(alike)));
  const [left, right] = [first!, second!].map((all) => all.filter((reply) => shared.has(alike(reply))));
  if (one === undefined || one === other || shared.size === 0) return cannotTell("There are no scores to compare.");
  const found = differenceInterval(meanOf(left!, alike), meanOf(right!, alike));
  return decidedBySign(found, `${words}: ${pointsText(found)}, of ${left!.length} and ${right!.length} replies.`);
}

/** Returns the mean score of replies with its 95% interval, in percent. */
function meanOf(replies: readonly RunReply[], cellOf: (reply: RunReply) => string): ScoreWithInterval {
  return inPercent(meanOfClusters(
    replies.map((reply) => ({ cell: cellOf(reply), cluster: reply.cluster, values: [reply.value!] })),
  ));
}

/** Returns the mean scores of models by length, for the published figure. */
export function graphPoints(
  runs: readonly { readonly model: string; readonly origin: ReplyOrigin; readonly replies: readonly RunReply[] }[],
  operation: "bfs" | "parents",
): readonly OwnGraphScore[] {
  return runs.flatMap(({ model, origin, replies }) => {
    const scored = replies.filter(({ task, value }) => value !== null && task === `graphwalks_${operation}`);
    return Array.from(Map.groupBy(scored, ({ length }) => length), ([tokens, ofLength]): OwnGraphScore => ({
      ...{ model, tokens, ...meanOf(ofLength, ({ task }) => task) },
      origin: origin === "simulated" ? origin : "measured",
    }));
  });
}
