import { type Command, InvalidArgumentError } from "commander";
import {
  addBudgetFlags,
  addMaxCostFlag,
  addPriceFlags,
  MAX_BUDGET_SAMPLES,
  priceText,
  readMaxCost,
  readPrices,
  withinBudget,
} from "./cost_flags.ts";
import { describePlan, describePreflight, warnUnmeasured } from "./describe_run.ts";
import { addModelFlags, openFlaggedModel } from "./model_flags.ts";
import { CommandFailure, type Output, writeTables } from "./output.ts";
import { openProgress } from "./files.ts";
import { printFailedCalls, reportJson, tablesOf } from "./print_run.ts";
import { addSearchFlags, printSearch, readAim } from "./search_flags.ts";
import {
  addBenchmarkFlag,
  addFirstFlag,
  addKnobFlags,
  addMaterialFlags,
  type Flags,
  lengths,
  names,
  openBenchmarks,
  pickGiven,
  readKnobs,
  readMaterialFlags,
  readTaskChoices,
  samplesAt,
  wholeNumber,
} from "./task_flags.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import {
  asInRun,
  type Batching,
  checkWindow,
  chooseBySearch,
  DEFAULT_CONCURRENCY,
  type Interrupts,
  MAX_CONCURRENCY,
  NothingCameYet,
  preflight,
  runStudy,
  searchRun,
  type StudyRun,
  takeInterrupts,
} from "@/lib/asking/mod.ts";
import {
  checkStudy,
  countedFor,
  type OpenedModel,
  openStudy,
  planShard,
  planStudy,
  readShard,
  readStudyFile,
  type Study,
  type StudyChanges,
  studyOfSamples,
} from "@/lib/studies/mod.ts";
import { priceOfRecords } from "@/lib/records/mod.ts";
import { runReport } from "@/lib/reports/mod.ts";
import type { SearchAim } from "@/lib/statistics/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Adds `fathom run`: asks a model and records its replies. */
export function addRunCommand(program: Command, output: Output): void {
  const command = addAskingFlags(program.command("run"))
    .description(
      "Asks a model every task at every length and appends each reply to results/runs/RUN/records.jsonl. The same " +
        "command again resumes the run: it repeats failed calls, never answered ones. Ctrl-C stops after the calls in " +
        "flight; a second Ctrl-C stops immediately.",
    )
    .option("--shard <i/n>", "ask one of n parts of the run, which other jobs can ask at the same time", readShard)
    .option("--dry-run", "print what would be asked and its cost, then stop")
    .option(
      "--json",
      "print a JSON object at the end, as `fathom report --json`",
    )
    .option("--help-all", "print every flag");
  addRecipeFlags(addSearchFlags(addMaxCostFlag(addBudgetFlags(command))));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom run --tasks all --lengths 4096,8192 --samples 25 --model sim:ideal --name first\n" +
      "  fathom run --study data/studies/ruler.yaml --model my-model --base-url http://127.0.0.1:8000/v1\n" +
      "  fathom run --adaptive --threshold 85.6 --lengths 4K,8K,16K,32K --samples 500 --model my-model\n" +
      "  fathom run --tasks niah --set keys=8 --lengths 32K --model gpt-4o --dry-run\n" +
      "  fathom run --tasks all --lengths 4K --model my-model,other --name both # two runs\n" +
      "  fathom run --benchmark ./mine.ts --tasks all --lengths 8K --model my-model",
  );
  command.action(async (flags: Flags) => {
    for (const each of flagsOfModels(flags)) await (flags.dryRun ? dryRun(each, output) : ask(each, output));
  });
}

/** Adds the flags of the study and of the calls. */
export function addAskingFlags(command: Command): Command {
  return addConcurrencyFlag(addStudyFlags(command))
    .option(
      "--max-failures <n>",
      "stop if more calls fail: a count, or a share such as 5% (default: 20%, or about 10 in a row)",
      failureBudget,
    );
}

