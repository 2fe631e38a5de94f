import type { Command } from "commander";
import type { Output } from "./output.ts";
import { type Flags, number, wholeNumber } from "./task_flags.ts";
import {
  expectedInterval,
  type Interval,
  minimumDetectableDifference,
  planSamples,
  RULER_THRESHOLD,
  type SamplePlanOptions,
} from "@/lib/statistics/mod.ts";

/** Adds `fathom plan`: how many samples it takes to detect a difference between two models, and what so many tell. */
export function addPlanCommand(program: Command, output: Output): void {
  program.command("plan")
    .summary("print how many samples it takes to detect a difference between two models")
    .description(
      "Prints how many samples per task it takes to detect a difference between two models, or what so many samples tell.",
    )
    .option("--difference <points>", "the difference to detect, in points", number(0, 100))
    .option("--samples <n>", "instead: samples of each task, to see which difference they detect", wholeNumber(1))
    .option("--score <percent>", "the expected score of the better model", number(0, 100), RULER_THRESHOLD)
    .option("--tasks <n>", "number of tasks whose mean is compared", wholeNumber(1), 13)
    .option(
      "--deviation <points>",
      "standard deviation of a single score (default: that of yes/no scores)",
      number(0, 50),
    )
    .option("--power <share>", "chance of detecting the difference", number(0, 1), 0.8)
    .option("--level <share>", "confidence level", number(0, 1), 0.95)
    .option("--comparisons <n>", "number of comparisons made together", wholeNumber(1), 1)
    .option(
      "--json",
      "print one JSON object: for each number of tasks, the samples or the points by kind of comparison",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  fathom plan --difference 5\n  fathom plan --difference 2 --score 95 --comparisons 6\n" +
        "  fathom plan --samples 10 --score 50",
    )
    .action((flags: Flags) => output.write(flags.json ? planJson(flags) : planText(flags)));
}

interface PlanFlags extends Required<Pick<SamplePlanOptions, "tasks" | "power" | "level" | "comparisons">> {
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
  const { difference, samples, tasks, score, power, level, comparisons } = flags as unknown as PlanFlags;
  if ((difference === undefined) === (samples === undefined)) {
    throw new RangeError(
      `Cannot plan samples as one of --difference and --samples must be given: current value is ${
        samples === undefined ? "neither" : "both"
      }`,
    );
  }
  const common = { score, power, level, comparisons, ...pick(flags, "deviation") };
  const found = (count: number, choice: Partial<SamplePlanOptions>): number | null => {
    const options = { ...common, ...choice, tasks: count };
    if (samples === undefined) return planSamples(difference!, options).samples;
    return minimumDetectableDifference(samples, options) ?? null;
  };
  const rows = [...new Set([1, tasks])].map((count): PlanRow => ({
    tasks: count,
    interval: samples === undefined ? null : expectedInterval(samples, { score, tasks: count, level }),
    found: Object.fromEntries(KINDS.map(([name, choice]) => [name, found(count, choice)])),
  }));
  return { ...pick(flags, "difference"), ...pick(flags, "samples"), tasks, score, power, level, comparisons, rows };
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
