import { grouped, lengthText, sum } from "@/lib/base/mod.ts";
import { type Column, pText, type Table, table, type Titled } from "@/lib/figures/mod.ts";
import { type AnsweredReply, scoredAnswer } from "@/lib/records/mod.ts";
import { replyKind } from "@/lib/scorers/mod.ts";
import { comparePairs, pairRecords, type RunReply, unitsText } from "@/lib/statistics/mod.ts";

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

/** The number of replies of each kind to a task. */
export interface ReplyCounts {
  readonly model?: string;
  readonly task: string;
  /** Context length in tokens; `null` for all lengths together. */
  readonly length: number | null;
  /** Samples that were asked. */
  readonly asked: number;
  /** Answers, right or wrong. */
  readonly answers: number;
  /** Replies without text. */
  readonly empty: number;
  /** Replies that only state that they cannot answer. */
  readonly refusals: number;
  /** Replies in another language than the question. */
  readonly otherLanguage: number;
  /** Failed calls. */
  readonly failed: number;
}

/**
 * Counts replies by kind for each task and length. A low score alone does not show whether a model refuses or is wrong.
 */
export function replyCounts(replies: readonly KindedReply[]): readonly ReplyCounts[] {
  return [...Map.groupBy(replies, ({ task }) => task)].flatMap(([task, ofTask]) => {
    const lengths = [...Map.groupBy(ofTask, ({ length }) => length)].sort(([left], [right]) => left - right);
    return lengths.map(([length, ofLength]) => ({ task, length, ...countKinds(ofLength) }));
  });
}

/** Counts replies by kind for each model and task, all lengths together. */
export function modelReplyCounts(
  models: readonly { readonly model: string; readonly replies: readonly KindedReply[] }[],
): readonly ReplyCounts[] {
  return models.flatMap(({ model, replies }) =>
    [...Map.groupBy(replies, ({ task }) => task)].map(([task, ofTask]) => (
      { model, task, length: null, ...countKinds(ofTask) }
    ))
  );
}

function countKinds(replies: readonly KindedReply[]): Omit<ReplyCounts, "model" | "task" | "length"> {
  const kinds = replies.map((asked) => {
    const { reply, references } = asked.record;
    return reply.kind === "failure" ? "failed" : replyKind(scoredAnswer(asked), references[0] ?? "");
  });
  const count = (wanted: typeof kinds[number]): number => kinds.filter((kind) => kind === wanted).length;
  return {
    asked: replies.length,
    answers: count("answer"),
    empty: count("empty"),
    refusals: count("refusal"),
    otherLanguage: count("other language"),
    failed: count("failed"),
  };
}

/** Returns the numbers of replies of each kind as a table. */
export function replyCountTable(counts: readonly ReplyCounts[], options: Titled): Table {
  const length = {
    field: "length" as const,
    label: "Length (tokens)" as const,
    align: "right" as const,
    write: (length: unknown) => grouped(Number(length)),
  };
  return table(counts, {
    ...options,
    caption:
      "Refusals are recognised by their words, languages by their script. Failed calls are in no score; all other replies are.",
    n: `${sum(counts, ({ asked }) => asked)} questions`,
    columns: [
      ...(counts.some(({ model }) => model !== undefined) ? [{ field: "model", label: "Model" } as const] : []),
      { field: "task", label: "Task" },
      ...(counts.some((count) => count.length !== null) ? [length] : []),
      { field: "asked", label: "Asked" },
      { field: "answers", label: "Answers" },
      { field: "empty", label: "Empty" },
      { field: "refusals", label: "Refusals" },
      { field: "otherLanguage", label: "Other language" },
      { field: "failed", label: "Failed calls" },
    ],
  });
}

/** Twins compared pair by pair; numbers are `null` if no pair has a score. */
export interface TwinRow extends Readonly<Record<"first" | "second" | "difference" | "low" | "high", number | null>> {
  /** The row's name. */
  readonly task: string;
  /** Context length in tokens; 0 for all lengths together. */
  readonly length: number;
  /** Pairs compared. */
  readonly n: number;
  /** Independent units among them. */
  readonly units: number;
  /** Pairs without a score for one of the two. */
  readonly dropped: number;
  /** Samples without a twin. */
  readonly unmatched: number;
  /** The p-value of the difference. */
  readonly p: number | null;
  /** The p-value corrected for the number of rows (Holm). */
  readonly adjusted: number | null;
  /** The higher one, if the corrected p-value is at most 5% and the interval excludes 0. */
  readonly higher: "first" | "second" | null;
}

