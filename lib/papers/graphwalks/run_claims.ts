import type { OwnGraphScore } from "./published.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import {
  type Claim,
  decidedByGroups,
  inPercent,
  meanOfClusters,
  type RunEvidence,
  type RunReply,
  shortestLessLongest,
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
      return decidedByGroups(replies, shortestLessLongest(replies));
    },
  },
  {
    id: "H2",
    source: "as G9",
    statement: "Parents are found better than nodes of a BFS (our measure: at the lengths that have both).",
    check: (run) =>
      decidedByGroups(scoredReplies(run), {
        of: ({ task }) => run.tasks[task]?.options["operation"],
        groups: ["parents", "bfs"],
        alike: ({ length }) => length,
        words: "Parents less BFS",
      }),
  },
  {
    id: "H3",
    source: "as G9",
    statement:
      "Nodes at a greater depth are found less often (our measure: the least depth less the greatest, at the lengths that have both).",
    check: (run) => {
      const depthOf = ({ task }: RunReply): number => Number(run.tasks[task]!.options["depth"] ?? NaN);
      const replies = scoredReplies(run);
      const depths = new Set(replies.map(depthOf).filter((depth) => !Number.isNaN(depth)));
      const [least, most] = [Math.min(...depths), Math.max(...depths)];
      return decidedByGroups(replies, {
        of: depthOf,
        groups: [least, most],
        alike: ({ length }) => length,
        words: `Depth ${least} less depth ${most}`,
      });
    },
  },
];

function scoredReplies({ replies, tasks }: RunEvidence): readonly RunReply[] {
  return replies.filter(({ task, value }) => value !== null && tasks[task]?.options["operation"] !== undefined);
}

/** Returns the mean scores of models by length, for the published figure. */
export function graphPoints(
  runs: readonly { readonly model: string; readonly origin: ReplyOrigin; readonly replies: readonly RunReply[] }[],
  operation: "bfs" | "parents",
): readonly OwnGraphScore[] {
  return runs.flatMap(({ model, origin, replies }) => {
    const scored = replies.filter(({ task, value }) => value !== null && task === `graphwalks_${operation}`);
    return Array.from(Map.groupBy(scored, ({ length }) => length), ([tokens, ofLength]): OwnGraphScore => ({
      model,
      tokens,
      ...inPercent(meanOfClusters(ofLength.map(({ task, cluster, value }) => (
        { cell: task, cluster, values: [value!] }
      )))),
      origin: origin === "simulated" ? origin : "measured",
    }));
  });
}
