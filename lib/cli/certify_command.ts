import { type Command, InvalidArgumentError, Option } from "commander";
import { describePreflight, onInterrupt } from "./ask_study.ts";
import { EXIT, type OutcomeFlags, writeCertificate, writeFailure, writeWrongFlags } from "./certify_outcome.ts";
import { openProgress } from "./files.ts";
import { names, number, wholeNumber } from "./flag_values.ts";
import {
  addBenchmarkFlag,
  addMeasureFlag,
  addSampleFlags,
  addTaskFlags,
  type Flags,
  openBenchmarks,
  readStudyFlags,
} from "./flags.ts";
import {
  addConcurrencyFlag,
  addMaxCostFlag,
  addModelFlags,
  addPriceFlags,
  concurrencyOf,
  openFlaggedModel,
  readMaxCost,
} from "./model_flags.ts";
import { CommandFailure, type Output, plainMessage } from "./output.ts";
import { defined, timeText } from "@/lib/base/mod.ts";
import {
  type ArmChoice,
  CERTIFICATE_PAIRS,
  certify,
  type CertifyOptions,
  differenceText,
  SMOKE,
} from "@/lib/certify/mod.ts";
import { ENDPOINT_OPTIONS, type EndpointOption } from "@/lib/models/mod.ts";

/** Adds `fathom certify`: whether a change to a server cost long-context accuracy. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("certify")
    .description(
      "Decides whether a change to a model's server (a KV-cache type, weights, a kernel, a RoPE factor, an engine version, a " +
        "prompt template) costs long-context accuracy. Chooses tasks at which the base can lose, registers its design, asks base " +
        "and change the same samples, the base twice, and stops as soon as the verdict is decided: no worse than the margin, " +
        "worse beyond it, a loss that is not shown to be beyond it, or not enough data.",
    )
    .addOption(
      new Option("--base <name=url>", "the server before the change: f16=http://127.0.0.1:8081/v1, or a model")
        .argParser(readArm),
    )
    .addOption(new Option("--change <name=url>", "the server with the change").argParser(readArm))
    .option("--margin <points>", "the loss that is allowed, in points of the mean score", number(0.001, 99.999))
    .option("--accept-within", "exit with 0 for a loss estimated within the margin and not shown to be beyond it")
    .option("--base-flags <text>", "the flags that the base's server was started with, for the certificate")
    .option("--change-flags <text>", "the same of the change, such as '--cache-type-k q8_0'")
    .option("--base-run <run>", "a recorded or imported run of the base, instead of a server; no call is made")
    .option("--change-run <run>", "a recorded or imported run of the change on the same samples")
    .option("--again-run <run>", "a second run of the base on the same samples, to see how much it differs from itself")
    .option("--study <file>", "a study file (YAML) with tasks and lengths to choose from")
    .option("--name <name>", "the name of a new certificate, or of one to resume (default: a new CHANGE-against-BASE)")
    .option("--max-samples <n>", `the most pairs (default: ${CERTIFICATE_PAIRS})`, wholeNumber(1, 1_000_000))
    .option("--max-time <minutes>", "end this session after so long; --name resumes the certificate", number(0.01))
    .option("--questions <n>", "questions of each context, so that servers cache its prefix", wholeNumber(1, 100))
    .option("--differs <settings>", "settings that are the change and may differ, such as temperature", names)
    .option("--reuse <certificate>", "reuse the replies of another certificate's base; a fifth is asked again")
    .option("--self", "the base against itself, such as after a restart: both may be the same server and model")
    .option("--smoke", "only look for a loss, in three minutes: exit code 1 if one is found, 0 if none")
    .option("--json", "print one JSON object: verdict, state, cells, servers, design")
    .option("--junit <file>", "also write the verdict as JUnit XML")
    .option("--markdown <file>", "also write the verdict as Markdown for a pull request");
  const design = [
    new Option("--method <name>", "betting: may stop after every round; fixed: one test of --samples pairs")
      .choices(["betting", "fixed"]),
    new Option("--error <share>", "chance of error of each side (default: 0.025)").argParser(number(0.0001, 0.2)),
    new Option("--calibrate <n>", "samples of each task and setting that choose the mix (default: 8)")
      .argParser(wholeNumber(2, 1000)),
    new Option("--between <range>", "scores of the base, in percent, between which a task is kept (default: 20-100)")
      .argParser(readRange),
    new Option("--no-turn", "keep the knobs of the tasks, instead of turning them away from ceiling and floor"),
    new Option("--again <share>", "share of the rounds in which the base is asked twice; 0 for none (default: 0.2)")
      .argParser(number(0, 1)),
  ];
  for (const option of design) command.addOption(option.helpGroup("The design:"));
  addMaxCostFlag(addPriceFlags(addConcurrencyFlag(addTaskFlags(addMeasureFlag(command)))));
  addSampleFlags(addModelFlags(addBenchmarkFlag(command)));
  for (const option of command.options) {
    option.hidden ||= HIDDEN.includes(option.long ?? "");
    option.description = MEANINGS[option.long ?? ""] ?? option.description;
    if (option.long === "--model") option.default(undefined);
  }
  command.addHelpText("after", HELP);
  writeWrongFlags(command, output);
  command.action(async (flags: CertifyFlags) => {
    const hasModel = command.getOptionValueSource("model") === "cli";
    const line = commandLine((program as { readonly rawArgs?: readonly string[] }).rawArgs ?? []);
    const given = hasModel ? flags : { ...flags, model: undefined };
    const failure = await certifyFlags(given, line, output).catch((error) =>
      writeFailure(error, { flags, output, message: plainMessage(error) })
    );
    if (failure !== undefined) throw failure;
  });
}

/** Flags that have no use here, or are rare. */
const HIDDEN: readonly string[] =
  "--base-url --first-sample --squad --hotpotqa --mmlu --price-in --price-out --price-cached".split(" ");

