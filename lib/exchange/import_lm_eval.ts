import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  answerOf,
  type Fields,
  fieldsOf,
  type FilePlace,
  type ForeignOptions,
  type ForeignReply,
  type ForeignRun,
  isFields,
  numberOrNone,
  oneModel,
  pickSettings,
  readIndex,
  readJsonLines,
  readLength,
  readObject,
  readTexts,
  refuse,
  skippedNote,
  textOrNone,
} from "./_foreign.ts";
import { userPrompt } from "@/lib/generators/mod.ts";
import { isReplyOrigin, isSimulatedName, type ModelSettings, type ReplyOrigin } from "@/lib/models/mod.ts";

/** Name of a file that lm-evaluation-harness writes with `--log_samples`. */
const SAMPLES_FILE = /^samples_(.+)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl$/;

/** Fathom's names of the harness's RULER tasks. */
const TASKS: Readonly<Record<string, string>> = {
  "ruler_vt": "vt",
  "ruler_cwe": "cwe",
  "ruler_fwe": "fwe",
  "ruler_qa_squad": "qa_1",
  "ruler_qa_hotpot": "qa_2",
};

/** Whether a file is one of lm-evaluation-harness's samples, by its name. */
export function isHarnessFile(path: string): boolean {
  return SAMPLES_FILE.test(basename(path));
}

/** A file of samples with its first line, whose values hold for the others. */
interface SamplesFile {
  readonly path: string;
  /** The harness's name of the task. */
  readonly name: string;
  /** When it was written, as in its name. */
  readonly stamp: string;
  readonly first: Fields;
  /** Fathom's name of the task. */
  readonly task: string;
}

/**
 * Reads the `samples_TASK_TIME.jsonl` of lm-evaluation-harness: its RULER tasks, and those that `fathom generate --format lm-eval`
 * and `fathom export --format lm-eval` write. Of several runs of one task, the last counts.
 *
 * The harness scores the share of references found for SQuAD and HotpotQA, where RULER's own code requires any one; imported samples
 * of these tasks keep the harness's score.
 */
export async function readHarnessRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const all = paths.map(parseName);
  const latest = [...Map.groupBy(all, ({ name }) => name).values()]
    .map((same) => same.toSorted((left, right) => left.stamp.localeCompare(right.stamp)).at(-1)!);
  const files = await Promise.all(latest.map((file) => openFile(file, options.task)));
  const known = files.filter(({ task }) => options.canScore(task));
  const older = all.length - latest.length;
  const results = await Promise.all(known.map(readResults));
  const result = fieldsOf(results.find((each) => each !== undefined));
  const models = known.map(({ path, first: { doc } }, at) => exportedModel(doc) ?? modelOf(path, results[at]));
  const version = textOrNone(result["lm_eval_version"]);
  const sent = fieldsOf(fieldsOf(fieldsOf(known[0]?.first["arguments"])["gen_args_0"])["arg_1"]);
  return {
    from: version === undefined ? "lm-evaluation-harness" : `lm-evaluation-harness ${version}`,
    model: oneModel(models, paths.length === 1 ? paths[0]! : dirname(paths[0]!), options.model),
    origin: isSimulatedName(models) ? "simulated" : originOf(fieldsOf(result["config"])),
    settings: {
      ...settingsOf(fieldsOf(result["config"])),
      ...pickSettings(sent, { temperature: "temperature", "max_gen_toks": "maxTokens", "do_sample": "sampled" }),
    },
    files: known.map(({ path }) => path),
    unknown: ["how long replies took", "why the model stopped", "the model's own count of tokens"],
    notes: [
      ...files.filter((file) => !known.includes(file)).map(({ path, task }) => skippedNote([path], task)),
      ...(older > 0 ? [`${older} files of earlier runs of the same tasks are skipped`] : []),
    ],
    replies: readFiles(known, options.length),
  };
}

function parseName(path: string): Pick<SamplesFile, "path" | "name" | "stamp"> {
  const [, name = basename(path, ".jsonl"), stamp = ""] = SAMPLES_FILE.exec(basename(path)) ?? [];
  return { path, name, stamp };
}

/** Reads the first line. The task is the user's, otherwise that of the sample (Fathom writes one), otherwise the harness's. */
async function openFile(file: ReturnType<typeof parseName>, task: string | undefined): Promise<SamplesFile> {
  for await (const { row } of readJsonLines(file.path)) {
    const named = task ?? textOrNone(fieldsOf(row["doc"])["task"]) ?? TASKS[file.name] ?? file.name;
    return { ...file, first: row, task: named };
  }
  return { ...file, first: {}, task: task ?? file.name };
}

