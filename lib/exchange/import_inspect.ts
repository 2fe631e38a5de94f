import {
  answerOf,
  type Fields,
  fieldsOf,
  type FilePlace,
  type ForeignOptions,
  foreignPrompt,
  type ForeignReply,
  type ForeignRun,
  isFields,
  numberOrNone,
  oneModel,
  parseObject,
  pickSettings,
  readBytes,
  readIndex,
  readLength,
  readTexts,
  refuse,
  textOrNone,
} from "./_foreign.ts";
import { isZip, openZip } from "./zip_file.ts";
import type { Message, Prompt } from "@/lib/generators/mod.ts";
import { type FinishReason, isSimulatedName, type Reply } from "@/lib/models/mod.ts";

/** An Inspect log. */
interface InspectLog {
  readonly path: string;
  readonly eval: Fields;
  /** `success`, or why the evaluation stopped. */
  readonly status: unknown;
  samples(): Iterable<Fields>;
}

/** Inspect's scorers, and Fathom's scorers with the same scores; `undefined` for the task's own. */
const SCORINGS: Readonly<Record<string, string | undefined>> = { includes: "any", fathom: undefined };

/**
 * Reads Inspect logs, `.json` or `.eval`, of tasks from `fathom generate --format inspect` or of tasks scored by `includes`: input,
 * target and reply of each sample. The epoch is the repeat.
 *
 * The task is `task` of a sample's metadata, otherwise the log's; its length is `max_length` or `length` of the metadata.
 */
export async function readInspectRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const logs = await Promise.all(paths.map(openLog));
  const first = logs[0]!.eval;
  const version = textOrNone(fieldsOf(first["packages"])["inspect_ai"]);
  const models = logs.map((log) => log.eval["model"]).filter((model) => typeof model === "string");
  return {
    from: version === undefined ? "Inspect" : `Inspect ${version}`,
    model: oneModel(models, paths[0]!, options.model),
    origin: isSimulatedName(models) || models.some(isMock) ? "simulated" : "unknown",
    settings: pickSettings(fieldsOf(first["model_generate_config"]), {
      temperature: "temperature",
      "max_tokens": "maxTokens",
      "top_p": "topP",
      seed: "seed",
      "reasoning_effort": "reasoningEffort",
    }),
    files: paths,
    unknown: ["the address of the model's server"],
    notes: logs.filter(({ status }) => status !== undefined && status !== "success")
      .map((log) => `${log.path}: the evaluation did not succeed, its status is ${JSON.stringify(log.status)}`),
    replies: readLogs(logs, options),
  };
}

/** Whether a model is Inspect's mock, which makes up its replies. */
function isMock(model: unknown): boolean {
  return typeof model === "string" && model.startsWith("mockllm/");
}

async function openLog(path: string): Promise<InspectLog> {
  const bytes = await readBytes(path);
  const decoder = new TextDecoder();
  if (!isZip(bytes)) {
    const log = parseObject(decoder.decode(bytes), { path });
    const { samples } = log;
    if (!Array.isArray(samples)) throw refuse({ path }, 'it must have its "samples" (--log-samples)', samples);
    return { path, eval: evalOf(log, path), status: log["status"], samples: () => samples.filter(isFields) };
  }
  const archive = openZip(bytes, path);
  const read = (entry: string): Fields =>
    parseObject(decoder.decode(archive.read(entry)), { path, where: `"${entry}"` });
  const header = read("header.json");
  const names = archive.entries.map((entry) => entry.path).filter((name) => /^samples\/.*\.json$/.test(name));
  return {
    path,
    eval: evalOf(header, path),
    status: header["status"],
    samples: () => Iterator.from(names).map(read),
  };
}

function evalOf({ eval: fields }: Fields, path: string): Fields {
  if (isFields(fields)) return fields;
  throw refuse({ path }, 'it must be an Inspect log, with "eval"', fields);
}

/** Yields all samples of all logs at once, as a task can be spread over several logs. */
async function* readLogs(
  logs: readonly InspectLog[],
  options: ForeignOptions,
): AsyncGenerator<readonly ForeignReply[]> {
  const numbers: SampleNumbers = new Map();
  yield await Promise.resolve(
    logs.flatMap((log) =>
      Iterator.from(log.samples()).map((sample) => readSample(sample, { ...options, log, numbers })).toArray()
    ),
  );
}

/** Numbers of samples by task and length, then by id: all epochs of a sample share one. */
type SampleNumbers = Map<string, Map<unknown, number>>;

interface ReadSampleOptions extends ForeignOptions {
  readonly log: InspectLog;
  readonly numbers: SampleNumbers;
}

