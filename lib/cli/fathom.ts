import { Command } from "commander";
import { FATHOM_VERSION } from "@/lib/runs/mod.ts";
import { addDoctorCommand } from "./doctor_command.ts";
import { addGenerateCommand } from "./generate_command.ts";
import { addParseCommand } from "./parse_command.ts";
import { addPlanCommand } from "./plan_command.ts";
import { addHeatmapCommand } from "./heatmap_command.ts";
import { addJudgeCommand } from "./judge_command.ts";
import { addReportCommand } from "./report_command.ts";
import { addRunCommand } from "./run_command.ts";
import { addScoreCommand } from "./score_command.ts";
import { addServeCommand } from "./serve_command.ts";
import { addShowCommand } from "./show_command.ts";
import { addTasksCommand } from "./tasks_command.ts";
import { guard, type Output } from "./_guard.ts";

/**
 * Runs Fathom's command line.
 *
 * @param args The words after `fathom`.
 * @param output Where results and remarks go.
 * @returns The exit code: 0 where all went well, 2 for wrong input, 1 for anything else.
 */
export function fathom(args: readonly string[], output: Output): Promise<number> {
  return guard(async () => {
    const program = buildProgram(output);
    if (args.length === 0) return program.outputHelp();
    await program.parseAsync(withoutDashes(args), { from: "user" });
  }, output);
}

/** Drops the `--` before a flag, as npm wants it between a task's name and its flags; Deno hands it on. */
function withoutDashes(args: readonly string[]): string[] {
  return args.filter((word, at) => word !== "--" || at > 1 || !args[at + 1]?.startsWith("--"));
}

function buildProgram(output: Output): Command {
  const program = new Command("fathom")
    .description("Measures how deep a language model really reads.")
    .version(FATHOM_VERSION, "--version", "print the version")
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => output.print(text),
      writeErr: () => {},
      outputError: (text) => output.tell(`fathom: ${text.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ").trim()}`),
    });
  addTasksCommand(program, output);
  addGenerateCommand(program, output);
  addPlanCommand(program, output);
  addRunCommand(program, output);
  addScoreCommand(program, output);
  addReportCommand(program, output);
  addParseCommand(program, output);
  addHeatmapCommand(program, output);
  addShowCommand(program, output);
  addJudgeCommand(program, output);
  addServeCommand(program, output);
  addDoctorCommand(program, output);
  return program;
}
