import { checkCommand } from "./_command_check.ts";
import { labCommand } from "./_command_lab.ts";
import { reportCommand } from "./_command_report.ts";
import { reproduceCommand } from "./_command_reproduce.ts";
import { setupCommand } from "./_command_setup.ts";

const COMMANDS: Readonly<Record<string, (args: readonly string[], folder: string) => Promise<number>>> = {
  check: checkCommand,
  lab: labCommand,
  report: reportCommand,
  reproduce: reproduceCommand,
  setup: setupCommand,
};

async function main([name = "", ...rest]: readonly string[]): Promise<number> {
  const folder = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
  // A task hands over the "--" that parts its own arguments from ours.
  const args = rest[0] === "--" ? rest.slice(1) : rest;
  try {
    const command = COMMANDS[name];
    if (command === undefined) {
      const names = Object.keys(COMMANDS).join(", ");
      throw new RangeError(`Cannot choose a command as it must be one of ${names}: current value is "${name}"`);
    }
    return await command(args, decodeURIComponent(folder));
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof Deno.errors.Interrupted) {
    console.error("Stopped");
    return 130;
  }
  if (!(error instanceof Error) || !error.message.startsWith("Cannot ")) throw error;
  console.error(error.message);
  return [RangeError, SyntaxError, TypeError].some((kind) => error instanceof kind) ? 2 : 1;
}

Deno.exit(await main(Deno.args));
