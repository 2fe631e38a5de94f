import { Command, CommanderError, Option } from "commander";
import { addDoctorCommand } from "./doctor_command.ts";
import { addGenerateCommand } from "./generate_command.ts";
import { addHeatmapCommand } from "./heatmap_command.ts";
import { addModelFlags, openFlaggedModel } from "./model_flags.ts";
import { addPlanCommand } from "./plan_command.ts";
import { addRegradeCommands } from "./regrade_commands.ts";
import { addReportCommand, printReport } from "./report_command.ts";
import { addScoreCommand } from "./score_command.ts";
import { addServeCommand } from "./serve_command.ts";
import {
  addKnobFlags,
  addMaterialFlags,
  type Flags,
  length,
  lengths,
  names,
  number,
  readKnobs,
  readMaterialFlags,
  readTaskChoices,
  wholeNumber,
} from "./task_flags.ts";
import { addTasksCommand } from "./tasks_command.ts";
import type { Prompt } from "@/lib/generators/mod.ts";
import {
  checkStudy,
  chooseBySearch,
  type CloseUp,
  closeUp,
  estimateRun,
  FATHOM_VERSION,
  openStudy,
  pickReply,
  placeOf,
  type Plan,
  planStudy,
  readRun,
  readStudyFile,
  type RunStore,
  runStudy,
  scoreRecords,
  searchRun,
  shellProgress,
  type Study,
  type StudyChanges,
  type StudyRun,
} from "@/lib/runs/mod.ts";
import { anytimeInterval, type LengthVerdict, RULER_THRESHOLD, type SearchAim } from "@/lib/statistics/mod.ts";
import { lengthText, quoteText } from "@/lib/text/mod.ts";

const encoder = new TextEncoder();

async function write(text: string): Promise<void> {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
}

if (import.meta.main) {
  const code = await fathom(Deno.args, {
    write,
    print: (text) => void Deno.stdout.writeSync(encoder.encode(text)),
    note: (line) => void Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
    redraw: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
  });
  Deno.exit(code);
}

/**
 * Runs Fathom's command line.
 *
 * @param args The words after `fathom`.
 * @param output Where results and remarks go.
 * @returns The exit code: 0 where all went well, 2 for wrong input, 1 for anything else.
 */
export function fathom(args: readonly string[], output: Output): Promise<number> {
  return guard(async () => {
    const program = buildProgram(output);
    if (args.length === 0) return program.outputHelp();
    await program.parseAsync(withoutDashes(args), { from: "user" });
  }, output);
}

/** Drops the `--` before a flag, as npm wants it between a task's name and its flags; Deno hands it on. */
function withoutDashes(args: readonly string[]): string[] {
  return args.filter((word, at) => word !== "--" || at > 1 || !args[at + 1]?.startsWith("--"));
}

function buildProgram(output: Output): Command {
  const program = new Command("fathom")
    .description("Measures how deep a language model really reads.")
    .version(FATHOM_VERSION, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => output.print(text),
      writeErr: () => {},
      outputError: (text) => output.note(`fathom: ${text.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ").trim()}`),
    });
  addTasksCommand(program, output);
  addGenerateCommand(program, output);
  addPlanCommand(program, output);
  addRunCommand(program, output);
  addScoreCommand(program, output);
  addReportCommand(program, output);
  addRegradeCommands(program, output);
  addHeatmapCommand(program, output);
  addShowCommand(program, output);
  addServeCommand(program, output);
  addDoctorCommand(program, output);
  return program;
}

/** Adds `fathom run`: asks a model and records its replies. */
function addRunCommand(program: Command, output: Output): void {
  const command = program.command("run")
    .summary("ask a model, and record its replies")
    .description(
      "Asks a model every task at every length and appends each reply to results/runs/RUN/records.jsonl.\n" +
        "The same line again goes on where it stopped: answers are never asked twice, failed calls are asked again.\n" +
        "Ctrl-C waits for the calls under way; a second one ends them.",
    )
    .option("--study <file>", "a study file (YAML); flags change what it says")
    .option("--tasks <names>", "tasks parted by commas, or all", names)
    .option("--lengths <tokens>", "lengths parted by commas, such as 4096,8192 or 4K,8K", lengths)
    .option("--samples <n>", "samples of each task at each length", wholeNumber(1))
    .option("--first <n>", "the number of the first sample", wholeNumber(0))
    .option("--name <run>", "the run's name; made of the model's name unless given")
    .option("--concurrency <n>", "calls under way at a time", wholeNumber(1, 256), 8)
    .option("--price-in <amount>", "price of a million prompt tokens, to tell the cost beforehand", number(0))
    .option("--price-out <amount>", "price of a million answer tokens", number(0))
    .option("--dry-run", "tell what would be asked and what it costs, and stop");
  addKnobFlags(addMaterialFlags(addModelFlags(addSearchFlags(command)), { defaults: false }));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom run --tasks all --lengths 4096,8192 --samples 25 --model sim:ideal --name first\n" +
      "  fathom run --study data/studies/ruler.yaml --model my-model --base-url http://127.0.0.1:8000/v1\n" +
      "  fathom run --adaptive --threshold 85.6 --lengths 4K,8K,16K,32K,64K,128K --samples 500 --model my-model\n" +
      "  fathom run --tasks niah --num-keys 8 --lengths 32K --samples 100 --model gpt-4o --price-in 2.5 --price-out 10 --dry-run",
  );
  command.action((flags: Flags) => flags.dryRun ? tellPlan(flags, output) : ask(flags, output));
}

