import { type Command, InvalidArgumentError, Option } from "commander";
import { type KnobFlag, RULER_KNOB_FLAGS, SUITE_KNOB_FLAGS } from "./knob_flags.ts";
import { VARIANTS } from "@/lib/benchmarks/ruler/mod.ts";
import type { TaskChoice } from "@/lib/generators/mod.ts";
import { familyOf, type Study } from "@/lib/runs/mod.ts";

const KNOB_FLAGS: readonly KnobFlag[] = [...RULER_KNOB_FLAGS, ...SUITE_KNOB_FLAGS];

/** Adds the flags that change what a task asks. */
export function addKnobFlags(command: Command): Command {
  for (const { flag, families, parse, choices, help } of KNOB_FLAGS) {
    const option = new Option(flag, `${families.join(", ")}: ${help}`).helpGroup("Knobs of the tasks:");
    if (choices) option.choices([...choices]);
    if (parse) option.argParser(parse);
    command.addOption(option);
  }
  return command;
}

/** Adds the flags that decide what samples are made of; a command that reads a study file leaves defaults to it. */
export function addMaterialFlags(command: Command, { defaults = true }: { readonly defaults?: boolean } = {}): Command {
  const options = [
    new Option(
      "--tokenizer <name>",
      "o200k_base, cl100k_base, p50k_base, r50k_base, or the path of a model's tokenizer.json",
    ).default(defaults ? "cl100k_base" : undefined),
    new Option("--seed <text>", "any text; the same seed gives the same samples").default(defaults ? "42" : undefined),
    new Option("--variant <name>", "whose wording the prompts follow").choices([...VARIANTS]).default(
      defaults ? "2026" : undefined,
    ),
    new Option("--essays <path>", "essays_en, essays_zh, or your own: a .txt or .jsonl file, or a folder of them")
      .default(
        defaults ? "essays_en" : undefined,
      ),
    new Option("--squad <file>", "a SQuAD 1.1 or 2.0 file for qa_1, instead of the synthetic world"),
    new Option("--hotpotqa <file>", "a HotpotQA file for qa_2, instead of the synthetic world"),
  ];
  for (const option of options) command.addOption(option.helpGroup("What samples are made of:"));
  return command;
}

/** The values of flags, by the names that commander gives them. */
export type Flags = Readonly<Record<string, unknown>>;

/**
 * Reads the tasks that were asked for, with their knobs.
 *
 * @throws {RangeError} If a knob was given that none of the tasks has.
 */
export function readTaskChoices(taskNames: readonly string[], flags: Flags): TaskChoice[] {
  const given = KNOB_FLAGS.filter((knobFlag) => flags[flagName(knobFlag)] !== undefined);
  for (const { flag, families } of given) {
    if (!taskNames.some((task) => families.includes(familyOf(task) ?? ""))) {
      throw new RangeError(
        `Cannot set ${flag.split(" ")[0]} as the task must be of ${families.join(", ")}: current value is ${
          taskNames.join(", ")
        }`,
      );
    }
  }
  return taskNames.map((task) => {
    const own = given.filter(({ families }) => families.includes(familyOf(task) ?? ""));
    const knobs = Object.fromEntries(
      own.map((knobFlag) => [knobFlag.knob, flags[flagName(knobFlag)] as string | number]),
    );
    return own.length === 0 ? { task } : { task, knobs };
  });
}

/** Reads the parts of a study that the material flags set. */
export function readMaterialFlags(flags: Flags): Partial<Study> {
  const names = ["tokenizer", "seed", "variant", "essays", "squad", "hotpotqa"];
  return Object.fromEntries(names.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]));
}

/** The name under which commander keeps a flag's value: `--num-keys <n>` is `numKeys`. */
function flagName({ flag }: KnobFlag): string {
  return flag.slice(2).split(" ")[0]!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Parses a whole number in a range, for a flag. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text.trim()) || value < least || value > most) {
      throw new InvalidArgumentError(
        `It must be a whole number ${most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`}.`,
      );
    }
    return value;
  };
}

/** Parses a number in a range, for a flag. */
export function number(least: number, most = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(
        `It must be a number ${most === Infinity ? `from ${least}` : `from ${least} to ${most}`}.`,
      );
    }
    return value;
  };
}

/** Parses lengths such as `4096`, `4K` (1,024 tokens a K) or `1M`, parted by commas. */
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

/** Parses names parted by commas. */
export function names(text: string): string[] {
  const found = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (found.length === 0) throw new InvalidArgumentError("It must be at least one name.");
  return found;
}
