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
import type { Shard, Study } from "@/lib/studies/mod.ts";

/** The values of a command's flags, by the names that commander gives them; the types of shared flags. */
export interface Flags {
  readonly benchmark?: readonly string[] | undefined;
  readonly study?: string | undefined;
  readonly samplesFile?: string | undefined;
  readonly tasks?: readonly string[] | undefined;
  readonly lengths?: readonly number[] | undefined;
  readonly samples?: number | undefined;
  readonly samplesAt?: Readonly<Record<string, number>> | undefined;
  readonly repeats?: number | undefined;
  readonly firstSample?: number | undefined;
  readonly shard?: Shard | undefined;
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly models?: string | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly [flag: string]: unknown;
}

/** Adds `--set` and the aliases of knobs, which `fathom tasks FAMILY` lists. */
export function addKnobFlags(command: Command): Command {
  command.addOption(
    new Option("--set <knob=value>", "set a knob, repeatable; \\n breaks a line; `fathom tasks niah` lists them")
      .argParser(collectKnob),
  );
  for (const alias of new Set(KNOB_FLAGS.map((flag) => flag.alias))) {
    command.addOption(new Option(`--${alias} <value>`).argParser(unescapeLines).hideHelp());
  }
  return command;
}

/** An alias of a knob as a flag, and the families that have the knob. */
interface KnobFlag {
  readonly alias: string;
  readonly knob: string;
  readonly families: readonly string[];
}

/** The aliases of knobs: RULER's own flags, and older names. */
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
  return { ...before, [knob]: unescapeLines(value) };
}

/** Replaces `\n` by a line break, which few shells can type; `\\n` is a backslash and an n. */
function unescapeLines(text: string): string {
  return text.replaceAll(/(\\?)\\n/g, (_, escape: string) => escape === "" ? "\n" : "\\n");
}

/** Adds the flags of materials. With a study file (`defaults: false`), the defaults are the file's. */
export function addMaterialFlags(command: Command, { defaults = true }: { readonly defaults?: boolean } = {}): Command {
  const option = (flags: string, about: string, byDefault?: string): Option =>
    new Option(flags, about).default(defaults ? byDefault : undefined);
  const options = [
    option(
      "--tokenizer <name>",
      "encoding (cl100k_base, …), OpenAI model, tokenizer.json, .gguf, or server",
      "cl100k_base",
    ),
    new Option("--tokenizer_model <name>").hideHelp(),
    option("--seed <text>", "any text; the same seed gives the same samples", "42"),
    option("--variant <name>", "RULER's edition of its prompts", "2026").choices([...VARIANTS]),
    option("--essays <path>", "essays_en, essays_zh, or your own .txt or .jsonl file or folder", "essays_en"),
    option("--squad <file>", "a SQuAD 1.1 or 2.0 file for qa_1, instead of the synthetic world"),
    option("--hotpotqa <file>", "a HotpotQA file for qa_2, instead of the synthetic world"),
  ];
  for (const each of options) command.addOption(each.helpGroup("Materials of the samples:"));
  return command;
}

/** Adds `--benchmark`: a user's own benchmark. */
export function addBenchmarkFlag(command: Command): Command {
  return command.addOption(
    new Option(
      "--benchmark <file>",
      "your own benchmark (TypeScript, see docs/own-benchmark.md), repeatable; runs that file",
    ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
  );
}

/** Opens the benchmarks: the user's own files, then those of Fathom. */
export async function openBenchmarks({ benchmark = [] }: Flags): Promise<readonly Benchmark[]> {
  return [...await Promise.all(benchmark.map(openBenchmark)), ...BENCHMARKS];
}

/** Adds `--first-sample`. */
export function addFirstFlag(command: Command): Command {
  return command.option("--first-sample <n>", "number of the first sample, from 0", wholeNumber(0));
}

/** Notes that an old name still works. */
export function noteRenamed(old: string, now: string, output: Pick<Output, "note">): void {
  output.note(`${old} is now ${now}; the old name will be removed in the next version`);
}

/**
 * Reads the tasks with their knobs. Each task of `all` or of a benchmark takes the knobs that it has.
 *
 * @throws {RangeError} If a knob is given that none of the tasks has.
 */
export function readTaskChoices(
  taskNames: readonly string[],
  { flags, benchmarks }: { readonly flags: Flags; readonly benchmarks: readonly Benchmark[] },
): TaskChoice[] {
  const { set = {} } = flags;
  const families = taskNames.flatMap((name) => namedTasks(name, benchmarks))
    .flatMap((task) => findFamily(task, benchmarks) ?? []);
  const given: KnobFlag[] = [
    ...KNOB_FLAGS.filter(({ alias }) => flags[camelCase(alias)] !== undefined),
    ...Object.keys(set).map((knob) => ({
      alias: `set ${knob}`,
      knob,
      families: listFamilies(benchmarks).filter(({ knobs }) => knob in knobs).map(({ name }) => name),
    })),
  ];
  for (const { alias, knob } of given) {
    const able = given.filter((flag) => flag.alias === alias).flatMap((flag) => flag.families);
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
    const choices = namedTasks(name, benchmarks).map((task): TaskChoice => {
      const family = findFamily(task, benchmarks)?.name ?? "";
      const own = given.filter((flag) => flag.families.includes(family));
      const knobs = own.map(({ alias, knob }) => [knob, (flags[camelCase(alias)] ?? set[knob]) as string]);
      return own.length === 0 ? { task } : { task, knobs: Object.fromEntries(knobs) };
    });
    return choices.length === 1 ? choices : withoutTwins(choices, benchmarks);
  });
}

/** Reads the knobs for the tasks of a study file. */
export function readKnobs(flags: Flags): Readonly<Record<string, string>> {
  const aliased = KNOB_FLAGS.filter(({ alias }) => flags[camelCase(alias)] !== undefined);
  const named = aliased.map(({ alias, knob }): [string, string] => [knob, flags[camelCase(alias)] as string]);
  return { ...Object.fromEntries(named), ...flags.set };
}

/** Reads the parts of a study that the material flags set. */
export function readMaterialFlags(flags: Flags): Partial<Study> {
  // OpenCompass's name of the flag wins, as --tokenizer can have a default.
  const given: Flags = { ...flags, tokenizer: flags["tokenizer_model"] ?? flags["tokenizer"] };
  return pickGiven(given, ["tokenizer", "seed", "variant", "essays", "squad", "hotpotqa"]);
}

/** Copies the named flags that were given. */
export function pickGiven(flags: Flags, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]));
}

/** Returns commander's name of a flag: `num-keys` is `numKeys`. */
export function camelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a parser of whole numbers in a range. */
export function wholeNumber(min: number, max = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number ${rangeText(min, max)}.`);
  };
}

/** Returns a parser of numbers in a range. */
export function number(min: number, max = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a number ${rangeText(min, max)}.`);
  };
}

function rangeText(min: number, max: number): string {
  return max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
}

/** Parses comma-separated lengths such as `4096`, `4K` (1,024 tokens per K) or `1M`. */
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

/** Parses samples by length, such as `64K=20,128K=10`. */
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
