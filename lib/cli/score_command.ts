import type { Command } from "commander";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addKnobFlags, type Flags, openBenchmarks, readTaskChoices } from "./task_flags.ts";
import { readOpencompassPredictions } from "@/lib/benchmarks/cdme/mod.ts";
import { starResultFields } from "@/lib/benchmarks/counting_stars/mod.ts";
import { threadingRowFields } from "@/lib/benchmarks/needle_threading/mod.ts";
import { checkStudy, makeTasks } from "@/lib/runs/mod.ts";
import {
  type Prediction,
  readPredictions,
  type RenameFields,
  type ScoredTask,
  scorePredictions,
  type Scorer,
} from "@/lib/scorers/mod.ts";

/** Adds `fathom score`: scores prediction files. */
export function addScoreCommand(program: Command, output: Output): void {
  const command = program.command("score")
    .summary("score a file of your own predictions as a task's benchmark does")
    .description(
      "Scores a prediction file: JSON lines with `pred`, what the model wrote, and `outputs`, the right answers, as in " +
        "RULER's files and those of `fathom generate`; for CDME also OpenCompass's own predictions/MODEL/DATASET.json, for Counting-Stars its " +
        "result lines (`answer`, `reference_counting_results`), for Needle Threading its rows (`Output`, `values`).\n" +
        "The score is the benchmark's own, in percent: RULER's string match, CDME's edit distance (with several needles, " +
        "`outputs` is the answer and its keyword). Counting-Stars' reasoning takes off points for wrong counts, so its lines " +
        "also need `distractors`, the wrong count for each output. Empty predictions score 0 and are counted.",
    )
    .argument("<file>", "the prediction file, or - for standard input")
    .requiredOption(
      "--task <name>",
      "the task or family, such as vt or cdme_zh: niah, vt, cwe and fwe need all answers, qa needs any one",
    )
    .option("--json", "print one JSON object, with the score and the reason for each line");
  addKnobFlags(addBenchmarkFlag(command));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom score --task vt pred/vt.jsonl\n" +
      "  fathom score --task qa_1 pred/qa_1.jsonl --json > qa_1.scores.json\n" +
      "  fathom score --task cdme_zh pred/cdme.jsonl --set trim=on\n" +
      "  fathom score --task cdme_multi_zh predictions/internlm-20b/CDME_Length1000Depth0.json",
  );
  command.action(async (file: string, flags: Flags) => {
    const task = await findTask(flags);
    const result = await scorePredictions(await readFile(file, task), task);
    if (flags.json) return await output.write(`${JSON.stringify(result)}\n`);
    const { n, score, nulls } = result;
    await output.write(
      `${task.task}: ${
        score === null ? "nothing to score" : score.toFixed(2)
      } (n = ${n}, empty predictions ${nulls})\n`,
    );
  });
}

/** RULER's families by the names in its code; its prediction files can be of settings that are no task here. */
const RULER_NAMES: Readonly<Record<string, RegExp>> = {
  niah: /^niah(_|$)/,
  vt: /^(vt|variable_tracking)(_|$)/,
  cwe: /^(cwe|common_words_extraction)(_|$)/,
  fwe: /^(fwe|freq_words_extraction)(_|$)/,
  qa: /^qa(_|$)/,
};

/** Finds the scorer of the task that was asked for. */
async function findTask(flags: Flags): Promise<ScoredTask> {
  const name = flags.task as string;
  const [family = name] = Object.entries(RULER_NAMES).find(([, pattern]) => pattern.test(name)) ?? [];
  const benchmarks = await openBenchmarks(flags);
  const tasks = makeTasks(checkStudy({ tasks: readTaskChoices([family], { flags, benchmarks }) }), benchmarks);
  const [{ scorer }] = tasks as [ScoredTask, ...unknown[]];
  const isSame = (other: Scorer): boolean =>
    other.name === scorer.name && other.needsDistractors === scorer.needsDistractors;
  if (tasks.every((task) => isSame(task.scorer))) return { task: name, scorer };
  throw new RangeError(
    `Cannot score predictions as their task must be one, as ${name} has several scores: current value is ${
      tasks.map((task) => task.name).join(", ")
    }`,
  );
}

/** How one of OpenCompass's files begins, in one line or in many: a brace alone, or before the first prediction's number. */
const OPENCOMPASS = /^\uFEFF?\s*\{\s*("\d+"\s*:|$)/;

/** Reads JSON lines, or one of OpenCompass's files. */
async function readFile(
  file: string,
  { scorer }: ScoredTask,
): Promise<Iterable<Prediction> | AsyncIterable<Prediction>> {
  const lines = readLines(file);
  const first = await lines.next();
  if (first.done) return [];
  if (!OPENCOMPASS.test(first.value)) {
    const rename: RenameFields = (fields) => threadingRowFields(starResultFields(fields));
    return readPredictions(withFirst(first.value, lines), rename);
  }
  const text = [first.value, ...await Array.fromAsync(lines)].join("\n");
  return readOpencompassPredictions(text, scorer.name.includes("keyword"));
}

async function* withFirst(first: string, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* lines;
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
