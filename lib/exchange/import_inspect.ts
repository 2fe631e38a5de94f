import {
  type FilePlace,
  numberOrNone,
  pickSettings,
  readIndex,
  readLength,
  readTexts,
  refuse,
  textOrNone,
} from "./_fields.ts";
import { parseBytes, readBytes } from "./_files.ts";
import {
  type ForeignOptions,
  type ForeignReply,
  type ForeignRun,
  type Importer,
  readMade,
  readScoring,
  versionText,
} from "./_foreign.ts";
import { contentText, foreignPrompt, readReply } from "./_replies.ts";
import { NO_PROVIDER } from "./export_inspect.ts";
import { isZip, openZip } from "./zip_file.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import type { Message, Prompt } from "@/lib/generators/mod.ts";
import {
  FAILURE_KINDS,
  type Fields,
  fieldsOf,
  isFields,
  isReplyOrigin,
  isSimulatedName,
  type ModelSettings,
  readUsage,
  type Reply,
} from "@/lib/models/mod.ts";

/**
 * Reads Inspect logs, `.json` or `.eval`, of tasks from `fathom generate --format inspect`, of runs that `fathom export --format
 * inspect` wrote, or of tasks scored by `includes`: input, target and reply of each sample. The epoch is the repeat.
 *
 * The task is `task` of a sample's metadata, otherwise the log's; its length is `max_length` or `length` of the metadata.
 */
export const INSPECT_IMPORTER: Importer = {
  recognises: (paths) => paths.filter((path) => /\.(eval|json)$/.test(path)),
  read: readInspectRun,
};

interface InspectLog {
  readonly path: string;
  readonly eval: Fields;
  readonly plan: Fields;
  /** `success`, or why the evaluation stopped. */
  readonly status: unknown;
  readonly samples: Iterable<Fields>;
}

async function readInspectRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const logs = await Promise.all(paths.map(openLog));
  const first = logs[0]!.eval;
  const own = fieldsOf(fieldsOf(first["metadata"])["fathom"]);
  const isOwn = isFields(own["settings"]);
  const models = logs.map((log) => log.eval["model"]).filter((model) => typeof model === "string");
  const numbers: SampleNumbers = new Map();
  return {
    from: isOwn
      ? versionText("Fathom", own["version"])
      : versionText("Inspect", fieldsOf(first["packages"])["inspect_ai"]),
    models: models.map((model) => isOwn && model.startsWith(NO_PROVIDER) ? model.slice(NO_PROVIDER.length) : model),
    origin: models.some(isMock) ? "simulated" : "unknown",
    settings: isOwn ? plainFields(fieldsOf(own["settings"])) : pickSettings(configOf(logs[0]!), SETTINGS),
    scored: own["scored"] === "first" ? "first" : undefined,
    unknown: isOwn ? ["the facts that the prompts hide"] : ["the address of the model's server"],
    notes: logs.filter(({ status }) => status !== undefined && status !== "success")
      .map((log) => `${log.path}: the evaluation did not succeed, its status is ${JSON.stringify(log.status)}`),
    // One part, as a task can be spread over several logs.
    parts: [{
      files: paths,
      replies: () =>
        logs.flatMap((log) => Array.from(log.samples, (sample) => readSample(sample, log, { options, numbers }))),
    }],
  };
}

/** The settings of Inspect that affect replies, and their names in records. */
const SETTINGS = {
  temperature: "temperature",
  "max_tokens": "maxTokens",
  "top_p": "topP",
  seed: "seed",
  "reasoning_effort": "reasoningEffort",
  "reasoning_tokens": "reasoningTokens",
};

/** Keeps fields that are a text, a number, true, false or null. */
function plainFields(fields: Fields): ModelSettings {
  const isPlain = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isPlain(value))) as ModelSettings;
}

/** Returns how the model was asked: the model's settings, which the task's and those of its last step override. */
function configOf({ eval: about, plan }: InspectLog): Fields {
  const steps = Array.isArray(plan["steps"]) ? plan["steps"].map((step) => fieldsOf(fieldsOf(step)["params"])) : [];
  const given = [fieldsOf(about["model_generate_config"]), fieldsOf(plan["config"]), ...steps];
  return Object.assign(
    {},
    ...given.map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== null))),
  );
}

function isMock(model: unknown): boolean {
  return String(model).startsWith("mockllm/");
}

async function openLog(path: string): Promise<InspectLog> {
  const bytes = await readBytes(path);
  const logOf = (log: Fields, samples: Iterable<Fields>): InspectLog => {
    if (!isFields(log["eval"])) throw refuse({ path }, 'it must be an Inspect log, with "eval"', log["eval"]);
    return { path, eval: log["eval"], plan: fieldsOf(log["plan"]), status: log["status"], samples };
  };
  if (!isZip(bytes)) {
    const log = parseBytes(bytes, { path });
    const { samples } = log;
    if (!Array.isArray(samples)) throw refuse({ path }, 'it must have its "samples" (--log-samples)', samples);
    return logOf(log, samples.filter(isFields));
  }
  const archive = openZip(bytes, path);
  const read = (entry: string): Fields => parseBytes(archive.read(entry), { path, where: `"${entry}"` });
  const names = archive.entries.map((entry) => entry.path).filter((name) => /^samples\/.*\.json$/.test(name));
  return logOf(read("header.json"), Iterator.from(names).map(read));
}

