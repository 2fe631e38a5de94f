import { type Command, InvalidArgumentError, Option } from "commander";
import { defined } from "@/lib/base/mod.ts";
import { collect, lengths, names, wholeNumber } from "./flag_values.ts";
import { type Benchmark, BENCHMARKS, openBenchmark } from "@/lib/benchmarks/mod.ts";
import { VARIANTS } from "@/lib/benchmarks/ruler/wording.ts";
import type { ScoredPart } from "@/lib/records/mod.ts";
import {
  checkStudy,
  type MaterialsOptions,
  readStudyFile,
  type Shard,
  type Study,
  type StudyChanges,
} from "@/lib/studies/mod.ts";

/** Flags of one type, none of which must be given. */
export type Given<Name extends string, Value> = { readonly [N in Name]?: Value | undefined };

type StudyName = "measure" | "lengths" | "samples" | "samplesAt" | "repeats" | "samplesFile" | "seed" | "variant";
type TextName = "study" | "name" | "task" | "run" | "out" | "model" | "models" | "baseUrl";
type NumberName =
  | "budget"
  | "firstSample"
  | "length"
  | "index"
  | "repeat"
  | "most"
  | "concurrency"
  | "maxFailures"
  | PriceName;
type PriceName = "maxCost" | "priceIn" | "priceOut" | "priceCached";

/** The flags that set parts of a study, with the types of the study. */
type StudyFlags = { readonly [N in StudyName | keyof MaterialsOptions]?: Study[N] | undefined };

/** The values of a command's flags, by the names that commander gives them; the types of shared flags. */
export interface Flags extends StudyFlags, Given<TextName, string>, Given<NumberName, number> {
  readonly live?: number | true;
  readonly benchmark?: readonly string[] | undefined;
  readonly tasks?: readonly string[] | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly allowEnvVar?: readonly string[] | undefined;
  readonly preflight?: boolean | undefined;
  readonly shard?: Shard | undefined;
  readonly scored?: ScoredPart | undefined;
  readonly json?: boolean | undefined;
  readonly [flag: string]: unknown;
}

/** Adds `--benchmark`: a user's own benchmark. */
export function addBenchmarkFlag(command: Command): Command {
  const about = "your own benchmark (docs/own-benchmark.md), repeatable; runs that file";
  return command.option("--benchmark <file>", about, collect);
}

/** Opens the benchmarks: the user's own files, then those of Fathom. */
export async function openBenchmarks({ benchmark = [] }: Flags): Promise<readonly Benchmark[]> {
  return [...await Promise.all(benchmark.map(openBenchmark)), ...BENCHMARKS];
}

export function addTaskFlags(command: Command): Command {
  return command
    .option("--tasks <names>", "comma-separated tasks, families or benchmarks, or all; see `fathom tasks`", names)
    .option("--lengths <tokens>", "comma-separated context lengths, such as 4096,8192 or 4K,8K", lengths)
    .option("--samples <n>", "samples per task and length", wholeNumber(1));
}

/** Adds `--measure`: what is measured besides the scores of replies. */
export function addMeasureFlag(command: Command): Command {
  const about = "measure this beside the reply's score";
  return command.addOption(new Option("--measure <name>", about).choices(["answer-probability"]));
}

export function addSampleFlags(command: Command): Command {
  command.option("--first-sample <n>", "number of the first sample, from 0", wholeNumber(0));
  return addMaterialFlags(addKnobFlag(command));
}

export function addKnobFlag(command: Command): Command {
  return command.option(
    "--set <knob=value>",
    "set a knob, repeatable; \\n breaks a line; `fathom tasks niah` lists them",
    (text: string, before: Readonly<Record<string, string>> = {}) => {
      const [, knob, value] = /^\s*([\w-]+)\s*=([\s\S]*)$/.exec(text) ?? [];
      if (knob !== undefined && value !== undefined) return { ...before, [knob]: unescapeLines(value) };
      throw new InvalidArgumentError("It must be a knob and its value: keys=8.");
    },
  );
}

/** Replaces `\n` by a line break, which few shells can type; `\\n` is a backslash and an n. */
function unescapeLines(text: string): string {
  return text.replaceAll(/(\\?)\\n/g, (_, escape: string) => escape === "" ? "\n" : "\\n");
}

/** Adds the flags of materials, whose defaults are those of a study; without those that a sample's id names, if wanted. */
export function addMaterialFlags(command: Command, { inIds = true } = {}): Command {
  const options = [
    new Option("--tokenizer <name>", "encoding (cl100k_base, …), OpenAI model, tokenizer.json, .gguf, or server"),
    new Option("--seed <text>", "any text; the same seed gives the same samples (default: 42)"),
    new Option("--variant <name>", "RULER's edition of its prompts (default: 2026)").choices([...VARIANTS]),
    new Option("--essays <path>", "essays_en (default), essays_zh, or your file|folder|... (.txt, .jsonl)"),
    new Option("--squad <file>", "a SQuAD 1.1 or 2.0 file for qa_1, instead of the synthetic world"),
    new Option("--hotpotqa <file>", "a HotpotQA file for qa_2, instead of the synthetic world"),
    new Option("--mmlu <file>", "questions with four choices for RULER v2, such as MMLU's, instead of sums"),
  ];
  const named = ["seed", "variant"];
  for (const option of options.filter((each) => inIds || !named.includes(each.attributeName()))) {
    command.addOption(option.helpGroup("Materials of the samples:"));
  }
  return command;
}

/** Reads the study of the flags, with defaults of the command, or a study file changed by the flags. */
export async function readStudyFlags(
  flags: Flags,
  { benchmarks, defaults }: { readonly benchmarks: readonly Benchmark[]; readonly defaults?: StudyChanges },
): Promise<Study> {
  const { study: path, tasks, set } = flags;
  const changes = { ...readChanges(flags), ...defined({ tasks, set }) };
  if (path !== undefined) return await readStudyFile(path, changes, { benchmarks });
  return checkStudy({ ...defaults, ...changes }, { where: "the flags", benchmarks });
}

/** Reads the parts of a study that the flags set, except for its tasks. */
export function readChanges(flags: Flags): StudyChanges {
  const { lengths, samples, samplesAt, repeats, firstSample: first, seed, variant, measure } = flags;
  const changes = defined({ lengths, samples, samplesAt, repeats, first, seed, variant, measure });
  return { ...changes, ...readMaterials(flags) };
}

export function readMaterials({ tokenizer, essays, squad, hotpotqa, mmlu }: Flags): MaterialsOptions {
  return defined({ tokenizer, essays, squad, hotpotqa, mmlu });
}
