import { type Command, Option } from "commander";
import { expectedPairs } from "@/lib/certify/mod.ts";
import { defined, grouped, lengthText, percent } from "@/lib/base/mod.ts";
import { tooShortNotes } from "./ask_study.ts";
import {
  addBenchmarkFlag,
  addSampleFlags,
  addTaskFlags,
  CERTIFICATE_PAIRS,
  type Flags,
  number,
  openBenchmarks,
  samplesAt,
  wholeNumber,
} from "./flags.ts";
import { addConcurrencyFlag, addModelFlags, addPriceFlags, amountText, readPrices } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { openAsked } from "./run_command.ts";
import { decisionNotes, preflight } from "@/lib/asking/mod.ts";
import type { Model } from "@/lib/models/mod.ts";
import { findEarlierPace } from "@/lib/records/mod.ts";
import {
  expectedInterval,
  minimumDetectableDifference,
  planSamples,
  RULER_THRESHOLD,
  type SamplePlanOptions,
} from "@/lib/statistics/mod.ts";
import {
  allowanceOf,
  batchPrices,
  cappedPace,
  type Effort,
  effortTable,
  type EstimateOptions,
  estimateRun,
  openStudy,
  paceOfServer,
  type Plan,
  planStudy,
  priceOf,
  type RunEstimate,
  timeText,
} from "@/lib/studies/mod.ts";

/** Adds `fathom plan`: the cost of a study for a model, or the samples that detect a difference. */
export function addCommand(program: Command, output: Output): void {
  const command = addTaskFlags(program.command("plan"))
    .description(
      "Prints the cost of a study for a model before anything is asked: prompts and their tokens by task and length, price, " +
        "time, the longest prompt and the window, disk space. With --difference or --samples alone it prints how many samples per " +
        "task detect a difference between two models, or the precision of a number of samples; --tasks is then the number of " +
        "tasks whose mean is compared.",
    )
    .argument("[study]", "a study file (YAML); flags override it, as those of `fathom run` do")
    .option("--samples-at <list>", "fewer samples at some lengths, such as 64K=20,128K=10", samplesAt)
    .option("--repeats <n>", "times to ask each sample", wholeNumber(1, 1000))
    .option("--look", "ask the server a few short questions first, for its speed and window")
    .option("--no-preflight", "skip the preflight of the server, which costs nothing unless --look is given")
    .option(
      "--json",
      "print one JSON object: total and rows by task and length; or the samples or points by kind of comparison",
    );
  addConcurrencyFlag(addPriceFlags(command));
  const differenceOptions = [
    new Option("--difference <points>", "the difference to detect, in points").argParser(number(0, 100)),
    new Option("--score <percent>", "the expected score of the better model").argParser(number(0, 100))
      .default(RULER_THRESHOLD),
    new Option("--power <share>", "chance of detecting the difference").argParser(number(0, 1)).default(0.8),
    new Option("--level <share>", "confidence level").argParser(number(0, 1)).default(0.95),
    new Option("--comparisons <n>", "number of comparisons made together").argParser(wholeNumber(1)).default(1),
  ];
  for (const option of differenceOptions) command.addOption(option.helpGroup("To detect a difference:"));
  const certifyOptions = [
    new Option(
      "--certify",
      "print the pairs that `fathom certify` takes to a verdict; --tasks is then the number of cells",
    ),
    new Option("--margin <points>", "the loss that is allowed, in points").argParser(number(0.001, 99.9)).default(2),
    new Option("--discordance <percent>", "samples whose score the change flips (default: 1, 2, 5, 10 and 20)")
      .argParser(number(0.01, 100)),
    new Option("--questions <n>", "questions of each context").argParser(wholeNumber(1, 100)).default(1),
    new Option("--icc <share>", "correlation of two questions of a context").argParser(number(0, 1)).default(0.3),
    new Option("--max-samples <n>", "the most pairs").argParser(wholeNumber(1, 1_000_000)).default(CERTIFICATE_PAIRS),
  ];
  for (const option of certifyOptions) command.addOption(option.helpGroup("To certify a change:"));
  addSampleFlags(addModelFlags(addBenchmarkFlag(command)));
  command.addHelpText(
    "after",
    "\nExamples:\n  fathom plan data/studies/ruler.yaml --model my-model --price-in 0.15 --price-out 0.6\n" +
      "  fathom plan --tasks all --lengths 4K,128K --samples 25 --model my-model --base-url http://127.0.0.1:8000/v1 --look\n" +
      "  fathom plan --difference 5\n  fathom plan --difference 2 --score 95 --comparisons 6\n" +
      "  fathom plan --samples 10 --score 50\n  fathom plan --certify --margin 2 --discordance 5",
  );
  command.action(async (study: string | undefined, flags: PlanFlags) => {
    const isGiven = (name: string): boolean => command.getOptionValueSource(name) === "cli";
    if (flags.certify) return await printPairs(flags, output);
    if (study === undefined && !isGiven("model") && !isGiven("lengths")) return await printDifference(flags, output);
    if (isGiven("difference")) {
      throw new RangeError(
        `Cannot plan samples as --difference must be used without a study, a model or lengths: current value is ${flags.difference}`,
      );
    }
    const cost = await readCost(study === undefined ? flags : { ...flags, study }, output);
    await output.write(flags.json ? `${JSON.stringify(costJson(cost))}\n` : costText(cost));
  });
}

