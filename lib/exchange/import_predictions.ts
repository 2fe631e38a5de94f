import { basename, dirname } from "node:path";
import {
  answerOf,
  type Fields,
  type ForeignOptions,
  type ForeignReply,
  type ForeignRun,
  isFields,
  oneModel,
  parseObject,
  passedOver,
  readBytes,
  readIndex,
  readJsonLines,
  readLength,
  readReferences,
  refuse,
} from "./_imported.ts";
import { isReplyOrigin, isSimulatedName } from "@/lib/models/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

/** The prediction files of RULER's code among some: JSON lines, not its data. */
export function rulerFiles(paths: readonly string[]): readonly string[] {
  const lines = paths.filter((path) => path.endsWith(".jsonl") && !/\/data\//.test(path));
  const predictions = lines.filter((path) => basename(dirname(path)) === "pred");
  return predictions.length > 0 ? predictions : lines;
}

/** A folder of one length, and the task of a file: vt.jsonl, or its parts vt-0.jsonl and vt-1.jsonl. */
interface RulerCell {
  readonly task: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

/**
 * Reads the predictions of RULER's code, `{model}/synthetic/{length}/pred/{task}.jsonl`, and those that `fathom report --ruler`
 * writes: `input`, `outputs` and `pred` of each line.
 */
export function readRulerRun(paths: readonly string[], options: ForeignOptions): ForeignRun {
  const cells = [...Map.groupBy(paths, (path) => JSON.stringify([dirname(path), taskOf(path)])).values()]
    .map((same): RulerCell => {
      const task = taskOf(same[0]!);
      const parts = same.filter((path) => basename(path) !== `${task}.jsonl`);
      return { task: options.task ?? task, folder: dirname(same[0]!), paths: parts.length > 0 ? parts : same };
    });
  const known = cells.filter(({ task }) => options.canScore(task));
  const path = paths.length === 1 ? paths[0]! : dirname(paths[0]!);
  const models = known.flatMap(({ folder }) => modelAbove(folder));
  return {
    from: "RULER",
    model: oneModel(models, { path, ...options }),
    origin: isSimulatedName(models) ? "simulated" : "unknown",
    settings: {},
    files: known.flatMap((cell) => cell.paths),
    unknown: [
      "how the model was asked",
      "how long replies took",
      "why the model stopped",
      "the model's own count of tokens",
    ],
    notes: cells.filter((cell) => !known.includes(cell)).map((cell) => passedOver(cell.paths, cell.task)),
    replies: readCells(known, options),
  };
}

function taskOf(path: string): string {
  return basename(path).replace(/(-\d+)?\.jsonl$/, "");
}

/** The model's folder: the one above `synthetic/{length}/pred`. */
function modelAbove(folder: string): readonly string[] {
  const [, model] = /([^/]+)\/synthetic\/\d+\/pred$/.exec(folder) ?? [];
  return model === undefined ? [] : [model];
}

async function* readCells(
  cells: readonly RulerCell[],
  options: ForeignOptions,
): AsyncGenerator<readonly ForeignReply[]> {
  for (const { task, folder, paths } of cells) {
    const [, above] = /\/(\d+)(?:\/pred)?$/.exec(folder) ?? [];
    const replies: ForeignReply[] = [];
    for (const path of paths) {
      for await (const { place, row } of readJsonLines(path)) {
        const { pred, input, outputs, output, index, others, distractors } = row;
        if (typeof pred !== "string") throw refuse(place, '"pred" must be a text', pred);
        if (input !== undefined && typeof input !== "string") throw refuse(place, '"input" must be a text', input);
        const told = isFields(others) ? others : {};
        const number = readIndex(index) ?? readIndex(told["id"]);
        const repeat = readIndex(told["repeat"]);
        const { origin } = told;
        replies.push({
          task,
          length: readLength([Number(above)], { ...place, length: options.length }),
          ...(number === undefined ? {} : { index: number }),
          ...(repeat === undefined ? {} : { repeat }),
          references: readReferences(outputs ?? output, { ...place, field: "outputs" }),
          ...(distractors === undefined
            ? {}
            : { distractors: readReferences(distractors, { ...place, field: "distractors" }) }),
          prompt: input === undefined || input === "" ? null : userPrompt(input),
          reply: answerOf(pred),
          ...(isReplyOrigin(origin) ? { origin } : {}),
        });
      }
    }
    yield replies;
  }
}

/** A file of OpenCompass's needle test, or one part of several: what stands before, length, depth, what stands behind. */
const DATASET = /^(.*?)_?Length(\d+)Depth(\d+(?:\.\d+)?)(?:_(.*?))??(?:_\d+)?\.json$/;

/** Whether a file is one of OpenCompass's predictions of a needle test, by its name. */
export function isOpencompassFile(path: string): boolean {
  return DATASET.test(basename(path));
}

interface OpencompassFile {
  readonly path: string;
  readonly dataset: string;
  readonly length: number;
  readonly depth: number;
}

/**
 * Reads OpenCompass's predictions of CDME, `predictions/{model}/CDME_Length{length}Depth{depth}.json`: `origin_prompt`, `prediction`
 * and `gold` of each number. A gold of the form `answer*keyword` is that of several needles.
 */
export function readOpencompassRun(paths: readonly string[], options: ForeignOptions): ForeignRun {
  const files = paths.map((path): OpencompassFile => {
    const [, before = "", length, depth, after = ""] = DATASET.exec(basename(path))!;
    return { path, dataset: `${before}_${after}`, length: Number(length), depth: Number(depth) / 100 };
  });
  const path = paths.length === 1 ? paths[0]! : dirname(paths[0]!);
  const models = paths.map((each) => basename(dirname(each)));
  return {
    from: "OpenCompass",
    model: oneModel(models, { path, ...options }),
    origin: isSimulatedName(models) ? "simulated" : "unknown",
    settings: {},
    files: paths,
    unknown: [
      "how the model was asked",
      "how long replies took",
      "why the model stopped",
      "the model's own count of tokens",
    ],
    notes: [],
    replies: readDatasets(files, options),
  };
}

async function* readDatasets(
  files: readonly OpencompassFile[],
  options: ForeignOptions,
): AsyncGenerator<readonly ForeignReply[]> {
  for (const [, ofLength] of Map.groupBy(files, ({ length }) => length)) {
    const replies: ForeignReply[] = [];
    for (const file of ofLength) {
      const held = parseObject(new TextDecoder().decode(await readBytes(file.path)), { path: file.path });
      for (const [number, entry] of Object.entries(held)) replies.push(readEntry(entry, { ...options, file, number }));
    }
    yield replies;
  }
}

function readEntry(
  entry: unknown,
  { file, number, task: given }: ForeignOptions & { readonly file: OpencompassFile; readonly number: string },
): ForeignReply {
  const place = { path: file.path, where: `sample "${number}"` };
  const { prediction, gold, origin_prompt: origin }: Fields = isFields(entry) ? entry : {};
  if (typeof prediction !== "string") throw refuse(place, '"prediction" must be a text', prediction);
  if (typeof gold !== "string") throw refuse(place, '"gold" must be a text', gold);
  const references = gold.split("*");
  const language = /(^|_)en(_|$)/.test(file.dataset) ? "en" : "zh";
  const prompt = promptText(origin);
  return {
    task: given ?? (references.length > 1 ? `cdme_multi_${language}` : `cdme_${language}`),
    length: file.length,
    depth: file.depth,
    references,
    prompt: prompt === "" ? null : userPrompt(prompt),
    reply: answerOf(prediction),
  };
}

/** The prompt as OpenCompass keeps it: a text, or a list of messages. */
function promptText(origin: unknown): string {
  if (typeof origin === "string") return origin;
  if (!Array.isArray(origin)) return "";
  return origin.flatMap((part) => isFields(part) && typeof part["prompt"] === "string" ? [part["prompt"]] : []).join(
    "\n",
  );
}
