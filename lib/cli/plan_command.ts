import { type Command, Option } from "commander";
import { addBudgetFlags } from "./budget_flag.ts";
import { addPriceFlags } from "./cost_flags.ts";
import { addModelFlags } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { printStudyCost } from "./plan_cost.ts";
import { addConcurrencyFlag } from "./run_command.ts";
import {
  addBenchmarkFlag,
  addFirstFlag,
  addKnobFlags,
  addMaterialFlags,
  type Flags,
  lengths,
  names,
  number,
  samplesAt,
  wholeNumber,
} from "./task_flags.ts";
import {
  expectedInterval,
  type Interval,
  minimumDetectableDifference,
  planSamples,
  RULER_THRESHOLD,
  type SamplePlanOptions,
} from "@/lib/statistics/mod.ts";

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
      const tasks = flags.tasks === undefined ? undefined : names(flags.tasks as string);
      return await printStudyCost({ ...flags, study, tasks }, output);
    }
    const tasks = readTaskCount(flags.tasks as string | undefined);
    await output.write(flags.json ? planJson({ ...flags, tasks }) : planText({ ...flags, tasks }));
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

/** What a plan compares: the samples of two models that differ, or the same ones, whose scores correlate so much. */
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
  /** The interval that so many samples give; `null` where samples are what is asked for. */
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
