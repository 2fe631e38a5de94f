import { type Command, Option } from "commander";
import { fileURLToPath } from "node:url";
import { describePlan } from "./describe_run.ts";
import type { Output } from "./output.ts";
import { addAskingFlags, addRecipeFlags, baseNameOf, openAsked, TERMINATED } from "./run_command.ts";
import { type Flags, openBenchmarks, wholeNumber } from "./task_flags.ts";
import { asInRun } from "@/lib/asking/mod.ts";
import { checkRunFolder, openStudy, planStudy, shardName } from "@/lib/studies/mod.ts";
import { runFolder } from "@/lib/records/mod.ts";
import { plural } from "@/lib/text/mod.ts";

const DEFAULT_WORKERS = 8;

/** Flags of a job; all others of `fathom submit` are those of `fathom run`. */
const JOB_FLAGS: readonly (readonly [flags: string, help: string])[] = [
  ["--partition <name>", "the partition of the jobs (default: the cluster's)"],
  ["--qos <name>", "their quality of service"],
  ["--account <name>", "the account that is charged"],
  [
    "--time <limit>",
    "the time limit of each, such as 12:00:00; a task that meets it is queued again, and resumes",
  ],
];

/** Adds `fathom submit`: a run as a job array of Slurm. */
export function addSubmitCommand(program: Command, output: Output): void {
  const command = program.command("submit")
    .description(
      "Writes and submits a Slurm job array, each task of which asks a shard of the run, and a job after it that merges them. Every " +
        "flag of `fathom run` but --shard and --adaptive is one of `fathom submit` too. The same command again resumes what was " +
        "killed. Scripts and logs are in results/runs/RUN.slurm/; no key is ever written there: the jobs have your environment, as " +
        "sbatch passes it on, or --setup reads a file of yours.",
    )
    .argument("[study]", "a study file (YAML), unless flags describe the study")
    .addOption(new Option("--slurm", "submit to Slurm, by sbatch").makeOptionMandatory());
  for (const [flags, help] of JOB_FLAGS) command.option(flags, help);
  command
    .option(
      "--max-workers <n>",
      `tasks of the array, each with a shard of its own (default: ${DEFAULT_WORKERS})`,
      wholeNumber(1, 1000),
    )
    .option("--sbatch <option>", "a further option of the array, such as --sbatch=--gres=gpu:1, repeatable", collect)
    .option("--setup <line>", "a line of shell before each job, such as 'module load deno', repeatable", collect)
    .option("--dry-run", "print the plan, the scripts and the commands, then stop")
    .option("--help-all", "print every flag, those of the run too");
  const own = new Set(command.options.map((option) => option.name()));
  addRecipeFlags(addAskingFlags(command));
  const words: string[] = [];
  for (const option of command.options.filter((option) => !own.has(option.name()))) {
    const flag = option.long!;
    // What was typed is what the tasks get.
    command.on(`option:${option.name()}`, (value?: string | null) => {
      if (flag !== "--name") words.push(typeof value === "string" ? `${flag}=${value}` : flag);
    });
  }
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom submit data/studies/ruler.yaml --slurm --partition cpu --max-workers 32 --model my-model " +
      "--base-url http://gpu1:8000/v1 --name big --dry-run\n" +
      "  fathom submit --slurm --tasks all --lengths 4K,8K --samples 100 --model my-model --setup '. ~/.fathom-key'",
  );
  command.action(async (study: string | undefined, flags: Flags) => {
    const given = study === undefined ? [] : [`--study=${study}`];
    await submit({ ...flags, ...(study === undefined ? {} : { study }) }, { words: [...given, ...words], output });
  });
}

/** The flags of `fathom submit` that its help shows. */
export const SUBMIT_FLAGS: readonly string[] = [
  ...["--slurm", "--max-workers", "--sbatch", "--setup", "--dry-run", "--help", "--help-all"],
  ...["--name", "--model", "--base-url", "--tasks", "--lengths", "--samples"],
  ...JOB_FLAGS.map(([flags]) => flags.split(" ")[0]!),
];

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

interface SubmitOptions {
  /** The words that each task gives to `fathom run`. */
  readonly words: readonly string[];
  readonly output: Output;
}

