import { type Command, InvalidArgumentError, Option } from "commander";
import type { Output } from "./output.ts";
import { camelCase, type Flags, noteRenamed } from "./task_flags.ts";
import type { Benchmark } from "@/lib/benchmarks/mod.ts";
import { ENDPOINT_OPTIONS, type EndpointOption, type EndpointOptionList } from "@/lib/models/mod.ts";
import {
  destinationText,
  isSimulatedReader,
  type ModelChoice,
  type OpenedModel,
  openModel,
  type OpenModelOptions,
} from "@/lib/studies/mod.ts";

/** Adds the flags of a model: three that name it, and one for each option of an endpoint. */
export function addModelFlags(command: Command, options: EndpointOptionList = ENDPOINT_OPTIONS): Command {
  const naming = [
    new Option(
      "--model <name>",
      "a model of the models file, the server's name for one, or a simulated reader: sim:ideal, sim:gpt-4 …",
    ).default("sim:ideal"),
    new Option("--models <file>", "your own file of models, instead of data/models.yaml"),
    new Option("--base-url <url>", "address without the path of the API (default: OPENAI_BASE_URL)"),
    allowEnvVarOption(),
  ];
  const asking = Object.entries(options).flatMap(([name, option]) => [
    optionFlag(flagOf(name, option), option),
    ...option.aliases.map((alias) => optionFlag(alias, option).hideHelp()),
  ]);
  for (const option of [...naming, ...asking]) {
    command.addOption(
      option.helpGroup("The model (its key is read from OPENAI_API_KEY, or ANTHROPIC_API_KEY for --api anthropic):"),
    );
  }
  return command;
}

/** Returns the flag that allows a models file from elsewhere to use a variable of the environment. */
export function allowEnvVarOption(): Option {
  return new Option(
    "--allow-env-var <name>",
    "a variable of the environment that a models file from elsewhere may send to its own address, repeatable",
  ).argParser((name: string, before: readonly string[] = []) => {
    if (/^\w+$/.test(name)) return [...before, name];
    throw new InvalidArgumentError("It must be the name of a variable.");
  });
}

function optionFlag(flag: string, { takes, help, choices, byDefault, read, collect, wanted }: EndpointOption): Option {
  if (takes === undefined) return new Option(`--${flag}`, help);
  return new Option(`--${flag} <${takes}>`, `${help}${choicesText(choices, byDefault)}`).argParser(
    (text: string, before: unknown) => {
      if (collect) return collect(text, before);
      if (read(text) === undefined) throw new InvalidArgumentError(`It must be ${wanted}.`);
      // The text is read again later: commander makes an empty text of the null that `none` means.
      return text;
    },
  );
}

/** Returns the choices and the default of an option, for help. Flags have no default, as a model's entry may set another. */
function choicesText(choices: readonly (string | number)[] | undefined, byDefault: unknown): string {
  const parts = [
    ...(choices === undefined ? [] : [`choices: ${choices.join(", ")}`]),
    ...(typeof byDefault === "string" || typeof byDefault === "number" ? [`default: ${byDefault}`] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

/** Returns the rarely used flags of a model, which the short help leaves out. */
export function rareModelFlags(): string[] {
  const rare = Object.entries<EndpointOption>(ENDPOINT_OPTIONS).filter(([, { isCommon }]) => !isCommon);
  return ["--models", "--allow-env-var", ...rare.map(([name, option]) => `--${flagOf(name, option)}`)];
}

/** Returns the flag of an option: `--max-tokens` for `maxTokens`, unless it declares another. */
function flagOf(name: string, { flag }: EndpointOption): string {
  return flag ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Opens the model that the flags name. */
export async function openFlaggedModel(
  flags: Flags,
  { output, benchmarks, variant }: {
    readonly output: Output;
    readonly benchmarks?: readonly Benchmark[];
    readonly variant?: OpenModelOptions["variant"];
  },
): Promise<OpenedModel> {
  const choice = readModelFlags(flags, output);
  const ignored = Object.entries<EndpointOption>(ENDPOINT_OPTIONS).filter(([name]) => name in choice)
    .map(([name, option]) => `--${flagOf(name, option)}`);
  if (ignored.length > 0 && isSimulatedReader(choice)) {
    output.note(`${choice.model} is simulated and ignores ${ignored.join(", ")}`);
  }
  const allowedVariables = flags["allowEnvVar"] as readonly string[] | undefined;
  const model = await openModel(choice, { benchmarks, variant, allowedVariables });
  noteDestination(model, output);
  return model;
}

/** Prints the address of a model, if a key or another variable of the environment is sent to it. */
export function noteDestination({ destination }: OpenedModel, output: Pick<Output, "note">): void {
  if (destination !== undefined && destination.variables.length > 0) output.note(destinationText(destination));
}

export function readModelFlags(
  flags: Flags,
  output: Pick<Output, "note">,
  options: EndpointOptionList = ENDPOINT_OPTIONS,
): ModelChoice {
  const given = Object.entries(options).flatMap(([name, option]): [string, unknown][] => {
    const flag = flagOf(name, option);
    const old = option.aliases.find((alias) => flags[camelCase(alias)] !== undefined);
    if (old !== undefined) noteRenamed(`--${old}`, `--${flag}`, output);
    const value = flags[camelCase(flag)] ?? flags[camelCase(old ?? flag)];
    return value === undefined ? [] : [[name, option.read(value)]];
  });
  const naming = ["models", "baseUrl"].filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]);
  return { ...Object.fromEntries([...naming, ...given]), model: flags["model"] as string };
}
