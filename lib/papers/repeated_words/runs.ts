import { type CopyMeasures, measureCopy } from "@/lib/benchmarks/repeated_words/scorer.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/records/mod.ts";
import {
  type Evidence,
  inPercent,
  meanOfClusters,
  type RunReply,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** The bins of the published figure: eight of equal ratio, from 25 to 30,000 tokens; shorter and longer texts continue them. */
const [SHORTEST, LONGEST, BINS] = [25, 30_000, 8];

/** A reply to a text of repeated words, measured, and the middle of the bin that its prompt is in, in tokens. */
export interface MeasuredReply extends ScoredReply {
  readonly measures: CopyMeasures;
  readonly bin: number;
}

/** Measures the replies to texts of repeated words; failed calls and other tasks are left out. */
export function measureReplies(replies: readonly RunReply[]): readonly MeasuredReply[] {
  const ratio = (LONGEST / SHORTEST) ** (1 / BINS);
  return replies.flatMap((reply) => {
    // Replies of a run have their text.
    if (!("reply" in reply.record) || reply.failed) return [];
    const { record } = reply as ScoredReply;
    const measures = measureCopy(scoredAnswer(reply as ScoredReply), record.references[0] ?? "");
    const bin = Math.floor(Math.log(record.promptTokens / SHORTEST) / Math.log(ratio));
    const middle = Math.round(SHORTEST * ratio ** (bin + 0.5));
    return measures === null ? [] : [{ ...reply as ScoredReply, measures, bin: middle }];
  });
}

/** A model's replies to texts of repeated words. */
export interface CopyRun {
  readonly model: string;
  readonly origin: ReplyOrigin;
  readonly replies: readonly RunReply[];
}

/** Measures the replies of models and groups them by bins, whose lengths rise. */
export function copiesByBin(
  runs: readonly CopyRun[],
): readonly (CopyRun & { readonly length: number; readonly copies: readonly MeasuredReply[] })[] {
  return runs.flatMap((run) => {
    const bins = Map.groupBy(measureReplies(run.replies), ({ bin }) => bin);
    return [...bins].toSorted(([one], [other]) => one - other).map(([length, copies]) => ({ ...run, length, copies }));
  });
}

/** Returns the mean of a measure in percent, with its 95% interval and the number of independent units. */
export function shareOf(
  copies: readonly MeasuredReply[],
  of: (measures: CopyMeasures) => number | boolean,
): ScoreWithInterval & { readonly units: number } {
  const values = copies.map(({ cluster, measures }) => ({ cell: "all", cluster, values: [Number(of(measures))] }));
  const mean = meanOfClusters(values);
  return { ...inPercent(mean), units: mean.n };
}

/** Returns the mean edit scores of models in the bins of the published figure. Replies that it leaves out count. */
export function copyScores(runs: readonly CopyRun[]): readonly Evidence[] {
  const form = { suite: "Repeated words", task: "repeated words", knobs: {}, depth: null, source: "a run" };
  return copiesByBin(runs).map(({ model, origin, length, copies }): Evidence => (
    { ...form, ...shareOf(copies, ({ edits }) => edits), model, origin, length, n: copies.length }
  ));
}
