import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { defined, type Fields, hashOf } from "@/lib/base/mod.ts";
import { writeZip } from "./zip_file.ts";
import { type ChatTemplate, joinMessages, messageFields, type Prompt, withoutSystem } from "@/lib/generators/mod.ts";
import { type Answer, fieldsOf, type FinishReason, replyOrigin } from "@/lib/models/mod.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { type RunRecord, scoredPart, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import { openPlacer } from "@/lib/reports/mod.ts";
import { mean, simpleStatistics } from "@/lib/statistics/mod.ts";
import { FATHOM_VERSION, type OpenStudy, openStudy, remakeSample, rememberSamples } from "@/lib/studies/mod.ts";

/** Inspect's provider for scoring alone: other names would have to be installed, with a key, before `inspect score`. */
export const NO_PROVIDER = "none/";

/** Name of the score in logs and in the task that `fathom generate --format inspect` writes. */
const SCORER = "fathom";

/**
 * Writes a run as logs of Inspect (`.eval`, format 2), one per task. A repeat is an epoch; a failed call is an error of its sample.
 * `metadata` of a sample has what `fathom import` needs to read it back.
 *
 * @throws {RangeError} If the run's study or one of its files has changed, or a log exceeds 2 GiB unpacked.
 */
export async function writeInspectLogs(run: ScoredRun, folder: string): Promise<Readonly<InspectLogs>> {
  // Prompt and depth need the same sample.
  const opened = rememberSamples(await openStudy(run.manifest.study, run), 0);
  await mkdir(folder, { recursive: true });
  const logs: InspectLogs = { paths: [], failed: 0, lost: 0 };
  for (const [task, replies] of Map.groupBy(run.replies, (reply) => reply.task)) {
    const header = describeLog(run, task, replies);
    const path = join(folder, logName(fieldsOf(header["eval"])));
    await writeZip(path, logFiles(header, { run, replies, opened, logs }));
    logs.paths.push(path);
  }
  return logs;
}

/** The logs of a run. */
export interface InspectLogs {
  readonly paths: string[];
  /** The number of failed calls, which are errors of their samples. */
  failed: number;
  /** The number of samples without a prompt, because the sample that is made now is not the one that was asked. */
  lost: number;
}

function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._=-]+/gu, "_");
}

function sampleId({ task, length, index }: RunRecord): string {
  return `${fileName(task)}-${length}-${index}`;
}

/** Names the file of a log as Inspect does. */
function logName({ created, task, task_id: id }: Fields): string {
  return `${String(created).replace(/[:+.]/g, "-")}_${fileName(String(task)).replaceAll("_", "-")}_${id}.eval`;
}

function describeLog({ manifest }: ScoredRun, task: string, replies: readonly ScoredReply[]): Fields {
  const { name, model, settings, started, fathom, materials, template, tasks } = manifest;
  const { suite, options } = tasks[task]!;
  const id = hashOf([JSON.stringify([name, model, started, "task", task])]).slice(0, 22);
  const times = replies.map(({ record }) => secondsOf(dateOf(record.time))).sort();
  const { temperature, topP, seed } = settings;
  const asked = Object.entries({ temperature, "top_p": topP, seed }).filter(([, value]) => typeof value === "number");
  const about = {
    version: FATHOM_VERSION,
    run: name,
    origin: manifest.origin,
    settings,
    template: template.name,
    materials,
    scored: scoredPart(replies),
  };
  return {
    version: 2,
    status: "success",
    eval: {
      "eval_id": id,
      created: secondsOf(dateOf(started)),
      task,
      "task_id": id,
      "task_version": suite,
      "task_args": options,
      tags: [...new Set(replies.map(({ record }) => replyOrigin(record, record.reply)))],
      dataset: { name: suite, samples: new Set(replies.map(({ record }) => sampleId(record))).size },
      model: `${NO_PROVIDER}${model}`,
      "model_generate_config": Object.fromEntries(asked),
      config: { epochs: replies.reduce((most, { record }) => Math.max(most, record.repeat ?? 0), 0) + 1 },
      packages: { fathom },
      metadata: { fathom: about },
    },
    results: {
      "total_samples": replies.length,
      "completed_samples": replies.filter(({ failed }) => !failed).length,
      scores: [resultOf(replies)],
    },
    stats: { "started_at": times[0]!, "completed_at": times.at(-1)! },
  };
}

/** Reads a time of a record; one that is none, in a file from elsewhere, counts as 1970. */
function dateOf(time: string): Date {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

function secondsOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "+00:00");
}

/** Returns mean and standard error over samples; the score of a sample is the mean of its epochs, as Inspect reduces them. */
function resultOf(replies: readonly ScoredReply[]): object {
  const scored = replies.filter(({ value }) => value !== null);
  const bySample = Map.groupBy(scored, ({ record }) => sampleId(record)).values();
  const values = Array.from(bySample, (same) => mean(same.map(({ value }) => value!)));
  const { sampleStandardDeviation } = simpleStatistics;
  const metrics = {
    mean: values.length === 0 ? 0 : mean(values),
    stderr: values.length < 2 ? 0 : sampleStandardDeviation(values) / Math.sqrt(values.length),
  };
  return {
    name: SCORER,
    scorer: SCORER,
    "scored_samples": scored.length,
    "unscored_samples": replies.length - scored.length,
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, { name, value }])),
  };
}

const MAX_SUMMARY_CHARS = 1000;