async function submit(flags: Flags, { words, output }: SubmitOptions): Promise<void> {
  checkNoSecrets(flags);
  const benchmarks = await openBenchmarks(flags);
  const { study, model } = await openAsked(flags, { benchmarks, output });
  const name = baseNameOf(flags, model);
  const opened = await openStudy(study, { benchmarks });
  const plan = planStudy(opened, await asInRun(model, name));
  describePlan(plan, { flags, model, output });
  const samples = plan.picked?.length ?? plan.cells.length * plan.samples;
  const workers = Math.min(flags.maxWorkers as number | undefined ?? DEFAULT_WORKERS, samples);
  shardName(name, { index: workers, of: workers });
  const folder = `${runFolder(name)}.slurm`;
  const scripts = slurmScripts(name, { flags, words, workers, folder });
  refuseSecrets(scripts.map(({ text }) => text).join());
  const [array, merge] = scripts as [SlurmScript, SlurmScript];
  if (flags.dryRun) {
    for (const { path, text } of scripts) await output.write(`# ${path}\n${text}\n`);
    output.note(`would be submitted by: sbatch ${array.path}; sbatch --dependency=afterany:ARRAY ${merge.path}`);
    return;
  }
  await checkRunFolder(folder);
  await Deno.mkdir(folder, { recursive: true });
  for (const { path, text } of scripts) await Deno.writeTextFile(path, text);
  const first = await sbatch([array.path]);
  const second = await sbatch([`--dependency=afterany:${first}`, merge.path]).catch((error) => {
    throw new Error(`${(error as Error).message}; job ${first} is submitted: \`fathom merge ${name}\` after it`);
  });
  output.note(
    `${name}: job ${first} asks, in ${workers} ${
      plural(workers, "shard")
    }, then job ${second} merges; logs are in ${folder}, \`squeue -j ${first},${second}\` shows them, the same command resumes`,
  );
  await output.write(`${first}\n${second}\n`);
}

interface SlurmScript {
  readonly path: string;
  readonly text: string;
}

/** The script of the array, and that of the job that merges. */
function slurmScripts(
  name: string,
  { flags, words, workers, folder }: {
    readonly flags: Flags;
    readonly words: readonly string[];
    readonly workers: number;
    readonly folder: string;
  },
): readonly SlurmScript[] {
  const both = JOB_FLAGS.map(([flag]) => flag.slice(2).split(" ")[0]!)
    .flatMap((flag) => flags[flag] === undefined ? [] : [`--${flag}=${checkWord(flag, flags[flag] as string)}`]);
  const further = (flags.sbatch as readonly string[] | undefined ?? []).map(checkOption);
  const setup = flags.setup as readonly string[] | undefined ?? [];
  const begin = `${quote(Deno.execPath())} task --quiet fathom`;
  const script = (options: readonly string[], command: string): string =>
    [
      "#!/bin/bash",
      ...[...options, ...both, "--open-mode=append"].map((option) => `#SBATCH ${option}`),
      "set -eu",
      ...setup,
      `cd ${quote(PROJECT)}`,
      command,
      "",
    ].join("\n");
  const asked = [...words, `--name=${name}`].map(quote).join(" ");
  return [
    {
      path: `${folder}/array.sh`,
      text: script(
        // What was recorded before a requeue stays: the task resumes.
        [
          `--job-name=fathom-${name}`,
          `--array=1-${workers}`,
          `--output="${folder}/shard-%a.log"`,
          "--requeue",
          // Time to end the calls in flight; B: as the script has no steps.
          "--signal=B:TERM@60",
          ...further,
        ],
        untilTimeLimit(`${begin} run ${asked} --shard="$SLURM_ARRAY_TASK_ID/${workers}"`),
      ),
    },
    {
      path: `${folder}/merge.sh`,
      text: script(
        [`--job-name=fathom-merge-${name}`, `--output="${folder}/merge.log"`],
        `exec ${begin} merge ${quote(name)} --shards=${workers}${benchmarkWords(flags)}`,
      ),
    },
  ];
}

