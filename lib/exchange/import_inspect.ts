import { type Fields, isFields } from "@/lib/base/mod.ts";
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
  readOwnFields,
  versionText,
} from "./_foreign.ts";
import { contentText, foreignPrompt, readReply } from "./_replies.ts";
import { NO_PROVIDER } from "./export_inspect.ts";
import { isZip, openZip } from "./zip_file.ts";
import { listFamilies, namesakeFamily } from "@/lib/benchmarks/mod.ts";
import type { Message, Prompt } from "@/lib/generators/mod.ts";
import {
  FAILURE_KINDS,
  fieldsOf,
  isReplyOrigin,
  isSimulatedName,
  listOf,
  type ModelSettings,
  readUsage,
  type Reply,
  type ReplyOrigin,
} from "@/lib/models/mod.ts";

/**
 * Reads Inspect logs of tasks from `fathom generate --format inspect`, of runs that `fathom export --format inspect` wrote, or of tasks
 * scored by `includes`. The epoch is the repeat; the length is `max_length` or `length` of a sample's metadata.
 */
export const INSPECT_IMPORTER: Importer = {
  recognises: (paths) => paths.filter((path) => /\.(eval|json)$/.test(path)),
  read: readInspectRun,
};

interface InspectLog {
  readonly path: string;
  readonly eval: Fields;
  readonly plan: Fields;
  /** What `fathom export` writes about the run, with its settings; `undefined` for a log that Inspect wrote. */
  readonly own: Fields | undefined;
  readonly status: unknown;
  readonly samples: Iterable<Fields>;
}

async function readInspectRun(paths: readonly string[], options: ForeignOptions): Promise<ForeignRun> {
  const logs = await Promise.all(paths.map(openLog));
  const { own, ...first } = logs[0]!;
  const models = logs.map((log) => log.eval["model"]).filter((model) => typeof model === "string");
  return {
    from: own === undefined
      ? versionText("Inspect", fieldsOf(first.eval["packages"])["inspect_ai"])
      : versionText("Fathom", own["version"]),
    models: own === undefined ? models : models.map((model) => model.replace(new RegExp(`^${NO_PROVIDER}`), "")),
    settings: own === undefined ? pickSettings(configOf(first), SETTINGS) : plainFields(fieldsOf(own["settings"])),
    scored: own?.["scored"] === "first" ? "first" : undefined,
    unknown: [own === undefined ? "the address of the model's server" : "the facts that the prompts hide"],
    notes: logs.filter(({ status }) => status !== undefined && status !== "success")
      .map((log) => `${log.path}: the evaluation did not succeed, its status is ${JSON.stringify(log.status)}`),
    // One part, as a task can be spread over several logs.
    parts: [{
      files: paths,
      replies: () => logs.flatMap((log) => Array.from(log.samples, (sample) => readSample(sample, log, options))),
    }],
  };
}

/** The settings of Inspect that affect replies. */
const SETTINGS = ["temperature", "max_tokens", "top_p", "seed", "reasoning_effort", "reasoning_tokens"];

function plainFields(fields: Fields): ModelSettings {
  const plain = Object.entries(fields).filter(([, value]) => value === null || typeof value !== "object");
  return Object.fromEntries(plain) as ModelSettings;
}

