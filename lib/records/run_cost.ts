import { stat } from "node:fs/promises";
import { grouped, lengthText, plural } from "@/lib/base/mod.ts";
import { modelName, readRun, type ReadRunOptions } from "./read_run.ts";
import { filesOf, listRuns, readKnown } from "./run_files.ts";
import {
  type AskingPace,
  batchPrices,
  busySeconds,
  paceOfRecords,
  priceOf,
  type Prices,
  readManifestFile,
  type RunManifest,
  samplesOf,
} from "@/lib/studies/mod.ts";
import { type FigureOptions, type Table, table } from "@/lib/figures/mod.ts";
import { isPlausibleCount, type Model, type ReplyOrigin } from "@/lib/models/mod.ts";
import { type RunRecord, sentTokens } from "./record.ts";
import { sum } from "@/lib/statistics/mod.ts";

/**
 * Adds up what recorded answers cost by the server's own counts, or by the run's tokenizer if the server gives none.
 * Failed and repeated calls are not included.
 */
export function priceOfRecords(records: readonly RunRecord[], prices: Prices): number {
  return records.reduce((sum, record) => sum + priceOfRecord(record, prices), 0);
}

function priceOfRecord(record: RunRecord, prices: Prices): number {
  const { reply, promptTokens, batch } = record;
  if (reply.kind === "failure") return 0;
  const { promptTokens: counted = promptTokens, cachedTokens = 0, completionTokens = 0 } = reply;
  const sent = isPlausibleCount(counted, sentTokens(record)) ? counted : promptTokens;
  const paid = batch === undefined ? prices : batchPrices(prices);
  const cachedShare = sent === 0 ? 0 : cachedTokens / sent;
  return priceOf({ promptTokens: sent, answerTokens: completionTokens, cachedShare }, paid);
}

