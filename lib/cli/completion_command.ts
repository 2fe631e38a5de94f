import { Argument, type Command, type Option } from "commander";
import { bashScript, type CompletedCommand, type CompletedValue, fishScript, zshScript } from "./completion_scripts.ts";
import type { Output } from "./output.ts";
import { BENCHMARKS, listFamilies } from "@/lib/benchmarks/mod.ts";
import { listRuns } from "@/lib/records/mod.ts";
import { RUNS_FOLDER } from "@/lib/studies/mod.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Adds `fathom completion`: a script by which a shell completes commands, flags, choices, tasks and runs. */
export function addCompletionCommand(program: Command, output: Output): void {
  program.command("completion")
    .description(
      "Prints a script for a shell, which then completes the commands of fathom, their flags and choices, tasks, files and " +
        "the names of recorded runs. docs/shell.md says how to have fathom as a command.",
    )
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SCRIPTS)))
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  source <(fathom completion bash)                                          # in ~/.bashrc\n" +
        "  source <(fathom completion zsh)                                           # in ~/.zshrc, after compinit\n" +
        "  fathom completion fish > ~/.config/fish/completions/fathom.fish",
    )
    .action(async (shell: keyof typeof SCRIPTS) => {
      const measured = (await listRuns()).filter((name) => name.startsWith("measured/"));
      await output.write(SCRIPTS[shell](program.commands.map(describeCommand), { folder: RUNS_FOLDER, measured }));
    });
}

/** What a shell must know of a command. */
function describeCommand(command: Command): CompletedCommand {
  const flags = command.options.filter(({ hidden, long }) => !hidden && long !== undefined);
  return {
    name: command.name(),
    about: command.summary() || command.description(),
    flags: flags.map((option) => ({ flag: option.long!, about: option.description, takes: valueOfFlag(option) })),
    takes: command.registeredArguments.map(valueOfArgument),
    commands: command.commands.map(describeCommand),
  };
}

function valueOfFlag(option: Option): CompletedValue | undefined {
  const { required, optional, argChoices, flags, long } = option;
  if (!required && !optional) return undefined;
  if (argChoices !== undefined) return { choices: argChoices };
  if (["--tasks", "--task"].includes(long!)) return { choices: taskNames() };
  if (/<run>/.test(flags)) return "run";
  return /<(?:file|path|folder)>/.test(flags) ? "file" : "text";
}

function valueOfArgument(argument: Argument): CompletedValue {
  const name = argument.name();
  if (argument.argChoices !== undefined) return { choices: argument.argChoices };
  if (name === "task") return { choices: taskNames() };
  if (["run", "runs", "other"].includes(name)) return "run";
  return name === "path" ? "file" : "text";
}

/** The names of benchmarks, families and tasks. */
function taskNames(): readonly string[] {
  const families = listFamilies();
  const names = [...BENCHMARKS, ...families].map(({ name }) => name);
  return [...new Set(["all", ...names, ...families.flatMap(({ tasks }) => tasks)])];
}
