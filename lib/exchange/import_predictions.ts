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
  type Importer,
  oneModel,
  readIndex,
  readJsonLines,
  readLength,
  readObject,
  readText,
  refuse,
  skippedNote,
  textOrNone,
} from "./_foreign.ts";
import { groupPredictionFiles, type PredictionFiles, readRulerLine } from "@/lib/benchmarks/ruler/mod.ts";
import { type Message, PLAIN_TEMPLATE, type Prompt, type Role, userPrompt } from "@/lib/generators/mod.ts";
import { isReplyOrigin, isSimulatedName, readBatchReply } from "@/lib/models/mod.ts";
import { type OpenStudy, openStudy, studyOfSamples } from "@/lib/studies/mod.ts";
import { plural } from "@/lib/text/mod.ts";

/**
 * Reads the predictions of RULER's code, `{model}/synthetic/{length}/pred/{task}.jsonl`, and those of `fathom export --format
 * ruler`: `input`, `outputs` and `pred` of each line.
 */
export const RULER_IMPORTER: Importer = {
  recognises({ paths, fields }): readonly string[] {
    if (fields !== undefined && !("pred" in fields)) return [];
    const lines = paths.filter((path) => path.endsWith(".jsonl") && !/\/data\//.test(path));
    const predictions = lines.filter((path) => basename(dirname(path)) === "pred");
    return predictions.length > 0 ? predictions : lines;
  },
  read(paths, options): ForeignRun {
    const cells = groupPredictionFiles(paths).map((cell) => ({ ...cell, task: options.task ?? cell.task }));
    const known = cells.filter(({ task }) => options.canScore(task));
    const models = known.flatMap(({ folder }) => /([^/]+)\/synthetic\/\d+\/pred$/.exec(folder)?.[1] ?? []);
    return {
      ...predictionRun("RULER", paths, { models, model: options.model }),
      files: known.flatMap((cell) => cell.paths),
      notes: cells.filter((cell) => !known.includes(cell)).map((cell) => skippedNote(cell.paths, cell.task)),
      replies: readCells(known, options.length),
    };
  },
};

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
    unknown: [
      "how the model was asked",
      "how long replies took",
      "why the model stopped",
      "the model's own count of tokens",
    ],
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
  const pred = readText(row, "pred", place);
  const input = row["input"] === undefined ? "" : readText(row, "input", place);
  const { references, distractors } = readRulerLine(row, (expected, value) => refuse(place, expected, value));
  const { id, repeat, origin } = fieldsOf(row["others"]);
  return {
    ...{ ...cell, references, distractors },
    index: readIndex(row["index"]) ?? readIndex(id),
    repeat: readIndex(repeat),
    prompt: input === "" ? null : userPrompt(input),
    reply: answerOf(pred),
    origin: isReplyOrigin(origin) ? origin : undefined,
  };
}

/** Name of an OpenCompass file of the needle test, or of one of its parts: prefix, length, depth, suffix. */
const DATASET = /^(.*?)_?Length(\d+)Depth(\d+(?:\.\d+)?)(?:_(.*?))??(?:_\d+)?\.json$/;

/**
 * Reads OpenCompass's predictions of CDME, `predictions/{model}/CDME_Length{length}Depth{depth}.json`: `origin_prompt`, `prediction`
 * and `gold` of each number. A gold of the form `answer*keyword` belongs to a sample with several needles.
 */
