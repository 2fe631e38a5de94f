import { type Command, InvalidArgumentError, Option } from "commander";
import { defined } from "@/lib/base/mod.ts";
import { askStudy, describePlan, describePreflight } from "./ask_study.ts";
import { number, samplesAt, tokenBudget, wholeNumber } from "./flag_values.ts";
import {
  addBenchmarkFlag,
  addMeasureFlag,
  addSampleFlags,
  addTaskFlags,
  type Flags,
  type Given,
  openBenchmarks,
  readChanges,
  readStudyFlags,
} from "./flags.ts";
import { addConcurrencyFlag, addMaxCostFlag, addModelFlags, addPriceFlags, openFlaggedModel } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { asInRun, type Batching, checkWindow, chooseBySearch, preflight } from "@/lib/asking/mod.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import type { LocalServer } from "@/lib/exchange/mod.ts";
import { RULER_THRESHOLD, type SearchAim } from "@/lib/statistics/mod.ts";
import {
  countedFor,
  fitBudget,
  type OpenedModel,
  openStudy,
  planShard,
  planStudy,
  readShard,
  type Study,
  studyOfSamples,
} from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = addStudyFlags(program.command("run"))
    .description(
      "Asks a model every task at every length and appends each reply to results/runs/RUN/records.jsonl. The same " +
        "command again resumes the run: it repeats failed calls, never answered ones. Ctrl-C stops after the calls in " +
        "flight; a second Ctrl-C stops immediately.",
    );
  addMaxFailuresFlag(addConcurrencyFlag(command))
    .option("--shard <i/n>", "ask one of n parts of the run, which other jobs can ask at the same time", readShard)
    .option("--live [port]", "serve the page of `fathom view` while the run goes on", wholeNumber(0, 65_535))
    .option("--dry-run", "print what would be asked and its cost, then stop")
    .option("--json", "print a JSON object at the end, as `fathom report --json`");
  addRecipeFlags(addMaxCostFlag(addMeasureFlag(command)));
  addSearchFlags(command);
  hideRareFlags(command).addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom run --tasks all --lengths 4096,8192 --samples 25 --model sim:ideal --name first\n" +
      "  fathom run --study data/studies/ruler.yaml --model my-model --base-url http://127.0.0.1:8000/v1\n" +
      "  fathom run --adaptive --threshold 85.6 --lengths 4K,8K,16K,32K --samples 500 --model sim:gpt-4\n" +
      "  fathom run --tasks niah --set keys=8 --lengths 32K --model gpt-4o --dry-run\n" +
      "  fathom run --tasks all --lengths 4K --model sim:ideal,sim:lwm --name both # two runs\n" +
      "  fathom run --benchmark ./mine.ts --tasks all --lengths 8K --model sim:ideal",
  );
  command.action((flags: Flags) => askModels(flags, output));
}

/** Asks each of the models of the flags, or prints what it would be asked. */
export async function askModels(flags: Flags, output: Output, batching?: Batching): Promise<void> {
  for (const each of flagsOfModels(flags)) await ask(each, output, batching);
}

async function ask(flags: Flags, output: Output, batching?: Batching): Promise<void> {
  const benchmarks = await openBenchmarks(flags);
  const { study, model } = await openAsked(flags, { benchmarks, output });
  const name = flags.name ?? inRunName(model.name);
  const [aim, inBatches] = [readAim(flags), batching !== undefined];
  if (!flags.dryRun) {
    await using page = flags.live === undefined ? null : await openLivePage(name, flags);
    if (page !== null) output.note(`Live page: ${page.url}`);
    return await askStudy(study, { name, model, benchmarks, aim, flags, output, ...defined({ batching }) });
  }
  const recorded = await asInRun(model, name);
  const whole = planStudy(await openStudy(study, { benchmarks }), recorded);
  const plan = flags.shard === undefined ? whole : planShard(whole, flags.shard);
  if (aim !== undefined) chooseBySearch(aim)([], plan);
  describePlan(plan, { flags, model: recorded, inBatches, output });
  const look = flags.preflight === false ? undefined : await preflight(recorded, { plan, asks: false });
  // Planning needs no server.
  if (look?.report.served === undefined) return;
  describePreflight(look, { output });
  checkWindow(plan.cells, look, recorded);
}

async function openLivePage(name: string, flags: Flags): Promise<LocalServer & AsyncDisposable> {
  const { serveExplorer } = await import("./serve_explorer.ts");
  return await serveExplorer([name], { flags, port: flags.live, isLive: true });
}

