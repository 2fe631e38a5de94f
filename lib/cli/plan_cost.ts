import { budgetNote } from "./budget_flag.ts";
import { amountText, readPrices } from "./cost_flags.ts";
import type { Output } from "./output.ts";
import { openAsked } from "./run_command.ts";
import { type Flags, openBenchmarks } from "./task_flags.ts";
import {
  addEfforts,
  allowanceOf,
  type AskingPace,
  batchPrices,
  cappedPace,
  type Effort,
  type EffortRow,
  type EstimateOptions,
  estimateRun,
  type OpenedModel,
  openStudy,
  paceOfServer,
  type Plan,
  planStudy,
  priceOf,
  recordBytes,
  type RunEstimate,
  runMemory,
  statedPace,
  timeText,
} from "@/lib/studies/mod.ts";
import { type Budget, type BudgetFit, fitBudget, withSamples } from "@/lib/asking/mod.ts";
import { decisionNotes } from "@/lib/asking/mod.ts";
import { DEFAULT_CONCURRENCY, lookAtModel, MOST_CONCURRENCY, type ServerLook } from "@/lib/asking/mod.ts";
import { type EarlierRun, findEarlierRun } from "@/lib/records/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { lengthText } from "@/lib/text/mod.ts";

/** What a study takes of a model. */
interface StudyCost {
  readonly model: Model;
  readonly plan: Plan;
  /** The samples that a budget chose, where there is one. */
  readonly fit: BudgetFit | undefined;
  readonly options: EstimateOptions;
  readonly estimate: RunEstimate;
  readonly earlier: EarlierRun | undefined;
  /** The price at the cached share of the earlier run; `null` where there is nothing to tell. */
  readonly cachedPrice: number | null;
  /** The tokens that the longest prompt and its answer need, and the window that they need to fit. */
  readonly need: { readonly tokens: number; readonly window: number | null };
  /** The room that the records take, in bytes. */
  readonly bytes: number;
  /** The memory that the run takes, in bytes. */
  readonly memory: number;
}

/** Prints what a study would take of a model: tokens by task and length, price, time, window, disk. */
export async function printStudyCost(flags: Flags, output: Output): Promise<void> {
  const cost = await readCost(flags, output);
  if (flags.json) return await output.write(`${JSON.stringify(costJson(cost))}\n`);
  await output.write(costText(cost));
}

async function readCost(flags: Flags, output: Output): Promise<StudyCost> {
  const benchmarks = await openBenchmarks(flags);
  const { study, model: chosen } = await openAsked(flags, { benchmarks, output });
  const opened = await openStudy(study, { benchmarks });
  const look = flags.preflight === false
    ? undefined
    : await lookAtModel(chosen, { plan: planStudy(opened, chosen), asks: Boolean(flags.look) });
  if (flags.look) { for (const warning of look?.warnings ?? []) output.note(`Warning: ${warning}`); }
  const model = look?.model ?? chosen;
  const asked = planStudy(opened, model);
  const earlier = await findEarlierRun(model, { benchmarks, like: flags.like as string | undefined });
  const [prices, pace] = [readPrices(flags, chosen.price), cappedPace(readPace(flags, { look, earlier }), chosen)];
  const options = {
    ...allowanceOf(model),
    ...(prices === undefined ? {} : { prices }),
    ...(pace === undefined ? {} : { pace }),
    ...(flags.cached === undefined ? {} : { cachedShare: flags.cached as number }),
    ...(flags.exact ? { exactUpTo: Infinity } : {}),
  };
  const fit = flags.budget === undefined ? undefined : fitBudget(asked, flags.budget as Budget, options);
  const plan = fit === undefined ? asked : planStudy({ ...opened, study: withSamples(study, fit.samples) }, model);
  const estimate = estimateRun(plan, options);
  const isCached = earlier !== undefined && earlier.cachedShare > 0 && options.cachedShare === undefined &&
    prices?.cachedInput !== undefined && prices.cachedInput < prices.input;
  const saved = isCached ? estimate.promptTokens * earlier.cachedShare * (prices.input - prices.cachedInput!) / 1e6 : 0;
  return {
    ...{ model, plan, fit, options, estimate, earlier },
    cachedPrice: isCached ? estimate.price! - saved : null,
    need: {
      tokens: Math.max(...estimate.rows.map((row) => row.longestPrompt + row.answerTokens / row.questions)),
      window: chosen.window ?? look?.report.window ?? null,
    },
    bytes: recordBytes(estimate),
    memory: runMemory(estimate, { concurrency: concurrencyOf(flags, chosen) }),
  };
}

/** The pace: the one that is stated, that of the run to take, that measured now, or that of an earlier run. */
function readPace(
  flags: Flags,
  { look, earlier }: { readonly look: ServerLook | undefined; readonly earlier: EarlierRun | undefined },
): AskingPace | undefined {
  if (flags.rate !== undefined) return statedPace(flags.rate as number);
  const measured = look === undefined ? undefined : paceOfServer(look.report);
  return flags.like === undefined ? measured ?? earlier?.pace : earlier?.pace;
}