/** The study that the flags name or describe; flags change what a file says. */
async function readStudy(flags: Flags): Promise<Study> {
  const [path, tasks] = [flags.study as string | undefined, flags.tasks as string[] | undefined];
  const given = ["lengths", "samples", "first"].filter((key) => flags[key] !== undefined);
  const changes = { ...readMaterialFlags(flags), ...Object.fromEntries(given.map((key) => [key, flags[key]])) };
  if (path === undefined) {
    return checkStudy({ ...changes, tasks: readTaskChoices(tasks ?? ["all"], flags) }, "the flags");
  }
  const asked = tasks === undefined ? { set: readKnobs(flags) } : { tasks: readTaskChoices(tasks, flags) };
  return await readStudyFile(path, { ...changes, ...asked } as StudyChanges);
}

async function ask(flags: Flags, output: Output): Promise<void> {
  const [study, aim] = [await readStudy(flags), readAim(flags)];
  const model = openFlaggedModel(flags);
  const name = (flags.name as string | undefined) ?? model.name.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  const progress = shellProgress({
    write: output.redraw,
    isTerminal: Deno.stderr.isTerminal(),
    ...(Deno.stderr.isTerminal() ? { columns: Deno.consoleSize().columns } : {}),
  });
  using interrupt = onInterrupt(output);
  try {
    const run = await runStudy(study, {
      name,
      model,
      concurrency: flags.concurrency as number,
      stop: interrupt.stop,
      signal: interrupt.end,
      onPlan: (plan, store) => describePlan(plan, { store, flags, output }),
      onProgress: progress.update,
      ...(aim === undefined ? {} : { choose: chooseBySearch(aim) }),
    });
    progress.end();
    for (const note of [...run.notes, ...run.summary.notMade]) output.note(note);
    await printReport(run, output);
    if (aim !== undefined) await printSearch(run, aim, output);
    output.note(
      `${name}: ${run.summary.answered} of ${run.summary.total} answered, ${run.summary.failed} failed; see \`fathom report ${name}\``,
    );
    // A script must not take a part of a run for the whole of it.
    if (run.summary.isStopped) {
      throw new Error(`Stopped before the end of run "${name}": the same line goes on with it`);
    }
  } finally {
    progress.end();
  }
}

async function tellPlan(flags: Flags, output: Output): Promise<void> {
  const opened = await openStudy(await readStudy(flags));
  const [plan, aim] = [planStudy(opened, openFlaggedModel(flags)), readAim(flags)];
  if (aim !== undefined) chooseBySearch(aim)([], plan);
  describePlan(plan, { flags, output });
}

function describePlan(
  plan: Plan,
  { store, flags, output }: { readonly store?: RunStore; readonly flags: Flags; readonly output: Output },
): void {
  const { priceIn, priceOut, thinkingTokens, concurrency } = flags as Record<string, number | undefined>;
  const estimate = estimateRun(plan, {
    ...(store ? { isAnswered: (sample) => store.outcome(placeOf(sample)) === "answer" } : {}),
    ...(priceIn === undefined && priceOut === undefined
      ? {}
      : { prices: { input: priceIn ?? 0, output: priceOut ?? 0 } }),
    ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
    ...(concurrency === undefined ? {} : { concurrency }),
    exactUpTo: 2_000_000,
  });
  const { questions, promptTokens, isExact, answerTokens, price } = estimate;
  for (const note of store?.notes ?? []) output.note(note);
  for (const { task, length, least } of plan.tooShort) {
    output.note(`${task.name} does not fit ${length} tokens: it needs at least ${least}, and is left out there`);
  }
  const tokens = `${isExact ? "" : "at most "}${promptTokens.toLocaleString("en")} prompt tokens and at most ${
    answerTokens.toLocaleString("en")
  } to answer`;
  output.note(
    `${flags.adaptive ? "at most " : ""}${questions} of ${plan.questions} questions to ask: ${tokens}${
      price === null ? "" : `, at most ${price.toFixed(2)} in the currency of the prices`
    }`,
  );
}

