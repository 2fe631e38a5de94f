import { basename, dirname } from "node:path";
import {
  answerOf,
  type Fields,
  type FilePlace,
  type ForeignOptions,
  type ForeignReply,
  type ForeignRun,
  isFields,
  oneModel,
  parseObject,
  passedOver,
  pickSettings,
  readBytes,
  readIndex,
  readJsonLines,
  readLength,
  readReferences,
  refuse,
  shownAddress,
} from "./_imported.ts";
import { isReplyOrigin, isSimulatedName, type ModelSettings, type ReplyOrigin } from "@/lib/models/mod.ts";
import { userPrompt } from "@/lib/generators/mod.ts";

/** A file of samples that lm-evaluation-harness writes with `--log_samples`. */
const SAMPLES_FILE = /^samples_(.+)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl$/;

/** Its RULER tasks by their names there. */
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

interface SamplesFile {
  readonly path: string;
  /** What the harness calls the task. */
  readonly name: string;
  /** When it was written, as its name has it. */
  readonly stamp: string;
}

/**
 * Reads the `samples_TASK_TIME.jsonl` of lm-evaluation-harness: its RULER tasks, and those that `fathom generate --format lm-eval`
 * and `fathom export --format lm-eval` write. Where a task was run several times, the last counts.
 *
 * Its questions from SQuAD and HotpotQA score the share of references found, where RULER's own code wants any one: they keep its
 * score.
 */
export async function readHarnessRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const all = paths.map(readName);
  const latest = [...Map.groupBy(all, ({ name }) => name).values()]
    .map((same) => same.toSorted((left, right) => left.stamp.localeCompare(right.stamp)).at(-1)!);
  const known: SamplesFile[] = [];
  const notes: string[] = [];
  for (const file of latest) {
    const task = options.task ?? await taskOf(file);
    if (task !== undefined && options.canScore(task)) known.push(file);
    else notes.push(passedOver([file.path], task ?? file.name));
  }
  if (all.length > latest.length) {
    notes.push(`${all.length - latest.length} files are of earlier runs of the same tasks, and are passed over`);
  }
  const results = await Promise.all(known.map(readResults));
  const told = results.find((result) => result !== undefined);
  const exported = await Promise.all(known.map(exportedModel));
  const models = known.map((file, at) => exported[at] ?? modelOf(file, results[at]));
  const path = paths.length === 1 ? paths[0]! : dirname(paths[0]!);
  const version = told?.["lm_eval_version"];
  return {
    from: `lm-evaluation-harness${typeof version === "string" ? ` ${version}` : ""}`,
    model: oneModel(models, { path, ...options }),
    origin: isSimulatedName(models) ? "simulated" : originOf(told),
    settings: { ...settingsOf(told), ...await generationOf(known[0]) },
    files: known.map((file) => file.path),
    unknown: ["how long replies took", "why the model stopped", "the model's own count of tokens"],
    notes,
    replies: readFiles(known, options),
  };
}

function readName(path: string): SamplesFile {
  const [, name = basename(path, ".jsonl"), stamp = ""] = SAMPLES_FILE.exec(basename(path)) ?? [];
  return { path, name, stamp };
}

/** The task of a file: what its first sample says, as samples of Fathom's do, or the harness's name of it. */
async function taskOf({ path, name }: SamplesFile): Promise<string | undefined> {
  for await (const { row } of readJsonLines(path)) {
    const said = isFields(row["doc"]) ? row["doc"]["task"] : undefined;
    return typeof said === "string" ? said : TASKS[name] ?? name;
  }
  return undefined;
}

/** The `results_TIME.json` beside a file; `undefined` where there is none. */
async function readResults({ path, stamp }: SamplesFile): Promise<Fields | undefined> {
  const beside = `${dirname(path)}/results_${stamp}.json`;
  const isThere = await Deno.stat(beside).then(({ isFile }) => isFile, () => false);
  return isThere ? parseObject(new TextDecoder().decode(await readBytes(beside)), { path: beside }) : undefined;
}

/** The model that a file of `fathom export --format lm-eval` says replied; the harness's own model was not asked there. */
async function exportedModel({ path }: SamplesFile): Promise<string | undefined> {
  for await (const { row } of readJsonLines(path)) {
    const { reply, model }: Fields = isFields(row["doc"]) ? row["doc"] : {};
    return typeof reply === "string" && typeof model === "string" && model !== "" ? model : undefined;
  }
  return undefined;
}

/**
 * Where replies come from that the harness asked for itself. Its `dummy` makes them up. Behind an address there can be any server,
 * a simulated reader's too, whose name the harness does not keep.
 */
