import { basename, dirname, join } from "node:path";
import { defined, isFile, plural } from "@/lib/base/mod.ts";
import {
  decodeText,
  type FilePlace,
  type ForeignOptions,
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
  readReply,
  readText,
  readTexts,
  refuse,
  textOrNone,
} from "./_foreign.ts";
import { DATASET_STUDY } from "./dataset.ts";
import { PLAIN_TEMPLATE, userPrompt } from "@/lib/generators/mod.ts";
import { type Fields, fieldsOf, isSimulatedName } from "@/lib/models/mod.ts";
import { readCsv } from "@/lib/statistics/mod.ts";
import { openStudy, readStudyFile, readYaml } from "@/lib/studies/mod.ts";

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

interface Prediction {
  readonly task: string;
  readonly text: string;
  readonly row: Readonly<Record<string, string | undefined>>;
  readonly place: FilePlace;
}

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
    readPredictions(decodeText(await readBytes(path), { path }), path),
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
      ofTask.map((prediction) => ({
        ...find(prediction),
        reply: readReply({ text: prediction.text, field: "predicted_answer" }, prediction.place),
      }))
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
    const index = readIndex(row["index"] ? Number(row["index"]) : undefined, place);
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
      ...{ task, references, distractors, index: readIndex(row["index"], place) ?? count },
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