/** Reads the `results_TIME.json` beside a file; `undefined` if there is none. */
async function readResults({ path, stamp }: SamplesFile): Promise<Fields | undefined> {
  const beside = `${dirname(path)}/results_${stamp}.json`;
  const isThere = await stat(beside).then((file) => file.isFile(), () => false);
  return isThere ? await readObject(beside) : undefined;
}

/** Returns the model of a run that `fathom export --format lm-eval` wrote, whose replies are in its samples. */
function exportedModel(doc: unknown): string | undefined {
  const { reply, model } = fieldsOf(doc);
  return typeof reply === "string" && typeof model === "string" && model !== "" ? model : undefined;
}

/**
 * Returns the origin of replies that the harness requested. Its `dummy` model makes them up. An address can hide any server, even a
 * simulated reader, whose name the harness does not record.
 */
function originOf({ model, model_args: args }: Fields): ReplyOrigin {
  if (model === "dummy") return "simulated";
  const isServed = isFields(args) ? args["base_url"] !== undefined : /\bbase_url=/.test(String(args));
  return typeof model !== "string" || isServed ? "unknown" : "measured";
}

/** Returns the model of the results, or of the folder, in whose name `__` replaces what file names cannot have. */
function modelOf(path: string, results: Fields | undefined): string {
  return textOrNone(results?.["model_name"]) || basename(dirname(path)).replaceAll("__", "/");
}

/** Returns how the model was asked. Arguments can hold keys, so only these are kept. */
function settingsOf(config: Fields): ModelSettings {
  const args = fieldsOf(config["model_args"]);
  const url = URL.parse(textOrNone(args["base_url"]) ?? "");
  return {
    // User, password and query can hold keys.
    ...(url === null ? {} : { baseUrl: `${url.protocol}//${url.host}${url.pathname}` }),
    ...pickSettings(config, { model: "harnessModel" }),
    ...pickSettings(args, { model: "model", pretrained: "model", dtype: "dtype", revision: "revision" }),
  };
}

async function* readFiles(
  files: readonly SamplesFile[],
  length: number | undefined,
): AsyncGenerator<readonly ForeignReply[]> {
  for (const file of files) {
    const replies: ForeignReply[] = [];
    for await (const { place, row } of readJsonLines(file.path)) {
      // Each filter of a task repeats its samples.
      if (row["filter"] === file.first["filter"]) replies.push(readSample(row, place, { ...file, length }));
    }
    yield replies;
  }
}

function readSample(
  row: Fields,
  place: FilePlace,
  { name, task, length: given }: SamplesFile & { readonly length: number | undefined },
): ForeignReply {
  const { doc } = row;
  if (!isFields(doc)) throw refuse(place, '"doc" must be the sample that was asked', doc);
  const text = replyText(row, doc);
  if (typeof text !== "string") {
    throw refuse(place, '"filtered_resps" must be a list with the reply', row["filtered_resps"]);
  }
  const { input, outputs, distractors, paths, depth, facts } = doc;
  if (input !== undefined && typeof input !== "string") throw refuse(place, '"input" of "doc" must be a text', input);
  const answerPrefix = textOrNone(doc["gen_prefix"] ?? doc["answer_prefix"]) ?? "";
  const length = readLength([doc["max_length"], given], place);
  const score = numberOrNone(row[String(length)] ?? row["score"]);
  return {
    task,
    length,
    index: readIndex(doc["index"]),
    references: readTexts(outputs, "outputs", place),
    prompt: input === undefined || input === "" ? null : userPrompt(input, answerPrefix === "" ? {} : { answerPrefix }),
    distractors: Array.isArray(distractors) ? readTexts(distractors, "distractors", place) : undefined,
    paths: Array.isArray(paths) ? paths : undefined,
    depth: numberOrNone(depth),
    facts: Array.isArray(facts) ? facts : undefined,
    reply: answerOf(text),
    // The reply of an exported run is not that of the harness's model.
    origin: typeof doc["reply"] === "string" ? isReplyOrigin(doc["origin"]) ? doc["origin"] : "unknown" : undefined,
    scoring: name.startsWith("ruler_qa_") ? "all" : undefined,
    theirs: score !== undefined && score >= 0 ? score : undefined,
  };
}

/** Returns the text that was scored: the reply in an exported sample, otherwise the reply after the first filter. */
function replyText({ filtered_resps: filtered, resps }: Fields, doc: Fields): unknown {
  if (typeof doc["reply"] === "string") return doc["reply"];
  const [first] = Array.isArray(filtered) ? filtered : Array.isArray(resps) ? resps : [];
  return Array.isArray(first) ? first[0] : first;
}