function readSample(sample: Fields, { log, numbers, canScore, ...given }: ReadSampleOptions): ForeignReply {
  const { id, epoch, input, target, metadata, scores, output } = sample;
  const place: FilePlace = { path: log.path, where: `sample ${JSON.stringify(id ?? "")}` };
  const about = fieldsOf(metadata);
  const named = [given.task, about["task"], log.eval["task"]].filter((name) => typeof name === "string");
  const task = named.map((name) => name.split("/").at(-1)!).find(canScore);
  if (task === undefined) {
    throw refuse(place, '--task must name the task, as neither "task" of its metadata nor the log does', named[0]);
  }
  const length = readLength([about["max_length"], about["length"], given.length], place);
  const ofCell = numbers.getOrInsert(JSON.stringify([task, length]), new Map());
  const served = textOrNone(fieldsOf(output)["model"]);
  const isServed = served !== undefined && served !== "" && !isMock(log.eval["model"]);
  return {
    task,
    length,
    index: readIndex(about["index"]) ?? ofCell.getOrInsert(id, ofCell.size),
    repeat: Math.max(0, (readIndex(epoch) ?? 1) - 1),
    references: readTexts(target, "target", place),
    prompt: readPrompt(input, textOrNone(about["answer_prefix"]) ?? ""),
    depth: numberOrNone(about["depth"]),
    reply: replyOf(sample),
    // The server's own name of the model. Names reveal Inspect's mock and the simulated readers that Fathom serves.
    origin: isServed ? isSimulatedName([served, String(log.eval["model"])]) ? "simulated" : "measured" : undefined,
    time: textOrNone(sample["completed_at"]),
    ...readScore(scores, place, given.task),
  };
}

/** Reads a prompt, a text or messages, without the answer prefix that Fathom's form puts at its end. */
function readPrompt(input: unknown, answerPrefix: string): Prompt | null {
  const prompt = foreignPrompt(typeof input === "string" ? [{ role: "user", text: input }] : readMessages(input));
  const last = prompt?.messages.at(-1);
  if (last === undefined || answerPrefix === "" || !last.text.endsWith(answerPrefix)) return prompt;
  const text = last.text.slice(0, -answerPrefix.length);
  return { messages: [...prompt!.messages.slice(0, -1), { ...last, text }], answerPrefix };
}

/** Reads the messages of a chat; those of tools are not part of a prompt. */
function readMessages(input: unknown): readonly Message[] {
  if (!Array.isArray(input)) return [];
  return input.map(fieldsOf).flatMap(({ role, content }): Message[] =>
    role === "system" || role === "user" || role === "assistant" ? [{ role, text: contentText(content) }] : []
  );
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => textOrNone(fieldsOf(part)["text"]) ?? "").join("");
}

/** Reads the sample's score; of several scorers, the first that Fathom has too. */
function readScore(
  scores: unknown,
  place: FilePlace,
  task: string | undefined,
): Pick<ForeignReply, "scoring" | "theirs"> {
  const given = Object.entries(fieldsOf(scores)).map(([name, score]) => [name.split("/").at(-1)!, score] as const);
  const [name, score] = given.find(([name]) => Object.hasOwn(SCORINGS, name)) ?? [];
  if (name === undefined) {
    // With --task, the task's own score is wanted.
    if (given.length === 0 || task !== undefined) return {};
    throw refuse(
      place,
      `its scorer must be ${Object.keys(SCORINGS).join(" or ")}, or --task must name the task to score it as,`,
      Object.keys(fieldsOf(scores)).join(", "),
    );
  }
  const { value } = fieldsOf(score);
  const theirs = value === "C" ? 1 : value === "I" ? 0 : value;
  const isShare = typeof theirs === "number" && theirs >= 0 && theirs <= 1;
  return { scoring: SCORINGS[name], theirs: isShare ? theirs : undefined };
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  "max_tokens": "length",
  "model_length": "length",
  "content_filter": "content_filter",
};

function replyOf({ output, error }: Fields): Reply {
  const { choices, completion, usage, time } = fieldsOf(output);
  const [choice] = Array.isArray(choices) ? choices : [];
  if (!isFields(choice)) {
    const message = textOrNone(fieldsOf(error)["message"]) ?? "the sample has no reply";
    return { kind: "failure", failure: "server", message, latencyMs: 0, attempts: 1 };
  }
  const tokens = fieldsOf(usage);
  return answerOf(textOrNone(completion) ?? contentText(fieldsOf(choice["message"])["content"]), {
    finishReason: FINISH_REASONS[String(choice["stop_reason"])] ?? "unknown",
    promptTokens: tokens["input_tokens"],
    completionTokens: tokens["output_tokens"],
    seconds: time,
  });
}
