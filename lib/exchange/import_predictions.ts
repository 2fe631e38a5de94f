import { basename, dirname } from "node:path";
import {
  answerOf,
  type Fields,
  fieldsOf,
  type FilePlace,
  type ForeignOptions,
  foreignPrompt,
  type ForeignReply,
  type ForeignRun,
  oneModel,
  readIndex,
  readJsonLines,
  readLength,
  readObject,
  refuse,
  skippedNote,
  textOrNone,
  UNKNOWN_IN_PREDICTIONS,
} from "./_foreign.ts";
import { groupPredictionFiles, type PredictionFiles, readRulerLine } from "@/lib/benchmarks/ruler/mod.ts";
import { type Message, type Prompt, type Role, userPrompt } from "@/lib/generators/mod.ts";
import { isReplyOrigin, isSimulatedName } from "@/lib/models/mod.ts";

/** Picks RULER's prediction files from a folder's files: JSON lines other than its data. */
export function rulerFiles(paths: readonly string[]): readonly string[] {
  const lines = paths.filter((path) => path.endsWith(".jsonl") && !/\/data\//.test(path));
  const predictions = lines.filter((path) => basename(dirname(path)) === "pred");
  return predictions.length > 0 ? predictions : lines;
}

/**
 * Reads the predictions of RULER's code, `{model}/synthetic/{length}/pred/{task}.jsonl`, and those of `fathom export --format
 * ruler`: `input`, `outputs` and `pred` of each line.
 */
export function readRulerRun(paths: readonly string[], options: ForeignOptions): ForeignRun {
  const cells = groupPredictionFiles(paths).map((cell) => ({ ...cell, task: options.task ?? cell.task }));
  const known = cells.filter(({ task }) => options.canScore(task));
  const models = known.flatMap(({ folder }) => /([^/]+)\/synthetic\/\d+\/pred$/.exec(folder)?.[1] ?? []);
  return {
    ...predictionRun("RULER", paths, { models, model: options.model }),
    files: known.flatMap((cell) => cell.paths),
    notes: cells.filter((cell) => !known.includes(cell)).map((cell) => skippedNote(cell.paths, cell.task)),
    replies: readCells(known, options.length),
  };
}

/** Describes a run of which only predictions are known. */
function predictionRun(
  from: string,
  paths: readonly string[],
  { models, model }: { readonly models: readonly string[]; readonly model: string | undefined },
): Pick<ForeignRun, "from" | "model" | "origin" | "settings" | "unknown"> {
  return {
    from,
    model: oneModel(models, paths.length === 1 ? paths[0]! : dirname(paths[0]!), model),
    origin: isSimulatedName(models) ? "simulated" : "unknown",
    settings: {},
    unknown: UNKNOWN_IN_PREDICTIONS,
  };
}

async function* readCells(
  cells: readonly PredictionFiles[],
  given: number | undefined,
): AsyncGenerator<readonly ForeignReply[]> {
  for (const { task, folder, paths } of cells) {
    const inPath = Number(/\/(\d+)(?:\/pred)?$/.exec(folder)?.[1]);
    const replies: ForeignReply[] = [];
    for (const path of paths) {
      for await (const { place, row } of readJsonLines(path)) {
        replies.push(readPrediction(row, place, { task, length: readLength([inPath, given], place) }));
      }
    }
    yield replies;
  }
}

function readPrediction(row: Fields, place: FilePlace, cell: Pick<ForeignReply, "task" | "length">): ForeignReply {
  const { pred, input, index } = row;
  if (typeof pred !== "string") throw refuse(place, '"pred" must be a text', pred);
  if (input !== undefined && typeof input !== "string") throw refuse(place, '"input" must be a text', input);
  const { references, distractors } = readRulerLine(row, (expected, value) => refuse(place, expected, value));
  const { id, repeat, origin } = fieldsOf(row["others"]);
  return {
    ...cell,
    ...{ references, distractors },
    index: readIndex(index) ?? readIndex(id),
    repeat: readIndex(repeat),
    prompt: input === undefined || input === "" ? null : userPrompt(input),
    reply: answerOf(pred),
    origin: isReplyOrigin(origin) ? origin : undefined,
  };
}

/** Name of an OpenCompass file of the needle test, or of one of its parts: prefix, length, depth, suffix. */
const DATASET = /^(.*?)_?Length(\d+)Depth(\d+(?:\.\d+)?)(?:_(.*?))??(?:_\d+)?\.json$/;

/** Whether a file is one of OpenCompass's predictions of a needle test, by its name. */
export function isOpencompassFile(path: string): boolean {
  return DATASET.test(basename(path));
}

/**
 * Reads OpenCompass's predictions of CDME, `predictions/{model}/CDME_Length{length}Depth{depth}.json`: `origin_prompt`, `prediction`
 * and `gold` of each number. A gold of the form `answer*keyword` belongs to a sample with several needles.
 */
export function readOpencompassRun(paths: readonly string[], options: ForeignOptions): ForeignRun {
  const models = paths.map((each) => basename(dirname(each)));
  return {
    ...predictionRun("OpenCompass", paths, { models, model: options.model }),
    files: paths,
    notes: [],
    replies: readDatasets(paths, options.task),
  };
}

async function* readDatasets(
  paths: readonly string[],
  task: string | undefined,
): AsyncGenerator<readonly ForeignReply[]> {
  for (const [length, ofLength] of Map.groupBy(paths, (path) => Number(DATASET.exec(basename(path))![2]))) {
    const replies: ForeignReply[] = [];
    for (const path of ofLength) {
      const [, before = "", , depth, after = ""] = DATASET.exec(basename(path))!;
      const cell = { task, length, depth: Number(depth) / 100, dataset: `${before}_${after}` };
      for (const [number, entry] of Object.entries(await readObject(path))) {
        replies.push(readEntry(fieldsOf(entry), { path, where: `sample "${number}"` }, cell));
      }
    }
    yield replies;
  }
}

function readEntry(
  { prediction, gold, origin_prompt: prompt }: Fields,
  place: FilePlace,
  { task, dataset, ...cell }: Pick<ForeignReply, "length" | "depth"> & {
    readonly task: string | undefined;
    readonly dataset: string;
  },
): ForeignReply {
  if (typeof prediction !== "string") throw refuse(place, '"prediction" must be a text', prediction);
  if (typeof gold !== "string") throw refuse(place, '"gold" must be a text', gold);
  const references = gold.split("*");
  const language = /(^|_)en(_|$)/.test(dataset) ? "en" : "zh";
  return {
    ...cell,
    task: task ?? (references.length > 1 ? `cdme_multi_${language}` : `cdme_${language}`),
    references,
    prompt: readPrompt(prompt),
    reply: answerOf(prediction),
  };
}

/** OpenCompass's names of roles. */
const ROLES: Readonly<Record<string, Role>> = { SYSTEM: "system", HUMAN: "user", BOT: "assistant" };

/** Reads OpenCompass's prompt, which is a text or a list of messages; several of the user alone are parts of one question. */
function readPrompt(prompt: unknown): Prompt | null {
  if (!Array.isArray(prompt)) return foreignPrompt([{ role: "user", text: textOrNone(prompt) ?? "" }]);
  const messages = prompt.map(fieldsOf).flatMap(({ role, prompt: text }): Message[] =>
    typeof text === "string" ? [{ role: ROLES[String(role)] ?? "user", text }] : []
  );
  if (messages.some(({ role }) => role !== "user")) return foreignPrompt(messages);
  return foreignPrompt([{ role: "user", text: messages.map(({ text }) => text).join("\n") }]);
}
