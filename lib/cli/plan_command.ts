import { type Command, Option } from "commander";
import { defined, grouped } from "@/lib/base/mod.ts";
import { number, samplesAt, tokenBudget, wholeNumber } from "./flag_values.ts";
import { addBenchmarkFlag, addMeasureFlag, addSampleFlags, addTaskFlags, type Flags, openBenchmarks } from "./flags.ts";
import { addConcurrencyFlag, addModelFlags, addPriceFlags, amountText, readPrices } from "./model_flags.ts";
import { type Output, writeTables } from "./output.ts";
import { openAsked } from "./run_command.ts";
import { roomOf } from "./run_screen.ts";
import { tooShortNotes } from "./sample_cells.ts";
import { decisionNotes, preflight } from "@/lib/asking/mod.ts";
import { table, terminalLines } from "@/lib/figures/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { findEarlierPace } from "@/lib/records/mod.ts";
import { planTable } from "@/lib/reports/mod.ts";
import {
  expectedInterval,
  minimumDetectableDifference,
  RULER_THRESHOLD,
  type SamplePlanOptions,
} from "@/lib/statistics/mod.ts";
import {
  allowanceOf,
  batchPrices,
  cappedPace,
  type EstimateOptions,
  estimateRun,
  openStudy,
  paceOfServer,
  type Plan,
  planStudy,
  priceOf,
  type RunEstimate,
} from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = addTaskFlags(program.command("plan"))
    .description(
      "Prints the cost of a study for a model before anything is asked: prompts and their tokens by task and length, price, " +
        "time, the longest prompt and the window, disk space. With --samples alone it prints the precision of a number of " +
        "samples; --tasks is then the number of tasks whose mean is compared.",
    )
    .argument("[study]", "a study file (YAML); flags override it, as those of `fathom run` do")
    .option(
      "--budget <tokens>",
      "the most tokens, such as 20M, spread over the lengths for the surest mean",
      tokenBudget,
    )
    .option("--samples-at <list>", "fewer samples at some lengths, such as 64K=20,128K=10", samplesAt)
    .option("--repeats <n>", "times to ask each sample", wholeNumber(1, 1000))
    .option("--look", "ask the server a few short questions first, for its speed and window")
    .option("--no-preflight", "skip the preflight of the server, which costs nothing unless --look is given")
    .option("--json", "print one JSON object: total and rows by task and length; or the points by kind of comparison")
    .addOption(
      new Option("--score <percent>", "with --samples alone: the expected score of the better model")
        .argParser(number(0, 100)).default(RULER_THRESHOLD),
    );
  addConcurrencyFlag(addPriceFlags(addMeasureFlag(command)));
  addSampleFlags(addModelFlags(addBenchmarkFlag(command)));
  command.addHelpText(
    "after",
    "\nExamples:\n  fathom plan data/studies/ruler.yaml --model my-model --price-in 0.15 --price-out 0.6\n" +
      "  fathom plan --tasks all --lengths 4K,128K --samples 25 --model my-model --base-url http://127.0.0.1:8000/v1 --look\n" +
      "  fathom plan --samples 10 --score 50",
  );
  command.action(async (study: string | undefined, flags: PlanFlags) => {
    const isGiven = (name: string): boolean => command.getOptionValueSource(name) === "cli";
    if (study === undefined && !isGiven("model") && !isGiven("lengths")) return await printPrecision(flags, output);
    const cost = await readCost({ ...flags, study, dryRun: !flags["look"] }, output);
    if (!flags.json) return await printCost(cost, output);
    const { model, options, batchPrice, need, estimate: { rows, isExact, ...total } } = cost;
    const basis = { prices: options.prices ?? null, batchPrice, pace: options.pace?.source ?? null, need };
    await output.write(`${JSON.stringify({ model: model.name, isExact, total, rows, ...basis })}\n`);
  });
}

interface PlanFlags extends Flags {
  readonly score: number;
}

/** The kinds of comparison: different samples, or the same samples with correlated scores. */
const KINDS: readonly (readonly [string, Partial<SamplePlanOptions>])[] = [
  ["other samples", { paired: false }],
  ...[0, 0.3, 0.6].map((correlation) => [`same, r = ${correlation}`, { correlation }] as const),
];

