import type { Command } from "commander";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { defined, explainFileError, openRegular, plural, sum } from "@/lib/base/mod.ts";
import { writeFilesBelow } from "./files.ts";
import type { Output } from "./output.ts";
import { addBenchmarkFlag, addKnobFlag, type Flags, openBenchmarks } from "./flags.ts";
import { namesakeFamily, type ScoredTask, scorePredictions } from "@/lib/benchmarks/mod.ts";
import { starResultFields } from "@/lib/benchmarks/counting_stars/test_lines.ts";
import { threadingRowFields } from "@/lib/benchmarks/needle_threading/test_rows.ts";
import {
  groupPredictionFiles,
  inRulerOrder,
  readPredictions,
  rulerScoreFiles,
  taskOfFile,
} from "@/lib/benchmarks/ruler/ruler_files.ts";
import { rulerFamilyOf } from "@/lib/benchmarks/ruler/tasks.ts";
import { readOpencompassPredictions } from "@/lib/papers/cdme/opencompass.ts";
import type { FileScore, Prediction } from "@/lib/scorers/mod.ts";
import { checkStudy, isFolder, makeTasks } from "@/lib/studies/mod.ts";

export function addCommand(program: Command, output: Output): void {
  const command = program.command("score")
    .description(
      "Scores predictions as their benchmark's own code does, in percent. No call is made.\n" +
        "A file: JSON lines with `pred` (the reply) and `outputs` (the references), as RULER and `fathom generate` write them; " +
        "OpenCompass's predictions/MODEL/DATASET.json for CDME; Counting-Stars' result lines; Needle Threading's rows.\n" +
        "A folder: RULER's files named after their tasks (vt.jsonl, or parts vt-0.jsonl, vt-1.jsonl), several lengths as " +
        "LENGTH/pred/.\n" +
        "RULER uses string match and CDME edit distance (with several needles, `outputs` is the answer and its keyword), BABILong the answer and its question. " +
        "Counting-Stars' reasoning deducts wrong counts, so its lines need `distractors`, the wrong count for each output. Empty " +
        "predictions score 0 and are counted.",
    )
    .argument("<path>", "prediction file, - for standard input, or folder")
    .option(
      "--task <name>",
      "task or family, such as vt or cdme_zh, which decides the scorer (default: `task` of each line, or the file's name)",
    )
    .option("--json", "print a JSON object with the score and reason of each line; for a folder, one per file")
    .option("--out <folder>", "for a folder, also write the files of RULER's code: summary.csv and submission.csv");
  addKnobFlag(addBenchmarkFlag(command));
  command.addHelpText(
    "after",
    "\nExamples:\n" +
      "  fathom score --task vt pred/vt.jsonl\n" +
      "  fathom score results/my-model/synthetic --out results/my-model/synthetic\n" +
      "  fathom score --task cdme_zh pred/cdme.jsonl --set trim=on\n" +
      "  fathom score --task cdme_multi_zh predictions/internlm-20b/CDME_Length1000Depth0.json",
  );
  command.action(async (path: string, flags: Flags) => {
    if (path !== "-" && await isFolder(path)) return await scoreFolder(path, flags, output);
    if (flags.out !== undefined) {
      throw new RangeError(`Cannot use --out as the path must be a folder: current value is "${path}"`);
    }
    for (const [name, own] of await readByTask([path], flags.task ?? taskOfFile(path), flags)) {
      const result = await scorePredictions(own, await findTask(name, flags));
      const line = `${name}: ${scoreText(result)} ${countText(result)}`;
      await output.write(`${flags.json ? JSON.stringify(result) : line}\n`);
    }
  });
}

function scoreText({ score }: FileScore): string {
  return score === null ? "nothing to score" : score.toFixed(2);
}

function countText({ n, nulls }: FileScore): string {
  return `(n = ${n}, empty predictions ${nulls})`;
}

/** Folders of RULER's code that hold no predictions. */
const OTHER_FOLDERS = ["data", "results", "summary", "logs", "configs"];

/** Lists the files of predictions below a folder, sorted as text, as RULER's code reads them. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const isRead = (path: string): boolean =>
    path.endsWith(".jsonl") && !path.split("/").some((part) => OTHER_FOLDERS.includes(part));
  return (await readdir(folder, { recursive: true })).filter(isRead).map((path) => join(folder, path)).sort();
}

/** Scores the files of each folder, such as RULER's {length}/pred, the shortest length first. */
async function scoreFolder(folder: string, flags: Flags, output: Output): Promise<void> {
  if (flags.task !== undefined) {
    throw new RangeError(
      `Cannot score a folder with --task as the names of its files are their tasks: current value is ${flags.task}`,
    );
  }
  const places = [...Map.groupBy(groupPredictionFiles(await listFiles(folder)), (cell) => cell.folder)]
    .sort(([left], [right]) => left.localeCompare(right, "en", { numeric: true }));
  let scored = 0;
  for (const [place, cells] of places) {
    const scores: FileScore[] = [];
    for (const { task, paths } of cells.toSorted((left, right) => inRulerOrder(left.task, right.task))) {
      for (const [name, own] of await readByTask(paths, task, flags)) {
        const found = await findTask(name, flags).catch((error) => {
          if (!(error instanceof RangeError)) throw error;
          output.note(`${paths.join(", ")}: skipped, as no task is called ${name}`);
        });
        if (found !== undefined) scores.push(await scorePredictions(own, found));
      }
    }
    if (scores.length === 0) continue;
    scored += scores.length;
    const shown = relative(folder, place);
    if (flags.json) {
      for (const score of scores) await output.write(`${JSON.stringify({ folder: shown, ...score })}\n`);
    } else await output.write(scoreLines(scores, shown));
    if (flags.out === undefined) continue;
    const [out, written] = [join(flags.out, shown), rulerScoreFiles(scores)];
    await writeFilesBelow(out, written);
    output.note(`${out}: ${written.length} ${plural(written.length, "file")}`);
  }
  if (scored > 0) return;
  throw new RangeError(
    `Cannot score the folder as it must hold files named after their tasks, such as vt.jsonl: current value is "${folder}"`,
  );
}