/** Tokens, time and price of calls. */
export interface CallCost {
  /** Questions with an answer. */
  readonly answered: number;
  /** Questions whose last call failed. */
  readonly failed: number;
  /** How often a question was sent again. */
  readonly resent: number;
  /** Prompt tokens of the answers, as the server counted them; if it did not, as the run's tokenizer did. */
  readonly promptTokens: number;
  /** Prompt tokens that the server read from its cache. */
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

/**
 * Returns the pace of the latest measured run of a model, the runs that come with Fathom included; `undefined` if there is none.
 */
export async function findEarlierPace(
  model: Pick<Model, "name">,
  options: ReadRunOptions = {},
): Promise<AskingPace | undefined> {
  const found: { readonly run: string; readonly began: string }[] = [];
  for (const run of await listRuns(options)) {
    const files = filesOf(run, options);
    // A run that cannot be read is no reason not to plan another.
    const manifest = await readManifestFile(files.manifest).catch(() => undefined);
    if (manifest?.model !== model.name) continue;
    // An imported run has the times of the program that asked, if any.
    if (manifest.origin !== "measured" || manifest.imported !== undefined) continue;
    const isEmpty = manifest.samples.count === 0 && (await files.records()).every(({ shard }) => shard === undefined);
    if (!isEmpty) found.push({ run, began: manifest.measured?.from ?? manifest.started });
  }
  const latest = found.toSorted((left, right) => left.began < right.began ? 1 : -1)[0];
  return latest && paceOfRecords((await readRun(latest.run, options)).records, latest.run);
}

/** A recorded run in a list. */
export interface ListedRun {
  readonly run: string;
  readonly model: string;
  readonly origin: ReplyOrigin;
  /** The day it was begun, in ISO 8601; of a measured run that comes with Fathom, the day of its first reply. */
  readonly begun: string;
  /** Questions of its study. */
  readonly questions: number;
  /** Questions with an answer. */
  readonly answered: number;
  /** Questions whose calls failed and that have no answer. */
  readonly failed: number;
  /** Whether nothing is left to ask: every question has an answer or a failed call. */
  readonly isDone: boolean;
  /** How large its records are, in bytes. */
  readonly bytes: number;
}

/** A run that cannot be read, and why. */
export interface UnreadableRun {
  readonly run: string;
  readonly problem: string;
}

/**
 * Lists the recorded runs with their model, date, state and size, in the order of {@linkcode listRuns}. Records are read, and
 * nothing is scored.
 */
export async function describeRuns(
  options: ReadRunOptions = {},
): Promise<{ readonly runs: readonly ListedRun[]; readonly unreadable: readonly UnreadableRun[] }> {
  const runs: ListedRun[] = [];
  const unreadable: UnreadableRun[] = [];
  for (const run of await listRuns(options)) {
    try {
      runs.push(await describeRun(run, options));
    } catch (error) {
      unreadable.push({ run, problem: (error as Error).message });
    }
  }
  return { runs, unreadable };
}

async function describeRun(run: string, options: ReadRunOptions): Promise<ListedRun> {
  const paths = filesOf(run, options);
  const manifest = (await readManifestFile(paths.manifest))!;
  const files = await paths.records();
  const { latest } = await readKnown(files);
  const sizes = await Promise.all(files.map(({ path }) => stat(path)));
  const records = [...latest.values()];
  const answered = records.filter(({ reply }) => reply.kind === "answer").length;
  const questions = countQuestions(manifest, records);
  const { model, origin, started, measured } = manifest;
  return {
    ...{ run, model, origin, begun: (measured?.from ?? started).slice(0, 10) },
    ...{ questions, answered, failed: records.length - answered, isDone: records.length >= questions },
    bytes: sum(sizes.map(({ size }) => size)),
  };
}

/**
 * Counts the questions of a run. They are asked in the order of the plan, so a task at a length without any record before the
 * last that has some was left out, as the length is too short for it.
 */
function countQuestions({ study, tasks, measured, shard }: RunManifest, records: readonly RunRecord[]): number {
  // A measured run is a part of its study: it has fewer samples at expensive lengths.
  if (measured !== undefined || study.samplesFile !== undefined) return records.length;
  const keyOf = ({ task, length }: Pick<RunRecord, "task" | "length">): string => `${task}/${length}`;
  const cells = new Set(records.map(keyOf));
  const planned = study.lengths.toSorted((left, right) => left - right)
    .flatMap((length) => Object.keys(tasks).map((task) => ({ task, length })));
  const last = planned.findLastIndex((cell) => cells.has(keyOf(cell)));
  const asked = planned.filter((cell, at) => at > last || cells.has(keyOf(cell)));
  const samples = sum(asked.map(({ length }) => samplesOf(study, length)));
  // Samples are dealt to shards one after another.
  const dealt = shard === undefined ? samples : Math.ceil((samples - shard.index + 1) / shard.of);
  return dealt * (study.repeats ?? 1);
}

/** Makes a table of recorded runs; `null` if there are none. */
export function runListTable(runs: readonly ListedRun[]): Table | null {
  if (runs.length === 0) return null;
  const done = runs.filter(({ isDone }) => isDone).length;
  const rows = runs.map((run) => {
    const { questions, answered, failed, isDone, bytes } = run;
    const calls = failed === 0 ? "" : `, ${failed} failed`;
    return {
      ...{
        ...run,
        model: modelName(run),
        state: `${isDone ? "done" : `${answered + failed} of ${questions}`}${calls}`,
      },
      size: bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`,
    };
  });
  return table(rows, {
    title: `${runs.length} recorded ${plural(runs.length, "run")}, ${done} done`,
    caption:
      "A run that is not done is resumed by the command that began it; it asks failed calls again, and nothing twice.",
    origin: [...new Set(runs.map(({ origin }) => origin))].length === 1
      ? runs[0]!.origin
      : Object.fromEntries(runs.map(({ run, origin }) => [run, origin])),
    n: `${grouped(sum(runs.map(({ answered }) => answered)))} replies`,
    columns: [
      { field: "run", label: "Run" },
      { field: "model", label: "Model" },
      { field: "begun", label: "Begun" },
      { field: "answered", label: "Answered" },
      {
        field: "state",
        label: "State",
        tone: (state) => state === "done" ? "good" : String(state).startsWith("done") ? "bad" : "open",
      },
      { field: "size", label: "Size", align: "right" },
    ],
  });
}
