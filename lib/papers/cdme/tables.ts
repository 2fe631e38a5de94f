import { type Column, type FigureOptions, pText, type Table, table } from "@/lib/figures/mod.ts";
import { type AnsweredReply, scoredAnswer } from "@/lib/models/mod.ts";
import { REPLY_KINDS, type ReplyKind, replyKind } from "@/lib/scorers/mod.ts";
import { comparePairs, pairRecords, type RunReply } from "@/lib/statistics/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** The title and origin of a CDME table. */
export type CdmeTableOptions = Pick<FigureOptions, "title" | "warning" | "origin">;

/**
 * Makes a table of the kinds of replies: answers, empty replies, refusals, replies in another language, failed calls.
 *
 * @example
 * ```ts
 * import { match } from "node:assert/strict";
 *
 * const count = { task: "cdme_zh", length: 4000, asked: 20, answers: 17, empty: 0, refusals: 3, otherLanguage: 0, failed: 0 };
 * match(replyCountTable([count], { title: "Three refusals", origin: "measured" }).text, /cdme_zh +4,000 +20 +17 +0 +3 +0 +0/);
 * ```
 */
export function replyCountTable(counts: readonly ReplyCounts[], options: CdmeTableOptions): Table {
  const asked = counts.reduce((sum, count) => sum + count.asked, 0);
  return table(counts, {
    ...options,
    caption:
      "Refusals are recognised by their words, languages by their script. Failed calls are in no score; all other replies are.",
    n: `${asked} questions`,
    columns: [
      ...(counts.some(({ model }) => model !== undefined) ? [{ field: "model", label: "Model" } as const] : []),
      { field: "task", label: "Task" },
      ...(counts.some(({ length }) => length !== null)
        ? [
          {
            field: "length",
            label: "Length (tokens)",
            write: (length: unknown) => Number(length).toLocaleString("en"),
            align: "right",
          } as const,
        ]
        : []),
      { field: "asked", label: "Asked" },
      { field: "answers", label: "Answers" },
      { field: "empty", label: "Empty" },
      { field: "refusals", label: "Refusals" },
      { field: "otherLanguage", label: "Other language" },
      { field: "failed", label: "Failed calls" },
    ],
  });
}

/** Options for {@linkcode twinTable}. */
export interface TwinTableOptions extends CdmeTableOptions {
  /** Names of the first and the second of each pair, such as their languages. */
  readonly names: readonly [string, string];
}

/** Makes a table of twins by length: both means, their difference with its interval, and which is shown to be higher. */
export function twinTable(rows: readonly TwinRow[], options: TwinTableOptions): Table {
  return drawTwins(rows, {
    ...options,
    caption:
      "The same items, pair by pair. p-values are by sign flips, corrected for the number of lengths after Holm.",
    row: { field: "length", label: "Length", write: (length) => lengthText(Number(length)), align: "right" },
  });
}

interface DrawTwinsOptions extends TwinTableOptions {
  readonly caption: string;
  /** The column that names the rows. */
  readonly row: Column<TwinRow>;
}

function drawTwins(rows: readonly TwinRow[], options: DrawTwinsOptions): Table {
  const { names: [first, second], row, ...said } = options;
  const shown = rows.map((each) => ({
    ...each,
    corrected: pText(each.adjusted),
    shown: each.higher === null ? "none" : each.higher === "first" ? first : second,
  }));
  const columns: Column<typeof shown[number]>[] = [
    row as Column<typeof shown[number]>,
    { field: "n", label: "Pairs" },
    { field: "first", label: `${first} (%)`, digits: 1 },
    { field: "second", label: `${second} (%)`, digits: 1 },
    { field: "difference", label: "Difference (points)", digits: 1, low: "low", high: "high" },
    { field: "corrected", label: "p, corrected", align: "right" },
    { field: "shown", label: "Shown to be higher" },
  ];
  const pairs = rows.reduce((sum, { n }) => sum + n, 0);
  return table(shown, {
    ...said,
    n: `${pairs} pairs`,
    interval: "95% interval of the difference in brackets",
    columns,
  });
}

/** The replies of one model. */
export interface ModelTwins {
  readonly model: string;
  readonly replies: readonly RunReply[];
}

