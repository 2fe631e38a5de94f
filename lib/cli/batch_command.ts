import type { Command } from "commander";
import { addBudgetFlags, addMaxCostFlag, withinBudget } from "./cost_flags.ts";
import type { Output } from "./output.ts";
import { addRecordedModelFlags, openRecorded } from "./resume_command.ts";
import {
  addRecipeFlags,
  addStudyFlags,
  askStudy,
  baseNameOf,
  dryRun,
  flagsOfModels,
  openAsked,
} from "./run_command.ts";
import { addBenchmarkFlag, type Flags, number, openBenchmarks, wholeNumber } from "./task_flags.ts";
import type { BatchServer } from "@/lib/models/mod.ts";
import { type Batching, cancelBatches, lookAtBatches, type RunBatch } from "@/lib/asking/mod.ts";
import { runFolder } from "@/lib/records/mod.ts";

/** Adds `fathom batch`: a run in batches of its server, at half the price. */
export function addBatchCommand(program: Command, output: Output): void {
  const command = addStudyFlags(program.command("batch"))
    .description(
      "Asks what `fathom run` with the same flags would ask, in batches of the server, as OpenAI's API has them: half the price, " +
        "answered within a day. Writes the requests, submits them, waits, and records what comes back; the same command again goes " +
        "on wherever it was ended, and submits nothing twice. What a batch left untried is submitted again; what failed is counted " +
        "under its cause, and asked again by the same command or, as single calls, by `fathom resume`.",
    )
    .argument("[study]", "a study file (YAML), unless flags describe the study")
    .option("--no-wait", "submit, and read back what is there, without waiting")
    .option("--poll <seconds>", "how often the server is asked how far it is", number(0.01, 86_400), 60)
    .option(
      "--queue <tokens>",
      "the most prompt tokens under way together (default: as many as the server takes)",
      wholeNumber(1, 1e12),
    )
    .option(
      "--batch-size <n>",
      "the most requests of a batch (default: 50000, within files of 50 MB)",
      wholeNumber(1, 50_000),
    )
    .option("--dry-run", "print what would be asked and what it would cost, then stop")
    .option("--json", "print one JSON object at the end, as `fathom report --json`")
    .option("--help-all", "print every flag");
  addRecipeFlags(addMaxCostFlag(addBudgetFlags(command)));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom batch data/studies/ruler.yaml --model gpt-4o-mini --lengths 4K,8K --samples 25 --name half --dry-run\n" +
      "  fathom batch data/studies/ruler.yaml --model gpt-4o-mini --lengths 4K,8K --samples 25 --name half --no-wait\n" +
      "  fathom batch status half\n" +
      "  fathom batch fetch half && fathom report half",
  );
  command.action(async (study: string | undefined, flags: Flags) => {
    const given = study === undefined ? flags : { ...flags, study };
    for (const each of flagsOfModels(given)) {
      await (flags.dryRun ? dryRun(each, output, { inBatches: true }) : askInBatches(each, output));
    }
  });
  // Flags after the name of a command below are its own.
  addRunCommands(command.enablePositionalOptions(), output);
}

/** Adds the commands on a run whose batches are under way. */
function addRunCommands(batch: Command, output: Output): void {
  const add = (name: string, about: string): Command => {
    const command = batch.command(name).description(about).argument("<run>", "the run's name");
    return addBenchmarkFlag(addRecordedModelFlags(command));
  };
  add("status", "Prints how far the batches of a run are.")
    .option("--json", "print one JSON object for each batch")
    .action(async (name: string, flags: Flags) => {
      const batches = await lookAtBatches(runFolder(name), await openServer(name, flags, output));
      if (batches.length === 0) output.note(`${name}: no batches`);
      for (const each of batches) await output.write(flags.json ? `${JSON.stringify(each)}\n` : stateLine(each));
    });
  add("fetch", "Records what came back in the batches of a run that are over; submits nothing.")
    .option("--wait", "wait until all are over")
    .option("--poll <seconds>", "how often the server is asked how far it is", number(0.01, 86_400), 60)
    .option("--json", "print one JSON object at the end, as `fathom report --json`")
    .action(async (name: string, flags: Flags) => {
      const { study, ...recorded } = await openRecorded(name, flags, output);
      const batching = { ...readBatching(flags), submits: false, waits: flags.wait === true };
      await askStudy(study, { ...recorded, name, batching, output, flags: { ...flags, name, preflight: false } });
    });
  add("cancel", "Ends the batches of a run at the server; what they have answered by then is read back by `fetch`.")
    .action(async (name: string, flags: Flags) => {
      const batches = await cancelBatches(runFolder(name), await openServer(name, flags, output));
      if (batches.length === 0) output.note(`${name}: no batch is under way`);
      for (const each of batches) await output.write(stateLine(each));
    });
}

async function askInBatches(flags: Flags, output: Output): Promise<void> {
  const benchmarks = await openBenchmarks(flags);
  const { study: asked, model } = await openAsked(flags, { benchmarks, output });
  const name = baseNameOf(flags, model);
  const study = await withinBudget(asked, { flags, model, name, benchmarks, inBatches: true, output });
  const batching = { ...readBatching(flags), waits: flags.wait !== false };
  await askStudy(study, { name, model, benchmarks, aim: undefined, batching, flags, output });
}

function readBatching({ poll, queue, batchSize }: Flags): Batching {
  return {
    pollMs: 1000 * (poll as number),
    ...(queue === undefined ? {} : { mostTokens: queue as number }),
    ...(batchSize === undefined ? {} : { mostRequests: batchSize as number }),
  };
}

async function openServer(name: string, flags: Flags, output: Output): Promise<BatchServer> {
  const { model: { batches, name: model } } = await openRecorded(name, flags, output);
  if (batches !== undefined) return batches;
  throw new RangeError(
    `Cannot look at batches as the run's model must be one of a server: current value is "${model}"`,
  );
}

/** How far a batch is, in a line. */
function stateLine({ number: place, questions, server, isOver }: RunBatch): string {
  if (server === undefined) return `${place}  not submitted yet, ${questions} requests\n`;
  const { id, status, begun, answered, failed } = server;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const counts = `${answered} of ${questions} answered${failures}`;
  return `${place}  ${id}  ${status.replaceAll("_", " ")}${isOver ? ", recorded" : ""}  ${counts}  begun ${begun}\n`;
}
