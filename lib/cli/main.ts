import { Command, Help } from "commander";
import { addCompareCommand } from "./compare_command.ts";
import { addDataCommand } from "./data_command.ts";
import { addDoctorCommand } from "./doctor_command.ts";
import { addExportCommand } from "./export_command.ts";
import { addGenerateCommand } from "./generate_command.ts";
import { addHeatmapCommand } from "./heatmap_command.ts";
import { guard, type Output, STANDARD_OUTPUT } from "./output.ts";
import { addMeasureCommand } from "./measure_command.ts";
import { addPlanCommand } from "./plan_command.ts";
import { addRegradeCommands } from "./regrade_commands.ts";
import { addReportCommand } from "./report_command.ts";
import { addRunCommand, isRareFlag } from "./run_command.ts";
import { addScoreCommand } from "./score_command.ts";
import { addServeCommand } from "./serve_command.ts";
import { addShowCommand } from "./show_command.ts";
import { addTasksCommand } from "./tasks_command.ts";
import { addViewCommand } from "./view_command.ts";
import { FATHOM_VERSION } from "@/lib/runs/mod.ts";

/** Runs the words after `fathom`; gives the exit code: 0 for success, 2 for wrong input, 1 for anything else unless a command says otherwise. */
export function fathom(args: readonly string[], output: Output): Promise<number> {
  const showsAll = args.includes(HELP_ALL);
  return guard(async () => {
    const program = buildProgram(output, { showsAll });
    if (args.length === 0) return program.outputHelp();
    const words = withoutDashes(args).map((word) => word === HELP_ALL ? "--help" : word);
    await program.parseAsync(words, { from: "user" });
  }, output);
}

/** Shows the rarely used flags too. */
const HELP_ALL = "--help-all";

/** Drops the `--` that npm wants between a task's name and its flags; Deno passes it on. */
function withoutDashes(args: readonly string[]): string[] {
  return args.filter((word, at) => word !== "--" || at > 1 || !args[at + 1]?.startsWith("--"));
}

const HELP_COLUMNS = 100;

function buildProgram(output: Output, { showsAll }: { readonly showsAll: boolean }): Command {
  const program = new Command("fathom")
    .description("Measures how deep a language model really reads.")
    .version(FATHOM_VERSION, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({
      visibleOptions: (command) =>
        new Help().visibleOptions(command).filter(({ long }) => showsAll || !isRareFlag(long)),
    })
    .configureOutput({
      getOutHelpWidth: () => HELP_COLUMNS,
      writeOut: (text) => output.print(text),
      writeErr: () => {},
      outputError: (text) => output.note(`fathom: ${text.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ").trim()}`),
    });
  addTasksCommand(program, output);
  addGenerateCommand(program, output);
  addPlanCommand(program, output);
  addRunCommand(program, output);
  addScoreCommand(program, output);
  addReportCommand(program, output);
  addShowCommand(program, output);
  addViewCommand(program, output);
  addExportCommand(program, output);
  addDataCommand(program, output);
  addCompareCommand(program, output);
  addRegradeCommands(program, output);
  addMeasureCommand(program, output);
  addHeatmapCommand(program, output);
  addServeCommand(program, output);
  addDoctorCommand(program, output);
  return program;
}

// Last, as everything above must be defined.
if (import.meta.main) Deno.exit(await fathom(Deno.args, STANDARD_OUTPUT));