/** Prints the interval that a number of samples gives, and the differences that it finds. */
async function printPrecision(
  { samples, score, tasks: given = ["13"], json }: PlanFlags,
  output: Output,
): Promise<void> {
  if (samples === undefined) {
    throw new RangeError(
      "Cannot plan as a study, a model, --lengths or --samples must be given: current value is none of them",
    );
  }
  // By default the number of RULER's tasks.
  const tasks = readCount(given.join(","));
  const rows = [...new Set([1, tasks])].map((count) => ({
    tasks: count,
    interval: expectedInterval(samples, { score, tasks: count }),
    found: Object.fromEntries(KINDS.map(([name, kind]): [string, number | null] => {
      return [name, minimumDetectableDifference(samples, { score, ...kind, tasks: count }) ?? null];
    })),
  }));
  if (json) return await output.write(`${JSON.stringify({ samples, tasks, score, rows })}\n`);
  const written = rows.map(({ tasks, interval, found }) => {
    const what = tasks === 1 ? "one task" : `the mean of ${tasks} tasks`;
    return { ...found, what, half: (interval.high - interval.low) / 2 } as Readonly<
      Record<string, string | number | null>
    >;
  });
  const names = KINDS.map(([field]) => ({ field, label: field, digits: 1 }));
  const shown = table(written, {
    title: `Precision of ${samples} samples of each task at a score of ${score}`,
    caption:
      "Points up and down to the ends of the 95% interval, and those found in 80% of runs (in at most 5% without being " +
      "there); – if none are. r is the correlation of two models' scores on the same sample.",
    origin: "computed",
    n: samples,
    columns: [{ field: "what", label: "" }, { field: "half", label: "±", digits: 1 }, ...names],
  });
  await writeTables([shown], output);
}

function readCount(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new RangeError(
    `Cannot plan samples as --tasks must be a number of tasks if neither a study nor a model is given: current value is "${text}"`,
  );
}

interface StudyCost {
  readonly model: Model;
  readonly plan: Plan;
  readonly options: EstimateOptions;
  readonly estimate: RunEstimate;
  /** The price in batches; `null` if unknown. */
  readonly batchPrice: number | null;
  /** The tokens of the longest prompt and its answer, and the window. */
  readonly need: { readonly tokens: number; readonly window: number | null };
}

async function readCost(flags: PlanFlags, output: Output): Promise<StudyCost> {
  const benchmarks = await openBenchmarks(flags);
  const { study, model: chosen } = await openAsked(flags, { benchmarks, output });
  const opened = await openStudy(study, { benchmarks });
  const look = flags.preflight === false
    ? undefined
    : await preflight(chosen, { plan: planStudy(opened, chosen), asks: Boolean(flags["look"]) });
  if (flags["look"]) { for (const warning of look?.warnings ?? []) output.note(`Warning: ${warning}`); }
  const model = look?.model ?? chosen;
  const plan = planStudy(opened, model);
  const measured = look === undefined ? undefined : paceOfServer(look.report);
  const known = measured ?? await findEarlierPace(model, { benchmarks });
  const [prices, pace] = [readPrices(flags, chosen.price), cappedPace(known, chosen)];
  const options = { ...allowanceOf(model), ...defined({ prices, pace }) };
  const estimate = estimateRun(plan, options);
  return {
    model,
    plan,
    options,
    estimate,
    batchPrice: prices === undefined ? null : priceOf(estimate, batchPrices(prices)),
    need: {
      tokens: Math.max(...estimate.rows.map((row) => row.longestPrompt + row.answerTokens / row.questions)),
      window: chosen.window ?? look?.report.window ?? null,
    },
  };
}

async function printCost(cost: StudyCost, output: Output): Promise<void> {
  const { model, plan, options, estimate } = cost;
  await writeTables([planTable(estimate, { model: model.name, pace: options.pace?.source })], output);
  const notes = [...tooShortNotes(plan.tooShort), ...costNotes(cost), ...decisionNotes(plan, model)];
  await output.write(`\n${notes.flatMap((note) => terminalLines(note, roomOf(output))).join("\n")}\n`);
}

/** Returns the assumptions and requirements of the estimate, a line each. */
function costNotes({ model, options, batchPrice, need }: StudyCost): readonly string[] {
  const { tokens, window } = need;
  const isOver = window !== null && tokens > window;
  const fits = window === null ? "" : `, ${isOver ? "more than" : "within"} the model's window of ${grouped(window)}`;
  const longest = `${isOver ? "Warning: " : ""}The longest prompt and its answer need ${grouped(tokens)} tokens${fits}`;
  // A simulated reader costs nothing, and takes no time worth planning.
  if (model.origin === "simulated") return [longest];
  return [
    longest,
    ...(options.pace === undefined
      ? ["The time is unknown: --look asks the server a few short questions, --tokens-per-minute sets its speed"]
      : []),
    batchPrice === null
      ? "The price is unknown: add it to the model's entry, or set --price-in and --price-out"
      : `In batches (fathom batch) the price is at most ${amountText(batchPrice)}`,
  ];
}
