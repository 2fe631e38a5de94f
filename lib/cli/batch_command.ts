import type { Command } from "commander";
import { defined } from "@/lib/base/mod.ts";
import { askStudy } from "./ask_study.ts";
import { number, wholeNumber } from "./flag_values.ts";
import { addBenchmarkFlag, type Flags } from "./flags.ts";
import { addMaxCostFlag } from "./model_flags.ts";
import type { Output } from "./output.ts";
import { addRecordedModelFlags, openRecorded } from "./resume_command.ts";
import { addRecipeFlags, addStudyFlags, askModels, hideRareFlags } from "./run_command.ts";
import { type Batching, cancelBatches, lookAtBatches, type RunBatch } from "@/lib/asking/mod.ts";
import type { BatchServer } from "@/lib/models/mod.ts";
import { runFolder } from "@/lib/records/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = addStudyFlags(program.command("batch"))
    .description(
      "Asks the questions of `fathom run` with the same flags in batches of the server, such as OpenAI's: half the price, answered " +
        "within a day. Submits the requests, waits, and records the replies; the same command again continues where it ended. " +
        "Failed requests are recorded with their cause, and asked again by it or, as single calls, by `fathom resume`.",
    )
    .argument("[study]", "a study file (YAML), unless flags describe the study")
    .option("--no-wait", "submit, and record available replies, without waiting")
    .option("--batch-size <n>", "requests of a batch (default: 50000, in files of 50 MB)", wholeNumber(1, 50_000))
    .option("--dry-run", "print what would be asked and its cost, then stop");
  addPollFlags(addRecipeFlags(addMaxCostFlag(command)));
  hideRareFlags(command).addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom batch data/studies/ruler.yaml --model gpt-4o-mini --lengths 4K,8K --samples 25 --name half --dry-run\n" +
      "  fathom batch data/studies/ruler.yaml --model gpt-4o-mini --lengths 4K,8K --samples 25 --name half --no-wait\n" +
      "  fathom batch status half\n" +
      "  fathom batch fetch half && fathom report half",
  );
  command.action((study: string | undefined, flags: Flags) =>
    askModels(study === undefined ? flags : { ...flags, study }, output, {
      ...readBatching(flags),
      waits: flags.wait !== false,
    })
  );
  // Flags after the name of a command below are its own.
  addRunCommands(command.enablePositionalOptions(), output);
}

function addPollFlags(command: Command): Command {
  return command
    .option("--poll <seconds>", "seconds between two queries of a batch", number(0.01, 86_400), 60)
    .option("--json", "print one JSON object at the end, as `fathom report --json`");
}

function addRunCommands(batch: Command, output: Output): void {
  const add = (name: string, about: string): Command => {
    const command = batch.command(name).description(about).argument("<run>", "the run's name");
    return addBenchmarkFlag(addRecordedModelFlags(command));
  };
  add("status", "Prints the progress of the batches of a run.")
    .option("--json", "print one JSON object for each batch")
    .action(async (name: string, flags: Flags) => {
      const batches = await lookAtBatches(runFolder(name), await openServer(name, flags, output));
      if (batches.length === 0) output.note(`${name}: no batches`);
      for (const each of batches) await output.write(flags.json ? `${JSON.stringify(each)}\n` : stateLine(each));
    });
  addPollFlags(add("fetch", "Records the replies of finished batches of a run; submits nothing."))
    .option("--wait", "wait until all are finished")
    .action(async (name: string, flags: Flags) => {
      const { study, ...recorded } = await openRecorded(name, flags, output);
      const batching = { ...readBatching(flags), submits: false, waits: flags.wait === true };
      await askStudy(study, { ...recorded, name, batching, output, flags: { ...flags, name, preflight: false } });
    });
  add("cancel", "Cancels the batches of a run at the server; `fetch` records the replies that they have by then.")
    .action(async (name: string, flags: Flags) => {
      const batches = await cancelBatches(runFolder(name), await openServer(name, flags, output));
      if (batches.length === 0) output.note(`${name}: no batch is under way`);
      for (const each of batches) await output.write(stateLine(each));
    });
}

function readBatching(flags: Flags): Batching {
  const { poll, batchSize: mostRequests } = flags as Readonly<Record<string, number | undefined>>;
  return { pollMs: 1000 * poll!, ...defined({ mostRequests }) };
}

async function openServer(name: string, flags: Flags, output: Output): Promise<BatchServer> {
  const { model: { batches, name: model } } = await openRecorded(name, flags, output);
  if (batches !== undefined) return batches;
  throw new RangeError(`Cannot query batches as the run's model must be one of a server: current value is "${model}"`);
}

function stateLine({ number: place, questions, server, isOver }: RunBatch): string {
  if (server === undefined) return `${place}  not submitted yet, ${questions} requests\n`;
  const { id, status, begun, answered, failed } = server;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const counts = `${answered} of ${questions} answered${failures}`;
  return `${place}  ${id}  ${status.replaceAll("_", " ")}${isOver ? ", recorded" : ""}  ${counts}  begun ${begun}\n`;
}
