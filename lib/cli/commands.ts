import type { Command } from "commander";
import type { Output } from "./output.ts";

/** A command's entry in `fathom --help`; its code is loaded on demand. */
export interface CommandEntry {
  /** Its name and its arguments. */
  readonly usage: string;
  /** Its summary. */
  readonly about: string;
  /** Loads the module that adds it to the program. */
  readonly load: () => Promise<{ readonly addCommand: (program: Command, output: Output) => void }>;
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  { usage: "tasks [task]", about: "list tasks, or the knobs of one", load: () => import("./tasks_command.ts") },
  { usage: "generate", about: "print samples as JSON lines", load: () => import("./generate_command.ts") },
  {
    usage: "plan [study]",
    about: "print tokens, price and time of a study, or the samples that detect a difference",
    load: () => import("./plan_command.ts"),
  },
  { usage: "run", about: "ask a model and record its replies", load: () => import("./run_command.ts") },
  { usage: "resume <run>", about: "continue a run, without its flags", load: () => import("./resume_command.ts") },
  {
    usage: "batch [study]",
    about: "ask a study in batches of the server: half the price, within a day",
    load: () => import("./batch_command.ts"),
  },
  {
    usage: "score <path>",
    about: "score prediction files as their benchmark does",
    load: () => import("./score_command.ts"),
  },
  {
    usage: "report [runs...]",
    about: "print the scores of a run, its failures, depths, limits or cost, or a leaderboard of several",
    load: () => import("./report_command.ts"),
  },
  {
    usage: "show <run>",
    about: "show a sample of a run: planted facts, reply, score and reason",
    load: () => import("./show_command.ts"),
  },
  {
    usage: "view <run> [other]",
    about: "write a page to browse the samples of a run, or of two side by side",
    load: () => import("./view_command.ts"),
  },
  {
    usage: "export [runs...]",
    about: "write runs as tables (CSV, Parquet, JSON lines), as one file, or in other programs' formats",
    load: () => import("./export_command.ts"),
  },
  {
    usage: "verify <runs...>",
    about: "check the files of a run, and repair them",
    load: () => import("./verify_command.ts"),
  },
  {
    usage: "import <path>",
    about: "import another program's results, or a colleague's bundle, as a run",
    load: () => import("./import_command.ts"),
  },
  {
    usage: "data",
    about: "list, fetch and check the papers' corpora: essays, novels, questions",
    load: () => import("./data_command.ts"),
  },
  {
    usage: "compare <runs...>",
    about: "compare runs sample by sample, and fail a build if one is worse",
    load: () => import("./compare_command.ts"),
  },
  {
    usage: "regrade <run>",
    about: "have a second model grade the replies of a run",
    load: () => import("./regrade_command.ts"),
  },
  {
    usage: "heatmap",
    about: "draw needle scores by length and depth, of a run or of OpenCompass summaries",
    load: () => import("./heatmap_command.ts"),
  },
  {
    usage: "doctor",
    about: "check a model's server: window, template, tokens, speed",
    load: () => import("./doctor_command.ts"),
  },
];

/** Returns the name of a command. */
export function commandName({ usage }: CommandEntry): string {
  return usage.split(" ")[0]!;
}