/**
 * Compares twins over all lengths, a row for each model, named by its `task`; `length` is 0. Every length weighs the same, and
 * p-values are corrected for the number of models after Holm.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (task: string, length: number, value: number) =>
 *   ({ task, length, failed: false, noAnswer: false, value, record: { index: 0, seed: "42" } });
 * const replies = [4000, 8000].flatMap((length) => [of("zh", length, 0.5), of("en", length, 1)]);
 * const [row] = modelTwinRows([{ model: "a", replies }], { first: "zh", second: "en" });
 * deepEqual([row?.task, row?.n, row?.difference], ["a", 2, -50]);
 * ```
 */
export function modelTwinRows(models: readonly ModelTwins[], { first, second }: TwinOptions): readonly TwinRow[] {
  const asked = models.filter(({ replies }) => replies.some(({ task }) => task === first));
  return compareTwins(asked.map(({ model, replies }) => ({ task: model, length: 0, replies })), { first, second });
}

/** Makes a table of twins over all lengths, a row for each model, from {@linkcode modelTwinRows}. */
export function modelTwinTable(rows: readonly TwinRow[], options: TwinTableOptions): Table {
  return drawTwins(rows, {
    ...options,
    caption:
      "The same items at all lengths, pair by pair; every length weighs the same. p-values are by sign flips, corrected for " +
      "the number of models after Holm.",
    row: { field: "task", label: "Model" },
  });
}

/** The parts of a recorded reply that decide its kind. */
export interface KindedReply extends Pick<AnsweredReply, "scored" | "first"> {
  readonly task: string;
  /** Context length in tokens. */
  readonly length: number;
  readonly record: AnsweredReply["record"] & {
    /** The right answers, in the right language. */
    readonly references: readonly string[];
  };
}

/** How many replies of each kind a task has, at a length or at all of them. */
export interface ReplyCounts {
  /** Whose replies, where there are several models. */
  readonly model?: string;
  readonly task: string;
  /** Context length in tokens; `null` for all lengths together. */
  readonly length: number | null;
  /** Questions asked. */
  readonly asked: number;
  /** Answers, right or wrong. */
  readonly answers: number;
  /** Replies that were empty. */
  readonly empty: number;
  /** Replies that only say that they cannot answer. */
  readonly refusals: number;
  /** Replies in the wrong language. */
  readonly otherLanguage: number;
  /** Calls that failed. */
  readonly failed: number;
}

/**
 * Counts replies by kind for each task and length: a low score alone does not show whether a model refuses or is wrong.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const of = (text: string) =>
 *   ({ task: "cdme_zh", length: 1000, record: { references: ["是北京。"], reply: { kind: "answer", text } as const } });
 * equal(replyCounts([of("是北京。"), of(""), of("抱歉，我不知道。")])[0]?.refusals, 1);
 * ```
 */
export function replyCounts(replies: readonly KindedReply[]): readonly ReplyCounts[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, ofLength]) => ({ task, length, asked: ofLength.length, ...countKinds(ofLength) }));
  });
}

/**
 * Counts replies by kind for each model and task, all lengths together.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const reply = { kind: "answer", text: "" } as const;
 * const of = (length: number) => ({ task: "cdme_zh", length, record: { references: ["是北京。"], reply } });
 * const [count] = modelReplyCounts([{ model: "a", replies: [of(1000), of(2000)] }]);
 * deepEqual([count?.model, count?.empty], ["a", 2]);
 * ```
 */
export function modelReplyCounts(
  models: readonly { readonly model: string; readonly replies: readonly KindedReply[] }[],
): readonly ReplyCounts[] {
  return models.flatMap(({ model, replies }) =>
    [...Map.groupBy(replies, ({ task }) => task)].map(([task, ofTask]) => (
      { model, task, length: null, asked: ofTask.length, ...countKinds(ofTask) }
    ))
  );
}