interface PlanFlags extends Flags {
  readonly difference?: number;
  readonly score: number;
  readonly power: number;
  readonly level: number;
  readonly comparisons: number;
  readonly certify?: boolean;
  readonly margin: number;
  readonly discordance?: number;
  readonly questions: number;
  readonly icc: number;
  readonly maxSamples: number;
}

/** The kinds of comparison: different samples, or the same samples with correlated scores. */
const KINDS: readonly (readonly [string, Partial<SamplePlanOptions>])[] = [
  ["other samples", { paired: false }],
  ...[0, 0.3, 0.6].map((correlation) => [`same, r = ${correlation}`, { correlation }] as const),
];

/** Prints the samples that detect a difference, or the precision of a number of samples. */
async function printDifference(flags: PlanFlags, output: Output): Promise<void> {
  const { difference, samples, score, power, level, comparisons } = flags;
  if ((difference === undefined) === (samples === undefined)) {
    const given = samples === undefined ? "neither" : "both";
    throw new RangeError(
      `Cannot plan samples as one of --difference and --samples must be given: current value is ${given}`,
    );
  }
  // By default the number of RULER's tasks.
  const tasks = readCount(flags.tasks?.join(",") ?? "13");
  const given = { score, power, level, comparisons };
  const rows = [...new Set([1, tasks])].map((count) => ({
    tasks: count,
    interval: samples === undefined ? null : expectedInterval(samples, { score, tasks: count, level }),
    found: Object.fromEntries(KINDS.map(([name, choice]): [string, number | null] => {
      const options = { ...given, ...choice, tasks: count };
      if (samples === undefined) return [name, planSamples(difference!, options).samples];
      return [name, minimumDetectableDifference(samples, options) ?? null];
    })),
  }));
  if (flags.json) {
    return await output.write(`${JSON.stringify({ ...defined({ difference, samples }), tasks, ...given, rows })}\n`);
  }
  const percent = (share: number): string => `${Number((100 * share).toPrecision(6))}%`;
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(22)}${cells.map((cell) => cell.padStart(15)).join("")}\n`;
  const runs = comparisons === 1 ? "runs" : `runs with ${comparisons} comparisons`;
  const title = samples === undefined
    ? `Samples of each task, for each model, to find ${difference} points at a score of ${score}`
    : `Precision of ${samples} samples of each task at a score of ${score}: the ${
      percent(level)
    } interval, and the points found`;
  const cellOf = (value: number | null): string =>
    value === null ? "none" : samples === undefined ? value.toLocaleString("en") : value.toFixed(1);
  const lines = rows.map(({ tasks, interval, found }) =>
    line(tasks === 1 ? "one task" : `the mean of ${tasks} tasks`, [
      ...(interval === null ? [] : [`±${((interval.high - interval.low) / 2).toFixed(1)}`]),
      ...Object.values(found).map(cellOf),
    ])
  );
  await output.write(
    `${title}\n(in ${100 * power}% of runs; found without being there in at most ${
      percent(1 - level)
    } of ${runs})\n\n` +
      line("", [...(samples === undefined ? [] : ["interval"]), ...KINDS.map(([name]) => name)]) + lines.join("") +
      "\nr: correlation of the two models' scores on the same sample\n",
  );
}

/** Prints the pairs that a certificate takes to its verdict, by the share of samples whose score the change flips. */
async function printPairs(flags: PlanFlags, output: Output): Promise<void> {
  const { margin, discordance, questions, icc, maxSamples, json } = flags;
  const count = readCount(flags.tasks?.join(",") ?? "13");
  const cells = Array.from({ length: count }, (_, at) => ({ name: `cell ${at + 1}`, weight: 1 }));
  const rule = { margin, cells, samples: Math.max(maxSamples, count * questions) };
  const rows = (discordance === undefined ? [1, 2, 5, 10, 20] : [discordance]).map((percent) => {
    const forecast = { discordance: percent, clusterSize: questions, icc: questions === 1 ? 0 : icc };
    const staked = { ...rule, flips: percent };
    const { mean, high, fixed, noWorse } = expectedPairs(staked, forecast);
    const loss = expectedPairs(staked, { ...forecast, difference: -2 * margin });
    return { discordance: percent, mean, high, fixed, noWorse, loss: loss.mean, worse: loss.worse };
  });
  if (json) {
    return await output.write(`${JSON.stringify({ margin, cells: count, questions, icc, maxSamples, rows })}\n`);
  }
  const lines = rows.map(({ discordance, mean, high, fixed, noWorse, loss }) => {
    return row([
      `${discordance}% of samples flip`,
      grouped(mean),
      grouped(high),
      percent(noWorse),
      grouped(loss),
      grouped(fixed),
    ]);
  });
  await output.write(
    [
      `Pairs that \`fathom certify --margin ${margin}\` takes to a verdict, with ${count} cells${
        questions === 1 ? "" : ` and ${questions} questions of each context (correlation ${icc})`
      }`,
      `(at most ${grouped(rule.samples)}; each pair is one question to the base and one to the change)`,
      "",
      row(["", "no loss: mean", "9 of 10 below", "no worse", `loss of ${2 * margin}`, "fixed design"]),
      ...lines,
      "",
      `No worse: the share of certificates that end with this verdict if nothing is lost`,
      `Fixed design: pairs that show "no worse" in nine of ten certificates if nothing is lost, asked all at once`,
    ].map((line) => `${line}\n`).join(""),
  );
}

