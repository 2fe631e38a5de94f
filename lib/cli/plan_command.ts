import type { Command } from "commander";
import type { Output } from "./output.ts";
import { type Flags, number, wholeNumber } from "./task_flags.ts";
import { planSamples, RULER_THRESHOLD, type SamplePlanOptions } from "@/lib/statistics/mod.ts";

/** Adds `fathom plan`: how many samples it takes to detect a difference between two models. */
export function addPlanCommand(program: Command, output: Output): void {
  program.command("plan")
    .summary("print how many samples it takes to detect a difference between two models")
    .description("Prints how many samples per task it takes to detect a difference between two models.")
    .requiredOption("--difference <points>", "the difference to detect, in points", number(0, 100))
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
    .addHelpText(
      "after",
      "\nExamples:\n  fathom plan --difference 5\n  fathom plan --difference 2 --score 95 --comparisons 6",
    )
    .action((flags: Flags) => output.write(planText(flags)));
}

function planText(flags: Flags): string {
  const { difference, tasks, score, power, level, comparisons } = flags as unknown as
    & { readonly difference: number; readonly score: number }
    & Required<Pick<SamplePlanOptions, "tasks" | "power" | "level" | "comparisons">>;
  const common = { score, power, level, comparisons, ...pick(flags, "deviation") };
  const columns: readonly (readonly [string, Partial<SamplePlanOptions>])[] = [
    ["other samples", { paired: false }],
    ...[0, 0.3, 0.6].map((correlation) => [`same, r = ${correlation}`, { correlation }] as const),
  ];
  const line = (cells: readonly (string | number)[]): string =>
    `${
      cells.map((cell, at) => at === 0 ? String(cell).padEnd(22) : cell.toLocaleString("en").padStart(15)).join("")
    }\n`;
  const rowOf = (count: number): string =>
    line([
      count === 1 ? "one task" : `the mean of ${count} tasks`,
      ...columns.map(([, choice]) => planSamples(difference, { ...common, ...choice, tasks: count }).samples),
    ]);
  return `Samples of each task, for each model, to find ${difference} points at a score of ${score}\n` +
    `(in ${100 * power}% of runs; found without being there in at most ${percent(1 - level)} of ${
      comparisons === 1 ? "runs" : `runs with ${comparisons} comparisons`
    })\n\n` +
    line(["", ...columns.map(([name]) => name)]) + [...new Set([1, tasks])].map(rowOf).join("") +
    "\nr: correlation of the two models' scores on the same sample\n";
}

function pick(flags: Flags, name: string): Record<string, unknown> {
  return flags[name] === undefined ? {} : { [name]: flags[name] };
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(6))}%`;
}
