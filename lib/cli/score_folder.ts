import { basename, dirname, join, relative, resolve } from "node:path";
import { writeFilesBelow } from "./files.ts";
import type { Output } from "./output.ts";
import { findTask, readPredictionFile, readPredictionText, taskOfFile } from "./prediction_files.ts";
import { type Flags, readKnobs } from "./task_flags.ts";
import { opencompassScoreFiles, readOpencompassPredictions } from "@/lib/papers/cdme/mod.ts";
import { inRulerOrder, rulerScoreFiles } from "@/lib/benchmarks/ruler/mod.ts";
import { type FileScore, type Prediction, scorePredictions } from "@/lib/scorers/mod.ts";
import { plural } from "@/lib/text/mod.ts";

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
