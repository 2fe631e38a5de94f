import type { Command } from "commander";
import type { Output } from "./output.ts";
import { readPredictions, scorePredictions } from "@/lib/scorers/mod.ts";

/** Adds `fathom score`: scores the reference's prediction files. */
export function addScoreCommand(program: Command, output: Output): void {
  program.command("score")
    .summary("score a file of predictions as RULER does")
    .description(
      "Scores a prediction file of RULER's: JSON lines with `pred`, what the model wrote, and `outputs`, the right " +
        "answers. " +
        "The score is RULER's own string match, in percent; empty predictions score 0 and are counted.",
    )
    .argument("<file>", "the prediction file, or - for standard input")
    .requiredOption("--task <name>", "the task or family: niah, vt, cwe and fwe need all answers, qa needs any one")
    .option("--json", "print one JSON object, with the score and the reason for each line")
    .addHelpText(
      "after",
      "\nExamples:\n" +
        "  fathom score --task vt pred/vt.jsonl\n" +
        "  fathom score --task qa_1 pred/qa_1.jsonl --json > qa_1.scores.json",
    )
    .action(async (file: string, flags: { readonly task: string; readonly json?: boolean }) => {
      const result = await scorePredictions(readPredictions(readLines(file)), flags.task);
      if (flags.json) return await output.write(`${JSON.stringify(result)}\n`);
      const { task, n, score, nulls } = result;
      await output.write(
        `${task}: ${score === null ? "nothing to score" : score.toFixed(2)} (n = ${n}, empty predictions ${nulls})\n`,
      );
    });
}

/** Reads the lines of a file, or of standard input where the path is `-`, one at a time. */
async function* readLines(path: string): AsyncGenerator<string> {
  const bytes = path === "-" ? Deno.stdin.readable : (await openFile(path)).readable;
  let rest = "";
  for await (const text of decode(bytes, path)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

async function* decode(bytes: ReadableStream<Uint8Array<ArrayBuffer>>, path: string): AsyncGenerator<string> {
  try {
    yield* bytes.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SyntaxError(`Cannot read the file as it must be UTF-8 text: current value is "${path}"`);
  }
}

async function openFile(path: string): Promise<Deno.FsFile> {
  try {
    const file = await Deno.open(path);
    if ((await file.stat()).isFile) return file;
    file.close();
  } catch (error) {
    if (
      !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied ||
        error instanceof Deno.errors.IsADirectory)
    ) throw error;
  }
  throw new RangeError(`Cannot read the file as it must be there and be readable: current value is "${path}"`);
}
