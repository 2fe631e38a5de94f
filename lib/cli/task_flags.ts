import { type Command, InvalidArgumentError, Option } from "commander";
import type { Output } from "./output.ts";
import {
  type Benchmark,
  BENCHMARKS,
  findFamily,
  listFamilies,
  namedTasks,
  openBenchmark,
  withoutTwins,
} from "@/lib/benchmarks/mod.ts";
import { VARIANTS } from "@/lib/benchmarks/ruler/mod.ts";
import type { TaskChoice } from "@/lib/generators/mod.ts";
import type { ScoredPart } from "@/lib/models/mod.ts";
import type { Study } from "@/lib/studies/mod.ts";

/** The values of flags, by the names that commander gives them. */
export type Flags = Readonly<Record<string, unknown>>;

/** Adds `--set` and the aliases of knobs, which `fathom tasks FAMILY` lists. */
export function addKnobFlags(command: Command): Command {
  command.addOption(
    new Option("--set <knob=value>", "set a knob, repeatable; \\n breaks a line; `fathom tasks niah` lists all")
      .argParser(collectKnob),
  );
  for (const alias of new Set(KNOB_FLAGS.map((flag) => flag.alias))) {
    command.addOption(new Option(`--${alias} <value>`).argParser(withLineBreaks).hideHelp());
  }
  return command;
}

/** An alias of a knob as a flag, and the families that have it. */
interface KnobFlag {
  readonly alias: string;
  readonly knob: string;
  readonly families: readonly string[];
}

/** The aliases of knobs: the flags of RULER, and older names. */
const KNOB_FLAGS: readonly KnobFlag[] = [
  ...Map.groupBy(
    listFamilies().flatMap(({ name, knobs }) =>
      Object.entries(knobs).flatMap(([knob, { aliases }]) => aliases.map((alias) => ({ alias, knob, family: name })))
    ),
    ({ alias, knob }) => JSON.stringify([alias, knob]),
  ).values(),
].map((same) => ({ alias: same[0]!.alias, knob: same[0]!.knob, families: same.map(({ family }) => family) }));

function collectKnob(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, knob, value] = /^\s*([\w-]+)\s*=([\s\S]*)$/.exec(text) ?? [];
  if (knob === undefined || value === undefined) {
    throw new InvalidArgumentError("It must be a knob and its value: keys=8.");
  }
  return { ...before, [knob]: withLineBreaks(value) };
}

/** Turns each `\n` of a text into a line break, which few shells can type; `\\n` stands for a backslash and an n. */
function withLineBreaks(text: string): string {
  return text.replaceAll(/(\\?)\\n/g, (_, escape: string) => escape === "" ? "\n" : "\\n");
}

/** Adds the flags for what samples are made of; with a study file, the defaults are the file's. */
export function addMaterialFlags(command: Command, { defaults = true }: { readonly defaults?: boolean } = {}): Command {
  const options = [
    new Option(
      "--tokenizer <name>",
      "an encoding (o200k_base, cl100k_base, …) or a model of OpenAI's, a model's tokenizer.json or .gguf file, or server, which is then asked",
    ).default(defaults ? "cl100k_base" : undefined),
    new Option("--tokenizer_model <name>").hideHelp(),
    new Option("--seed <text>", "any text; the same seed gives the same samples").default(defaults ? "42" : undefined),
    new Option("--variant <name>", "RULER's edition of its prompts").choices([...VARIANTS]).default(
      defaults ? "2026" : undefined,
    ),
    new Option("--essays <path>", "essays_en, essays_zh, or a .txt or .jsonl file or folder of your own")
      .default(
        defaults ? "essays_en" : undefined,
      ),
    new Option("--squad <file>", "a SQuAD 1.1 or 2.0 file for qa_1, instead of the synthetic world"),
    new Option("--hotpotqa <file>", "a HotpotQA file for qa_2, instead of the synthetic world"),
  ];
  for (const option of options) command.addOption(option.helpGroup("What samples are made of:"));
  return command;
}

/** Adds `--benchmark`: a benchmark of the user's own. */
export function addBenchmarkFlag(command: Command): Command {
  return command.addOption(
    new Option(
      "--benchmark <file>",
      "a benchmark of your own (TypeScript, see docs/own-benchmark.md), repeatable; runs that file",
    )
      .argParser((file: string, before: readonly string[] = []) => [...before, file]),
  );
}

/** Adds `--scored`: which part of each reply is scored. */
export function addScoredFlag(command: Command): Command {
  return command.addOption(
    new Option(
      "--scored <part>",
      "what is scored: the first answer of a reply or the whole reply, as RULER's code does (default: the first answer of a base model, asked by completions with the template base; otherwise the whole reply)",
    ).choices(["whole", "first"]),
  );
}

/** Reads `--scored`; `undefined` where it is not given. */
export function readScored(flags: Flags): ScoredPart | undefined {
  return flags["scored"] as ScoredPart | undefined;
}

/** Opens the benchmarks: the user's own files, then those that come with Fathom. */
export async function openBenchmarks(flags: Flags): Promise<readonly Benchmark[]> {
  const files = (flags["benchmark"] ?? []) as readonly string[];
  return [...await Promise.all(files.map(openBenchmark)), ...BENCHMARKS];
}

