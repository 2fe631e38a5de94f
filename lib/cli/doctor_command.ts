import type { Command } from "commander";
import type { Output } from "./_guard.ts";
import { type Check, examine } from "./_examine.ts";

/** Thrown where something is missing that the project cannot do without; its message is said as it is. */
class Missing extends Error {}

/** Adds `fathom doctor`: what is missing on this machine, and the command that mends it. */
export function addDoctorCommand(program: Command, output: Output): void {
  program.command("doctor")
    .summary("say what is missing on this machine, and how to mend it")
    .description("Looks at everything that Fathom needs or can use, and names the command for what is missing.")
    .addHelpText("after", "\nExample:\n  fathom doctor")
    .action(async () => {
      const checks = await examine();
      for (const check of checks) await output.write(`${describe(check)}\n`);
      const missing = checks.filter(({ state }) => state === "missing");
      if (missing.length > 0) {
        throw new Missing(
          `${missing.length} of ${checks.length} things are missing: ${missing.map(({ what }) => what).join(", ")}`,
        );
      }
    });
}

const MARKS: Readonly<Record<Check["state"], string>> = { ok: "ok      ", optional: "optional", missing: "MISSING " };

function describe({ state, what, found, mend }: Check): string {
  return `${MARKS[state]}  ${what.padEnd(22)} ${found}${mend === undefined ? "" : `\n${" ".repeat(33)}mend: ${mend}`}`;
}