/** What flags of other commands mean here. */
const MEANINGS: Readonly<Record<string, string>> = {
  "--tasks": "tasks, families or benchmarks that the mix is chosen from (default: RULER's 13)",
  "--lengths": "context lengths, such as 4096,8192 or 4K,8K (default: 4096, or the window if that is smaller)",
  "--samples": "pairs of a design of fixed size, all of which are asked before one test",
  "--model": "the model of both servers (default: the one that a server has)",
};

const HELP =
  "\nExit codes: 0 no worse, 1 worse than the margin, 2 wrong use, 3 a loss that is not shown to be beyond the margin (0 with\n" +
  "--accept-within), not enough data, an unstable or changed server, one that cannot be asked, or an interruption, 70 a crash.\n" +
  "Each command starts over; --name NAME resumes the certificate of that name, with the same servers. --samples N tests exactly N\n" +
  "pairs once. The certificate is a folder of results/certificates, with report.html, summary.md and junit.xml.\n" +
  "\nExamples:\n" +
  "  fathom certify --base f16=http://127.0.0.1:8081/v1 --change q8=http://127.0.0.1:8082/v1 --margin 2\n" +
  "  fathom certify --base old=http://gpu1:8000/v1 --change new=http://gpu2:8000/v1 --margin 2 --lengths 32K,128K --questions 4\n" +
  "  fathom certify --base-run before --change-run after --margin 2";

interface CertifyFlags extends Flags, OutcomeFlags, Pick<CertifyOptions, typeof SAME[number]> {
  readonly base?: ArmFlag;
  readonly change?: ArmFlag;
  readonly baseFlags?: string;
  readonly changeFlags?: string;
  readonly maxTime?: number;
  readonly acceptWithin?: boolean;
  readonly error?: number;
  readonly turn?: boolean;
}

/** Flags that are options of the library by the same name. */
const SAME = [
  ...(["margin", "baseRun", "changeRun", "againRun", "self", "smoke", "reuse", "method", "maxSamples"] as const),
  ...(["questions", "differs", "again", "calibrate", "between"] as const),
] as const;

/** A server of the command line: its name, and its address or its model. */
interface ArmFlag {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly model?: string;
}

