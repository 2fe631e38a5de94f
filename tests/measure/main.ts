import { addMeasureCommand } from "./measure_command.ts";
import { type CommandEntry, COMMANDS } from "@/lib/cli/commands.ts";
import { fathom } from "@/lib/cli/main.ts";
import { terminalOutput } from "@/lib/cli/output.ts";

/** The commands of `fathom`, and the one that `deno task measure` runs. */
export const MAINTAINERS_COMMANDS: readonly CommandEntry[] = [...COMMANDS, {
  usage: "measure",
  about: "make the measured data that comes with Fathom again, or check it",
  load: () => Promise.resolve(addMeasureCommand),
}];

if (import.meta.main) {
  const commands = MAINTAINERS_COMMANDS;
  Deno.exit(await fathom(["measure", ...Deno.args], terminalOutput({ isPlain: false }), { commands }));
}