/** Turns Ctrl-C into a quiet stop, and a second one into an end at once. */
function onInterrupt(output: Output): { readonly stop: AbortSignal; readonly end: AbortSignal } & Disposable {
  const [stop, end] = [new AbortController(), new AbortController()];
  const listener = (): void => {
    if (stop.signal.aborted) return end.abort();
    stop.abort();
    output.note("\nStopping: waiting for the calls under way; Ctrl-C again ends them. The same line goes on later.");
  };
  Deno.addSignalListener("SIGINT", listener);
  return { stop: stop.signal, end: end.signal, [Symbol.dispose]: () => Deno.removeSignalListener("SIGINT", listener) };
}

/** The exit code of a wrong flag, name, file or value. */
const WRONG_INPUT = 2;
/** The exit code of everything else that went wrong. */
const WENT_WRONG = 1;

/** Where a command writes; tests pass their own. */
export interface Output {
  /** Writes results; resolves when they are out, so that a slow pipe slows the work. */
  write(text: string): Promise<void>;
  /** Writes help, at once. */
  print(text: string): void;
  /** Tells the person at the shell something that is not a result. */
  note(line: string): void;
  /** Writes progress as it is, control characters included. */
  redraw(text: string): void;
}

/**
 * Runs a command and turns what it throws into one line and an exit code.
 *
 * A person never sees a stack trace: what was wrong, what was wanted, and nothing else. With `FATHOM_DEBUG` set, the trace of
 * an error that is not the user's follows.
 */
async function guard(command: () => Promise<void>, output: Output): Promise<number> {
  try {
    await command();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT;
    // A reader that has seen enough (`| head`) closes the pipe; that is no fault.
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    output.note(`fathom: ${oneLine(error)}`);
    if (isWrongInput(error)) return WRONG_INPUT;
    if (Deno.env.get("FATHOM_DEBUG") && error instanceof Error) output.note(error.stack ?? "");
    return WENT_WRONG;
  }
}

function isWrongInput(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError ||
    error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable;
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, " ").trim();
}

const AIM_FLAGS = ["threshold", "share", "rule"] as const;

/** Adds the flags of an adaptive search. */
function addSearchFlags(command: Command): Command {
  const options = [
    new Option("--adaptive", "ask only what decides the effective length; --samples is the most then"),
    new Option("--threshold <percent>", `what the mean of the tasks must reach; ${RULER_THRESHOLD} unless given`)
      .argParser(number(0, 100)),
    new Option("--share <share>", "instead: a share of the mean at the shortest length, such as 0.85")
      .argParser(number(0, 1)),
    new Option("--rule <name>", "which length counts: the longest that passes, or the last before one that does not")
      .choices(["published", "strict", "contiguous"]),
  ];
  for (const option of options) command.addOption(option.helpGroup("Search for the effective length:"));
  return command;
}

/** Reads what is searched for; `undefined` where every sample is to be asked. */
function readAim(flags: Flags): SearchAim | undefined {
  const given = AIM_FLAGS.filter((name) => flags[name] !== undefined);
  if (!flags.adaptive) {
    if (given.length === 0) return undefined;
    throw new RangeError(
      `Cannot use --${given[0]} as --adaptive must be given too: current value is "${flags[given[0]!]}"`,
    );
  }
  const { threshold = RULER_THRESHOLD, share, rule = "published" } = flags as Partial<Record<string, number>>;
  if (share !== undefined && flags.threshold !== undefined) {
    throw new RangeError(`Cannot search with --share as --threshold must be left out: current value is ${threshold}`);
  }
  return { threshold: share === undefined ? threshold : { share }, rule: rule as NonNullable<SearchAim["rule"]> };
}

/** Prints what the search found, a line a length. */
async function printSearch(
  run: Pick<StudyRun, "plan" | "replies">,
  aim: SearchAim,
  output: Output,
): Promise<void> {
  const { answer, isSettled, lengths } = searchRun(run, aim);
  const wanted = typeof aim.threshold === "number" ? aim.threshold : `${aim.threshold.share} of that at the shortest`;
  const asked = `${run.replies.length} of ${run.plan.questions} samples asked`;
  const state = answer === null
    ? "still open; the same line goes on"
    : `${answer.text}, ${isSettled ? "settled: wrong in at most 5% of searches" : "not settled: see below"}`;
  await output.write(`\nEffective length by a mean of ${wanted} (${asked}): ${state}\n`);
  for (const verdict of lengths) await output.write(`  ${verdictText(verdict)}\n`);
}

function verdictText({ length, rounds, passes, isSettled }: LengthVerdict): string {
  const scores = rounds.flat();
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const { low, high } = anytimeInterval(rounds);
  const [score, from, to] = [mean, low, high].map((share) => (100 * share).toFixed(1));
  const known = rounds.length === 0 ? "no score" : `${score} [${from}, ${to}] in ${rounds.length} rounds`;
  const verdict = passes === null
    ? "not needed"
    : `${passes ? "passes" : "falls short"}${isSettled ? "" : ", by the mean of all samples alone"}`;
  return `${lengthText(length).padStart(6)}  ${known.padEnd(36)}${verdict}`;
}

