import type { Command } from "commander";
import type { Output } from "./output.ts";

/** A command as the list of all says it; its code is loaded when it is asked for. */
export interface CommandEntry {
  /** Its name and its arguments. */
  readonly usage: string;
  /** Its line in the list. */
  readonly about: string;
  /** Loads the function that adds it to the program. */
  readonly load: () => Promise<(program: Command, output: Output) => void>;
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    usage: "tasks [task]",
    about: "list the tasks, or the knobs of one",
    load: async () => (await import("./tasks_command.ts")).addTasksCommand,
  },
  {
    usage: "generate",
    about: "print samples as JSON lines",
    load: async () => (await import("./generate_command.ts")).addGenerateCommand,
  },
  {
    usage: "plan [study]",
    about: "print what a study takes of a model, or how many samples detect a difference between two",
    load: async () => (await import("./plan_command.ts")).addPlanCommand,
  },
  {
    usage: "run",
    about: "ask a model, and record its replies",
    load: async () => (await import("./run_command.ts")).addRunCommand,
  },
  {
    usage: "resume <run>",
    about: "ask what is left of a run, without its flags again",
    load: async () => (await import("./resume_command.ts")).addResumeCommand,
  },
  {
    usage: "batch [study]",
    about: "ask a study in batches of its server: at half the price, within a day",
    load: async () => (await import("./batch_command.ts")).addBatchCommand,
  },
  {
    usage: "submit [study]",
    about: "run a study on a Slurm cluster, as a job array",
    load: async () => (await import("./submit_command.ts")).addSubmitCommand,
  },
  {
    usage: "merge <run>",
    about: "join the shards of a run, and prove it whole",
    load: async () => (await import("./merge_command.ts")).addMergeCommand,
  },
  {
    usage: "score <path>",
    about: "score predictions of your own as a task's benchmark does",
    load: async () => (await import("./score_command.ts")).addScoreCommand,
  },
  {
    usage: "report [runs...]",
    about: "print the scores of a run, or a leaderboard of several, and draw figures",
    load: async () => (await import("./report_command.ts")).addReportCommand,
  },
  {
    usage: "show <run>",
    about: "show one sample of a run: its planted facts, the reply, the score and why",
    load: async () => (await import("./show_command.ts")).addShowCommand,
  },
  {
    usage: "view <run> [other]",
    about: "write a page to browse the samples of a run, or of two side by side",
    load: async () => (await import("./view_command.ts")).addViewCommand,
  },
  {
    usage: "export [runs...]",
    about: "write the replies or scores of runs as one table: CSV, Parquet or JSON lines",
    load: async () => (await import("./export_command.ts")).addExportCommand,
  },
  {
    usage: "verify <runs...>",
    about: "check the files of a run that was sent, copied or cut short",
    load: async () => (await import("./verify_command.ts")).addVerifyCommand,
  },
  {
    usage: "import <path>",
    about: "make a run of another program's results, or of a colleague's bundle",
    load: async () => (await import("./import_command.ts")).addImportCommand,
  },
  {
    usage: "data",
    about: "list, fetch and check the originals' corpora: essays, novels, questions",
    load: async () => (await import("./data_command.ts")).addDataCommand,
  },
  {
    usage: "compare <runs...>",
    about: "compare runs sample by sample, and fail a build where one has become worse",
    load: async () => (await import("./compare_command.ts")).addCompareCommand,
  },
  {
    usage: "regrade <run>",
    about: "have a second model look at the replies of a run, and score them again",
    load: async () => (await import("./regrade_commands.ts")).addRegradeCommands,
  },
  {
    usage: "heatmap",
    about: "draw needle scores by length and depth, of a run or of OpenCompass summaries",
    load: async () => (await import("./heatmap_command.ts")).addHeatmapCommand,
  },
  {
    usage: "doctor",
    about: "check this machine, or a model's server, and say how to fix what is missing",
    load: async () => (await import("./doctor_command.ts")).addDoctorCommand,
  },
];

/** Names that a command had before, which still work. */
const OLD_NAMES: Readonly<Record<string, string>> = { judge: "regrade", parse: "regrade" };

/** The name of a command. */
export function commandName({ usage }: CommandEntry): string {
  return usage.split(" ")[0]!;
}

/** Finds a command by its name or an older one; `undefined` where there is none. */
export function findCommand(
  name: string | undefined,
  commands: readonly CommandEntry[] = COMMANDS,
): CommandEntry | undefined {
  const known = Object.hasOwn(OLD_NAMES, name ?? "") ? OLD_NAMES[name!] : name;
  return commands.find((entry) => commandName(entry) === known);
}