/** Lines of shell that run a command to its end, or pass on that time is nearly up, and then queue the job again. */
function untilTimeLimit(command: string): string {
  return [
    `${command} &`,
    "run=$!",
    `trap 'kill -TERM "$run"' TERM`,
    "code=0",
    `wait "$run" || code=$?`,
    "# A signal ends the first wait, and the run ends soon after it.",
    `while kill -0 "$run" 2> /dev/null; do code=0; wait "$run" || code=$?; done`,
    "# Where it met its time limit, not where it was cancelled; Slurm itself queues again what it preempts.",
    `if [ "$code" = ${TERMINATED} ]; then`,
    "  # The number of one task can be that of the whole array.",
    `  task="\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"`,
    `  read -r state ends <<< "$(squeue --noheader --jobs="$task" --format="%T %e")"`,
    `  if [ "$state" = RUNNING ] && [ "$(date +%s)" -ge "$(($(date -d "$ends" +%s) - 180))" ]; then`,
    `    scontrol requeue "$task"`,
    "  fi",
    "fi",
    `exit "$code"`,
  ].join("\n");
}

function benchmarkWords({ benchmark }: Flags): string {
  return (benchmark as readonly string[] | undefined ?? []).map((file) => ` ${quote(`--benchmark=${file}`)}`).join("");
}

/** Where `deno task fathom` runs, and what relative paths are relative to. */
const PROJECT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** Quotes a word for the shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function checkWord(flag: string, value: string): string {
  if (/^[\w.,:@%+/-]+$/.test(value)) return value;
  throw new RangeError(
    `Cannot submit the run as --${flag} must be one word: current value is ${JSON.stringify(value)}`,
  );
}

function checkOption(option: string): string {
  if (/^--?[A-Za-z][^\n]*$/.test(option)) return option;
  throw new RangeError(
    `Cannot submit the run as --sbatch must be an option of sbatch, such as --sbatch=--gres=gpu:1: current value is ${
      JSON.stringify(option)
    }`,
  );
}

/** Refuses flags that can hold a secret: the tasks get their flags from a file. */
function checkNoSecrets({ header, baseUrl }: Flags): void {
  if (header !== undefined) {
    throw new RangeError(
      "Cannot submit the run as --header must be left out, and OPENAI_CUSTOM_HEADERS set, which no script has: current value is not shown",
    );
  }
  const urls = (baseUrl as readonly string[] | undefined ?? []).flatMap((url) => url.split(",")).map((url) =>
    URL.parse(url)
  );
  if (urls.some((url) => url !== null && `${url.username}${url.password}${url.search}` !== "")) {
    throw new RangeError(
      "Cannot submit the run as --base-url must hold no name, password or query, or OPENAI_BASE_URL be set, which no script has: current value is not shown",
    );
  }
}

/** Variables whose values are no script's business. */
const SECRET_NAMES = /(^|_)(key|token|secret|password|headers)(_|$)/i;
const SHORTEST_SECRET = 8;

/** Keys, and values that a line of shell gives to such a variable. */
const LIKELY_SECRETS = /\bsk-[\w-]{16,}|(key|token|secret|password)=['"]?[\w-]{8,}/i;

/** Refuses scripts with a secret of this environment, or with what looks like one. */
function refuseSecrets(text: string): void {
  const isSecret = ([name, value]: [string, string]): boolean =>
    SECRET_NAMES.test(name) && value.length >= SHORTEST_SECRET && !value.startsWith("/");
  const found = Object.entries(Deno.env.toObject()).find((entry) => isSecret(entry) && text.includes(entry[1]));
  if (found === undefined && !LIKELY_SECRETS.test(text)) return;
  throw new RangeError(
    `Cannot submit the run as no flag must have ${
      found === undefined ? "a key" : `the value of ${found[0]}`
    }, which a script would keep: current value is not shown`,
  );
}

/** Submits a script; gives the job's number. */
async function sbatch(words: readonly string[]): Promise<string> {
  const command = new Deno.Command("sbatch", { args: ["--parsable", ...words], stdout: "piped", stderr: "piped" });
  const { success, stdout, stderr } = await command.output().catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new RangeError(
      "Cannot submit the run as sbatch, Slurm's command, must be on the PATH, as on a cluster's login node: there is none; --dry-run prints the scripts",
    );
  });
  const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  const job = /^\d+/.exec(out!)?.[0];
  if (success && job !== undefined) return job;
  throw new Error(`Cannot submit the run as sbatch must take the script: it said "${said || out}"`);
}
