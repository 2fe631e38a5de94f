import type { Command } from "commander";
import { readPredictions, scorePredictions } from "@/lib/scorers/mod.ts";
import type { Output } from "./_guard.ts";
import { readLines } from "./_read_lines.ts";

/** Adds `fathom score`: scores the reference's prediction files. */
export function addScoreCommand(program: Command, output: Output): void {
  program.command("score")
    .summary("score a file of predictions as RULER does")
    .description(
      "Scores a prediction file of RULER's: JSON lines with `pred`, what the model wrote, and `outputs`, the right answers.\n" +
        "The score is RULER's own string match, in percent; empty predictions score 0 and are counted.",
    )
    .argument("<file>", "the prediction file, or - for standard input")
    .requiredOption("--task <name>", "the task or family: niah, vt, cwe and fwe want all answers, qa wants any one")
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
