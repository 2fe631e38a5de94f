import type { Command } from "commander";
import { CommandFailure, type Output } from "./output.ts";
import { SOME_FAILED } from "./run_command.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks, wholeNumber } from "./task_flags.ts";
import { mergeShards } from "@/lib/exchange/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/** Adds `fathom merge`: joins the shards of a run. */
export function addMergeCommand(program: Command, output: Output): void {
  const command = program.command("merge")
    .description(
      "Joins what `fathom run --shard i/n` recorded, on one machine or many, into the run: its plan is made again, and each of its " +
        "samples must have its record in the shard that it belongs to, once. What lacks is told by shard. Shards of other studies, " +
        "models or versions are refused. The shards stay; merging again adds what they have won since.",
    )
    .argument("<run>", "the run's name, without .shard-i-of-n")
    .option("--shards <n>", "how many shards, where it was split in several ways", wholeNumber(1))
    .option("--json", "print one JSON object: run, path, records, answered, failed, shards, hash of the samples")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom run --study data/studies/ruler-quick.yaml --name big --shard 1/2\n" +
        "  fathom run --study data/studies/ruler-quick.yaml --name big --shard 2/2\n" +
        "  fathom merge big && fathom report big",
    )
    .action(async (name: string, flags: Flags) => {
      const shards = flags.shards as number | undefined;
      const run = await mergeShards(name, { shards, benchmarks: await openBenchmarks(flags) });
      for (const note of run.notes) output.note(note);
      const { path, manifest, records, answered, failed } = run;
      const { merged, samples: { sha256 } } = manifest;
      const said = `${records} ${plural(records, "record")} of ${merged!.shards} ${plural(merged!.shards, "shard")}`;
      output.note(`${path}: ${said}, none missing and none doubled; its samples hash to ${sha256.slice(0, 12)}`);
      await output.write(
        flags.json
          ? `${JSON.stringify({ run: name, path, records, answered, failed, shards: merged!.shards, sha256 })}\n`
          : `${name}\n`,
      );
      if (failed === 0) return;
      throw new CommandFailure(
        `${failed} of ${records} questions failed: the commands of the shards ask again, or that of the run as --name ${name}`,
        SOME_FAILED,
      );
    });
  addBenchmarkFlag(command);
}
