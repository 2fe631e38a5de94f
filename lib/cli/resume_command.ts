import type { Command } from "commander";
import { defined } from "@/lib/base/mod.ts";
import { askStudy, type AskStudyOptions } from "./ask_study.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks } from "./flags.ts";
import { addConcurrencyFlag, addMaxCostFlag, addPriceFlags, modelFileOptions } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { addMaxFailuresFlag } from "./run_command.ts";
import { confirmAddress, isConfirmed, readRun, recordedModel, runFolder } from "@/lib/records/mod.ts";
import { destinationText, hasOwnSamples, openModel, readShard, type Study } from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("resume")
    .description(
      "Asks the samples of a recorded run that have no answer, as its manifest has them: study, model, address and settings. " +
        "Keys and headers come from the environment and the model's entry. They are sent to the recorded address only if the run " +
        "was started on this machine or the address is your own; --base-url confirms any other.",
    )
    .argument("<run>", "the run's name");
  addMaxFailuresFlag(addConcurrencyFlag(addRecordedModelFlags(command)))
    .option("--shard <i/n>", "resume only one of n parts of the run", readShard)
    .option("--no-preflight", "skip the preflight of the server")
    .option("--json", "print one JSON object at the end, as `fathom report --json`")
    .addHelpText("after", "\nExamples:\n  fathom resume first\n  OPENAI_API_KEY=… fathom resume first --concurrency 16")
    .action(async (name: string, flags: Flags) => {
      const { study, ...recorded } = await openRecorded(name, flags, output);
      const adaptive = recorded.aim !== undefined;
      await askStudy(study, { ...recorded, name, output, flags: { ...flags, name, adaptive } });
    });
  addBenchmarkFlag(addMaxCostFlag(addPriceFlags(command)));
}

/** Adds the flags that locate the model of a recorded run. */
export function addRecordedModelFlags(command: Command): Command {
  command.option("--base-url <url>", "the model's address, if it changed; also confirms that of an imported run");
  for (const option of modelFileOptions()) command.addOption(option);
  return command;
}

/** Opens the study and model of a recorded run from its manifest, and prints the address. */
export async function openRecorded(
  name: string,
  flags: Flags,
  output: Output,
): Promise<Pick<AskStudyOptions, "model" | "benchmarks" | "aim"> & { readonly study: Study }> {
  const benchmarks = await openBenchmarks(flags);
  const { manifest } = await readRun(name, { benchmarks });
  if (hasOwnSamples(manifest) || name.includes("/")) {
    const found = hasOwnSamples(manifest) ? `imported from ${manifest.imported!.from}` : name;
    throw new RangeError(
      `Cannot resume the run as Fathom must have begun it in results/runs: current value is "${found}"`,
    );
  }
  const { study, search: aim } = manifest;
  const { models, baseUrl, allowEnvVar: allowedVariables } = flags;
  const folder = runFolder(name);
  const model = await openModel({ ...recordedModel(manifest), ...defined({ models, baseUrl }) }, {
    variant: study.variant,
    allowedVariables,
    ...(baseUrl === undefined ? { recordedIn: { name, isConfirmed: await isConfirmed(folder, manifest) } } : {}),
  });
  if (baseUrl !== undefined) await confirmAddress(folder, { ...manifest, settings: model.settings });
  if (model.destination !== undefined) output.note(destinationText(model.destination));
  return { study, model, benchmarks, aim };
}
