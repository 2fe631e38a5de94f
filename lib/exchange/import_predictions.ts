import { basename, dirname, join } from "node:path";
import {
  answerOf,
  type FilePlace,
  type ForeignOptions,
  foreignPrompt,
  type ForeignReply,
  type ForeignRun,
  type Importer,
  numberOrNone,
  oneModel,
  pickSettings,
  readBytes,
  readIndex,
  readJsonLines,
  readLength,
  readObject,
  readText,
  readTexts,
  refuse,
  skippedNote,
  textOrNone,
} from "./_foreign.ts";
import { DATASET_STUDY } from "./dataset.ts";
import { groupPredictionFiles, type PredictionFiles, readRulerLine } from "@/lib/benchmarks/ruler/mod.ts";
import { type Message, PLAIN_TEMPLATE, type Prompt, type Role, userPrompt } from "@/lib/generators/mod.ts";
import { type Fields, fieldsOf, isFile, isReplyOrigin, isSimulatedName, readBatchReply } from "@/lib/models/mod.ts";
import { type OpenStudy, openStudy, readStudyFile, readYaml, studyOfSamples } from "@/lib/studies/mod.ts";
import { defined, plural } from "@/lib/text/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";

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

/**
 * Reads a run of NVIDIA's kvpress, whose `evaluate.py` writes `predictions.csv`, `config.yaml` with the model and the press, and
 * `metrics.json` with a score for each task.
 *
 * The predictions have no contexts. The samples are made again by the study beside the data set, and checked by their hashes; those of
 * other data sets are found by their texts in JSON lines of its rows.
 */
export const KVPRESS_IMPORTER: Importer = {
  recognises: ({ paths, isFolder }) =>
    paths.filter((path) => isFolder ? basename(path) === "predictions.csv" : path.endsWith(".csv")),
  async read(paths, options): Promise<ForeignRun> {
    const [path = "", ...others] = paths;
    if (others.length > 0) {
      throw new RangeError(
        `Cannot import the predictions as their folder must be of one run of kvpress: current value is ${paths.length} files, such as "${path}"`,
      );
    }
    return await readKvpressRun(path, options);
  },
};

/** A row of predictions. */
interface Prediction {
  readonly task: string;
  /** What the model predicted. */
  readonly text: string;
  /** All of the row, by column. */
  readonly row: Readonly<Record<string, string | undefined>>;
  readonly place: FilePlace;
}

/** A sample that was asked. */
type AskedSample = Omit<ForeignReply, "reply">;

async function readKvpressRun(path: string, options: ForeignOptions): Promise<ForeignRun> {
  const [configFile, metricsFile] = await Promise.all(
    ["config.yaml", "metrics.json"].map(async (name) => {
      const file = join(dirname(path), name);
      return await isFile(file) ? file : undefined;
    }),
  );
  const config = configFile === undefined
    ? {}
    : fieldsOf(await readYaml(configFile, { what: "the settings of kvpress", wanted: "they must be a YAML file" }));
  const named = textOrNone(config["model"]);
  const model = oneModel(named === undefined ? [] : [named], path, options.model);
  const length = options.length ?? (Number(config["data_dir"]) || undefined);
  const find = await openSamples(path, { ...options, length });
  const byTask = Map.groupBy(
    readPredictions(new TextDecoder().decode(await readBytes(path)), path),
    ({ task }) => task,
  );
  const strange = [...byTask].filter(([task]) => !options.canScore(task));
  return {
    from: "kvpress",
    model: model + pressText(config),
    origin: isSimulatedName([model]) ? "simulated" : named === undefined ? "unknown" : "measured",
    settings: pickSettings(config, SETTINGS),
    files: [path, configFile, metricsFile].filter((file) => file !== undefined),
    unknown: [
      ...(configFile === undefined ? ["the press and its settings, as config.yaml is not beside the predictions"] : []),
      ...["how long replies took", "why the model stopped", "the model's own count of tokens"],
    ],
    notes: strange.map(([task, { length }]) =>
      `${length} ${plural(length, "prediction")} of ${task} skipped, as no task with a scorer has that name`
    ),
    // A task at a time, as the prompts of all may not fit into memory.
    replies: Iterator.from(byTask.values()).filter(([first]) => options.canScore(first!.task)).map((ofTask) =>
      ofTask.map((prediction) => ({ ...find(prediction), reply: answerOf(prediction.text) }))
    ),
    ...(metricsFile === undefined ? {} : { theirMeans: readMetrics(await readObject(metricsFile)) }),
  };
}

/** The settings of kvpress that affect replies, and their names in records. */
const SETTINGS = {
  ...{ "press_name": "press", "compression_ratio": "compressionRatio", "press_init_command": "pressCommand" },
  ...{
    "key_channel_compression_ratio": "keyChannelCompressionRatio",
    "head_compression_ratio": "headCompressionRatio",
  },
  ...{ threshold: "threshold", "query_aware": "queryAware", "compression_interval": "compressionInterval" },
  ...{ "target_size": "targetSize", "hidden_states_buffer_size": "hiddenStatesBufferSize", fp8: "fp8" },
  ...{ "max_new_tokens": "maxTokens", "max_context_length": "maxContextLength" },
};