/** Returns the entries of a log in Inspect's order; samples are made one at a time. */
function* logFiles(header: Fields, content: {
  readonly run: ScoredRun;
  readonly replies: readonly ScoredReply[];
  readonly opened: OpenStudy;
  readonly logs: InspectLogs;
}): Generator<readonly [string, string]> {
  const { run, replies, opened, logs } = content;
  const { template } = run.manifest;
  const { depthOf } = openPlacer(run, opened);
  const summaries: object[] = [];
  for (const reply of replies) {
    const { record } = reply;
    const { sample, isSame } = remakeSample(record, { ...opened, template });
    if (!isSame) logs.lost++;
    if (reply.failed) logs.failed++;
    const input = isSame ? inputOf(sample.prompt, template) : "";
    const asked = typeof input === "string" ? [{ role: "user", content: input }] : input;
    const about = describeSample(reply, {
      question: isSame ? sample.question : undefined,
      "answer_prefix": isSame ? sample.prompt.answerPrefix ?? "" : "",
      scoring: findScorer(record.scoring, run.benchmarks).contains ?? record.scoring,
      "target_depth": depthOf(reply) ?? undefined,
    });
    const { output, said, error } = describeReply(record);
    const messages = [...asked.map((each) => ({ ...each, source: "input" })), ...said];
    const path = `samples/${about["id"]}_epoch_${about["epoch"]}.json`;
    yield [path, JSON.stringify({ ...about, input, messages, output, error })];
    summaries.push({
      ...about,
      input: asked.at(-1)!.content.slice(0, MAX_SUMMARY_CHARS),
      completed: true,
      "message_count": messages.length,
      error: error?.message,
    });
  }
  yield ["summaries.json", JSON.stringify(summaries)];
  yield ["header.json", JSON.stringify(header)];
}

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "max_tokens",
  "content_filter": "content_filter",
  "tool_call": "tool_calls",
  unknown: "unknown",
};

/** Returns the prompt as it was sent, with the answer prefix at the end of its last message. */
function inputOf(
  { answerPrefix = "", ...prompt }: Prompt,
  template: ChatTemplate,
): string | ReturnType<typeof messageFields> {
  const isBare = template.before + template.after === "";
  if (!isBare) return joinMessages(withoutSystem(prompt), template) + answerPrefix;
  const messages = messageFields(prompt.messages);
  const last = messages.pop()!;
  messages.push({ ...last, content: last.content + answerPrefix });
  return messages.length === 1 ? messages[0]!.content : messages;
}

/** Returns the fields of a sample that its summary has too. */
function describeSample(reply: ScoredReply, more: Fields): Fields {
  const { record, value, score, scored } = reply;
  const { reply: answer, repeat = 0 } = record;
  const seconds = answer.latencyMs / 1000;
  const ended = dateOf(record.time);
  const result = { value, answer: score?.answer ?? "", explanation: score?.why ?? "", metadata: defined({ scored }) };
  return {
    id: sampleId(record),
    epoch: repeat + 1,
    target: record.references,
    scores: value === null ? {} : { [SCORER]: result },
    metadata: {
      task: record.task,
      "max_length": record.length,
      index: record.index,
      scorer: record.scoring,
      suite: record.suite,
      sample: record.sample,
      sha256: record.sha256,
      origin: replyOrigin(record, answer),
      "prompt_tokens": record.promptTokens,
      seed: record.seed,
      distractors: record.distractors,
      paths: record.paths,
      cluster: reply.cluster,
      depth: record.depth,
      failure: answer.kind === "failure" ? answer.failure : undefined,
      ...more,
    },
    "model_usage": answer.kind === "answer" ? { [record.model]: usageOf(answer) } : {},
    "started_at": secondsOf(new Date(ended.getTime() - answer.latencyMs)),
    "completed_at": ended.toISOString(),
    "total_time": seconds,
    "working_time": seconds,
    uuid: hashOf([record.sample, String(repeat), record.time]).slice(0, 22),
  };
}

/** Returns how a call ended; a failed one says nothing. */
function describeReply(
  { reply, model }: RunRecord,
): { readonly output: object; readonly said: readonly object[]; readonly error?: { readonly message: string } } {
  const time = reply.latencyMs / 1000 || undefined;
  if (reply.kind === "failure") {
    const message = `${reply.failure}: ${reply.message}`;
    const error = { message, traceback: message, "traceback_ansi": message };
    return { output: { model, choices: [], completion: "", time }, said: [], error };
  }
  const { text, servedModel = model, finishReason } = reply;
  const message = { role: "assistant", content: text, source: "generate", model };
  const choices = [{ message, "stop_reason": STOP_REASONS[finishReason] }];
  return { output: { model: servedModel, choices, completion: text, usage: usageOf(reply), time }, said: [message] };
}

/** Returns the counts as Inspect has them: its `input_tokens` leave out those that came from the cache. */
function usageOf({ promptTokens, completionTokens, reasoningTokens, cachedTokens }: Answer): object | undefined {
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const [prompt, output] = [promptTokens ?? 0, completionTokens ?? 0];
  const read = cachedTokens && Math.min(cachedTokens, prompt);
  return {
    "input_tokens": prompt - (read ?? 0),
    "output_tokens": output,
    "total_tokens": prompt + output,
    "reasoning_tokens": reasoningTokens,
    "input_tokens_cache_read": read,
  };
}
