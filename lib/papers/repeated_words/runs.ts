import { COPY_FALLS, REPEATED_WORDS_CLAIMS } from "./claims.ts";
import { type CopyMeasures, measureCopy } from "@/lib/benchmarks/repeated_words/scorer.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import { onReplies, onRun } from "@/lib/papers/evidence/pairs.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/records/mod.ts";
import {
  type Claim,
  decidedByGroups,
  type Evidence,
  inPercent,
  meanOfClusters,
  type RunEvidence,
  type RunReply,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** A reply, measured. */
export interface MeasuredReply extends ScoredReply {
  readonly measures: CopyMeasures;
}

/** Measures the replies to texts of repeated words; failed calls and other tasks are left out. */
export function measureReplies(replies: readonly RunReply[]): readonly MeasuredReply[] {
  return replies.flatMap((reply) => {
    if (!isScored(reply) || reply.failed) return [];
    const measures = measureCopy(scoredAnswer(reply), reply.record.references[0] ?? "");
    return measures === null ? [] : [{ ...reply, measures }];
  });
}

/** Returns whether a reply has its text, as those of a run do. */
function isScored(reply: RunReply): reply is RunReply & ScoredReply {
  return "reply" in reply.record;
}

/** The bins of the published figure: eight of equal ratio, from 25 to 30,000 tokens. */
const [SHORTEST, LONGEST, BINS] = [25, 30_000, 8];

/** Returns the middle of the bin of a number of tokens; shorter and longer texts continue the bins. */
function binOf(tokens: number): number {
  const ratio = (LONGEST / SHORTEST) ** (1 / BINS);
  const bin = Math.floor(Math.log(tokens / SHORTEST) / Math.log(ratio));
  return Math.round(SHORTEST * ratio ** (bin + 0.5));
}

/** Groups replies by the bins of the figure; lengths rise. */
export function groupByBin(
  replies: readonly MeasuredReply[],
): readonly (readonly [number, readonly MeasuredReply[]])[] {
  const bins = Map.groupBy(replies, ({ record }) => binOf(record.promptTokens));
  return [...bins].toSorted(([one], [other]) => one - other);
}

/** Returns the mean of a measure in percent, with its 95% interval and the number of independent units. */
export function shareOf(
  replies: readonly MeasuredReply[],
  of: (measured: MeasuredReply) => number | boolean,
): ScoreWithInterval & { readonly units: number } {
  const mean = meanOfClusters(
    replies.map((measured) => ({ cell: "all", cluster: measured.cluster, values: [Number(of(measured))] })),
  );
  return { ...inPercent(mean), units: mean.n };
}

/** A model's replies to texts of repeated words. */
export interface CopyRun {
  readonly model: string;
  readonly origin: ReplyOrigin;
  readonly replies: readonly RunReply[];
}

/** Returns the mean edit scores of models in the bins of the published figure. Replies that it leaves out count. */
export function copyScores(runs: readonly CopyRun[]): readonly Evidence[] {
  const form = { suite: "Repeated words", task: "repeated words", knobs: {}, depth: null, source: "a run" };
  return runs.flatMap(({ model, origin, replies }) =>
    groupByBin(measureReplies(replies)).map(([length, ofBin]): Evidence => {
      const edits = shareOf(ofBin, ({ measures }) => measures.edits);
      return { ...form, ...edits, model, origin, length, n: ofBin.length };
    })
  );
}

/** The claims of the report, checked on a run; open unless the 95% interval decides them. */
export const REPEATED_WORDS_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  onRun(COPY_FALLS, ({ replies }) => copyScores([{ model: "the model", origin: "measured", replies }])),
  onReplies(REPEATED_WORDS_CLAIMS, "W4", {
    quantifier: { of: "on average", word: "often" },
    statement:
      "Replies are too long more often in long texts (our measure: the longest texts less the shortest, in the bins of the figure).",
    check: ({ replies }) => {
      const measured = measureReplies(replies);
      const bins = groupByBin(measured).map(([bin]) => bin);
      return decidedByGroups(measured, {
        of: ({ record }) => binOf(record.promptTokens),
        groups: [bins.at(-1), bins[0]],
        alike: () => "all",
        value: ({ measures }) => Number(measures.missingWords < 0),
        words: `Texts of about ${bins.at(-1)} less ${bins[0]} tokens`,
        isRate: true,
      });
    },
  }),
  onReplies(REPEATED_WORDS_CLAIMS, "W7", {
    quantifier: { of: "on average", word: "Accuracy" },
    statement:
      "The modified word is in its place more often near the beginning (our measure: the first third of the texts less the last).",
    check: ({ replies }) =>
      decidedByGroups(measureReplies(replies), {
        of: ({ record: { targetDepth } }) =>
          targetDepth === undefined ? undefined : Math.min(2, Math.floor(3 * targetDepth)),
        groups: [0, 2],
        alike: ({ record }) => binOf(record.promptTokens),
        value: ({ measures }) => Number(measures.isInPlace),
        words: "First third less last",
      }),
  }),
];