interface ShowFlags {
  readonly task?: string;
  readonly length?: number;
  readonly index?: number;
  readonly characters: number;
  readonly facts: number;
  readonly prompt?: boolean;
  readonly json?: boolean;
}

/** Adds `fathom show`: one sample of a recorded run, close up. */
function addShowCommand(program: Command, output: Output): void {
  program.command("show")
    .summary("show one sample of a run: the text round its facts, the reply, the score and why")
    .description(
      "Makes a sample of a run again from its recipe, checks its hash, and shows the text round each planted fact, the reply, " +
        "the score with its reason, and the way in which the reply failed. No call is made. Where task, length or index is " +
        "not given, the first reply with the lowest score is taken.",
    )
    .argument("<run>", "the run's name; fathom report lists them")
    .option("--task <name>", "the sample's task")
    .option("--length <tokens>", "its length, such as 4096 or 4K", length)
    .option("--index <n>", "its number in that task and length, from 0", wholeNumber(0))
    .option("--characters <n>", "how much of the text on each side of a fact", wholeNumber(0, 100_000), 160)
    .option(
      "--facts <n>",
      "how many planted facts at most: those asked for, those said instead, the rest",
      wholeNumber(1),
      8,
    )
    .option("--prompt", "print the whole prompt instead, as it was asked, and nothing else")
    .option(
      "--json",
      "print one JSON object: reply, score, penalised, modes, facts, isSame and the sample with its prompt",
    )
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom show first\n" +
        "  fathom show first --task niah_multikey_1 --length 16K --index 7\n" +
        "  fathom show first --task vt --length 4K --index 0 --prompt | less\n" +
        "  fathom show first --task vt --json | jq '.facts[] | select(.role == \"target\") | .depth'",
    )
    .action(async (name: string, flags: ShowFlags) => {
      const recorded = await readRun(name);
      const run = { ...recorded, replies: scoreRecords(recorded.records) };
      for (const note of run.notes) output.note(note);
      const shown = await closeUp(run, pickReply(run.replies, flags), { characters: flags.characters });
      if (!shown.isSame) output.note(`${name}: not the text that was asked, as ${whyOf(shown)}`);
      if (flags.prompt) return await output.write(promptText(shown.sample.prompt));
      if (flags.json) return await output.write(`${toJson(name, shown)}\n`);
      await output.write(toText(shown, { facts: flags.facts, characters: flags.characters }));
    });
}

function whyOf({ lines }: CloseUp): string {
  return lines.find(({ what }) => what === "Made again")!.said.replace(/^no: /, "");
}

/** The prompt as it is asked, before a chat template is put round it. */
function promptText({ system, user, answerPrefix = "" }: Prompt): string {
  return `${system === undefined ? "" : `${system}\n\n`}${user}${answerPrefix}\n`;
}

function toJson(run: string, { reply, sample, isSame, facts, modes }: CloseUp): string {
  const { record, value, score, penalised } = reply;
  const { model, origin } = record;
  return JSON.stringify({
    run,
    model,
    origin,
    isSame,
    reply: record.reply,
    value,
    score,
    penalised,
    modes,
    facts,
    sample,
  });
}

/** The widest name of a line. */
const WIDTH = 16;

function toText(shown: CloseUp, options: { readonly facts: number; readonly characters: number }): string {
  const { reply: { record }, facts, lines } = shown;
  const { task, length, index, model, origin } = record;
  const head = `${task} at ${lengthText(length)}, sample ${index}, asked of ${model} (${origin})`;
  const about = lines.map(({ what, said }) => line(what, quoteText(said, 2000)));
  const most = 2 * options.characters + 200;
  const around = facts.slice(0, options.facts).flatMap(({ role, key, depth, tokenOffset, before, text, after }) => [
    "",
    `${role} "${quoteText(key, 120)}" at ${(100 * depth!).toFixed(1)}% of the context${
      tokenOffset === null ? "" : `, ${tokenOffset} tokens before it`
    }`,
    line("  before", `…${quoteText(before, most)}`),
    line("  planted", quoteText(text, most)),
    line("  after", `${quoteText(after, most)}…`),
  ]);
  const rest = facts.length - options.facts;
  const more = rest > 0 ? ["", `and ${rest} more planted facts: --facts ${facts.length} shows all`] : [];
  return [head, "", ...about, ...around, ...more].map((text) => `${text}\n`).join("");
}

function line(name: string, text: string): string {
  return `${name.padEnd(WIDTH)}${text}`;
}
