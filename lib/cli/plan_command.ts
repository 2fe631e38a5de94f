import { addBudgetFlags, addPriceFlags, amountText, budgetNote, readPrices } from "./cost_flags.ts";
import { addModelFlags } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { addConcurrencyFlag, openAsked } from "./run_command.ts";
import {
  addBenchmarkFlag,
  addFirstFlag,
  addKnobFlags,
  addMaterialFlags,
  type Flags,
  lengths,
  names,
  number,
  openBenchmarks,
  samplesAt,
  wholeNumber,
} from "./task_flags.ts";
import { type Command, Option } from "commander";
import {
  type Budget,
  type BudgetFit,
  decisionNotes,
  DEFAULT_CONCURRENCY,
  fitBudget,
  MAX_CONCURRENCY,
  type Preflight,
  preflight,
  withSamples,
} from "@/lib/asking/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { type EarlierRun, findEarlierRun } from "@/lib/records/mod.ts";
import {
  expectedInterval,
  type Interval,
  minimumDetectableDifference,
  planSamples,
  RULER_THRESHOLD,
  type SamplePlanOptions,
} from "@/lib/statistics/mod.ts";
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
import { lengthText } from "@/lib/text/mod.ts";

/** Adds `fathom plan`: what a study would take of a model, or how many samples it takes to detect a difference. */
export function addPlanCommand(program: Command, output: Output): void {
  const command = program.command("plan")
    .description(
      "Prints what a study would take of a model before anything is asked: prompts and their tokens by task and length, price, " +
        "time, the longest prompt against the window, room on the disk. With --difference or --samples alone it prints how many " +
        "samples per task it takes to detect a difference between two models, or what so many samples tell.",
    )
    .argument("[study]", "a study file (YAML); flags override it, as those of `fathom run` do")
    .option("--samples <n>", "samples per task and length; alone, which difference they detect", wholeNumber(1))
    .option(
      "--tasks <names>",
      "comma-separated tasks, families or benchmarks; alone, the number of tasks whose mean is compared",
    )
    .option("--lengths <tokens>", "comma-separated context lengths, such as 4096,8192 or 4K,8K", lengths)
    .option("--samples-at <list>", "fewer samples at some lengths, such as 64K=20,128K=10", samplesAt)
    .option("--repeats <n>", "ask each sample so many times", wholeNumber(1, 1000))
    .option("--exact", "make every prompt and count it, however many there are")
    .option("--like <run>", "the run whose pace and cache count (default: the latest of the model, if there is one)")
    .option("--look", "ask the server a few short questions first, for its speed and window")
    .option("--no-preflight", "plan without a look at the server, which costs nothing unless --look is given")
    .option(
      "--cached <share>",
      "the share of the prompt tokens that come from the server's cache, for the price",
      number(0, 1),
    )
    .option(
      "--json",
      "print one JSON object: total and rows by task and length; or the samples or points by kind of comparison",
    );
  addConcurrencyFlag(addBudgetFlags(addPriceFlags(command)));
  for (const option of differenceOptions()) command.addOption(option.helpGroup("To detect a difference:"));
  addKnobFlags(addMaterialFlags(addModelFlags(addBenchmarkFlag(addFirstFlag(command))), { defaults: false }));
  command.addHelpText(
    "after",
    "\nExamples:\n  fathom plan data/studies/ruler.yaml --model my-model --price-in 0.15 --price-out 0.6\n" +
      "  fathom plan --tasks all --lengths 4K,128K --samples 25 --model my-model --base-url http://127.0.0.1:8000/v1 --look\n" +
      "  fathom plan --tasks all --lengths 4K,128K --model my-model --price-in 0.15 --price-out 0.6 --budget 20USD\n" +
      "  fathom plan --difference 5\n  fathom plan --difference 2 --score 95 --comparisons 6\n" +
      "  fathom plan --samples 10 --score 50",
  );
  command.action(async (study: string | undefined, flags: Flags) => {
    const isGiven = (name: string): boolean => command.getOptionValueSource(name) === "cli";
    if (study !== undefined || isGiven("model") || isGiven("lengths")) {
      if (isGiven("difference")) {
        throw new RangeError(
          `Cannot plan samples as --difference must stand without a study, a model or lengths: current value is ${flags.difference}`,
        );
      }
      const tasks = flags.tasks === undefined ? undefined : names(String(flags.tasks));
      return await printStudyCost({ ...flags, study, tasks }, output);
    }
    const tasks = readTaskCount(flags.tasks as unknown as string | undefined);
    const counted = { ...flags, tasks } as unknown as Flags;
    await output.write(flags.json ? planJson(counted) : planText(counted));
  });
}

/** Reads how many tasks are averaged; RULER's by default. */
function readTaskCount(text = "13"): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new RangeError(
    `Cannot plan samples as --tasks must be a number of tasks where neither a study nor a model is given: current value is "${text}"`,
  );
}

/** The flags of what it takes to detect a difference. */
function differenceOptions(): readonly Option[] {
  return [
    new Option("--difference <points>", "the difference to detect, in points").argParser(number(0, 100)),
    new Option("--score <percent>", "the expected score of the better model").argParser(number(0, 100))
      .default(RULER_THRESHOLD),
    new Option("--deviation <points>", "standard deviation of a single score (default: that of yes/no scores)")
      .argParser(number(0, 50)),
    new Option("--cluster-size <n>", "samples of a task that share a question or a text").argParser(wholeNumber(1))
      .default(1),
    new Option("--icc <share>", "how alike the scores of such samples are: 0 independent, 1 the same")
      .argParser(number(0, 1)).default(1),
    new Option("--power <share>", "chance of detecting the difference").argParser(number(0, 1)).default(0.8),
    new Option("--level <share>", "confidence level").argParser(number(0, 1)).default(0.95),
    new Option("--comparisons <n>", "number of comparisons made together").argParser(wholeNumber(1)).default(1),
  ];
}

