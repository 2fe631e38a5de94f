import { basename } from "node:path";
import { type Flags, openBenchmarks, readTaskChoices } from "./task_flags.ts";
import { readOpencompassPredictions } from "@/lib/papers/cdme/mod.ts";
import { starResultFields } from "@/lib/benchmarks/counting_stars/mod.ts";
import { threadingRowFields } from "@/lib/benchmarks/needle_threading/mod.ts";
import { rulerFamilyOf } from "@/lib/benchmarks/ruler/mod.ts";
import { explainFileError, openRegular, readRegularText } from "@/lib/models/mod.ts";
import { checkStudy, makeTasks } from "@/lib/studies/mod.ts";
import {
  type Prediction,
  readPredictions,
  type RenameFields,
  type ScoredTask,
  type Scorer,
} from "@/lib/scorers/mod.ts";

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
