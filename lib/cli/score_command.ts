import type { Command } from "commander";
import { isFolder } from "./files.ts";
import type { Output } from "./output.ts";
import { findTask, readPredictionFile, taskOfFile } from "./prediction_files.ts";
import { scoreFolder } from "./score_folder.ts";
import { addBenchmarkFlag, addKnobFlags, type Flags } from "./task_flags.ts";
import { scorePredictions } from "@/lib/scorers/mod.ts";

/** Adds `fathom score`: scores prediction files. */
export function addScoreCommand(program: Command, output: Output): void {
  const command = program.command("score")
    .description(
      "Scores a prediction file: JSON lines with `pred`, what the model wrote, and `outputs`, the right answers, as in " +
        "RULER's files and those of `fathom generate`; for CDME also OpenCompass's own predictions/MODEL/DATASET.json, for Counting-Stars its " +
        "result lines (`answer`, `reference_counting_results`), for Needle Threading its rows (`Output`, `values`).\n" +
        "Or a folder of them: RULER's, whose files are called as their tasks (vt.jsonl; vt-0.jsonl, vt-1.jsonl are one), " +
        "with those of several lengths as LENGTH/pred/ in it; or OpenCompass's, of which its summary is printed.\n" +
        "The score is the benchmark's own, in percent: RULER's string match, CDME's edit distance (with several needles, " +
        "`outputs` is the answer and its keyword). Counting-Stars' reasoning takes off points for wrong counts, so its lines " +
        "also need `distractors`, the wrong count for each output. Empty predictions score 0 and are counted.",
    )
    .argument("<path>", "the prediction file, or - for standard input; or a folder")
    .option(
      "--task <name>",
      "the task or family, such as vt or cdme_zh: niah, vt, cwe and fwe need all answers, qa needs any one " +
        "(default: what the file is called)",
    )
    .option(
      "--json",
      "print one JSON object, with the score and the reason for each line; of a folder, one for each file",
    )
    .option(
      "--out <folder>",
      "of a folder, also write what its benchmark's own code writes: summary.csv and submission.csv, or summary/ and results/",
    );
  addKnobFlags(addBenchmarkFlag(command));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom score --task vt pred/vt.jsonl\n" +
      "  fathom score results/my-model/synthetic --out results/my-model/synthetic\n" +
      "  fathom score --task qa_1 pred/qa_1.jsonl --json > qa_1.scores.json\n" +
      "  fathom score --task cdme_zh pred/cdme.jsonl --set trim=on\n" +
      "  fathom score --task cdme_multi_zh predictions/internlm-20b/CDME_Length1000Depth0.json\n" +
      "  fathom score outputs/cdme/20240101_120000 > summary.csv",
  );
  command.action(async (path: string, flags: Flags) => {
    if (path !== "-" && await isFolder(path)) return await scoreFolder(path, { flags, output });
    if (flags.out !== undefined) {
      throw new RangeError(`Cannot use --out as a folder must be scored: current value is "${path}"`);
    }
    const task = await findTask((flags.task as string | undefined) ?? taskOfFile(path), flags);
    const result = await scorePredictions(await readPredictionFile(path, task), task);
    if (flags.json) return await output.write(`${JSON.stringify(result)}\n`);
    const { n, score, nulls } = result;
    await output.write(
      `${task.task}: ${
        score === null ? "nothing to score" : score.toFixed(2)
      } (n = ${n}, empty predictions ${nulls})\n`,
    );
  });
}
