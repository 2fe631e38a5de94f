import { basename, dirname } from "node:path";
import { defined, type Fields, isFields, isFile } from "@/lib/base/mod.ts";
import { pickSettings, readLength, readTexts, refuse, textOrNone } from "./_fields.ts";
import { firstRow, readJsonLines, readObject } from "./_files.ts";
import {
  type ForeignOptions,
  type ForeignReply,
  type ForeignRun,
  type Importer,
  plainTask,
  readOwnFields,
  versionText,
} from "./_foreign.ts";
import { readReply } from "./_replies.ts";
import { userPrompt } from "@/lib/generators/mod.ts";
import { fieldsOf, type ModelSettings, type ReplyOrigin } from "@/lib/models/mod.ts";

const SAMPLES_FILE = /^samples_(.+)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl$/;

/**
 * Reads the `samples_TASK_TIME.jsonl` of lm-evaluation-harness. Of several runs of one task, the last counts. The harness scores the
 * share of references found for SQuAD and HotpotQA, of which RULER's own code requires any one; its score is kept.
 */
export const HARNESS_IMPORTER: Importer = {
  recognises: (paths, fields = {}) =>
    "filtered_resps" in fields ? paths : paths.filter((path) => SAMPLES_FILE.test(basename(path))),
  read: readHarnessRun,
};

/** A file of samples with its first line, whose values hold for the others. */
interface SamplesFile {
  readonly path: string;
  readonly name: string;
  readonly stamp: string;
  readonly first: Fields;
  readonly task: string;
}

async function readHarnessRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const all = paths.map((path) => {
    const [, name = basename(path, ".jsonl"), stamp = ""] = SAMPLES_FILE.exec(basename(path)) ?? [];
    return { path, name, stamp };
  });
  // Of one folder, the last of a name in the order of names is the latest.
  const latest = [...new Map(all.map((file) => [file.name, file])).values()];
  const files = await Promise.all(latest.map((file) => openFile(file, options.task)));
  const older = all.length - latest.length;
  const results = await Promise.all(latest.map(async ({ path, stamp }) => {
    const beside = `${dirname(path)}/results_${stamp}.json`;
    return await isFile(beside) ? await readObject(beside) : undefined;
  }));
  const result = fieldsOf(results.find((each) => each !== undefined));
  const sent = fieldsOf(fieldsOf(fieldsOf(files[0]!.first["arguments"])["gen_args_0"])["arg_1"]);
  return {
    from: versionText("lm-evaluation-harness", result["lm_eval_version"]),
    // A folder is named after the model, with `__` for what file names cannot have.
    models: files.map(({ path }, at) =>
      textOrNone(results[at]?.["model_name"]) || basename(dirname(path)).replaceAll("__", "/")
    ),
    origin: originOf(fieldsOf(result["config"])),
    settings: {
      ...settingsOf(fieldsOf(result["config"])),
      ...pickSettings(sent, ["temperature", "max_gen_toks maxTokens", "do_sample sampled"]),
    },
    notes: older > 0 ? [`${older} files of earlier runs of the same tasks are skipped`] : [],
    parts: files.map((file) => ({ files: [file.path], task: file.task, replies: () => readSamples(file, options) })),
  };
}

/** Reads the first line. The task is the user's, otherwise that of the sample (Fathom writes one), otherwise the harness's. */
async function openFile(file: Omit<SamplesFile, "first" | "task">, task: string | undefined): Promise<SamplesFile> {
  const first = await firstRow(file.path);
  return { ...file, first, task: task ?? textOrNone(fieldsOf(first["doc"])["task"]) ?? plainTask(file.name) };
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

/** Returns how the model was asked. Arguments can hold keys, so only these are kept. */
function settingsOf(config: Fields): ModelSettings {
  const args = fieldsOf(config["model_args"]);
  const url = URL.parse(textOrNone(args["base_url"]) ?? "");
  return {
    // User, password and query can hold keys.
    ...(url === null ? {} : { baseUrl: `${url.protocol}//${url.host}${url.pathname}` }),
    ...pickSettings(config, ["model harnessModel"]),
    ...pickSettings(args, ["model", "pretrained model", "dtype", "revision"]),
  };
}

async function* readSamples(
  { path, first, name, task }: SamplesFile,
  options: ForeignOptions,
): AsyncGenerator<ForeignReply> {
  for await (const { place, row } of readJsonLines(path)) {
    const { doc, filter } = row;
    // Each filter of a task repeats its samples.
    if (filter !== first["filter"]) continue;
    if (!isFields(doc)) throw refuse(place, '"doc" must be the sample that was asked', doc);
    const { input = "", facts } = doc;
    if (typeof input !== "string") throw refuse(place, '"input" of "doc" must be a text', input);
    const answerPrefix = textOrNone(doc["gen_prefix"] ?? doc["answer_prefix"]) || undefined;
    const length = readLength([doc["max_length"], options.length], place);
    const score = row[String(length)] ?? row["score"];
    const own = readOwnFields(doc, place, options);
    yield {
      ...own,
      task,
      length,
      references: readTexts(doc["outputs"], "outputs", place),
      prompt: input === "" ? null : userPrompt(input, defined({ answerPrefix })),
      facts: Array.isArray(facts) ? facts : undefined,
      reply: readReply({ text: replyText(row), field: "filtered_resps" }, place),
      scoring: name.startsWith("ruler_qa_") ? "all" : own.scoring,
      theirs: typeof score === "number" && score >= 0 ? score : undefined,
    };
  }
}

/** Returns the text that was scored: the reply after the first filter. */
function replyText({ filtered_resps: filtered, resps }: Fields): unknown {
  const first: unknown = [filtered, resps].find(Array.isArray)?.[0];
  return Array.isArray(first) ? first[0] : first;
}