/** Reads predictions by task: that of a line, if it names one that can be scored and --task none, or else that of the files. */
async function readByTask(
  paths: readonly string[],
  named: string,
  flags: Flags,
): Promise<Iterable<readonly [task: string, predictions: readonly Prediction[]]>> {
  const benchmarks = await openBenchmarks(flags);
  const isKnown = (task: string): boolean => namesakeFamily(task, benchmarks) !== undefined;
  const groups: Map<string, Prediction[]> = new Map();
  try {
    for (const path of paths) {
      for await (const prediction of await readPredictionFile(path, () => findTask(named, flags))) {
        const { task = named } = prediction;
        groups.getOrInsertComputed(flags.task === undefined && isKnown(task) ? task : named, () => []).push(prediction);
      }
    }
  } catch (error) {
    // Lines of a file that no task is called after can be of any kind.
    if (!(error instanceof SyntaxError) || isKnown(named)) throw error;
  }
  return groups.size === 0 ? [[named, []]] : groups;
}

/** Formats a line per task, and the mean of several. */
function scoreLines(scores: readonly FileScore[], place: string): string {
  const known = scores.flatMap(({ score }) => score ?? []);
  const mean = sum(known) / known.length;
  const rows = [
    ...scores.map((score) => [score.task, scoreText(score), countText(score)]),
    ...(known.length < 2 ? [] : [[`mean of ${known.length} tasks`, mean.toFixed(2), ""]]),
  ];
  const width = Math.max(...rows.map(([name]) => name!.length));
  const lines = rows.map(([name, score, about]) => `${name!.padEnd(width)}  ${score!.padStart(6)}  ${about}`.trimEnd());
  return `${[...(place === "" ? [] : [place]), ...lines].join("\n")}\n`;
}

async function findTask(name: string, flags: Flags): Promise<ScoredTask> {
  const family = rulerFamilyOf(name) ?? name;
  const benchmarks = await openBenchmarks(flags);
  const tasks = makeTasks(checkStudy({ tasks: [family], ...defined({ set: flags.set }) }, { benchmarks }), benchmarks);
  const { scorer } = tasks[0]!;
  const isSame = tasks.every((task) =>
    task.scorer.name === scorer.name && task.scorer.needsDistractors === scorer.needsDistractors
  );
  if (isSame) return { task: name, scorer };
  const names = tasks.map((task) => task.name).join(", ");
  throw new RangeError(
    `Cannot score predictions as their task must be one, as ${name} has several scorers: current value is ${names}`,
  );
}

/** Start of an OpenCompass file, on one line or on several: a brace alone, or one before the first number. */
const OPENCOMPASS_START = /^\uFEFF?\s*\{\s*("\d+"\s*:|$)/;

/** Reads JSON lines, or an OpenCompass file. */
async function readPredictionFile(
  path: string,
  findTask: () => Promise<ScoredTask>,
): Promise<Iterable<Prediction> | AsyncIterable<Prediction>> {
  const lines = readLines(path);
  const first = await lines.next();
  if (first.done) return [];
  const all = (async function* (): AsyncGenerator<string> {
    yield first.value;
    yield* lines;
  })();
  if (!OPENCOMPASS_START.test(first.value)) {
    return readPredictions(all, (fields) => threadingRowFields(starResultFields(fields)));
  }
  const { scorer } = await findTask();
  return readOpencompassPredictions((await Array.fromAsync(all)).join("\n"), scorer.name.includes("keyword"));
}

/** Reads the lines of a file, or of standard input for `-`, one at a time. */
async function* readLines(path: string): AsyncGenerator<string> {
  const file = path === "-" ? undefined : await openRegular(path).catch((error) => {
    throw new RangeError(
      `Cannot read the file as it must exist and be readable: current value is "${path}" (${explainFileError(error)})`,
    );
  });
  const chunks: AsyncIterable<Uint8Array> = file === undefined ? process.stdin : file.createReadStream();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop()!;
      yield* lines;
    }
    rest += decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SyntaxError(`Cannot read the file as it must be UTF-8 text: current value is "${path}"`);
  }
  if (rest !== "") yield rest;
}
