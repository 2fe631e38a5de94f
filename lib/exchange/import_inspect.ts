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
  pickSettings,
  readBytes,
  readIndex,
  readLength,
  readReferences,
  refuse,
} from "./_imported.ts";
import { isZip, openZip } from "./zip_file.ts";
import { type FinishReason, isSimulatedName, type Reply } from "@/lib/models/mod.ts";
import { type Prompt, userPrompt } from "@/lib/generators/mod.ts";

/** A log of Inspect's, without its samples, and those one by one. */
interface InspectLog {
  readonly path: string;
  readonly eval: Fields;
  /** `success`, or how it ended otherwise. */
  readonly status: unknown;
  samples(): Iterable<Fields>;
}

/** Scorers of Inspect whose scores are those of one of Fathom's. */
const SCORINGS: Readonly<Record<string, string | undefined>> = { includes: "any", fathom: undefined };

/**
 * Reads logs of Inspect, `.json` or `.eval`, of tasks that `fathom generate --format inspect` writes, or of others whose scorer is
 * `includes`: input, target and reply of each sample; the epoch is the repeat.
 *
 * The task is what a sample's metadata calls it, or else what the log does; its length is `max_length` or `length` of the metadata.
 */
export async function readInspectRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const logs = await Promise.all(paths.map(openLog));
  const path = paths[0]!;
  const [first] = logs;
  const packages = isFields(first!.eval["packages"]) ? first!.eval["packages"] : {};
  const version = packages["inspect_ai"];
  const config = isFields(first!.eval["model_generate_config"]) ? first!.eval["model_generate_config"] : {};
  const models = logs.flatMap((log) => typeof log.eval["model"] === "string" ? [log.eval["model"]] : []);
  return {
    from: `Inspect${typeof version === "string" ? ` ${version}` : ""}`,
    model: oneModel(models, { path, ...options }),
    origin: isSimulatedName(models) || models.some(isMock) ? "simulated" : "unknown",
    settings: pickSettings(config, {
      temperature: "temperature",
      "max_tokens": "maxTokens",
      "top_p": "topP",
      seed: "seed",
      "reasoning_effort": "reasoningEffort",
    }),
    files: paths,
    unknown: ["the address of the model's server"],
    notes: logs.filter(({ status }) => status !== undefined && status !== "success")
      .map((log) => `${log.path}: the evaluation did not end well, its status is ${JSON.stringify(log.status)}`),
    replies: readLogs(logs, options),
  };
}

/** Whether a model is Inspect's own, which makes its replies up. */
function isMock(model: unknown): boolean {
  return typeof model === "string" && model.startsWith("mockllm/");
}

async function openLog(path: string): Promise<InspectLog> {
  const bytes = await readBytes(path);
  if (isZip(bytes)) {
    const archive = openZip(bytes, path);
    const read = (entry: string): Fields =>
      parseObject(new TextDecoder().decode(archive.read(entry)), { path, where: `"${entry}"` });
    const header = read("header.json");
    const names = archive.entries.map((entry) => entry.path).filter((name) => /^samples\/.*\.json$/.test(name));
    return {
      path,
      eval: evalOf(header, path),
      status: header["status"],
      *samples(): Generator<Fields> {
        for (const name of names) yield read(name);
      },
    };
  }
  const log = parseObject(new TextDecoder().decode(bytes), { path });
  const { samples } = log;
  if (!Array.isArray(samples)) throw refuse({ path }, 'it must have its "samples" (--log-samples)', samples);
  return { path, eval: evalOf(log, path), status: log["status"], samples: () => samples.filter(isFields) };
}

function evalOf({ eval: said }: Fields, path: string): Fields {
  if (isFields(said)) return said;
  throw refuse({ path }, 'it must be a log of Inspect\'s, with "eval"', said);
}

/** All samples of all logs, as one task can be spread over several. */
async function* readLogs(
  logs: readonly InspectLog[],
  options: ForeignOptions,
): AsyncGenerator<readonly ForeignReply[]> {
  await Promise.resolve();
  const numbers = new Map<string, Map<unknown, number>>();
  const replies = logs.flatMap((log) =>
    Iterator.from(log.samples()).map((sample) => readSample(sample, { ...options, log, numbers })).toArray()
  );
  yield replies;
}

interface ReadSampleOptions extends ForeignOptions {
  readonly log: InspectLog;
  /** The numbers of samples by task and length, then by id: every epoch has the same. */
  readonly numbers: Map<string, Map<unknown, number>>;
}

