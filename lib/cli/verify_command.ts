import type { Command } from "commander";
import { CommandFailure, type Output } from "./output.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks } from "./flags.ts";
import { repairRun, type RunCheck, type RunRepair, verifyRun } from "@/lib/records/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Adds `fathom verify`: whether a run is what was recorded. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("verify")
    .description(
      "Checks that a run was not changed or damaged: the types of all fields, the hash of the records, that each record belongs to " +
        "the run; for a run in shards also that each sample of its plan has one record. Prints what is wrong and exits with 1 if " +
        "anything is. No call is made. The hash detects accidents, not a deliberate forgery.",
    )
    .argument("<runs...>", "names or folders of runs")
    .option(
      "--repair",
      "make the runs readable again: lines without a record move to another file, and the manifest lists the faults",
    )
    .option("--json", "print one JSON object per run: run, records, answered, faults, notes")
    .addHelpText(
      "after",
      "\nExamples:\n  fathom verify first\n  fathom verify ./from-a-colleague/run\n  fathom verify first --repair",
    )
    .action(async (names: readonly string[], flags: Flags) => {
      const wrong: string[] = [];
      const options = { benchmarks: await openBenchmarks(flags) };
      for (const name of names) {
        const { before, kept }: RunRepair = flags.repair
          ? await repairRun(name, options)
          : { before: await verifyRun(name, options), kept: [] };
        await output.write(flags.json ? `${jsonOf(before, kept)}\n` : textOf(before, kept));
        if (before.faults.length > 0 && !flags.repair) wrong.push(name);
      }
      if (wrong.length === 0) return;
      throw new CommandFailure(
        `${wrong.join(", ")}: not what was recorded; --repair makes ${wrong.length === 1 ? "it" : "them"} readable`,
        1,
      );
    });
  addBenchmarkFlag(command);
}

function textOf({ run, records, answered, faults, notes }: RunCheck, kept: readonly string[]): string {
  const counts = `${records} ${plural(records, "record")}, ${answered} answered ${plural(answered, "sample")}`;
  const found = faults.length === 0 ? "nothing is wrong" : `${faults.length} ${plural(faults.length, "fault")}`;
  const lines = [
    `${run}: ${counts}; ${found}`,
    ...faults.map((fault) => `  wrong: ${fault}`),
    ...notes.map((note) => `  note: ${note}`),
    ...kept.map((path) => `  kept: ${path}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function jsonOf(check: RunCheck, kept: readonly string[]): string {
  return JSON.stringify({ ...check, ...(kept.length === 0 ? {} : { kept }) });
}