/** Adds `--concurrency`. */
export function addConcurrencyFlag(command: Command): Command {
  return command.option(
    "--concurrency <n>",
    `calls in flight, or auto (default: the model entry's, or ${DEFAULT_CONCURRENCY})`,
    (text) => text === "auto" ? text : wholeNumber(1, MAX_CONCURRENCY)(text),
  );
}

/** Adds the flags of the study. */
export function addStudyFlags(command: Command): Command {
  return command
    .option("--study <file>", "a study file (YAML); flags override it")
    .option(
      "--samples-file <path>",
      "ask existing samples: JSON lines with input and outputs, RULER's folder LENGTH/data/TASK/validation.jsonl, " +
        "or test files of Counting-Stars and Needle Threading, such as Single_Needle.json",
    )
    .option("--tasks <names>", "comma-separated tasks, families or benchmarks, or all; see `fathom tasks`", names)
    .option("--lengths <tokens>", "comma-separated context lengths, such as 4096,8192 or 4K,8K", lengths)
    .option("--samples <n>", "samples per task and length", wholeNumber(1))
    .option(
      "--repeats <n>",
      "times to ask each sample; its score is their mean (default: 1)",
      wholeNumber(1, 1000),
    )
    .option("--samples-at <list>", "fewer samples at some lengths, such as 64K=20,128K=10", samplesAt)
    .option("--name <run>", "the run's name (default: the model's)");
}

/** Adds the flags of prices, samples, knobs, texts and the model. */
export function addRecipeFlags(command: Command): Command {
  command.option("--no-preflight", "skip the preflight of the server: window, template, tokens, speed");
  addBenchmarkFlag(addFirstFlag(addPriceFlags(command)));
  return addKnobFlags(addMaterialFlags(addModelFlags(command), { defaults: false }));
}

/** Opens the study and the model of the flags, which override a study file. */
export async function openAsked(
  flags: Flags,
  context: StudyContext,
): Promise<{ readonly study: Study; readonly model: OpenedModel }> {
  const study = await readStudy(flags, context);
  const model = await openFlaggedModel(flags, { ...context, variant: study.variant });
  // Lengths count the model's own tokens, unless a flag or the file names another tokenizer.
  return { study: countedFor(study, model), model };
}

async function readStudy(flags: Flags, { benchmarks }: StudyContext): Promise<Study> {
  const { study: path, tasks: asked, samplesFile } = flags;
  const isOpen = flags.budget !== undefined && path === undefined && samplesFile === undefined;
  const given = {
    ...flags,
    samples: flags.samples ?? (isOpen ? MAX_BUDGET_SAMPLES : undefined),
    first: flags.firstSample,
  };
  const changes: StudyChanges = {
    ...readMaterialFlags(flags),
    ...pickGiven(given, ["lengths", "samples", "samplesAt", "repeats", "first"]),
  };
  if (samplesFile !== undefined) {
    const other = path !== undefined ? "--study" : Object.keys(readKnobs(flags)).length > 0 ? "knobs" : undefined;
    if (other !== undefined) {
      throw new RangeError(
        `Cannot ask the samples as --samples-file must be used without ${other}: current value is "${samplesFile}"`,
      );
    }
    return await studyOfSamples(samplesFile, { ...changes, ...(asked ? { tasks: asked } : {}) }, { benchmarks });
  }
  if (path !== undefined && asked === undefined) {
    return await readStudyFile(path, { ...changes, set: readKnobs(flags) }, { benchmarks });
  }
  const tasks = readTaskChoices(asked ?? ["all"], { flags, benchmarks });
  return path === undefined
    ? checkStudy({ ...changes, tasks }, { where: "the flags", benchmarks })
    : await readStudyFile(path, { ...changes, tasks }, { benchmarks });
}

