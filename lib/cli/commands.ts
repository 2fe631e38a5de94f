import type { Command } from "commander";
import type { Output } from "./output.ts";

/** A command's entry in `fathom --help`; its code is loaded on demand. */
export interface CommandEntry {
  /** Its name and its arguments. */
  readonly usage: string;
  readonly about: string;
  readonly load: () => Promise<{ readonly addCommand: (program: Command, output: Output) => void }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  { usage: "tasks [task]", about: "list tasks, or the knobs of one", load: () => import("./tasks_command.ts") },
  { usage: "generate", about: "print samples as JSON lines", load: () => import("./generate_command.ts") },
  { usage: "plan [study]", about: "print the cost of a study in advance", load: () => import("./plan_command.ts") },
  { usage: "run", about: "ask a model and record its replies", load: () => import("./run_command.ts") },
  { usage: "resume <run>", about: "continue a run, without its flags", load: () => import("./resume_command.ts") },
  { usage: "batch [study]", about: "ask a study in batches, at half price", load: () => import("./batch_command.ts") },
  { usage: "score <path>", about: "score prediction files", load: () => import("./score_command.ts") },
  { usage: "report [runs...]", about: "print scores, or rank runs", load: () => import("./report_command.ts") },
  { usage: "show <run>", about: "show a sample, its reply and score", load: () => import("./show_command.ts") },
  { usage: "view <runs...>", about: "write a page to explore runs", load: () => import("./view_command.ts") },
  { usage: "export [runs...]", about: "write runs as tables or as a file", load: () => import("./export_command.ts") },
  { usage: "verify <runs...>", about: "check or repair a run's files", load: () => import("./verify_command.ts") },
  { usage: "import <path>", about: "import another program's results", load: () => import("./import_command.ts") },
  { usage: "data", about: "list and fetch the papers' corpora", load: () => import("./data_command.ts") },
  { usage: "compare <runs...>", about: "compare runs sample by sample", load: () => import("./compare_command.ts") },
  { usage: "certify", about: "certify that a change costs no accuracy", load: () => import("./certify_command.ts") },
  { usage: "regrade <run>", about: "have a model grade the replies", load: () => import("./regrade_command.ts") },
  { usage: "figure [runs...]", about: "draw runs for a paper", load: () => import("./figure_command.ts") },
  { usage: "verify-server", about: "score replies over HTTP", load: () => import("./verify_server_command.ts") },
  { usage: "doctor", about: "check a model's server", load: () => import("./doctor_command.ts") },
];

export function commandName({ usage }: CommandEntry): string {
  return usage.split(" ")[0]!;
}