/** Adds `--first-sample` and its old name. */
export function addFirstFlag(command: Command): Command {
  return command
    .option("--first-sample <n>", "number of the first sample, from 0", wholeNumber(0))
    .addOption(new Option("--first <n>").argParser(wholeNumber(0)).hideHelp());
}

/** Reads the number of the first sample. */
export function readFirstFlag({ firstSample, first }: Flags, output: Output): number | undefined {
  if (first !== undefined) noteRenamed("--first", "--first-sample", output);
  return (firstSample ?? first) as number | undefined;
}

/** Says that an old name still works. */
export function noteRenamed(old: string, now: string, output: Pick<Output, "note">): void {
  output.note(`${old} is now ${now}; the old name will be removed in the next version`);
}

/**
 * Reads the tasks with their knobs.
 *
 * @throws {RangeError} If a knob was given that none of the tasks has.
 */
export function readTaskChoices(
  taskNames: readonly string[],
  { flags, benchmarks }: { readonly flags: Flags; readonly benchmarks: readonly Benchmark[] },
): TaskChoice[] {
  const set = (flags["set"] ?? {}) as Readonly<Record<string, string>>;
  const families = taskNames.flatMap((name) => namedTasks(name, benchmarks))
    .flatMap((task) => findFamily(task, benchmarks) ?? []);
  const given: KnobFlag[] = [
    ...KNOB_FLAGS.filter(({ alias }) => flags[keptAs(alias)] !== undefined),
    ...Object.keys(set).map((knob) => ({
      alias: `set ${knob}`,
      knob,
      families: listFamilies(benchmarks).filter(({ knobs }) => knob in knobs).map(({ name }) => name),
    })),
  ];
  for (const { alias, knob } of given) {
    const such = given.filter((flag) => flag.alias === alias);
    const able = such.flatMap((flag) => flag.families);
    if (families.some(({ name }) => able.includes(name))) continue;
    const known = [...new Set(families.flatMap(({ knobs }) => Object.keys(knobs)))].join(", ");
    throw new RangeError(
      able.length === 0
        ? `Cannot set "${knob}" as it must be a knob of the tasks (${known}): current value is ${taskNames.join(", ")}`
        : `Cannot set --${alias} as the task must be of ${able.join(", ")}: current value is ${taskNames.join(", ")}`,
    );
  }
  return taskNames.flatMap((name): readonly TaskChoice[] => {
    if (given.length === 0) return [{ task: name }];
    // Each task of `all` or of a benchmark takes the knobs that it has.
    const choices = namedTasks(name, benchmarks).map((task): TaskChoice => {
      const family = findFamily(task, benchmarks)?.name ?? "";
      const own = given.filter((flag) => flag.families.includes(family));
      const knobs = Object.fromEntries(
        own.map(({ alias, knob }) => [knob, (flags[keptAs(alias)] ?? set[knob]) as string | number]),
      );
      return own.length === 0 ? { task } : { task, knobs };
    });
    return choices.length === 1 ? choices : withoutTwins(choices, benchmarks);
  });
}

/** Reads the knobs for the tasks of a study file. */
export function readKnobs(flags: Flags): Readonly<Record<string, string>> {
  const aliased = KNOB_FLAGS.filter(({ alias }) => flags[keptAs(alias)] !== undefined);
  const named = aliased.map(({ alias, knob }) => [knob, flags[keptAs(alias)]]);
  return { ...Object.fromEntries(named), ...flags["set"] as object | undefined };
}

/** Reads the parts of a study that the material flags set. */
export function readMaterialFlags(flags: Flags): Partial<Study> {
  // OpenCompass's name for the tokenizer; the usual one can have a default.
  const given: Flags = { ...flags, tokenizer: flags["tokenizer_model"] ?? flags.tokenizer };
  const names = ["tokenizer", "seed", "variant", "essays", "squad", "hotpotqa"];
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}

/** The name under which commander keeps a flag's value: `num-keys` is `numKeys`. */
export function keptAs(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Parses a whole number in a range, for a flag. */
export function wholeNumber(least: number, most = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number ${rangeText(least, most)}.`);
  };
}

/** Parses a number in a range, for a flag. */
export function number(least: number, most = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number ${rangeText(least, most)}.`);
  };
}

function rangeText(least: number, most: number): string {
  return most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
}

/** Parses comma-separated lengths such as `4096`, `4K` (1,024 tokens a K) or `1M`. */
export function lengths(text: string): number[] {
  return text.split(",").map((part) => length(part));
}

/** Parses one length. */
export function length(text: string): number {
  const [, digits, unit] = /^\s*(\d+)\s*([kKmM]?)\s*$/.exec(text) ?? [];
  if (digits === undefined) {
    throw new InvalidArgumentError(`A length must be a whole number of tokens, such as 4096 or 4K.`);
  }
  const factor = { "": 1, k: 1024, m: 1024 * 1024 }[unit!.toLowerCase()]!;
  return Number(digits) * factor;
}

/** Parses lengths with samples of their own, such as `64K=20,128K=10`. */
export function samplesAt(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [tokens, count, ...others] = part.split("=");
      if (count === undefined || others.length > 0) {
        throw new InvalidArgumentError("It must be lengths with samples, such as 64K=20,128K=10.");
      }
      return [String(length(tokens!)), wholeNumber(1)(count)];
    }),
  );
}

/** Parses comma-separated names. */
export function names(text: string): string[] {
  const found = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (found.length === 0) throw new InvalidArgumentError("It must be at least one name.");
  return found;
}