/**
 * Compares twins pair by pair at each length: the same needle at the same depth in the same number of tokens, in two languages.
 * A pair is two samples of one length, number and seed. Intervals and p-values are those of `pairedComparison`.
 */
export function twinRows(
  replies: readonly RunReply[],
  { first, second }: Readonly<Record<"first" | "second", string>>,
): readonly TwinRow[] {
  const twins = replies.filter(({ task }) => task === first || task === second);
  const lengths = [...Map.groupBy(twins, ({ length }) => length)].sort(([left], [right]) => left - right);
  const task = `${first} − ${second}`;
  return compareTwins(lengths.map(([length, ofLength]) => ({ task, length, replies: ofLength })), { first, second });
}

/** Compares twins over all lengths, one row per model; its `length` is 0, and every length weighs the same. */
export function modelTwinRows(
  models: readonly { readonly model: string; readonly replies: readonly RunReply[] }[],
  { first, second }: Readonly<Record<"first" | "second", string>>,
): readonly TwinRow[] {
  const asked = models.filter(({ replies }) => replies.some(({ task }) => task === first));
  return compareTwins(asked.map(({ model, replies }) => ({ task: model, length: 0, replies })), { first, second });
}

function compareTwins(
  rows: readonly (Pick<TwinRow, "task" | "length"> & { readonly replies: readonly RunReply[] })[],
  { first, second }: Readonly<Record<"first" | "second", string>>,
): readonly TwinRow[] {
  const matched = rows.map(({ replies, ...row }) => {
    const [firsts, seconds] = [first, second].map((name) =>
      replies.filter(({ task }) => task === name).map((reply) => ({ ...reply, task: row.task }))
    ) as [RunReply[], RunReply[]];
    return { row, ...pairRecords(seconds, firsts) };
  });
  const compared = comparePairs(matched.map(({ pairs }) => pairs), { by: ["all"] }).rows;
  return matched.map(({ row, pairs, dropped, unmatched }, at): TwinRow => {
    const [found] = compared[at]!;
    const { difference = null, low = null, high = null, p = null, adjusted = null, units = 0 } = found ?? {};
    const higher = found?.higher ?? null;
    return {
      ...row,
      n: pairs.length,
      units,
      dropped,
      unmatched,
      first: found?.other ?? null,
      second: found?.baseline ?? null,
      difference,
      low,
      high,
      p,
      adjusted,
      higher: higher && HIGHER[higher],
    };
  });
}

/** Options for {@linkcode twinTable} and {@linkcode modelTwinTable}. */
export interface TwinTableOptions extends Titled {
  /** The names of the first and the second of each pair, such as their languages. */
  readonly names: readonly [string, string];
}

/** The higher one of a pair, whose baseline is the second. */
const HIGHER = { other: "first", baseline: "second" } as const;

/** Returns twins by length: both means, their difference with its interval, and which is shown to be higher. */
export function twinTable(rows: readonly TwinRow[], options: TwinTableOptions): Table {
  return drawTwins(rows, options, {
    caption:
      "The same items, pair by pair. p-values are by sign flips, corrected for the number of lengths after Holm.",
    row: { field: "length", label: "Length", write: (length) => lengthText(Number(length)), align: "right" },
  });
}

/** Returns twins over all lengths, one row per model, from {@linkcode modelTwinRows}. */
export function modelTwinTable(rows: readonly TwinRow[], options: TwinTableOptions): Table {
  return drawTwins(rows, options, {
    caption:
      "The same items at all lengths, pair by pair; every length weighs the same. p-values are by sign flips, corrected for " +
      "the number of models after Holm.",
    row: { field: "task", label: "Model" },
  });
}

function drawTwins(
  rows: readonly TwinRow[],
  { names: [first, second], ...options }: TwinTableOptions,
  { caption, row }: { readonly caption: string; readonly row: Column<TwinRow> },
): Table {
  const shown = rows.map((each) => ({
    ...each,
    corrected: pText(each.adjusted),
    shown: each.higher === null ? "none" : { first, second }[each.higher],
  }));
  return table(shown, {
    ...options,
    caption,
    n: `${sum(rows, ({ n }) => n)} pairs`,
    interval: unitsText(rows, "95% interval of the difference in brackets"),
    columns: [
      row as Column<typeof shown[number]>,
      { field: "n", label: "Pairs" },
      { field: "first", label: `${first} (%)`, digits: 1 },
      { field: "second", label: `${second} (%)`, digits: 1 },
      { field: "difference", label: "Difference (points)", digits: 1, low: "low", high: "high" },
      { field: "corrected", label: "p, corrected", align: "right" },
      { field: "shown", label: "Shown to be higher" },
    ],
  });
}
