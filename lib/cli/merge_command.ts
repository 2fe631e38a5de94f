import type { Command } from "commander";
import { CommandFailure, type Output } from "./output.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks } from "./task_flags.ts";
import { joinShardFolders } from "@/lib/exchange/mod.ts";

/** Adds `fathom merge`: joins shards in folders of their own, as older versions wrote them. */
export function addMergeCommand(program: Command, output: Output): void {
  const command = program.command("merge")
    .description(
      "Joins shards that versions before 0.2 wrote to folders of their own, such as big.shard-2-of-4, into run big. Shards are " +
        "now files of one folder, and need no merge: `fathom verify` checks that they are complete.",
    )
    .argument("<run>", "the run's name, without .shard-i-of-n")
    .addHelpText("after", "\nExamples:\n  fathom merge big && fathom report big")
    .action(async (name: string, flags: Flags) => {
      const { records, answered, faults } = await joinShardFolders(name, { benchmarks: await openBenchmarks(flags) });
      output.note(`${name}: ${records} records joined, ${answered} answered`);
      await output.write(`${name}\n`);
      if (faults.length > 0) throw new CommandFailure(`${name}: ${faults.join("; ")}`, 1);
    });
  addBenchmarkFlag(command);
}