function originOf(results: Fields | undefined): ReplyOrigin {
  const config = isFields(results?.["config"]) ? results["config"] : {};
  const { model, model_args: args } = config;
  if (model === "dummy") return "simulated";
  const isServed = isFields(args) ? args["base_url"] !== undefined : /\bbase_url=/.test(String(args));
  return typeof model !== "string" || isServed ? "unknown" : "measured";
}

function modelOf({ path }: SamplesFile, results: Fields | undefined): string {
  const said = results?.["model_name"];
  // Its folders are called after the model, with two underscores for what no file name may have.
  return typeof said === "string" && said !== "" ? said : basename(dirname(path)).replaceAll("__", "/");
}

/** What the results say of how the model was asked; arguments can hold keys, so only these are kept. */
function settingsOf(results: Fields | undefined): ModelSettings {
  const config = isFields(results?.["config"]) ? results["config"] : {};
  const args = isFields(config["model_args"]) ? config["model_args"] : {};
  const address = shownAddress(args["base_url"]);
  return {
    ...(address === undefined ? {} : { baseUrl: address }),
    ...pickSettings(config, { model: "harnessModel" }),
    ...pickSettings(args, { model: "model", pretrained: "model", dtype: "dtype", revision: "revision" }),
  };
}

/** What the first sample says of how replies were written. */
async function generationOf(file: SamplesFile | undefined): Promise<ModelSettings> {
  if (file === undefined) return {};
  for await (const { row } of readJsonLines(file.path)) {
    const sent = isFields(row["arguments"]) ? row["arguments"]["gen_args_0"] : undefined;
    const given = isFields(sent) && isFields(sent["arg_1"]) ? sent["arg_1"] : {};
    return pickSettings(given, { temperature: "temperature", "max_gen_toks": "maxTokens", "do_sample": "sampled" });
  }
  return {};
}

async function* readFiles(
  files: readonly SamplesFile[],
  options: ForeignOptions,
): AsyncGenerator<readonly ForeignReply[]> {
  for (const file of files) {
    const task = options.task ?? await taskOf(file);
    const replies: ForeignReply[] = [];
    const kept: { filter?: unknown } = {};
    for await (const { place, row } of readJsonLines(file.path)) {
      // Each filter of a task repeats its samples.
      kept.filter ??= row["filter"];
      if (row["filter"] === kept.filter) {
        replies.push(readSample(row, { ...options, place, name: file.name, task: task! }));
      }
    }
    yield replies;
  }
}

function readSample(
  row: Fields,
  { place, name, task, length: given }: ForeignOptions & {
    readonly place: FilePlace;
    readonly name: string;
    readonly task: string;
  },
): ForeignReply {
  const { doc, filtered_resps: filtered } = row;
  if (!isFields(doc)) throw refuse(place, '"doc" must be the sample that was asked', doc);
  const text = replyText(row, doc);
  if (typeof text !== "string") {
    throw refuse(place, '"filtered_resps" must be a list with the reply', filtered);
  }
  const { input, outputs, distractors, paths, depth } = doc;
  const prefix = doc["gen_prefix"] ?? doc["answer_prefix"];
  if (input !== undefined && typeof input !== "string") throw refuse(place, '"input" of "doc" must be a text', input);
  const length = readLength([doc["max_length"]], { ...place, length: given });
  const index = readIndex(doc["index"]);
  const score = row[String(length)] ?? row["score"];
  return {
    task,
    length,
    ...(index === undefined ? {} : { index }),
    references: readReferences(outputs, { ...place, field: "outputs" }),
    prompt: input === undefined || input === ""
      ? null
      : userPrompt(input, typeof prefix === "string" && prefix !== "" ? { answerPrefix: prefix } : {}),
    ...(Array.isArray(distractors)
      ? { distractors: readReferences(distractors, { ...place, field: "distractors" }) }
      : {}),
    ...(Array.isArray(paths) ? { paths: paths as readonly (readonly string[])[] } : {}),
    ...(typeof depth === "number" ? { depth } : {}),
    ...(Array.isArray(doc["facts"]) ? { facts: doc["facts"] } : {}),
    reply: answerOf(text),
    // A reply of an exported run is not the harness's model's.
    ...(typeof doc["reply"] === "string" ? { origin: isReplyOrigin(doc["origin"]) ? doc["origin"] : "unknown" } : {}),
    ...(name.startsWith("ruler_qa_") ? { scoring: "all" } : {}),
    ...(typeof score === "number" && score >= 0 ? { theirs: score } : {}),
  };
}

/** What was scored: the reply after the first filter, or that of a run that Fathom exported, which its samples hold. */
function replyText({ filtered_resps: filtered, resps }: Fields, doc: Fields): unknown {
  if (typeof doc["reply"] === "string") return doc["reply"];
  const [first] = Array.isArray(filtered) ? filtered : Array.isArray(resps) ? resps : [];
  return Array.isArray(first) ? first[0] : first;
}
