import type { Command } from "commander";
import { addMaxCostFlag, addPriceFlags } from "./cost_flags.ts";
import type { Output } from "./output.ts";
import { allowEnvVarOption } from "./model_flags.ts";
import { askStudy, type AskStudyOptions, failureBudget } from "./run_command.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks, wholeNumber } from "./task_flags.ts";
import { confirmAddress, isConfirmed, readRun, recordedModel, runFolder } from "@/lib/records/mod.ts";
import { destinationText, hasOwnSamples, openModel, readShard, type Study } from "@/lib/studies/mod.ts";

/** Adds `fathom resume`: asks what is left of a run, by its manifest. */
export function addResumeCommand(program: Command, output: Output): void {
  const command = program.command("resume")
    .description(
      "Asks the samples of a recorded run that have no answer, as its manifest has them: study, model, address and settings. " +
        "The key and further headers come from the environment and the model's entry, as nothing records them. They are sent " +
        "to the recorded address only if the run was begun on this machine, or that address is your own; --base-url confirms " +
        "any other. `fathom run` with the same flags does the same.",
    )
    .argument("<run>", "the run's name");
  addRecordedModelFlags(command)
    .option(
      "--concurrency <n>",
      "calls in flight at a time (default: 8, or as the model's entry says)",
      wholeNumber(1, 256),
    )
    .option("--shard <i/n>", "resume only one of n parts of the run", readShard)
    .option("--max-failures <n>", "stop where more calls fail: a count, or a share such as 5%", failureBudget)
    .option("--no-preflight", "ask without a look at the server first")
    .option("--json", "print one JSON object at the end, as `fathom report --json`")
    .addHelpText("after", "\nExamples:\n  fathom resume first\n  OPENAI_API_KEY=… fathom resume first --concurrency 16")
    .action((name: string, flags: Flags) => resume(name, flags, output));
  addBenchmarkFlag(addMaxCostFlag(addPriceFlags(command)));
}

/** Adds the flags that say where the model of a recorded run is. */
export function addRecordedModelFlags(command: Command): Command {
  return command
    .option(
      "--base-url <url>",
      "where the model is served now, if elsewhere than when the run began; confirms the address of a run from elsewhere",
    )
    .option("--models <file>", "your own file of models, instead of data/models.yaml")
    .addOption(allowEnvVarOption());
}

async function resume(name: string, flags: Flags, output: Output): Promise<void> {
  const { study, ...recorded } = await openRecorded(name, flags, output);
  const { aim } = recorded;
  await askStudy(study, { ...recorded, name, output, flags: { ...flags, name, adaptive: aim !== undefined } });
}

/** The study and the model of a recorded run. */
interface Recorded extends Pick<AskStudyOptions, "model" | "benchmarks" | "aim"> {
  readonly study: Study;
}

/** Opens what a recorded run asks, by its manifest, and prints where that goes. */
export async function openRecorded(name: string, flags: Flags, output: Output): Promise<Recorded> {
  const benchmarks = await openBenchmarks(flags);
  const { manifest } = await readRun(name, { benchmarks });
  const isForeign = hasOwnSamples(manifest);
  if (isForeign || name.includes("/")) {
    const said = isForeign ? `imported from ${manifest.imported!.from}` : name;
    throw new RangeError(
      `Cannot resume the run as Fathom must have begun it in results/runs: current value is "${said}"`,
    );
  }
  const { study, search: aim } = manifest;
  const models = flags.models as string | undefined;
  const baseUrl = flags.baseUrl as string | undefined;
  const choice = {
    ...recordedModel(manifest),
    ...(models === undefined ? {} : { models }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
  const folder = runFolder(name);
  const model = await openModel(choice, {
    ...{ benchmarks, variant: study.variant, allowedVariables: flags.allowEnvVar as readonly string[] | undefined },
    ...(baseUrl === undefined ? { recordedIn: { name, isConfirmed: await isConfirmed(folder, manifest) } } : {}),
  });
  if (baseUrl !== undefined) await confirmAddress(folder, { ...manifest, settings: model.settings });
  if (model.destination !== undefined) output.note(destinationText(model.destination));
  return { study, model, benchmarks, aim };
}