/** Providers of Inspect that run a model's weights in its own process. */
const OWN_WEIGHTS = /^(?:hf|transformer_lens|nnterp)\//;

/** Numbers of samples by task and length, then by id: all epochs of a sample share one. */
type SampleNumbers = Map<string, Map<unknown, number>>;

function readSample(
  sample: Fields,
  log: InspectLog,
  { options, numbers }: { readonly options: ForeignOptions; readonly numbers: SampleNumbers },
): ForeignReply {
  const { id, epoch, input, target, scores, output } = sample;
  const place: FilePlace = { path: log.path, where: `sample ${JSON.stringify(id ?? "")}` };
  const about = fieldsOf(sample["metadata"]);
  const { distractors, paths } = about;
  const named = [options.task, about["task"], log.eval["task"], familyName(about, options)]
    .filter((name) => typeof name === "string");
  const task = named.map((name) => name.split("/").at(-1)!).find(options.canScore);
  if (task === undefined) {
    throw refuse(place, '--task must name the task, as neither "task" of its metadata nor the log does', named[0]);
  }
  const length = readLength([about["max_length"], about["length"], options.length], place);
  const ofCell = numbers.getOrInsert(JSON.stringify([task, length]), new Map());
  const served = textOrNone(fieldsOf(output)["model"]) ?? "";
  const score = readScore(scores, place, options.task);
  const isServed = served !== "" && !isMock(log.eval["model"]);
  // The server's own name of the model reveals Inspect's mock and the simulated readers of Fathom.
  const isSimulated = isSimulatedName([served, String(log.eval["model"])]);
  const isOwn = isFields(fieldsOf(fieldsOf(log.eval["metadata"])["fathom"])["settings"]);
  const recorded = isReplyOrigin(about["origin"]) && (isOwn || about["origin"] === "simulated")
    ? about["origin"]
    : undefined;
  // An address can be of any server; only weights that Inspect itself runs prove a real model.
  const proven = OWN_WEIGHTS.test(String(log.eval["model"])) ? "measured" : "unknown";
  const origin = isSimulated ? "simulated" : recorded ?? proven;
  return {
    task,
    length,
    index: readIndex(about["index"], place) ?? ofCell.getOrInsert(id, ofCell.size),
    repeat: Math.max(0, (readIndex(epoch, place) ?? 1) - 1),
    references: readTexts(target, "target", place),
    prompt: readPrompt(input, textOrNone(about["answer_prefix"]) ?? ""),
    distractors: Array.isArray(distractors) ? readTexts(distractors, "distractors", place) : undefined,
    paths: Array.isArray(paths) ? paths.map((path) => readTexts(path, "paths", place)) : undefined,
    depth: numberOrNone(about["depth"]),
    targetDepth: numberOrNone(about["target_depth"]),
    cluster: textOrNone(about["cluster"]),
    made: readMade(about),
    reply: replyOf(sample, place),
    origin: isServed ? origin : undefined,
    time: textOrNone(sample["completed_at"]),
    ...score,
    scoring: score.scoring ?? readScoring(about["scorer"], options),
  };
}

/** Names a task of Fathom with a name of its own after the family that it must be of, as `counting_stars_mine`. */
function familyName({ task, suite, scorer }: Fields, { benchmarks }: ForeignOptions): string | undefined {
  const [family, ...others] = listFamilies(benchmarks).filter((each) =>
    each.suites.some((one) => one === suite) && each.scorers.some(({ name }) => name === scorer)
  );
  return family === undefined || others.length > 0 ? undefined : `${family.name}_${task}`;
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

/** Inspect's scorers, and Fathom's scorers with the same scores; `undefined` for the task's own. */
const SCORINGS: Readonly<Record<string, string | undefined>> = { includes: "any", fathom: undefined };

/** Inspect's grades of right and wrong answers. */
const GRADES: Readonly<Record<string, number>> = { C: 1, I: 0 };

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
  const theirs = GRADES[String(value)] ?? value;
  const isShare = typeof theirs === "number" && theirs >= 0 && theirs <= 1;
  return { scoring: SCORINGS[name], theirs: isShare ? theirs : undefined };
}

function replyOf({ output, error, metadata }: Fields, place: FilePlace): Reply {
  const { choices, completion, usage, time } = fieldsOf(output);
  const [choice] = Array.isArray(choices) ? choices : [];
  const message = textOrNone(fieldsOf(error)["message"]);
  const isAnswered = isFields(choice) && message === undefined;
  const text = isAnswered ? textOrNone(completion) ?? contentText(fieldsOf(choice["message"])["content"]) : null;
  // Providers of Inspect give the error of a prompt that is too long as the reply, and a reply that met the window is cut.
  const isTooLong = isAnswered && choice["stop_reason"] === "model_length";
  const reply = readReply({
    text: isTooLong ? null : text,
    field: "completion",
    seconds: time,
    counts: readUsage(usage, true),
    reason: isAnswered ? choice["stop_reason"] ?? null : undefined,
    error: isTooLong ? text || "the model's window is full" : message ?? fieldsOf(output)["error"],
  }, place);
  if (reply.kind === "answer") return reply;
  const named = isTooLong ? "context_length" : fieldsOf(metadata)["failure"];
  const failure = FAILURE_KINDS.find((kind) => kind === named) ?? reply.failure;
  const own = `${failure}: `;
  return {
    ...reply,
    failure,
    message: named && reply.message.startsWith(own) ? reply.message.slice(own.length) : reply.message,
  };
}
