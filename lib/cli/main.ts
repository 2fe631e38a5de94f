import { Command, Help } from "commander";
import { type CommandEntry, commandName, COMMANDS, findCommand } from "./commands.ts";
import { painted } from "./look.ts";
import { guard, noteError, type Output, terminalOutput } from "./output.ts";
import project from "../../deno.json" with { type: "json" };

/** Options for {@linkcode fathom}. */
export interface FathomOptions {
  /**
   * Whether to give up the permissions that the command does not need.
   *
   * @default {false}
   */
  readonly ownsProcess?: boolean;
  /**
   * The commands that there are.
   *
   * @default {COMMANDS}
   */
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
    if (ownsProcess) program.hook("preAction", (_, command) => giveUpPermissions(command.name()));
    if (args.length === 0) return program.outputHelp();
    await program.parseAsync(inPlural(words, program), { from: "user" });
  }, output);
}

/** Flags whose singular is accepted by commands that have the plural alone. */
const PLURALS: readonly string[] = ["--tasks", "--lengths"];

function inPlural(words: readonly string[], program: Command): string[] {
  const asked = program.commands.find((command) => command.name() === words.find((word) => !word.startsWith("-")));
  const flags = [asked, ...asked?.commands ?? []].flatMap((command) => command?.options ?? []).map(({ long }) => long);
  const plurals = PLURALS.filter((flag) => flags.includes(flag) && !flags.includes(flag.slice(0, -1)));
  return words.map((word) => {
    const flag = word.replace(/=.*/s, "");
    return plurals.includes(`${flag}s`) ? `${flag}s${word.slice(flag.length)}` : word;
  });
}

/** Refuses flags that name a file or a folder by an empty text, as an unset variable of a script gives it. */
function checkPaths(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (!/<(?:file|path|folder)>/.test(option.flags) || ![value].flat().includes("")) continue;
    throw new RangeError(`Cannot use ${option.long} as it must be the path of a file or folder: current value is ""`);
  }
}

/** Commands that look at files alone. */
const OF_FILES: readonly string[] = [
  "tasks",
  "generate",
  "score",
  "report",
  "show",
  "view",
  "export",
  "import",
  "merge",
  "verify",
  "compare",
  "heatmap",
];

/** Commands that run programs: Slurm's, and those whose versions `doctor` asks for. */
const OF_PROGRAMS: readonly string[] = ["submit", "doctor"];

/** Commands that only print. */
const OF_PRINT: readonly string[] = ["tasks"];

/** Gives up Deno's permissions that a command does not need; a run from elsewhere, or its code, cannot use them then. */
function giveUpPermissions(command: string): void {
  if (!OF_PROGRAMS.includes(command)) Deno.permissions.revokeSync({ name: "run" });
  if (OF_FILES.includes(command)) Deno.permissions.revokeSync({ name: "net" });
  if (OF_PRINT.includes(command)) Deno.permissions.revokeSync({ name: "write" });
}

/** Shows the rarely used flags too. */
const HELP_ALL = "--help-all";

/** Leaves colours out, as NO_COLOR does; of any command. */
const NO_COLOUR = "--no-color";

/** Drops the `--` that npm wants between a task's name and its flags; Deno passes it on. */
function withoutDashes(args: readonly string[]): string[] {
  return args.filter((word, at) => word !== "--" || at > 1 || !args[at + 1]?.startsWith("--"));
}

const HELP_COLUMNS = 100;

/** The help's titles, commands and flags, coloured where a terminal shows them. */
const HELP_STYLES = {
  styleTitle: (text: string): string => painted("title", text),
  styleCommandText: (text: string): string => painted("command", text),
  styleSubcommandText: (text: string): string => painted("command", text),
  styleOptionText: (text: string): string => painted("command", text),
  styleArgumentText: (text: string): string => painted("command", text),
};

/** Tells the flags that only `--help-all` shows; without a command whose help is asked for there are none. */
async function rareFlags(words: readonly string[], asked: CommandEntry | undefined): Promise<RareFlags> {
  const asksHelp = words.includes("--help") || words.includes("-h");
  return asksHelp && asked !== undefined ? (await import("./rare_flags.ts")).isRareFlag : () => false;
}

type RareFlags = (flag: string | undefined, command: string) => boolean;

interface ProgramOptions {
  readonly showsAll: boolean;
  readonly output: Output;
  readonly commands: readonly CommandEntry[];
}

/** Loads the command that the words ask for; of the others it knows what the list of all says. */
async function buildProgram(
  words: readonly string[],
  { showsAll, output, commands }: ProgramOptions,
): Promise<Command> {
  const asked = findCommand(words.find((word) => !word.startsWith("-")), commands);
  const isRare = await rareFlags(words, asked);
  const program = new Command("fathom")
    .description("Measures how deep a language model really reads.")
    .version(project.version, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .option(NO_COLOUR, "no colours, as with NO_COLOR set; of every command")
    .configureHelp({
      ...HELP_STYLES,
      visibleOptions: (command) =>
        new Help().visibleOptions(command).filter(({ long }) => showsAll || !isRare(long, command.name())),
    })
    .configureOutput({
      getOutHelpWidth: () => Math.min(HELP_COLUMNS, output.look?.columns ?? HELP_COLUMNS),
      getOutHasColors: () => output.look?.colours ?? false,
      writeOut: (text) => output.print(text),
      writeErr: () => {},
      outputError: (text) => noteError(text.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ").trim(), output),
    });
  for (const entry of commands) {
    if (entry !== asked) {
      program.command(entry.usage).summary(entry.about);
      continue;
    }
    (await entry.load())(program, output);
    program.commands.find((command) => command.name() === commandName(entry))!.summary(entry.about);
  }
  return program;
}

/** Runs the words in this process, and ends it with their exit code. */
export async function fathomProcess(words: readonly string[], options?: FathomOptions): Promise<never> {
  Deno.exit(await fathom(words, terminalOutput({ isPlain: words.includes(NO_COLOUR) }), options));
}

// Last, as everything above must be defined.
if (import.meta.main) await fathomProcess(Deno.args, { ownsProcess: true });
