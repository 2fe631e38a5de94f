import { Command, Help } from "commander";
import { addCompareCommand } from "./compare_command.ts";
import { addDataCommand } from "./data_command.ts";
import { addDoctorCommand } from "./doctor_command.ts";
import { addExportCommand } from "./export_command.ts";
import { addGenerateCommand } from "./generate_command.ts";
import { addHeatmapCommand } from "./heatmap_command.ts";
import { addCompletionCommand } from "./completion_command.ts";
import { painted } from "./look.ts";
import { guard, noteError, type Output, terminalOutput } from "./output.ts";
import { addImportCommand } from "./import_command.ts";
import { addMeasureCommand } from "./measure_command.ts";
import { addMergeCommand } from "./merge_command.ts";
import { addPlanCommand } from "./plan_command.ts";
import { addRegradeCommands } from "./regrade_commands.ts";
import { addReportCommand } from "./report_command.ts";
import { addRunCommand, isRareFlag } from "./run_command.ts";
import { addResumeCommand } from "./resume_command.ts";
import { addScoreCommand } from "./score_command.ts";
import { addServeCommand } from "./serve_command.ts";
import { addShowCommand } from "./show_command.ts";
import { addSubmitCommand, SUBMIT_FLAGS } from "./submit_command.ts";
import { addTasksCommand } from "./tasks_command.ts";
import { addVerifyCommand } from "./verify_command.ts";
import { addViewCommand } from "./view_command.ts";
import { FATHOM_VERSION } from "@/lib/runs/mod.ts";

/** Runs the words after `fathom`; gives the exit code: 0 for success, 2 for wrong input, 1 for anything else unless a command says otherwise. With `ownsProcess` it gives up the permissions that the command does not need. */
export function fathom(args: readonly string[], output: Output, { ownsProcess = false } = {}): Promise<number> {
  const showsAll = args.includes(HELP_ALL);
  return guard(async () => {
    const program = buildProgram(output, { showsAll });
    if (ownsProcess) program.hook("preAction", (_, command) => giveUpPermissions(command.name()));
    if (args.length === 0) return program.outputHelp();
    const words = withoutDashes(args).filter((word) => word !== NO_COLOUR)
      .map((word) => word === HELP_ALL ? "--help" : word);
    await program.parseAsync(words, { from: "user" });
  }, output);
}

/** Commands that look at files alone. */
const OF_FILES: readonly string[] = ["score", "export", "import", "merge", "verify", "completion"];

/** Gives up Deno's permissions that a command does not need; a run from elsewhere, or its code, cannot use them then. */
function giveUpPermissions(command: string): void {
  if (command !== "measure" && command !== "submit") Deno.permissions.revokeSync({ name: "run" });
  if (OF_FILES.includes(command)) Deno.permissions.revokeSync({ name: "net" });
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

/** Whether a flag is shown by `--help-all` alone. */
function isRare(flag: string | undefined, command: string): boolean {
  return command === "submit" ? !SUBMIT_FLAGS.includes(flag ?? "") : isRareFlag(flag, command);
}

function buildProgram(output: Output, { showsAll }: { readonly showsAll: boolean }): Command {
  const program = new Command("fathom")
    .description("Measures how deep a language model really reads.")
    .version(FATHOM_VERSION, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
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
  addTasksCommand(program, output);
  addGenerateCommand(program, output);
  addPlanCommand(program, output);
  addRunCommand(program, output);
  addResumeCommand(program, output);
  addSubmitCommand(program, output);
  addMergeCommand(program, output);
  addScoreCommand(program, output);
  addReportCommand(program, output);
  addShowCommand(program, output);
  addViewCommand(program, output);
  addExportCommand(program, output);
  addVerifyCommand(program, output);
  addImportCommand(program, output);
  addDataCommand(program, output);
  addCompareCommand(program, output);
  addRegradeCommands(program, output);
  addMeasureCommand(program, output);
  addHeatmapCommand(program, output);
  addServeCommand(program, output);
  addDoctorCommand(program, output);
  addCompletionCommand(program, output);
  return program;
}

// Last, as everything above must be defined.
if (import.meta.main) {
  Deno.exit(await fathom(Deno.args, terminalOutput({ isPlain: Deno.args.includes(NO_COLOUR) }), { ownsProcess: true }));
}