function readArm(text: string): ArmFlag {
  const [, name, rest = ""] = /^(?:((?!https?:)[^=\s]+)=)?(\S+)$/.exec(text.trim()) ?? [];
  if (rest === "") throw new InvalidArgumentError("It must be a name and an address: f16=http://127.0.0.1:8081/v1.");
  return { ...defined({ name }), ...(/^https?:\/\//.test(rest) ? { baseUrl: rest } : { model: rest }) };
}

function readRange(text: string): [number, number] {
  const [, low, high] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (Number(low) < Number(high) && Number(high) <= 100) return [Number(low), Number(high)];
  throw new InvalidArgumentError("It must be two percentages, such as 20-90.");
}

/** Returns the command without what could hold a key. */
function commandLine(words: readonly string[]): string {
  const secret = Object.entries<EndpointOption>(ENDPOINT_OPTIONS).filter(([name, { canHoldKeys = false }]) =>
    canHoldKeys || name === "headers"
  ).map(([name, { flag = name }]) => `--${flag}`);
  const shown = words.map((word, at) => secret.includes(words[at - 1] ?? "") ? "…" : word)
    .map((word) => word.replace(/(https?:\/\/)[^/@\s]*@/, "$1").replace(/(https?:\/\/[^?\s]*)\?.*/, "$1"));
  return ["fathom", ...shown.map((word) => /^[\w.,:/=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)]
    .join(" ");
}

/** Certifies a change; returns why it does not end with 0. */
async function certifyFlags(flags: CertifyFlags, command: string, output: Output): Promise<CommandFailure | undefined> {
  const benchmarks = await openBenchmarks(flags);
  const progress = openProgress(output);
  using interrupt = onInterrupt(output, "The same command with --name and its name resumes the certificate.");
  const armOf = (given: ArmFlag | undefined, ownFlags: string | undefined): ArmChoice | undefined =>
    given && {
      ...defined({ name: given.name, flags: ownFlags }),
      model: given.model ?? flags.model,
      open: (model) => openFlaggedModel({ ...flags, model, baseUrl: given.baseUrl }, { output }),
    };
  const most = flags.samples ?? flags.maxSamples ?? CERTIFICATE_PAIRS;
  const started = performance.now();
  const { certificate, path, stopped } = await certify({
    ...Object.fromEntries(SAME.flatMap((name) => flags[name] === undefined ? [] : [[name, flags[name]]])),
    ...defined({
      base: armOf(flags.base, flags.baseFlags),
      change: armOf(flags.change, flags.changeFlags),
      name: flags.name,
      samples: flags.samples,
      errorChance: flags.error,
      maxMs: flags.maxTime && 60_000 * flags.maxTime,
    }),
    turns: flags.turn !== false,
    benchmarks,
    scored: flags.scored,
    measure: flags.measure,
    stop: interrupt.stop,
    signal: interrupt.end,
    plan: async (model, length) => {
      const lengths = flags.lengths ?? (flags.study === undefined ? [length] : undefined);
      const tasks = flags.tasks ?? (flags.smoke && flags.study === undefined ? SMOKE.tasks : undefined);
      return {
        study: await readStudyFlags({ ...flags, tasks, lengths, samples: undefined }, { benchmarks }),
        concurrency: concurrencyOf(flags, model),
        ...defined({ maxCost: readMaxCost(flags, model.price) }),
      };
    },
    onServer: (arm, look) => {
      output.note(`${arm}:`);
      describePreflight(look, { output });
    },
    onNote: (line) => {
      progress.end();
      output.note(line);
    },
    onProgress: (stage, each) => progress.update({ ...each, waiting: each.waiting ?? stage, isOver: false }),
    onState: ({ pairs, ...state }) => {
      const elapsedMs = performance.now() - started;
      progress.update({
        done: pairs,
        total: most,
        failed: 0,
        asked: 2 * pairs,
        tokens: 0,
        leftMs: null,
        elapsedMs,
        isOver: false,
        waiting: `${differenceText(state)}, ${timeText(elapsedMs)}`,
      });
    },
  }).finally(() => progress.end());
  const { verdict, headline, state, design } = certificate;
  const isAccepted = flags.acceptWithin === true && verdict === "loss" && state.difference >= -design.margin;
  const isUnhurt = verdict === "no worse" ||
    (flags.smoke === true && verdict === "not enough data" && state.rounds > 0);
  const isGood = stopped === undefined && (isUnhurt || isAccepted);
  const isWorse = verdict === "worse" || (flags.smoke === true && verdict === "loss");
  const bad = stopped === undefined && isWorse ? EXIT.worse : EXIT.undecided;
  const exitCode = isGood ? 0 : bad;
  await writeCertificate(certificate, { flags, command, output, path, exitCode });
  if (stopped !== undefined) return new CommandFailure(`No verdict yet as ${stopped}: ${headline}`, exitCode);
  if (!isGood) return new CommandFailure(headline, exitCode);
  output.note(headline);
}