export const OPENCOMPASS_IMPORTER: Importer = {
  recognises: ({ paths }) =>
    paths.filter((path) => DATASET.test(basename(path)) && !/\/(results|summary)\//.test(path)),
  read(paths, { model, task }): ForeignRun {
    const models = paths.map((each) => basename(dirname(each)));
    return {
      ...predictionRun("OpenCompass", paths, { models, model }),
      files: paths,
      notes: [],
      replies: readDatasets(paths, task),
    };
  },
};

async function* readDatasets(
  paths: readonly string[],
  task: string | undefined,
): AsyncGenerator<readonly ForeignReply[]> {
  for (const [length, ofLength] of Map.groupBy(paths, (path) => Number(DATASET.exec(basename(path))![2]))) {
    const replies: ForeignReply[] = [];
    for (const path of ofLength) {
      const [, before = "", , depth, after = ""] = DATASET.exec(basename(path))!;
      const language = /(^|_)en(_|$)/.test(`${before}_${after}`) ? "en" : "zh";
      for (const [number, entry] of Object.entries(await readObject(path))) {
        const place = { path, where: `sample "${number}"` };
        const fields = fieldsOf(entry);
        const prediction = readText(fields, "prediction", place);
        const references = readText(fields, "gold", place).split("*");
        replies.push({
          ...{ length, depth: Number(depth) / 100, references },
          task: task ?? (references.length > 1 ? `cdme_multi_${language}` : `cdme_${language}`),
          prompt: readPrompt(fields["origin_prompt"]),
          reply: answerOf(prediction),
        });
      }
    }
    yield replies;
  }
}

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

/**
 * Reads the output of an OpenAI batch, or of vLLM's `run_batch`, for lines of `fathom generate --format openai`. Their `custom_id` is
 * task, length and number of the sample; prompts and references come from the samples.
 */
export const BATCH_IMPORTER: Importer = {
  recognises: ({ paths, fields = {} }) => "custom_id" in fields ? paths : [],
  read: ([path], options) => readBatchRun(path!, options),
};

async function readBatchRun(path: string, { samplesFile, benchmarks, model }: ForeignOptions): Promise<ForeignRun> {
  if (samplesFile === undefined) {
    throw new RangeError(
      `Cannot import "${path}" as --samples-file must name the samples of the batch, which its output does not contain: current value is none`,
    );
  }
  const lines = await Array.fromAsync(readJsonLines(path));
  const opened = await openStudy(await studyOfSamples(samplesFile, {}, { benchmarks }), { benchmarks });
  const replies = lines.map(({ row, place }) => readBatchLine(row, place, opened)).filter((each) => each !== undefined);
  const expired = lines.length - replies.length;
  const models = lines.map(({ row }) => bodyOf(row)["model"]).filter((name) => typeof name === "string");
  return {
    from: lines.every(({ row }) => String(row["id"]).startsWith("vllm-")) ? "vLLM's run_batch" : "a batch of OpenAI's",
    model: oneModel(models, path, model),
    origin: isSimulatedName(models) ? "simulated" : models.length === 0 ? "unknown" : "measured",
    settings: {},
    files: [path],
    unknown: ["how the model was asked", "how long replies took"],
    notes: expired === 0 ? [] : [`${expired} ${plural(expired, "request")} expired with the batch before being sent`],
    replies: [replies],
  };
}

function bodyOf({ response }: Fields): Fields {
  return fieldsOf(fieldsOf(response)["body"]);
}

function readBatchLine(
  row: Fields,
  place: FilePlace,
  { tasks, materials, study }: OpenStudy,
): ForeignReply | undefined {
  const id = row["custom_id"];
  const [, name, ...numbers] = /^(.+?)\/(\d+)\/(\d+)(?:\/(\d+))?$/.exec(String(id)) ?? [];
  const [length = 0, index = 0, repeat = 0] = numbers.map((digits) => Number(digits ?? 0));
  const task = tasks.find((each) => each.name === name && study.lengths.includes(length));
  if (task === undefined) throw refuse(place, '"custom_id" must be TASK/LENGTH/NUMBER of one of the samples', id);
  const reply = readBatchReply(row);
  if (reply === undefined) return undefined;
  const sample = task.sample({ length, index, seed: study.seed, materials, template: PLAIN_TEMPLATE });
  const { created } = bodyOf(row);
  const time = typeof created === "number" ? new Date(1000 * created).toISOString() : undefined;
  return { ...sample, task: task.name, repeat, reply, time };
}