/** Reads --tasks as a number of tasks. */
function readCount(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new RangeError(
    `Cannot plan samples as --tasks must be a number of tasks if neither a study nor a model is given: current value is "${text}"`,
  );
}

/** The estimate of a study for a model. */
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
    ...{ model, plan, options, estimate },
    batchPrice: prices === undefined ? null : priceOf(estimate, batchPrices(prices)),
    need: {
      tokens: Math.max(...estimate.rows.map((row) => row.longestPrompt + row.answerTokens / row.questions)),
      window: chosen.window ?? look?.report.window ?? null,
    },
  };
}

function costJson({ model, options, estimate, ...cost }: StudyCost): object {
  const { rows, isExact, ...total } = estimate;
  const { batchPrice, need } = cost;
  return {
    ...{ model: model.name, isExact, total, rows, prices: options.prices ?? null, batchPrice },
    ...{ pace: options.pace?.source ?? null, need },
  };
}

function costText(cost: StudyCost): string {
  const { model, plan, estimate } = cost;
  const { lengths, tasks, totals } = effortTable(estimate);
  const most = estimate.isExact ? "" : ", at most";
  const line = (what: string, write: (effort: Effort) => string): string => row([what, ...totals.map(write)]);
  return [
    `Calls planned for ${model.name}\n`,
    row([`Prompt tokens${most}`, ...lengths.map(lengthText), "all"]),
    ...tasks.map(({ task, efforts }) =>
      row([task, ...efforts.map((effort) => effort === undefined ? "–" : grouped(effort.promptTokens))])
    ),
    line("all tasks", ({ promptTokens }) => grouped(promptTokens)),
    "",
    line("questions", ({ questions }) => grouped(questions)),
    line(`longest prompt${most}`, ({ longestPrompt }) => grouped(longestPrompt)),
    line("answers, at most", ({ answerTokens }) => grouped(answerTokens)),
    ...(estimate.price === null ? [] : [line("price, at most", ({ price }) => amountText(price!))]),
    ...(estimate.seconds === null ? [] : [line("time", ({ seconds }) => timeText(1000 * seconds!))]),
    "",
    ...tooShortNotes(plan),
    ...costNotes(cost),
    ...decisionNotes(plan, model).slice(1),
  ].map((each) => `${each}\n`).join("");
}

/** Returns the assumptions and requirements of the estimate, a line each. */
function costNotes({ model, options, estimate, batchPrice, need }: StudyCost): readonly string[] {
  const { tokens, window } = need;
  const isOver = window !== null && tokens > window;
  const fits = window === null ? "" : `, ${isOver ? "more than" : "within"} the model's window of ${grouped(window)}`;
  const notes = [
    `${isOver ? "Warning: " : ""}The longest prompt and its answer need ${grouped(tokens)} tokens${fits}`,
    ...(estimate.isExact ? [] : ["Tokens are upper bounds, a few percent too high at most"]),
  ];
  // A simulated reader costs nothing, and takes no time worth planning.
  if (model.origin === "simulated") return notes;
  return [
    ...notes,
    options.pace === undefined
      ? "The time is unknown: --look asks the server a few short questions, --tokens-per-minute sets its speed"
      : `Time: ${options.pace.source}`,
    batchPrice === null
      ? "The price is unknown: add it to the model's entry, or set --price-in and --price-out"
      : `In batches (fathom batch) the price is at most ${amountText(batchPrice)}`,
  ];
}

function row([first = "", ...cells]: readonly string[]): string {
  return `${first.padEnd(24)}${cells.map((cell) => cell.padStart(14)).join("")}`;
}