/** Returns the press and its ratio for the model's name, such as ` + knorm 0.5`; none for the full cache. */
function pressText(config: Fields): string {
  const press = textOrNone(config["press_name"]);
  if (press === undefined || press === "no_press") return "";
  const ratio = ["threshold", "head_compression_ratio", "compression_ratio"].map((name) => numberOrNone(config[name]))
    .find((value) => value !== undefined);
  return ` + ${press}${ratio === undefined ? "" : ` ${ratio}`}`;
}

function readPredictions(text: string, path: string): Prediction[] {
  const [header, ...records] = readCsv(text, `"${path}"`);
  const missing = ["task", "predicted_answer"].find((name) => !header!.fields.includes(name));
  if (missing !== undefined) {
    throw refuse({ path }, `it must have the column "${missing}" of kvpress's predictions`, header!.fields.join(", "));
  }
  return records.map(({ line, fields }) => {
    const row = Object.fromEntries(header!.fields.map((name, at) => [name, fields[at]!]));
    return { row, task: row["task"]!, text: row["predicted_answer"]!, place: { path, where: `line ${line}` } };
  });
}

/** Reads the score of each task, in percent. */
function readMetrics(metrics: Fields): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([task, scores]) => {
      const score = numberOrNone(fieldsOf(scores)["string_match"]);
      return score === undefined ? [] : [[task, score]];
    }),
  );
}

type FindSample = (prediction: Prediction) => AskedSample;

/** Opens the samples: by the study of a data set, or by rows of JSON lines. */
async function openSamples(path: string, options: ForeignOptions): Promise<FindSample> {
  const { samplesFile = "" } = options;
  const study = /\.ya?ml$/.test(samplesFile) ? samplesFile : join(samplesFile, DATASET_STUDY);
  if (await isFile(study)) return await studySamples(study, options);
  if (await isFile(samplesFile)) return await rowSamples(samplesFile, options);
  throw new RangeError(
    `Cannot import "${path}" as --samples-file must name its data set, as the predictions have no contexts: the folder of fathom generate --format kvpress, or JSON lines of the rows of another data set: current value is ${
      samplesFile === "" ? "none" : `"${samplesFile}"`
    }`,
  );
}

/** Makes the samples of a study again, each checked by its hash. */
async function studySamples(file: string, { benchmarks }: ForeignOptions): Promise<FindSample> {
  const { study: { seed }, tasks, materials } = await openStudy(await readStudyFile(file, {}, { benchmarks }), {
    benchmarks,
  });
  return ({ row, place, ...given }) => {
    const task = tasks.find(({ name }) => name === given.task);
    if (task === undefined) throw refuse(place, `"task" must be of the study ${file}`, given.task);
    const index = readIndex(row["index"] === "" ? undefined : Number(row["index"]));
    if (index === undefined || row["sha256"] === undefined) {
      throw refuse(
        place,
        '"index" and "sha256" must be those of a row of fathom generate --format kvpress',
        row["index"],
      );
    }
    const length = readLength([Number(row["length"])], place);
    const extraTokens = Number(/\/base\+extra-(\d+)\//.exec(row["sample"] ?? "")?.[1] ?? 0);
    const sample = task.sample({ length, index, seed, materials, template: { ...PLAIN_TEMPLATE, extraTokens } });
    if (sample.sha256 === row["sha256"]) return { ...sample, task: task.name };
    throw refuse(
      place,
      `"sha256" must be that of the sample made again, ${sample.sha256}, by the same texts, tokenizer and version of Fathom`,
      row["sha256"],
    );
  };
}

/** Reads rows of a data set, which are found by their hash, or by task, question and answer. */
async function rowSamples(file: string, { length }: ForeignOptions): Promise<FindSample> {
  // Rows that cannot be distinguished are null.
  const found = new Map<string, AskedSample | null>();
  const counts = new Map<string, number>();
  for await (const { row, place } of readJsonLines(file)) {
    const [context, question] = [readText(row, "context", place), readText(row, "question", place)];
    const task = readText(row, "task", place);
    const references = readTexts(row["answer"], "answer", place);
    const count = counts.get(task) ?? 0;
    counts.set(task, count + 1);
    const distractors = row["distractors"] === undefined
      ? undefined
      : readTexts(row["distractors"], "distractors", place);
    const sample: AskedSample = {
      ...{ task, references, distractors, index: readIndex(row["index"]) ?? count },
      length: readLength([row["length"], length], place),
      prompt: userPrompt(context + question, defined({ answerPrefix: textOrNone(row["answer_prefix"]) })),
    };
    for (const key of [textOrNone(row["sha256"]), textKey(task, question, references)]) {
      if (key !== undefined) found.set(key, found.has(key) ? null : sample);
    }
  }
  return ({ task, row, place }) => {
    const { question = "", answer, sha256 } = row;
    const sample = found.get(sha256 ?? textKey(task, question, listed(answer)));
    if (sample) return sample;
    throw refuse(
      place,
      `it must be one row of ${file} and no other by its "sha256", or without it by task, question and answer (query_aware leaves no question),`,
      question,
    );
  };
}

function textKey(task: string, question: string, references: readonly string[]): string {
  return JSON.stringify([task, question, references]);
}

/** Reads a list of texts as Python and NumPy print it: `['a' "it's"]` or `['a', 'b']`. */
function listed(printed = ""): readonly string[] {
  return Array.from(
    printed.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs),
    ([, single, double]) => (single ?? double ?? "").replace(/\\(.)/gs, (_, char) => ESCAPES[char] ?? char),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
