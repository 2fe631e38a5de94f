import { sum } from "@/lib/base/mod.ts";
import { REPEATED_WORDS_CLAIMS } from "./claims.ts";
import type { OwnCopyPoint } from "./published.ts";
import { type CopyFailure, type CopyMeasures, measureCopy } from "@/lib/benchmarks/repeated_words/scorer.ts";
import { type Table, table, type Titled } from "@/lib/figures/mod.ts";
import type { ReplyOrigin } from "@/lib/models/mod.ts";
import { scoredAnswer, type ScoredReply } from "@/lib/records/mod.ts";
import {
  type Claim,
  decidedByGroups,
  type Finding,
  inPercent,
  mean,
  meanOfClusters,
  quoteOf,
  type RunEvidence,
  type RunReply,
  type ScoreWithInterval,
} from "@/lib/statistics/mod.ts";

/** A reply, measured. */
interface MeasuredReply extends ScoredReply {
  readonly measures: CopyMeasures;
}

/** Measures the replies to texts of repeated words; failed calls and other tasks are left out. */
function measureReplies(replies: readonly RunReply[]): readonly MeasuredReply[] {
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

function groupByBin(replies: readonly MeasuredReply[]): readonly (readonly [number, readonly MeasuredReply[]])[] {
  const bins = Map.groupBy(replies, ({ record }) => binOf(record.promptTokens));
  return [...bins].toSorted(([one], [other]) => one - other);
}

/** Returns the mean of a measure in percent, with its 95% interval. */
function shareOf(
  replies: readonly MeasuredReply[],
  of: (measured: MeasuredReply) => number | boolean,
): ScoreWithInterval {
  return inPercent(meanOfClusters(
    replies.map((measured) => ({ cell: "all", cluster: measured.cluster, values: [Number(of(measured))] })),
  ));
}

/** A model's replies to texts of repeated words. */
export interface CopyRun {
  readonly model: string;
  readonly origin: ReplyOrigin;
  readonly replies: readonly RunReply[];
}

/** Returns the mean edit scores of models in the bins of the published figure. Replies that it leaves out count. */
export function copyPoints(runs: readonly CopyRun[]): readonly OwnCopyPoint[] {
  return runs.flatMap(({ model, origin, replies }) =>
    groupByBin(measureReplies(replies)).map(([tokens, ofBin]): OwnCopyPoint => {
      const { score, low, high } = shareOf(ofBin, ({ measures }) => measures.edits);
      return {
        model,
        origin: origin === "simulated" ? origin : "measured",
        tokens,
        score: score / 100,
        low: low / 100,
        high: high / 100,
      };
    })
  );
}

/** The failures of a table, several kinds in a column. */
const COLUMNS = {
  "Not attempted": ["empty", "not attempted"],
  "Other words": ["other words"],
  "Too long": ["too long"],
  "Stopped early": ["stopped early"],
  "Word lost": ["word lost"],
  "Word misplaced": ["word repeated", "word moved"],
  "Spacing": ["spacing"],
} as const satisfies Readonly<Record<string, readonly CopyFailure[]>>;

/** Tabulates the measures of models' copies by length, and how many fail in which way. */
export function copyTable(runs: readonly CopyRun[], options: Titled): Table {
  const rows = runs.flatMap(({ model, replies }) =>
    groupByBin(measureReplies(replies)).map(([tokens, ofBin]) => {
      const percent = (of: (measures: CopyMeasures) => number | boolean): number =>
        shareOf(ofBin, ({ measures }) => of(measures)).score;
      const failures = Object.entries(COLUMNS).map(([label, kinds]) => [
        label,
        ofBin.filter(({ measures: { failure } }) => kinds.some((kind) => kind === failure)).length,
      ]);
      return {
        model,
        tokens,
        n: ofBin.length,
        edits: percent(({ edits }) => edits),
        exact: percent(({ isExact }) => isExact),
        word: percent(({ isPresent }) => isPresent),
        place: percent(({ isInPlace }) => isInPlace),
        missing: mean(ofBin.map(({ measures }) => measures.missingWords)),
        ...Object.fromEntries(failures) as Record<keyof typeof COLUMNS, number>,
      };
    })
  );
  return table(rows, {
    ...options,
    caption:
      "Mean edit score, exact copies, copies with the modified word and with it in its place, in percent; words missing on " +
      "average, below 0 where replies are too long; then the replies by the first of their failures.",
    n: `${sum(rows, ({ n }) => n)} replies`,
    columns: [
      { field: "model", label: "Model" },
      { field: "tokens", label: "Prompt (about, tokens)" },
      { field: "n", label: "n" },
      { field: "edits", label: "Edits", digits: 1 },
      { field: "exact", label: "Exact", digits: 1 },
      { field: "word", label: "Word", digits: 1 },
      { field: "place", label: "Place", digits: 1 },
      { field: "missing", label: "Words missing", digits: 1 },
      ...(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((field) => ({ field, label: field })),
    ],
  });
}

/** The claims of the report, checked on a run; open unless the 95% interval decides them. */
export const REPEATED_WORDS_RUN_CLAIMS: readonly Claim<RunEvidence>[] = [
  {
    id: "C1",
    source: "as W1",
    quote: quoteOf(REPEATED_WORDS_CLAIMS, "W1"),
    quantifier: { of: "on average", word: "performance" },
    statement:
      "The edit score falls with length (our measure: the shortest texts less the longest, in the bins of the figure).",
    check: ({ replies }) => compareEnds(replies, { value: ({ measures }) => measures.edits }),
  },
  {
    id: "C2",
    source: "as W4",
    quote: quoteOf(REPEATED_WORDS_CLAIMS, "W4"),
    quantifier: { of: "on average", word: "often" },
    statement:
      "Replies are too long more often in long texts (our measure: the longest texts less the shortest, in the bins of the figure).",
    check: ({ replies }) =>
      compareEnds(replies, { value: ({ measures }) => Number(measures.missingWords < 0), isRate: true }),
  },
  {
    id: "C3",
    source: "as W7",
    quote: quoteOf(REPEATED_WORDS_CLAIMS, "W7"),
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
  },
];

/** Compares the shortest texts with the longest, in the bins of the figure; a rate of failures the other way round. */
function compareEnds(
  replies: readonly RunReply[],
  { value, isRate = false }: { readonly value: (measured: MeasuredReply) => number; readonly isRate?: boolean },
): Finding {
  const measured = measureReplies(replies);
  const bins = groupByBin(measured).map(([bin]) => bin);
  const groups = isRate ? [bins.at(-1), bins[0]] as const : [bins[0], bins.at(-1)] as const;
  return decidedByGroups(measured, {
    of: ({ record }) => binOf(record.promptTokens),
    groups,
    alike: () => "all",
    value,
    words: `Texts of about ${groups[0]} less ${groups[1]} tokens`,
    isRate,
  });
}