function costJson(cost: StudyCost): object {
  const { model, fit, options, estimate, earlier, cachedPrice, need, bytes, memory } = cost;
  const { rows, isExact, ...total } = estimate;
  return {
    model: model.name,
    isExact,
    total,
    rows,
    prices: options.prices ?? null,
    batchPrice: options.prices === undefined ? null : batchPrice(cost),
    pace: options.pace?.source ?? null,
    like: earlier === undefined ? null : { run: earlier.name, cachedShare: earlier.cachedShare, price: cachedPrice },
    need,
    bytes,
    memory,
    budget: fit ?? null,
  };
}

function costText(cost: StudyCost): string {
  const { model, plan, fit, estimate } = cost;
  const lengths = [...new Set(estimate.rows.map(({ length }) => length))];
  const efforts = [
    ...lengths.map((length) => addEfforts(estimate.rows.filter((row) => row.length === length))),
    estimate,
  ];
  const most = estimate.isExact ? "" : ", at most";
  const heads = [`Prompt tokens${most}`, ...lengths.map(lengthText), "all"];
  const line = (what: string, write: (effort: Effort) => string): string => row([what, ...efforts.map(write)]);
  return [
    `What ${model.name} would be asked\n`,
    row(heads),
    ...taskLines(estimate.rows, lengths),
    row(["all tasks", ...efforts.map(({ promptTokens }) => grouped(promptTokens))]),
    "",
    line("questions", ({ questions }) => grouped(questions)),
    line(`longest prompt${most}`, ({ longestPrompt }) => grouped(longestPrompt)),
    line("answers, at most", ({ answerTokens }) => grouped(answerTokens)),
    ...(estimate.price === null ? [] : [line("price, at most", ({ price }) => amountText(price!))]),
    ...(estimate.seconds === null ? [] : [line("time", ({ seconds }) => timeText(1000 * seconds!))]),
    "",
    ...plan.tooShort.map(({ task, length, least }) =>
      `${task.name} does not fit ${length} tokens: it needs at least ${least}, and is left out there`
    ),
    ...costNotes(cost),
    ...(fit === undefined ? [] : [budgetNote(fit, plan)]),
    ...decisionNotes(plan, model).slice(1),
  ].map((each) => `${each}\n`).join("");
}

function taskLines(rows: readonly EffortRow[], lengths: readonly number[]): readonly string[] {
  return [...Map.groupBy(rows, ({ task }) => task)].map(([task, ofTask]) => {
    const counts = lengths.map((length) => ofTask.find((each) => each.length === length)?.promptTokens);
    return row([
      task,
      ...[...counts, addEfforts(ofTask).promptTokens].map((count) => count === undefined ? "–" : grouped(count)),
    ]);
  });
}

/** What the numbers rest on, and what they need, a line each. */
function costNotes(cost: StudyCost): readonly string[] {
  const { model, options, estimate, earlier, cachedPrice, need, bytes, memory } = cost;
  const { tokens, window } = need;
  const isOver = window !== null && tokens > window;
  const fits = window === null ? "" : `, ${isOver ? "more than" : "within"} the model's window of ${grouped(window)}`;
  const notes = [
    `${isOver ? "Warning: " : ""}The longest prompt and its answer need ${grouped(tokens)} tokens${fits}`,
    ...(estimate.isExact
      ? []
      : ["Tokens are upper bounds, a few percent too high at most: --exact counts every prompt"]),
    `The records take about ${bytesText(bytes)} of the disk at most, the run about ${
      10 * Math.ceil(memory / 1e7)
    } MB of memory`,
  ];
  // A simulated reader costs nothing, and takes no time worth planning.
  if (model.origin === "simulated") return notes;
  return [
    ...notes,
    options.pace === undefined
      ? "The time is not known: --look asks the server a few short questions, --like names a run, --rate states it"
      : `Time: ${options.pace.source}`,
    ...(estimate.price === null
      ? ["The price is not known: put it into the model's entry, or give --price-in and --price-out"]
      : []),
    ...(estimate.price === null
      ? []
      : [`In batches (fathom batch) the price is at most ${amountText(batchPrice(cost))}`]),
    ...(cachedPrice === null ? [] : [
      `With as much from the cache as in run "${earlier!.name}" (${
        (100 * earlier!.cachedShare).toFixed(0)
      }% of its prompt tokens) the price is at most ${amountText(cachedPrice)}`,
    ]),
  ];
}

/** Calls in flight at a time, the most of them where the run finds their number. */
function concurrencyOf({ concurrency }: Flags, model: OpenedModel): number {
  const chosen = concurrency as number | "auto" | undefined ?? model.concurrency ?? DEFAULT_CONCURRENCY;
  return chosen === "auto" ? MOST_CONCURRENCY : chosen;
}

/** The price where everything is asked in batches. */
function batchPrice({ estimate, options: { prices, cachedShare = 0 } }: StudyCost): number {
  return priceOf({ ...estimate, cachedShare }, batchPrices(prices!));
}

function bytesText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function row([first = "", ...cells]: readonly string[]): string {
  return `${first.padEnd(24)}${cells.map((cell) => cell.padStart(14)).join("")}`;
}

function grouped(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}
