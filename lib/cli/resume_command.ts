import type { Command } from "commander";
import { addMaxCostFlag, addPriceFlags } from "./cost_flags.ts";
import type { Output } from "./output.ts";
import { baseUrlOption } from "./model_flags.ts";
import { askStudy, type AskStudyOptions, failureBudget } from "./run_command.ts";
import { addBenchmarkFlag, type Flags, openBenchmarks, wholeNumber } from "./task_flags.ts";
import { openModel, readRun, readShardName, recordedModel, type Shard, type Study } from "@/lib/runs/mod.ts";

/** Adds `fathom resume`: asks what is left of a run, by its manifest. */
export function addResumeCommand(program: Command, output: Output): void {
  const command = program.command("resume")
    .description(
      "Asks the samples of a recorded run that have no answer, as its manifest has them: study, model, address and settings. " +
        "The key and further headers come from the environment and the model's entry, as nothing records them. `fathom run` " +
        "with the same flags does the same.",
    )
    .argument("<run>", "the run's name")
    .addOption(baseUrlOption("where the model is served now, if elsewhere than when the run began; repeatable"))
    .option("--models <file>", "your own file of models, instead of data/models.yaml")
    .option(
      "--concurrency <n>",
      "calls in flight at a time (default: 8, or as the model's entry says)",
      wholeNumber(1, 256),
    )
    .option("--max-failures <n>", "stop where more calls fail: a count, or a share such as 5%", failureBudget)
    .option("--no-preflight", "ask without a look at the server first")
    .option("--json", "print one JSON object at the end, as `fathom report --json`")
    .addHelpText("after", "\nExamples:\n  fathom resume first\n  OPENAI_API_KEY=… fathom resume first --concurrency 16")
    .action((name: string, flags: Flags) => resume(name, flags, output));
  addBenchmarkFlag(addMaxCostFlag(addPriceFlags(command)));
}

async function resume(name: string, flags: Flags, output: Output): Promise<void> {
  const { study, part, ...recorded } = await openRecorded(name, flags);
  const { aim } = recorded;
  await askStudy(study, { ...recorded, name, output, flags: { ...flags, ...part, adaptive: aim !== undefined } });
}

/** What a recorded run asks, and of whom. */
interface Recorded extends Pick<AskStudyOptions, "model" | "benchmarks" | "aim"> {
  readonly study: Study;
  /** The name of the whole run, and which of its shards this is. */
  readonly part: { readonly name: string; readonly shard?: Shard };
}

/** Opens what a recorded run asks, by its manifest. */
export async function openRecorded(name: string, flags: Flags): Promise<Recorded> {
  const benchmarks = await openBenchmarks(flags);
  const { manifest } = await readRun(name, { benchmarks });
  if (manifest.imported !== undefined || name.includes("/")) {
    const said = manifest.imported === undefined ? name : `imported from ${manifest.imported.from}`;
    throw new RangeError(
      `Cannot resume the run as Fathom must have begun it in results/runs: current value is "${said}"`,
    );
  }
  const { study, search: aim, shard } = manifest;
  const models = flags.models as string | undefined;
  const baseUrl = flags.baseUrl as readonly string[] | undefined;
  const choice = {
    ...recordedModel(manifest),
    ...(models === undefined ? {} : { models }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
  const model = await openModel(choice, { benchmarks, variant: study.variant });
  const part = shard === undefined ? { name } : { name: readShardName(name)?.run ?? name, shard };
  return { study, model, benchmarks, aim, part };
}