/** Returns the flags for each of the models, which get a run each, one after another. */
function flagsOfModels(flags: Flags): readonly Flags[] {
  const models = (flags.model ?? "").split(",").map((model) => model.trim()).filter((model) => model !== "");
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

/** Flags that only `--help-all` of `run` and `batch` shows. */
const RARE_FLAGS: readonly string[] = (
  "--price-in --price-out --price-cached --max-cost --samples-at --share --rule --squad --hotpotqa --mmlu --no-preflight " +
  "--first-sample --samples-file --max-failures --shard --variant"
).split(" ");

/** Hides the rare flags of a command from its short help. */
export function hideRareFlags(command: Command): Command {
  for (const option of command.options) option.hidden ||= RARE_FLAGS.includes(option.long ?? "");
  return command.option("--help-all", "print every flag");
}

export function addMaxFailuresFlag(command: Command): Command {
  const about = "stop if more calls fail: a count, or a share such as 5% (default: 20%, or about 10 in a row)";
  return command.option("--max-failures <n>", about, failureBudget);
}

/** Parses the number of calls that may fail: a count, or a share such as `5%`. */
function failureBudget(text: string): number {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (share !== null && Number(share[1]) < 100) return Number(share[1]) / 100;
  if (/^\d+$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError("It must be a count from 1, or a share below 100%, such as 5%.");
}

export function addStudyFlags(command: Command): Command {
  return addTaskFlags(
    command
      .option("--study <file>", "a study file (YAML); flags override it")
      .option("--samples-file <path>", "ask existing samples: JSON lines, RULER's folder, or test files of authors"),
  )
    .option("--repeats <n>", "times to ask each sample; its score is their mean (default: 1)", wholeNumber(1, 1000))
    .option(
      "--budget <tokens>",
      "the most tokens, such as 20M, spread over the lengths for the surest mean",
      tokenBudget,
    )
    .option("--samples-at <list>", "fewer samples at some lengths, such as 64K=20,128K=10", samplesAt)
    .option("--name <run>", "the run's name (default: the model's)");
}

export function addRecipeFlags(command: Command): Command {
  command.option("--no-preflight", "skip the preflight of the server: window, template, tokens, speed");
  return addSampleFlags(addModelFlags(addBenchmarkFlag(addPriceFlags(command))));
}

interface StudyContext {
  readonly benchmarks: readonly Benchmark[];
  readonly output: Output;
}

/** Opens the study and the model of the flags, which override a study file. */
export async function openAsked(
  flags: Flags,
  context: StudyContext,
): Promise<{ readonly study: Study; readonly model: OpenedModel }> {
  if (flags.samplesFile !== undefined) {
    const model = await openFlaggedModel(flags, { ...context, ...defined({ variant: readChanges(flags).variant }) });
    // Samples without a length are sorted by their tokens.
    const tokenizer = flags.tokenizer ?? model.tokenizer;
    return { study: await readStudy({ ...flags, tokenizer }, context), model };
  }
  const study = await readStudy(flags, context);
  const model = await openFlaggedModel(flags, { ...context, variant: study.variant });
  // Lengths count the model's own tokens, unless a flag or the file names another tokenizer.
  const counted = countedFor(study, model);
  if (flags.budget === undefined) return { study: counted, model };
  if (flags.samples !== undefined || flags.samplesAt !== undefined) {
    const given = flags.samples ?? JSON.stringify(flags.samplesAt);
    throw new RangeError(
      `Cannot use --budget as --samples and --samples-at must be left out: current value is ${given}`,
    );
  }
  return { study: fitBudget(await openStudy(counted, context), model, flags.budget), model };
}

async function readStudy(flags: Flags, { benchmarks }: StudyContext): Promise<Study> {
  const { study: path, tasks, samplesFile, set } = flags;
  if (samplesFile === undefined) return await readStudyFlags(flags, { benchmarks });
  const given = { ...readChanges(flags), ...defined({ tasks, set }) };
  if (path === undefined) return await studyOfSamples(samplesFile, given, { benchmarks });
  throw new RangeError(
    `Cannot ask the samples as --samples-file must be used without --study: current value is "${samplesFile}"`,
  );
}

function addSearchFlags(command: Command): void {
  const options = [
    new Option("--adaptive", "ask only until the effective length is decided, up to --samples"),
    new Option("--threshold <percent>", `mean score of an effective length, in percent (default: ${RULER_THRESHOLD})`)
      .argParser(number(0, 100)),
    new Option("--share <share>", "the threshold as a share of the mean at the shortest length, such as 0.85")
      .argParser(number(0, 1)),
    new Option("--rule <name>", "the longest length that reaches (default) or exceeds it, or before the first miss")
      .choices(["published", "strict", "contiguous"]),
  ];
  for (const option of options) command.addOption(option.helpGroup("Search for the effective length:"));
}

/** Reads the aim of a search; `undefined` without --adaptive. */
function readAim(
  { adaptive, threshold, share, rule }: Flags & Given<"threshold" | "share", number> & Given<"rule", SearchAim["rule"]>,
): SearchAim | undefined {
  const [given] = Object.entries({ threshold, share, rule }).filter(([, value]) => value !== undefined);
  if (!adaptive) {
    if (given === undefined) return undefined;
    throw new RangeError(`Cannot use --${given[0]} as --adaptive must be given too: current value is "${given[1]}"`);
  }
  if (share !== undefined && threshold !== undefined) {
    throw new RangeError(`Cannot use --share as --threshold must not be given: current value is ${threshold}`);
  }
  return { threshold: share === undefined ? threshold ?? RULER_THRESHOLD : { share }, rule: rule ?? "published" };
}