/** Returns the flags for each of the models, which get a run each, one after another. */
export function flagsOfModels(flags: Flags): readonly Flags[] {
  const models = String(flags.model).split(",").map((model) => model.trim()).filter((model) => model !== "");
  if (models.length < 2) return [flags];
  if (flags.json) {
    throw new RangeError(
      `Cannot print one JSON object as --json needs a single model: current value is "${flags.model}"`,
    );
  }
  const { name } = flags;
  return models.map((model) => ({ ...flags, model, name: name && `${name}-${inRunName(model)}` }));
}

function inRunName(model: string): string {
  return model.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
}

interface StudyContext {
  readonly benchmarks: readonly Benchmark[];
  readonly output: Output;
}

async function ask(flags: Flags, output: Output): Promise<void> {
  const benchmarks = await openBenchmarks(flags);
  const { study: asked, model } = await openAsked(flags, { benchmarks, output });
  const aim = readAim(flags);
  const study = await withinBudget(asked, {
    ...{ flags, model, name: baseNameOf(flags, model), benchmarks, output },
    inBatches: false,
  });
  await askStudy(study, { name: baseNameOf(flags, model), model, benchmarks, aim, flags, output });
}

/** Options for {@linkcode askStudy}. */
export interface AskStudyOptions extends StudyContext {
  /** The run's name. */
  readonly name: string;
  readonly model: OpenedModel;
  /** The aim of an adaptive search; `undefined` to ask all samples. */
  readonly aim: SearchAim | undefined;
  /** Options of batches, if the study is asked in batches. */
  readonly batching?: Batching;
  readonly flags: Flags;
}

/** Asks a model a study, records its replies and prints the report. */
export async function askStudy(
  study: Study,
  { name, model, benchmarks, aim, batching, flags, output }: AskStudyOptions,
): Promise<void> {
  const progress = openProgress(output);
  using interrupt = onInterrupt(output);
  try {
    const run = await runStudy(study, {
      name: baseNameOf(flags, model),
      // With a default name, another address may mean another run.
      anyAddress: flags.name !== undefined,
      ...(flags.shard === undefined ? {} : { shard: flags.shard }),
      model,
      benchmarks,
      concurrency: concurrencyOf(flags, model),
      ...(flags.maxFailures === undefined ? {} : { maxFailures: flags.maxFailures as number }),
      maxCost: readMaxCost(flags, model.price),
      batching,
      stop: interrupt.stop,
      signal: interrupt.end,
      onPlan: (plan, store) => {
        describePlan(plan, { store, flags, model, inBatches: batching !== undefined, output });
        if (flags.preflight === false) warnUnmeasured(plan, model, output);
      },
      ...(flags.preflight === false
        ? {}
        : { onServer: (look, changes) => describePreflight(look, { changes, output }) }),
      onProgress: progress.update,
      ...(aim === undefined ? {} : { choose: chooseBySearch(aim), search: aim }),
    });
    progress.end();
    for (const note of [...run.notes, ...run.summary.notMade]) output.note(note);
    const report = runReport(run);
    const prices = readPrices(flags, model.price);
    if (flags.json) {
      const search = aim === undefined ? {} : { search: searchRun(run, aim) };
      await output.write(
        `${JSON.stringify({ ...reportJson(name, run, report, prices), summary: run.summary, ...search })}\n`,
      );
    } else {
      await writeTables(tablesOf(report), output);
      await printFailedCalls(run, output);
      if (aim !== undefined) await printSearch(run, aim, output);
    }
    output.note(
      `${name}: ${run.summary.answered} of ${run.summary.total} answered, ${run.summary.failed} failed; see \`fathom report ${name}\``,
    );
    if (prices !== undefined) {
      const spent = priceText(priceOfRecords(run.records, prices));
      output.note(`${name}: ${spent}, by the server's own counts of tokens`);
    }
    if (run.summary.underWay !== undefined) {
      output.note(`${name}: ${run.summary.underWay} in batches under way; see \`fathom batch status ${name}\``);
    }
    refuseGaps(run, name);
  } catch (error) {
    if (interrupt.isTerminated()) throw terminated(name, error);
    if (!(error instanceof NothingCameYet) || error.summary.isStopped) throw error;
    progress.end();
    output.note(error.message);
    if (flags.json) await output.write(`${JSON.stringify({ run: name, summary: error.summary })}\n`);
  } finally {
    progress.end();
  }
}