interface PlanFlags
  extends Required<Pick<SamplePlanOptions, "tasks" | "power" | "level" | "comparisons" | "clusterSize" | "icc">> {
  readonly difference?: number;
  readonly samples?: number;
  readonly score: number;
}

/** The kinds of comparison: different samples, or the same samples with correlated scores. */
const KINDS: readonly (readonly [string, Partial<SamplePlanOptions>])[] = [
  ["other samples", { paired: false }],
  ...[0, 0.3, 0.6].map((correlation) => [`same, r = ${correlation}`, { correlation }] as const),
];

/** A plan with its numbers. */
interface PlanNumbers extends PlanFlags {
  /** For one task, and for the mean of several. */
  readonly rows: readonly PlanRow[];
}

interface PlanRow {
  readonly tasks: number;
  /** The interval for the given samples; `null` if samples are computed. */
  readonly interval: Interval | null;
  /** Samples, or points, by kind of comparison; `null` where no number of points is enough. */
  readonly found: Readonly<Record<string, number | null>>;
}

function readPlan(flags: Flags): PlanNumbers {
  const { difference, samples, tasks, score, power, level, comparisons, clusterSize, icc } =
    flags as unknown as PlanFlags;
  if ((difference === undefined) === (samples === undefined)) {
    throw new RangeError(
      `Cannot plan samples as one of --difference and --samples must be given: current value is ${
        samples === undefined ? "neither" : "both"
      }`,
    );
  }
  const clusters = { clusterSize, icc };
  const common = { score, power, level, comparisons, ...clusters, ...pick(flags, "deviation") };
  const found = (count: number, choice: Partial<SamplePlanOptions>): number | null => {
    const options = { ...common, ...choice, tasks: count };
    if (samples === undefined) return planSamples(difference!, options).samples;
    return minimumDetectableDifference(samples, options) ?? null;
  };
  const rows = [...new Set([1, tasks])].map((count): PlanRow => ({
    tasks: count,
    interval: samples === undefined ? null : expectedInterval(samples, { score, tasks: count, level, ...clusters }),
    found: Object.fromEntries(KINDS.map(([name, choice]) => [name, found(count, choice)])),
  }));
  const given = { ...pick(flags, "difference"), ...pick(flags, "samples"), ...clusters };
  return { ...given, tasks, score, power, level, comparisons, rows };
}

function planJson(flags: Flags): string {
  return `${JSON.stringify(readPlan(flags))}\n`;
}

function planText(flags: Flags): string {
  const { difference, samples, score, power, level, comparisons, rows } = readPlan(flags);
  const line = (cells: readonly (string | number)[]): string =>
    `${
      cells.map((cell, at) => at === 0 ? String(cell).padEnd(22) : cell.toLocaleString("en").padStart(15)).join("")
    }\n`;
  const asked = `(in ${100 * power}% of runs; found without being there in at most ${percent(1 - level)} of ${
    comparisons === 1 ? "runs" : `runs with ${comparisons} comparisons`
  })`;
  const title = samples === undefined
    ? `Samples of each task, for each model, to find ${difference} points at a score of ${score}`
    : `What ${samples} samples of each task tell at a score of ${score}: the ${
      percent(level)
    } interval, and the points found`;
  const cellOf = (value: number | null): string | number =>
    samples === undefined ? value! : value === null ? "none" : value.toFixed(1);
  const lines = rows.map(({ tasks, interval, found }) =>
    line([
      tasks === 1 ? "one task" : `the mean of ${tasks} tasks`,
      ...(interval === null ? [] : [reachText(interval)]),
      ...Object.values(found).map(cellOf),
    ])
  );
  return `${title}\n${asked}\n\n` +
    line(["", ...(samples === undefined ? [] : ["interval"]), ...KINDS.map(([name]) => name)]) + lines.join("") +
    "\nr: correlation of the two models' scores on the same sample\n";
}

/** Half the width of an interval, such as `±8.5`. */
function reachText({ low, high }: Interval): string {
  return `±${((high - low) / 2).toFixed(1)}`;
}

function pick(flags: Flags, name: string): Record<string, unknown> {
  return flags[name] === undefined ? {} : { [name]: flags[name] };
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(6))}%`;
}

/** The estimate of a study for a model. */
interface StudyCost {
  readonly model: Model;
  readonly plan: Plan;
  /** The samples that a budget chose, where there is one. */
  readonly fit: BudgetFit | undefined;
  readonly options: EstimateOptions;
  readonly estimate: RunEstimate;
  readonly earlier: EarlierRun | undefined;
  /** The price at the cached share of the earlier run; `null` if unknown. */
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
    : await preflight(chosen, { plan: planStudy(opened, chosen), asks: Boolean(flags.look) });
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
  { look, earlier }: { readonly look: Preflight | undefined; readonly earlier: EarlierRun | undefined },
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

/** Returns the assumptions and requirements of the estimate, a line each. */
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
  return chosen === "auto" ? MAX_CONCURRENCY : chosen;
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
