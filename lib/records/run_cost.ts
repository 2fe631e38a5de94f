import { lengthText, plural, sum } from "@/lib/base/mod.ts";
import { type RunRecord, sentTokens } from "./record.ts";
import { type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import { isPlausibleCount } from "@/lib/models/mod.ts";
import type { Likelihood } from "@/lib/scorers/mod.ts";
import { batchPrices, busySeconds, priceOf, type Prices } from "@/lib/studies/mod.ts";

/**
 * Adds up what recorded answers cost by the server's own counts, or by the run's tokenizer if the server gives none.
 * Failed and repeated calls are not included.
 */
export function priceOfRecords(records: readonly RunRecord[], prices: Prices): number {
  return records.reduce((sum, record) => sum + priceOfRecord(record, prices), 0);
}

function priceOfRecord(record: RunRecord, prices: Prices): number {
  const { reply, promptTokens, batch, likelihood } = record;
  if (reply.kind === "failure") return 0;
  const { promptTokens: counted = promptTokens, cachedTokens = 0, completionTokens = 0 } = reply;
  const sent = isPlausibleCount(counted, sentTokens(record)) ? counted : promptTokens;
  const paid = batch === undefined ? prices : batchPrices(prices);
  const cachedShare = sent === 0 ? 0 : cachedTokens / sent;
  const price = priceOf({ promptTokens: sent, answerTokens: completionTokens, cachedShare }, paid);
  return likelihood?.kind === "likelihood" ? price + priceOfLikelihood(likelihood, paid) : price;
}

function priceOfLikelihood({ promptTokens = 0, cachedTokens = 0 }: Likelihood, prices: Prices): number {
  const cachedShare = promptTokens === 0 ? 0 : cachedTokens / promptTokens;
  return priceOf({ promptTokens, answerTokens: 0, cachedShare }, prices);
}

/** Tokens, time and price of calls. */
export interface CallCost {
  readonly answered: number;
  /** Questions whose last call failed. */
  readonly failed: number;
  readonly resent: number;
  /** Prompt tokens of the answers, as the server counted them; if it did not, as the run's tokenizer did. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Tokens written, thinking included, as far as the server counted them. */
  readonly completionTokens: number;
  /** Answers whose written tokens the server did not count. */
  readonly uncounted: number;
  /** Questions asked in batches, whose times are not known. */
  readonly inBatches: number;
  /** The time of all last calls, added up, in seconds. */
  readonly callSeconds: number;
  /** The time with at least one call in flight, in seconds. */
  readonly seconds: number;
  /** The price of the answers, in the currency of the prices; `null` without prices. */
  readonly price: number | null;
}

/** Tokens, time and price of a run, in total and by task and length. */
export interface RunCost extends CallCost {
  readonly rows: readonly (CallCost & { readonly task: string; readonly length: number })[];
}

/**
 * Adds up what a run took: tokens, money, time, what was sent again and what came from the server's cache.
 *
 * Tokens and money are those of the answers; what failed calls and earlier attempts were charged is not known.
 *
 * @param records The last record of each question.
 */
export function runCost(records: readonly RunRecord[], prices?: Prices): RunCost {
  const cells = Map.groupBy(records, ({ task, length }) => `${task}/${length}`);
  const rows = [...cells.values()].map((ofCell) => {
    const { task, length } = ofCell[0]!;
    return { task, length, ...callCost(ofCell, prices) };
  });
  return { ...callCost(records, prices), rows };
}

/** Returns the share of the prompt tokens that the server read from its cache, in [0, 1]; `null` without answers. */
export function cachedShare(
  { promptTokens, cachedTokens }: Pick<CallCost, "promptTokens" | "cachedTokens">,
): number | null {
  return promptTokens === 0 ? null : cachedTokens / promptTokens;
}

function callCost(records: readonly RunRecord[], prices: Prices | undefined): CallCost {
  const answers = records.flatMap(({ reply, promptTokens }) =>
    reply.kind === "answer" ? [{ ...reply, promptTokens: reply.promptTokens ?? promptTokens }] : []
  );
  return {
    answered: answers.length,
    failed: records.length - answers.length,
    resent: sum(records.map(({ reply }) => Math.max(0, reply.attempts - 1))),
    promptTokens: sum(answers.map(({ promptTokens }) => promptTokens)),
    cachedTokens: sum(answers.map(({ cachedTokens = 0 }) => cachedTokens)),
    completionTokens: sum(answers.map(({ completionTokens = 0 }) => completionTokens)),
    uncounted: answers.filter(({ completionTokens }) => completionTokens === undefined).length,
    inBatches: records.filter(({ batch }) => batch !== undefined).length,
    callSeconds: sum(records.map(({ reply }) => reply.latencyMs)) / 1000,
    seconds: busySeconds(records),
    price: prices === undefined ? null : priceOfRecords(records, prices),
  };
}

/** Makes a table of what a run took: a row for each task and length, then all together. */
export function runCostTable(
  cost: RunCost,
  { model, ...drawn }: Pick<FigureOptions, "origin" | "warning"> & { readonly model: string },
): Table {
  const rows = [
    ...cost.rows.map((row) => ({ ...row, place: lengthText(row.length) })),
    { ...cost, task: "all", place: "all" },
  ].map((row) => {
    const alone = row.answered + row.failed - row.inBatches;
    const cached = cachedShare(row);
    return {
      ...row,
      cachedPercent: cached === null ? null : 100 * cached,
      secondsEach: alone === 0 ? null : row.callSeconds / alone,
      seconds: alone === 0 ? null : row.seconds,
    };
  });
  const { answered, failed, inBatches, uncounted } = cost;
  return table(rows, {
    title: `${model}: what it took`,
    caption: [
      "Tokens are the server's own counts, of answers; what earlier attempts and failed calls were charged is not known.",
      "Time is that in which at least one call was in flight.",
      ...(inBatches === 0 ? [] : [
        `Asked in batches: ${inBatches} ${
          plural(inBatches, "question")
        }, at their own price; how long that took is not known.`,
      ]),
      ...(uncounted === 0
        ? []
        : [`The server did not count the tokens written of ${uncounted} ${plural(uncounted, "answer")}.`]),
    ].join(" "),
    ...drawn,
    n: `${answered + failed} ${plural(answered + failed, "question")}`,
    columns: [
      { field: "task", label: "Task" },
      { field: "place", label: "Length", align: "right" },
      { field: "answered", label: "Answered" },
      { field: "failed", label: "Failed" },
      { field: "resent", label: "Sent again" },
      { field: "promptTokens", label: "Prompt tokens" },
      { field: "cachedPercent", label: "Cached (%)", digits: 1 },
      { field: "completionTokens", label: "Written" },
      { field: "secondsEach", label: "Seconds a call", digits: 2 },
      { field: "seconds", label: "Seconds", digits: 1 },
      ...(cost.price === null ? [] : [{ field: "price", label: "Price", digits: 4 } as const]),
    ],
  });
}