/** Exit code of a run in which some calls failed. */
export const SOME_FAILED = 3;

/** Exit code of a run ended by SIGTERM, as in shells: 128 + 15. */
export const TERMINATED = 143;

function terminated(name: string, cause: unknown): CommandFailure {
  const message =
    `Stopped by SIGTERM before the end of run "${name}": the same command or \`fathom resume ${name}\` resumes it`;
  return new CommandFailure(message, TERMINATED, { cause });
}

/** Fails if a run is incomplete, so that no script mistakes a part for the whole. */
function refuseGaps({ summary: { trouble, isStopped, answered, total }, records }: StudyRun, name: string): void {
  if (trouble !== undefined) throw new Error(trouble);
  if (isStopped) throw new Error(`Stopped before the end of run "${name}": the same command resumes it`);
  // A sample that the simulated reader cannot solve would fail again.
  const failed = records.filter(({ reply }) => reply.kind === "failure" && reply.failure !== "unsolved").length;
  if (failed === 0) return;
  const message = `${total} ${plural(total, "question")} failed: the same command asks again`;
  throw answered === 0 ? new Error(`All ${message}`) : new CommandFailure(`${failed} of ${message}`, SOME_FAILED);
}

/** Parses the number of calls that may fail: a count, or a share such as `5%`. */
export function failureBudget(text: string): number {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (share !== null && Number(share[1]) < 100) return Number(share[1]) / 100;
  if (/^\d+$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError("It must be a count from 1, or a share below 100%, such as 5%.");
}

/** Returns the name of the run: the flag, or the model's name. */
export function baseNameOf(flags: Flags, model: OpenedModel): string {
  return flags.name ?? inRunName(model.name);
}

/** Prints the questions and cost of a run, and what the preflight finds without asking a question. */
export async function dryRun(flags: Flags, output: Output, { inBatches = false } = {}): Promise<void> {
  const benchmarks = await openBenchmarks(flags);
  const { study: asked, model: chosen } = await openAsked(flags, { benchmarks, output });
  const name = baseNameOf(flags, chosen);
  const study = await withinBudget(asked, { flags, model: chosen, name, benchmarks, inBatches, output });
  const opened = await openStudy(study, { benchmarks });
  const model = await asInRun(chosen, baseNameOf(flags, chosen));
  const [whole, aim] = [planStudy(opened, model), readAim(flags)];
  const plan = flags.shard === undefined ? whole : planShard(whole, flags.shard);
  if (aim !== undefined) chooseBySearch(aim)([], plan);
  describePlan(plan, { flags, model, inBatches, output });
  const look = flags.preflight === false ? undefined : await preflight(model, { plan, asks: false });
  // Planning needs no server.
  if (look?.report.served === undefined) return;
  describePreflight(look, { output });
  checkWindow(plan.cells, look, model);
}

/** Returns the concurrency of the flag, otherwise of the model's entry. */
function concurrencyOf(flags: Flags, model: OpenedModel): number | "auto" {
  return flags.concurrency as number | "auto" | undefined ?? model.concurrency ?? DEFAULT_CONCURRENCY;
}

/** Makes Ctrl-C and SIGTERM stop after the calls in flight, and a second one immediately. */
export function onInterrupt(output: Output): Interrupts {
  const lines: Readonly<Partial<Record<Deno.Signal, string>>> = {
    SIGINT: "\nStopping after the calls in flight; Ctrl-C again stops immediately. The same command resumes the run.",
    SIGTERM:
      "\nSIGTERM: stopping after the calls in flight, at the latest in 20 seconds. The same command resumes the run.",
  };
  return takeInterrupts((signal) => output.note(lines[signal]!), { terminations: true });
}
