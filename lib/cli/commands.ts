import type { Command } from "commander";
import type { Output } from "./output.ts";

/** A command's entry in `fathom --help`; its code is loaded on demand. */
export interface CommandEntry {
  /** Its name and its arguments. */
  readonly usage: string;
  /** Its summary. */
  readonly about: string;
  /** Loads the function that adds it to the program. */
  readonly load: () => Promise<(program: Command, output: Output) => void>;
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    usage: "tasks [task]",
    about: "list tasks, or the knobs of one",
    load: async () => (await import("./tasks_command.ts")).addTasksCommand,
  },
  {
    usage: "generate",
    about: "print samples as JSON lines",
    load: async () => (await import("./generate_command.ts")).addGenerateCommand,
  },
  {
    usage: "plan [study]",
    about: "print tokens, price and time of a study, or the samples that detect a difference",
    load: async () => (await import("./plan_command.ts")).addPlanCommand,
  },
  {
    usage: "run",
    about: "ask a model and record its replies",
    load: async () => (await import("./run_command.ts")).addRunCommand,
  },
  {
    usage: "resume <run>",
    about: "continue a run, without its flags",
    load: async () => (await import("./resume_command.ts")).addResumeCommand,
  },
  {
    usage: "batch [study]",
    about: "ask a study in batches of the server: half the price, within a day",
    load: async () => (await import("./batch_command.ts")).addBatchCommand,
  },
  {
    usage: "score <path>",
    about: "score prediction files as their benchmark does",
    load: async () => (await import("./score_command.ts")).addScoreCommand,
  },
  {
    usage: "report [runs...]",
    about: "print the scores of a run, its failures, depths, limits or cost, or a leaderboard of several",
    load: async () => (await import("./report_command.ts")).addReportCommand,
  },
  {
    usage: "show <run>",
    about: "show a sample of a run: planted facts, reply, score and reason",
    load: async () => (await import("./show_command.ts")).addShowCommand,
  },
  {
    usage: "view <run> [other]",
    about: "write a page to browse the samples of a run, or of two side by side",
    load: async () => (await import("./view_command.ts")).addViewCommand,
  },
  {
    usage: "export [runs...]",
    about: "write runs as tables (CSV, Parquet, JSON lines), as one file, or in other programs' formats",
    load: async () => (await import("./export_command.ts")).addExportCommand,
  },
  {
    usage: "verify <runs...>",
    about: "check the files of a run, and repair them",
    load: async () => (await import("./verify_command.ts")).addVerifyCommand,
  },
  {
    usage: "import <path>",
    about: "import another program's results, or a colleague's bundle, as a run",
    load: async () => (await import("./import_command.ts")).addImportCommand,
  },
  {
    usage: "data",
    about: "list, fetch and check the papers' corpora: essays, novels, questions",
    load: async () => (await import("./data_command.ts")).addDataCommand,
  },
  {
    usage: "compare <runs...>",
    about: "compare runs sample by sample, and fail a build if one is worse",
    load: async () => (await import("./compare_command.ts")).addCompareCommand,
  },
  {
    usage: "regrade <run>",
    about: "have a second model grade the replies of a run",
    load: async () => (await import("./regrade_commands.ts")).addRegradeCommands,
  },
  {
    usage: "heatmap",
    about: "draw needle scores by length and depth, of a run or of OpenCompass summaries",
    load: async () => (await import("./heatmap_command.ts")).addHeatmapCommand,
  },
  {
    usage: "doctor",
    about: "check this machine or a model's server, and print how to fix problems",
    load: async () => (await import("./doctor_command.ts")).addDoctorCommand,
  },
];

/** Old names of commands, which still work. */
const OLD_NAMES: Readonly<Record<string, string>> = { judge: "regrade", parse: "regrade" };

/** Returns the name of a command. */
export function commandName({ usage }: CommandEntry): string {
  return usage.split(" ")[0]!;
}

/** Finds a command by its name or an old name. */
export function findCommand(
  name: string | undefined,
  commands: readonly CommandEntry[] = COMMANDS,
): CommandEntry | undefined {
  const known = Object.hasOwn(OLD_NAMES, name ?? "") ? OLD_NAMES[name!] : name;
  return commands.find((entry) => commandName(entry) === known);
}