/** Returns how the model was asked: the model's settings, which the task's and those of its last step override. */
function configOf({ eval: about, plan }: Pick<InspectLog, "eval" | "plan">): Fields {
  const given = [about["model_generate_config"], plan["config"], ...listOf(plan["steps"]).map(({ params }) => params)];
  const entries = given.flatMap((each) => Object.entries(fieldsOf(each)));
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

async function openLog(path: string): Promise<InspectLog> {
  const bytes = await readBytes(path);
  if (!isZip(bytes)) {
    const log = parseBytes(bytes, { path });
    if (Array.isArray(log["samples"])) return describeLog(path, log, listOf(log["samples"]));
    throw refuse({ path }, 'it must be an Inspect log with its "samples" (--log-samples)', log["samples"]);
  }
  const archive = openZip(bytes, path);
  const read = (entry: string): Fields => parseBytes(archive.read(entry), { path, where: `"${entry}"` });
  const names = archive.paths.filter((name) => /^samples\/.*\.json$/.test(name));
  return describeLog(path, read("header.json"), Iterator.from(names).map(read));
}

function describeLog(path: string, log: Fields, samples: Iterable<Fields>): InspectLog {
  const { eval: about, plan, status } = log;
  if (!isFields(about)) throw refuse({ path }, 'it must be an Inspect log, with "eval"', about);
  const written = fieldsOf(fieldsOf(about["metadata"])["fathom"]);
  const own = isFields(written["settings"]) ? written : undefined;
  return { path, eval: about, plan: fieldsOf(plan), own, status, samples };
}

function readSample(sample: Fields, log: InspectLog, options: ForeignOptions): ForeignReply {
  const { id, output } = sample;
  const place: FilePlace = { path: log.path, where: `sample ${JSON.stringify(id ?? "")}` };
  const about = fieldsOf(sample["metadata"]);
  const task = taskOf(about, log, { options, place });
  const length = readLength([about["max_length"], about["length"], options.length], place);
  const own = readOwnFields(about, place, options);
  const score = readScore(sample["scores"], place, options.task);
  const model = String(log.eval["model"]);
  return {
    ...own,
    task,
    length,
    name: JSON.stringify(id ?? ""),
    repeat: Math.max(0, (readIndex(sample["epoch"], place) ?? 1) - 1),
    references: readTexts(sample["target"], "target", place),
    prompt: readPrompt(sample["input"], textOrNone(about["answer_prefix"]) ?? ""),
    targetDepth: numberOrNone(about["target_depth"]),
    cluster: textOrNone(about["cluster"]),
    reply: replyOf(sample, place),
    origin: originOf([textOrNone(fieldsOf(output)["model"]) ?? "", model], about["origin"], log.own !== undefined),
    time: textOrNone(sample["completed_at"]),
    scoring: score.scoring ?? own.scoring,
    theirs: score.theirs,
  };
}

/** Returns the first name that a scorer has: the user's, those of the sample and of the log, or that of a family of Fathom's. */
function taskOf(
  about: Fields,
  log: InspectLog,
  { options, place }: { readonly options: ForeignOptions; readonly place: FilePlace },
): string {
  const { task, suite, scorer } = about;
  // A task with a name of its own is called after its family, as `counting_stars_mine`.
  const families = listFamilies(options.benchmarks).filter((family) =>
    family.suites.some((each) => each === suite) && family.scorers.some(({ name }) => name === scorer)
  );
  const ofFamily = families.length === 1 ? `${families[0]!.name}_${task}` : undefined;
  const named = [options.task, task, log.eval["task"], ofFamily].filter((name) => typeof name === "string");
  const known = named.map((name) => name.split("/").at(-1)!).find((name) => namesakeFamily(name, options.benchmarks));
  if (known !== undefined) return known;
  throw refuse(place, '--task must name the task, as neither "task" of its metadata nor the log does', named[0]);
}

const OWN_WEIGHTS = /^(?:hf|transformer_lens|nnterp)\//;

/** Returns the origin of a reply; `undefined` if the log does not record which model answered. */
function originOf(
  [served, model]: readonly [served: string, model: string],
  recorded: unknown,
  isOwn: boolean,
): ReplyOrigin | undefined {
  // The server's own name of the model reveals the simulated readers of Fathom.
  if (model.startsWith("mockllm/") || isSimulatedName([served, model])) return "simulated";
  if (served === "") return undefined;
  if (isReplyOrigin(recorded) && (isOwn || recorded === "simulated")) return recorded;
  // An address can be of any server; only weights that Inspect itself runs prove a real model.
  return OWN_WEIGHTS.test(model) ? "measured" : "unknown";
}

/** Reads a prompt, a text or messages, without the answer prefix that Fathom's form puts at its end. */
function readPrompt(input: unknown, answerPrefix: string): Prompt | null {
  // Messages of tools are not part of a prompt.
  const messages = typeof input === "string"
    ? [{ role: "user", text: input } as const]
    : listOf(input).flatMap(({ role, content }): Message[] =>
      role === "system" || role === "user" || role === "assistant" ? [{ role, text: contentText(content) }] : []
    );
  const prompt = foreignPrompt(messages);
  const last = prompt?.messages.at(-1);
  if (last === undefined || answerPrefix === "" || !last.text.endsWith(answerPrefix)) return prompt;
  const text = last.text.slice(0, -answerPrefix.length);
  return { messages: [...prompt!.messages.slice(0, -1), { ...last, text }], answerPrefix };
}

/** Inspect's scorers, and Fathom's scorers with the same scores; `undefined` for the task's own. */
const SCORINGS: Readonly<Record<string, string | undefined>> = { includes: "any", fathom: undefined };

const GRADES: Readonly<Record<string, number>> = { C: 1, I: 0 };

/** Reads the sample's score; of several scorers, the first that Fathom has too. */
function readScore(
  scores: unknown,
  place: FilePlace,
  task: string | undefined,
): Pick<ForeignReply, "scoring" | "theirs"> {
  const given = Object.entries(fieldsOf(scores)).map(([name, score]) => ({ name: name.split("/").at(-1)!, score }));
  const found = given.find(({ name }) => Object.hasOwn(SCORINGS, name));
  if (found !== undefined) {
    const { value } = fieldsOf(found.score);
    const theirs = GRADES[String(value)] ?? value;
    const isShare = typeof theirs === "number" && theirs >= 0 && theirs <= 1;
    return { scoring: SCORINGS[found.name], theirs: isShare ? theirs : undefined };
  }
  // With --task, the task's own score is wanted.
  if (given.length === 0 || task !== undefined) return {};
  const wanted = `${Object.keys(SCORINGS).join(" or ")}, or --task must name the task to score it as,`;
  throw refuse(place, `its scorer must be ${wanted}`, given.map(({ name }) => name).join(", "));
}

function replyOf({ output, error, metadata }: Fields, place: FilePlace): Reply {
  const { choices, completion, usage, time, error: outputError } = fieldsOf(output);
  const [choice] = listOf(choices);
  const cause = textOrNone(fieldsOf(error)["message"]);
  const parts = { field: "completion", seconds: time, counts: readUsage(usage, true) };
  if (choice === undefined || cause !== undefined) {
    return namedFailure(readReply({ ...parts, text: null, error: cause ?? outputError }, place), metadata);
  }
  const reason = choice["stop_reason"] ?? null;
  const text = textOrNone(completion) ?? contentText(fieldsOf(choice["message"])["content"]);
  if (reason !== "model_length") return readReply({ ...parts, text, reason, error: outputError }, place);
  // Providers of Inspect give the error of a prompt that is too long as the reply, and a reply that met the window is cut.
  const failed = readReply({ ...parts, text: null, error: text || "the model's window is full" }, place);
  return namedFailure(failed, { failure: "context_length" });
}

/** Gives a failed call the class that is recorded, which also begins the message that Fathom writes. */
function namedFailure(reply: Reply, metadata: unknown): Reply {
  const failure = FAILURE_KINDS.find((kind) => kind === fieldsOf(metadata)["failure"]);
  if (reply.kind === "answer" || failure === undefined) return reply;
  return { ...reply, failure, message: reply.message.replace(new RegExp(`^${failure}: `), "") };
}
