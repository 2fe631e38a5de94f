import { isFolder, writeFilesBelow } from "./files.ts";
import type { Output } from "./output.ts";
import {
  addBenchmarkFlag,
  addKnobFlags,
  type Flags,
  openBenchmarks,
  readKnobs,
  readTaskChoices,
} from "./task_flags.ts";
import type { Command } from "commander";
import { basename, dirname, join, relative, resolve } from "node:path";
import { starResultFields } from "@/lib/benchmarks/counting_stars/mod.ts";
import { threadingRowFields } from "@/lib/benchmarks/needle_threading/mod.ts";
import { inRulerOrder, rulerFamilyOf, rulerScoreFiles } from "@/lib/benchmarks/ruler/mod.ts";
import { explainFileError, openRegular, readRegularText } from "@/lib/models/mod.ts";
import { opencompassScoreFiles, readOpencompassPredictions } from "@/lib/papers/cdme/mod.ts";
import {
  type FileScore,
  type Prediction,
  readPredictions,
  type RenameFields,
  type ScoredTask,
  scorePredictions,
  type Scorer,
} from "@/lib/scorers/mod.ts";
import { checkStudy, makeTasks } from "@/lib/studies/mod.ts";
import { plural } from "@/lib/text/mod.ts";

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

/** What is asked of a folder of predictions. */
export interface ScoreFolderOptions {
  readonly flags: Flags;
  readonly output: Output;
}

/**
 * Scores a folder of predictions: RULER's, the task of each by the name of its file, or OpenCompass's.
 *
 * @throws {RangeError} If no file in it is one of predictions.
 */
export async function scoreFolder(folder: string, options: ScoreFolderOptions): Promise<void> {
  if (options.flags.task !== undefined) {
    throw new RangeError(
      `Cannot score a folder with --task as its files must say by their names what they are: current value is ${options.flags.task}`,
    );
  }
  const files = await listFiles(folder);
  const opencompass = files.filter((path) => OPENCOMPASS_FILE.test(basename(path)));
  if (opencompass.length > 0) return await scoreOpencompass(folder, opencompass, options);
  await scoreRuler(folder, files.filter((path) => path.endsWith(".jsonl")), options);
}

/** Folders beside those of predictions, of RULER's code and of OpenCompass's. */
const OTHER_FOLDERS = ["data", "results", "summary", "logs", "configs"];

/** Lists the files below a folder, sorted as text, as RULER's code reads them. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const names = entries.filter(({ isDirectory, name }) => !isDirectory || !OTHER_FOLDERS.includes(name));
  const files = await Promise.all(
    names.map(({ name, isDirectory }) => isDirectory ? listFiles(join(folder, name)) : [join(folder, name)]),
  );
  return files.flat().sort();
}

async function scoreRuler(
  folder: string,
  files: readonly string[],
  { flags, output }: ScoreFolderOptions,
): Promise<void> {
  let scored = 0;
  for (const [place, ofPlace] of inLengthOrder(Map.groupBy(files, dirname))) {
    const scores: FileScore[] = [];
    for (const [task, parts] of tasksOf(ofPlace).toSorted(([left], [right]) => inRulerOrder(left, right))) {
      const found = await findTask(task, flags).catch((error) => {
        if (!(error instanceof RangeError)) throw error;
        output.note(`${parts.join(", ")}: passed over, as no task is called ${task}`);
      });
      if (found !== undefined) scores.push(await scorePredictions(readParts(parts, found), found));
    }
    if (scores.length === 0) continue;
    scored += scores.length;
    const shown = relative(folder, place);
    if (flags.json) {
      for (const score of scores) await output.write(`${JSON.stringify({ folder: shown, ...score })}\n`);
    } else await output.write(scoreLines(scores, shown));
    await writeFiles(rulerScoreFiles(scores), { flags, output, below: shown });
  }
  if (scored > 0) return;
  throw new RangeError(
    `Cannot score the folder as it must hold files called after their tasks, such as vt.jsonl, or OpenCompass's predictions: current value is "${folder}"`,
  );
}

/** The shortest length first: RULER's {length}/pred/. */
function inLengthOrder(places: ReadonlyMap<string, readonly string[]>): [string, readonly string[]][] {
  return [...places].sort(([left], [right]) => left.localeCompare(right, "en", { numeric: true }));
}

