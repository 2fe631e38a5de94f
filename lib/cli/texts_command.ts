import { type Command, Option } from "commander";
import { SOME_FAILED } from "./ask_study.ts";
import { type Flags, openBenchmarks, wholeNumber } from "./flags.ts";
import { addConcurrencyFlag, addModelFlags, concurrencyOf, openFlaggedModel } from "./model_flags.ts";
import { CommandFailure, type Output } from "./output.ts";
import { writeTexts } from "@/lib/asking/mod.ts";
import { textRequests } from "@/lib/benchmarks/mrcr/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";

/** Adds `fathom texts`: a model writes the texts of MRCR's conversations. */
export function addCommand(program: Command, output: Output): void {
  const command = program.command("texts")
    .description(
      "Has a model write short texts, several on each request, for conversations of MRCR (task mrcr_texts), and keeps them in " +
        "a file of JSON lines with their prompts and hashes. The same command asks again for texts that failed or are missing; " +
        "more keys or texts are added. Scores are comparable on one file alone.",
    );
  command.argument("<file>", "the file of texts, such as texts.jsonl")
    .option("--keys <n>", "requests, each of another format and topic (default: 40)", wholeNumber(2, 640))
    .option("--each <n>", "texts on each request; mrcr_texts asks for 8 unless set (default: 8)", wholeNumber(1, 100))
    .addOption(new Option("--parts <n>", "parts of a request: 2, or 3 with a style").choices(["2", "3"]).default("2"))
    .option("--seed <text>", "the seed of the requests (default: 42)");
  addModelFlags(addConcurrencyFlag(command)).addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom texts texts.jsonl --model NAME --base-url http://127.0.0.1:8000/v1\n" +
      "  fathom texts texts.jsonl --model NAME --keys 200 --each 8\n" +
      "  fathom run --tasks mrcr_texts --essays texts.jsonl --set needles=4 --lengths 8K,32K --model NAME",
  ).action((file: string, flags: Flags) => write(file, flags, output));
}

async function write(file: string, flags: Flags, output: Output): Promise<void> {
  const model = await openFlaggedModel(flags, { output, benchmarks: await openBenchmarks(flags) });
  const { words } = await openMaterials();
  const { keys = 40, each = 8, parts = "2", seed = "42" } = flags as {
    readonly keys?: number;
    readonly each?: number;
    readonly parts?: "2" | "3";
    readonly seed?: string;
  };
  const { total, written, failed } = await writeTexts(textRequests({ keys, each, parts, seed }, words), {
    ...{ model, file },
    concurrency: concurrencyOf(flags, model),
  });
  await output.write(`${file}: ${written} of ${total} texts by ${model.name}\n`);
  if (failed > 0) {
    const message = `${failed} calls gave no text of 20 words or more: the same command asks again`;
    throw new CommandFailure(message, SOME_FAILED);
  }
}
