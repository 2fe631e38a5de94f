import { type Command, InvalidArgumentError, Option } from "commander";
import { planPrices } from "./cost_flags.ts";
import type { Output } from "./output.ts";
import { type Flags, number } from "./task_flags.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import {
  allowanceOf,
  cappedPace,
  type OpenedModel,
  openStudy,
  type Plan,
  planStudy,
  statedPace,
  type Study,
} from "@/lib/studies/mod.ts";
import { type Budget, type BudgetFit, budgetFitNote, fitBudget, parseBudget, withSamples } from "@/lib/asking/mod.ts";
import { findEarlierRun } from "@/lib/records/mod.ts";

/** Samples that a budget chooses from where nobody says how many there should be: RULER's own number. */
export const MOST_SAMPLES_OF_BUDGET = 500;

/** Adds `--budget`, and the rate that one of time needs. */
export function addBudgetFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--budget <amount>",
        "ask as many samples of each as fit 20USD, 3h or 5Mtok, at most --samples or the study's",
      ).argParser(budget),
    )
    .addOption(
      new Option("--rate <tokens>", "prompt tokens a second that the server reads in all, for the time")
        .argParser(number(0.001)),
    );
}

function budget(text: string): Budget {
  const found = parseBudget(text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(
    "It must be money such as 20USD, a time such as 3h or 90min, or tokens such as 5Mtok.",
  );
}

/** Says what a budget chose, in numbers and in points of a score. */
export function budgetNote(fit: BudgetFit, { cells }: Plan): string {
  const lengths = Map.groupBy(cells, ({ length }) => length);
  return budgetFitNote(fit, Math.max(...[...lengths.values()].map((ofLength) => ofLength.length)));
}

/** Gives a study with as many samples as the budget of the flags allows, and says so. */
export async function withinBudget(
  study: Study,
  { flags, model, name, benchmarks, inBatches, output }: {
    readonly flags: Flags;
    readonly inBatches: boolean;
    readonly model: OpenedModel;
    /** The run, whose own pace does not count: the same command must choose the same samples again. */
    readonly name: string;
    readonly benchmarks: readonly Benchmark[];
    readonly output: Output;
  },
): Promise<Study> {
  const asked = flags.budget as Budget | undefined;
  if (asked === undefined) return study;
  const plan = planStudy(await openStudy(study, { benchmarks }), model);
  const prices = planPrices(flags, { ...model, inBatches });
  const known = flags.rate !== undefined
    ? statedPace(flags.rate as number)
    : asked.of === "seconds"
    ? (await findEarlierRun(model, { benchmarks, except: name }))?.pace
    : undefined;
  const pace = cappedPace(known, model);
  const fit = fitBudget(plan, asked, {
    ...allowanceOf(model),
    ...(prices === undefined ? {} : { prices }),
    ...(pace === undefined ? {} : { pace }),
  });
  output.note(budgetNote(fit, plan));
  return withSamples(study, fit.samples);
}