/** The files of each task: one, or its parts (vt-0.jsonl, …), which RULER's code puts in place of one. */
function tasksOf(files: readonly string[]): [string, readonly string[]][] {
  return [...Map.groupBy(files, taskOfFile)].map(([task, ofTask]) => {
    const parts = ofTask.filter((path) => basename(path) !== `${task}.jsonl`);
    return [task, parts.length > 0 ? parts : ofTask];
  });
}

async function* readParts(
  parts: readonly string[],
  task: Parameters<typeof readPredictionFile>[1],
): AsyncGenerator<Prediction> {
  for (const part of parts) yield* await readPredictionFile(part, task);
}

/** A line a task, and the mean of them all. */
function scoreLines(scores: readonly FileScore[], where: string): string {
  const known = scores.flatMap(({ score }) => score ?? []);
  const mean = known.reduce((sum, score) => sum + score, 0) / known.length;
  const rows = [
    ...scores.map(({ task, score, n, nulls }) => [
      task,
      score === null ? "nothing to score" : score.toFixed(2),
      `(n = ${n}, empty predictions ${nulls})`,
    ]),
    ...(known.length < 2 ? [] : [[`mean of ${known.length} tasks`, mean.toFixed(2), ""]]),
  ];
  const width = Math.max(...rows.map(([name]) => name!.length));
  const lines = rows.map(([name, score, about]) => `${name!.padEnd(width)}  ${score!.padStart(6)}  ${about}`.trimEnd());
  return `${[...(where === "" ? [] : [where]), ...lines].join("\n")}\n`;
}

/** A file of OpenCompass's predictions, or one part of several (`_0`, `_1`, …). */
const OPENCOMPASS_FILE = /^(.*Length\d+Depth\d+(?:\.\d+)?(?:_.*?)??)(?:_\d+)?\.json$/;

async function scoreOpencompass(
  folder: string,
  files: readonly string[],
  { flags, output }: ScoreFolderOptions,
): Promise<void> {
  const datasets = Map.groupBy(
    files.toSorted((left, right) => left.localeCompare(right, "en", { numeric: true })),
    (path) => join(dirname(path), OPENCOMPASS_FILE.exec(basename(path))![1]!),
  );
  const answers = await Promise.all(Array.from(datasets, async ([place, parts]) => {
    const texts = await Promise.all(parts.map((part) => readPredictionText(part)));
    const predictions = texts.flatMap((text) => readOpencompassPredictions(text, false));
    return { abbr: basename(dirname(resolve(place))), dataset: basename(place), predictions };
  }));
  const written = opencompassScoreFiles(answers, {
    name: basename(resolve(folder)),
    trim: readKnobs(flags)["trim"] === "on",
  });
  const [summary, ...results] = written;
  if (flags.json) {
    for (const { path, text } of results) await output.write(`${JSON.stringify({ path, ...JSON.parse(text) })}\n`);
  } else await output.write(summary!.text);
  await writeFiles(written, { flags, output, below: "" });
}

/** Writes files below the folder of --out, if it was given. */
async function writeFiles(
  files: Parameters<typeof writeFilesBelow>[1],
  { flags, output, below }: ScoreFolderOptions & { readonly below: string },
): Promise<void> {
  if (flags.out === undefined) return;
  const folder = join(flags.out as string, below);
  await writeFilesBelow(folder, files);
  output.note(`${folder}: ${files.length} ${plural(files.length, "file")}`);
}

/** The task that a prediction file is called after: vt.jsonl, or its part vt-0.jsonl. */
export function taskOfFile(path: string): string {
  return basename(path).replace(/(-\d+)?\.jsonl$/, "");
}

/** Finds the scorer of the task that was asked for. */
export async function findTask(name: string, flags: Flags): Promise<ScoredTask> {
  const family = rulerFamilyOf(name) ?? name;
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
export async function readPredictionFile(
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

function openFile(path: string): Promise<Deno.FsFile> {
  return openRegular(path).catch((error) => {
    throw cannotRead(path, error);
  });
}

/** Reads a file of predictions whole. */
export function readPredictionText(path: string): Promise<string> {
  return readRegularText(path).catch((error) => {
    throw cannotRead(path, error);
  });
}

function cannotRead(path: string, error: unknown): RangeError {
  return new RangeError(
    `Cannot read the file as it must be there and be readable: current value is "${path}" (${explainFileError(error)})`,
  );
}