function countKinds(replies: readonly KindedReply[]): Omit<ReplyCounts, "model" | "task" | "length" | "asked"> {
  const counts = new Map<ReplyKind, number>(REPLY_KINDS.map((kind) => [kind, 0]));
  let failed = 0;
  for (const asked of replies) {
    const { reply, references } = asked.record;
    if (reply.kind === "failure") {
      failed++;
      continue;
    }
    const kind = replyKind(scoredAnswer(asked), references[0] ?? "");
    counts.set(kind, counts.get(kind)! + 1);
  }
  return {
    answers: counts.get("answer")!,
    empty: counts.get("empty")!,
    refusals: counts.get("refusal")!,
    otherLanguage: counts.get("other language")!,
    failed,
  };
}

/** Two tasks with the same items in two languages. */
export interface TwinOptions {
  /** The first task; differences are first minus second. */
  readonly first: string;
  /** The second task. */
  readonly second: string;
}

/**
 * Compares twins pair by pair at each length: the same needle at the same depth in the same number of tokens, in two languages.
 *
 * A pair is two samples of one length, number and seed. Intervals and p-values are those of `pairedComparison`, corrected for
 * the number of lengths after Holm.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const of = (task: string, index: number, value: number) =>
 *   ({ task, length: 4000, failed: false, noAnswer: false, value, record: { index, seed: "42" } });
 * const replies = [0, 1, 2, 3].flatMap((index) => [of("zh", index, 0.5), of("en", index, 1)]);
 * const [row] = twinRows(replies, { first: "zh", second: "en" });
 * deepEqual([row?.n, row?.difference], [4, -50]);
 * ```
 */
export function twinRows(replies: readonly RunReply[], options: TwinOptions): readonly TwinRow[] {
  const { first, second } = options;
  const twins = replies.filter(({ task }) => task === first || task === second);
  const lengths = [...Map.groupBy(twins, ({ length }) => length)].sort(([left], [right]) => left - right);
  const task = `${first} − ${second}`;
  return compareTwins(lengths.map(([length, ofLength]) => ({ task, length, replies: ofLength })), options);
}

/** Twins compared pair by pair; numbers are `null` where no pair has a score. */
export interface TwinRow {
  /** Names the row. */
  readonly task: string;
  /** Context length in tokens; 0 for all lengths together. */
  readonly length: number;
  /** Pairs compared. */
  readonly n: number;
  /** Pairs without a score for one of the two. */
  readonly dropped: number;
  /** Samples without a twin. */
  readonly unmatched: number;
  /** The mean of the first, in percent. */
  readonly first: number | null;
  /** The mean of the second, in percent. */
  readonly second: number | null;
  /** First minus second, in points. */
  readonly difference: number | null;
  /** The low end of its 95% interval, not corrected. */
  readonly low: number | null;
  /** The high end. */
  readonly high: number | null;
  /** The p-value of this row alone. */
  readonly p: number | null;
  /** The p-value corrected for the number of rows (Holm). */
  readonly adjusted: number | null;
  /** Which is higher, if the corrected p-value is at most 5% and the interval excludes 0. */
  readonly higher: "first" | "second" | null;
}

const NO_PAIRS = { first: null, second: null, difference: null, low: null, high: null, p: null, adjusted: null };

function compareTwins(
  rows: readonly (Pick<TwinRow, "task" | "length"> & { readonly replies: readonly RunReply[] })[],
  { first, second }: TwinOptions,
): readonly TwinRow[] {
  const matched = rows.map(({ replies, ...row }) => {
    const [firsts, seconds] = [first, second].map((name) =>
      replies.filter(({ task }) => task === name).map((reply) => ({ ...reply, task: row.task }))
    ) as [RunReply[], RunReply[]];
    return { row, ...pairRecords(seconds, firsts) };
  });
  const compared = comparePairs(matched.map(({ pairs }) => pairs), { by: ["all"] }).rows;
  return matched.map(({ row, pairs, dropped, unmatched }, at): TwinRow => {
    const counts = { ...row, n: pairs.length, dropped, unmatched };
    const [found] = compared[at]!;
    if (found === undefined) return { ...counts, ...NO_PAIRS, higher: null };
    const { other, baseline, difference, low, high, p, adjusted } = found;
    const higher = found.higher === null ? null : found.higher === "other" ? "first" : "second";
    return { ...counts, first: other, second: baseline, difference, low, high, p, adjusted, higher };
  });
}