function readSample(
  sample: Fields,
  { log, numbers, task: given, length: said, canScore }: ReadSampleOptions,
): ForeignReply {
  const { id, epoch, input, target, metadata, scores, error } = sample;
  const place: FilePlace = { path: log.path, where: `sample ${JSON.stringify(id ?? "")}` };
  const about = isFields(metadata) ? metadata : {};
  const told = [given, about["task"], log.eval["task"]].filter((name) => typeof name === "string");
  const task = told.map((name) => name.split("/").at(-1)!).find(canScore);
  if (task === undefined) {
    throw refuse(
      place,
      '--task must say which task it is, as neither "task" of its metadata nor the log names one',
      told[0],
    );
  }
  const length = readLength([about["max_length"], about["length"]], { ...place, length: said });
  const ofCell = numbers.getOrInsert(JSON.stringify([task, length]), new Map());
  const index = readIndex(about["index"]) ?? ofCell.getOrInsert(id, ofCell.size);
  const repeat = readIndex(epoch);
  const user = textOf(input);
  const prefix = about["answer_prefix"];
  const score = readScore(scores, { ...place, task: given });
  const time = sample["completed_at"];
  const { model: served }: Fields = isFields(sample["output"]) ? sample["output"] : {};
  return {
    task,
    length,
    index,
    ...(repeat === undefined || repeat <= 1 ? {} : { repeat: repeat - 1 }),
    references: readReferences(target, { ...place, field: "target" }),
    prompt: user === "" ? null : splitPrompt(user, typeof prefix === "string" ? prefix : ""),
    ...(typeof about["depth"] === "number" ? { depth: about["depth"] } : {}),
    reply: replyOf(sample, error),
    // What the server called itself. Those that Inspect makes up, and readers that Fathom serves, are known by their names.
    ...(typeof served === "string" && served !== "" && !isMock(log.eval["model"])
      ? { origin: isSimulatedName([served, String(log.eval["model"])]) ? "simulated" : "measured" }
      : {}),
    ...(typeof time === "string" ? { time } : {}),
    ...score,
  };
}

/** The prompt and the start of its answer, which Fathom's form puts at its end. */
function splitPrompt(text: string, answerPrefix: string): Prompt {
  if (answerPrefix === "" || !text.endsWith(answerPrefix)) return userPrompt(text);
  return userPrompt(text.slice(0, -answerPrefix.length), { answerPrefix });
}

/** A text, or the texts of the user's messages. */
function textOf(input: unknown): string {
  if (typeof input === "string") return input;
  if (!Array.isArray(input)) return "";
  return input.filter((message) => isFields(message) && message["role"] === "user")
    .map((message) => contentText((message as Fields)["content"])).join("\n\n");
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part) => isFields(part) && typeof part["text"] === "string" ? [part["text"]] : []).join("");
}

/** How the sample was scored there; the first of several scorers that Fathom has too. */
function readScore(
  scores: unknown,
  { task, ...place }: FilePlace & Pick<ForeignOptions, "task">,
): Pick<ForeignReply, "scoring" | "theirs"> {
  const given = isFields(scores) ? Object.entries(scores) : [];
  if (given.length === 0) return {};
  const [name, score] = given.find(([name]) => Object.hasOwn(SCORINGS, name.split("/").at(-1)!)) ?? [];
  if (name === undefined) {
    // Whoever names the task wants its score.
    if (task !== undefined) return {};
    throw refuse(
      place,
      `its scorer must be one whose scores can be found again, ${
        Object.keys(SCORINGS).join(" or ")
      }, or --task must name the task whose score is wanted,`,
      given.map(([name]) => name).join(", "),
    );
  }
  const value = isFields(score) ? score["value"] : undefined;
  const theirs = value === "C" ? 1 : value === "I" ? 0 : value;
  const scoring = SCORINGS[name.split("/").at(-1)!];
  return {
    ...(scoring === undefined ? {} : { scoring }),
    ...(typeof theirs === "number" && theirs >= 0 && theirs <= 1 ? { theirs } : {}),
  };
}

const STOPS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  "max_tokens": "length",
  "model_length": "length",
  "content_filter": "content_filter",
};

function replyOf({ output }: Fields, error: unknown): Reply {
  const { choices, completion, usage, time }: Fields = isFields(output) ? output : {};
  const [choice] = Array.isArray(choices) ? choices : [];
  if (!isFields(choice)) {
    const said = isFields(error) ? error["message"] : undefined;
    const message = typeof said === "string" ? said : "the sample has no reply";
    return { kind: "failure", failure: "server", message, latencyMs: 0, attempts: 1 };
  }
  const message = isFields(choice["message"]) ? choice["message"] : {};
  const tokens = isFields(usage) ? usage : {};
  return answerOf(typeof completion === "string" ? completion : contentText(message["content"]), {
    finishReason: STOPS[String(choice["stop_reason"])] ?? "unknown",
    promptTokens: tokens["input_tokens"],
    completionTokens: tokens["output_tokens"],
    seconds: time,
  });
}
