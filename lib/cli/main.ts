import { Command } from "commander";
import process from "node:process";
import { type CommandEntry, commandName, COMMANDS } from "./commands.ts";
import { painted } from "./terminal_style.ts";
import { guard, noteError, type Output, terminalOutput } from "./output.ts";
import project from "../../deno.json" with { type: "json" };

interface FathomOptions {
  /** Whether to revoke the permissions that the command does not need; by default not. */
  readonly ownsProcess?: boolean;
  readonly commands?: readonly CommandEntry[];
}

/**
 * Runs the words after `fathom`.
 *
 * @returns The exit code: 0 for success, 2 for wrong input, 1 for any other error; a command may define others.
 */
export function fathom(args: readonly string[], output: Output, options: FathomOptions = {}): Promise<number> {
  const { ownsProcess = false, commands = COMMANDS } = options;
  const showsAll = args.includes(HELP_ALL);
  const words = withoutDashes(args).filter((word) => word !== NO_COLOUR)
    .map((word) => word === HELP_ALL ? "--help" : word);
  return guard(async () => {
    const program = await buildProgram(words, { showsAll, output, commands });
    program.hook("preAction", (_, command) => checkPaths(command));
    if (ownsProcess) program.hook("preAction", (_, command) => revokePermissions(topName(command), command));
    if (args.length === 0) return program.outputHelp();
    checkWords(words);
    await program.parseAsync(matchNumber(words, program), { from: "user" });
  }, output);
}

/** Returns the name of a command, or of the command that it is a part of. */
function topName(command: Command): string {
  return command.parent?.parent ? topName(command.parent) : command.name();
}

/** Flags that are accepted both in the singular and in the plural. */
const EITHER_NUMBER: readonly string[] = ["--task", "--tasks", "--length", "--lengths"];

function matchNumber(words: readonly string[], program: Command): string[] {
  const asked = program.commands.find((command) => command.name() === words.find((word) => !word.startsWith("-")));
  const known = [asked, ...asked?.commands ?? []].flatMap((command) => command?.options ?? []).map(({ long }) => long);
  return words.map((word) => {
    const flag = word.replace(/=.*/s, "");
    if (!EITHER_NUMBER.includes(flag) || known.includes(flag)) return word;
    const other = flag.endsWith("s") ? flag.slice(0, -1) : `${flag}s`;
    return known.includes(other) ? `${other}${word.slice(flag.length)}` : word;
  });
}

/** Refuses an empty name or path, which an unset variable of a script gives; the values of flags have checks of their own. */
function checkWords(words: readonly string[]): void {
  if (!words.some((word, at) => word === "" && !words[at - 1]?.startsWith("-"))) return;
  throw new RangeError(`Cannot run ${words[0] || "fathom"} as each name or path must be given: current value is ""`);
}

/** Refuses an empty path, which an unset variable of a script gives. */
function checkPaths(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (!/<(?:file|path|folder)>/.test(option.flags) || ![value].flat().includes("")) continue;
    throw new RangeError(`Cannot use ${option.long} as it must be the path of a file or folder: current value is ""`);
  }
}

/** Commands that need the network, as `view --serve` does; all but `tasks` may write files, and none starts programs. */
const ONLINE = ["run", "resume", "batch", "plan", "certify", "regrade", "data", "doctor", "verify-server"];

/** Revokes the Deno permissions that a command does not need, so that an imported run or a bug cannot use them. */
function revokePermissions(name: string, command: Command): void {
  // Other runtimes have no permissions that a program can give up.
  if (!("Deno" in globalThis)) return;
  Deno.permissions.revokeSync({ name: "run" });
  const isOnline = ONLINE.includes(name) || command.opts()["serve"] !== undefined;
  if (!isOnline) Deno.permissions.revokeSync({ name: "net" });
  if (name === "tasks") Deno.permissions.revokeSync({ name: "write" });
}

/** Shows rare flags too. */
const HELP_ALL = "--help-all";

/** Omits colours, as NO_COLOR does; accepted by every command. */
const NO_COLOUR = "--no-color";

/** Drops the `--` that npm needs between a task's name and its flags, and that Deno passes on. */
function withoutDashes(args: readonly string[]): string[] {
  return args.filter((word, at) => word !== "--" || at > 1 || !args[at + 1]?.startsWith("--"));
}

const HELP_COLUMNS = 100;

const styleCommand = (text: string): string => painted("command", text);

const HELP_STYLES = {
  styleTitle: (text: string): string => painted("title", text),
  styleCommandText: styleCommand,
  styleSubcommandText: styleCommand,
  styleOptionText: styleCommand,
  styleArgumentText: styleCommand,
};

/** Loads the command in the words; other commands get only their entry in the help. */
async function buildProgram(
  words: readonly string[],
  { showsAll, output, commands }: {
    readonly showsAll: boolean;
    readonly output: Output;
    readonly commands: readonly CommandEntry[];
  },
): Promise<Command> {
  const name = words.find((word) => !word.startsWith("-"));
  const program = new Command("fathom")
    .description("Measures how much of its context a language model can use.")
    .version(project.version, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .option(NO_COLOUR, "no colours, as with NO_COLOR; for every command")
    .configureHelp(HELP_STYLES)
    .configureOutput({
      getOutHelpWidth: () => Math.min(HELP_COLUMNS, output.style?.columns ?? HELP_COLUMNS),
      getOutHasColors: () => output.style?.colours ?? false,
      writeOut: (text) => output.print(text),
      writeErr: () => {},
      outputError: (text) => noteError(text.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ").trim(), output),
    });
  for (const entry of commands) {
    if (commandName(entry) !== name) {
      program.command(entry.usage).summary(entry.about);
      continue;
    }
    (await entry.load()).addCommand(program, output);
    const command = program.commands.find((each) => each.name() === name)!.summary(entry.about);
    if (showsAll) { for (const option of command.options) option.hidden = false; }
  }
  return program;
}

/** Runs the words in this process, and exits with their code. */
export async function fathomProcess(words: readonly string[], options?: FathomOptions): Promise<never> {
  // A reader that stops early closes the pipe: results then end, and notes are dropped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  process.exit(await fathom(words, terminalOutput({ isPlain: words.includes(NO_COLOUR) }), options));
}

// Last, as everything above must be defined.
if (import.meta.main) await fathomProcess(process.argv.slice(2), { ownsProcess: true });
