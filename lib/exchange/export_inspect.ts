import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { defined, hashOf } from "@/lib/base/mod.ts";
import { writeZip } from "./zip_file.ts";
import { joinMessages, messageFields, type Sample, withoutSystem } from "@/lib/generators/mod.ts";
import { type Answer, type Fields, type FinishReason, replyOrigin } from "@/lib/models/mod.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { type RunRecord, scoredPart, type ScoredReply, type ScoredRun } from "@/lib/records/mod.ts";
import { openPlacer } from "@/lib/reports/mod.ts";
import { mean, simpleStatistics } from "@/lib/statistics/mod.ts";
import { FATHOM_VERSION, type OpenStudy, openStudy, remakeSample, rememberLast } from "@/lib/studies/mod.ts";

/** Inspect's provider for scoring alone: other names would have to be installed, with a key, before `inspect score`. */
export const NO_PROVIDER = "none/";

/** Name of the score in logs and in the task that `fathom generate --format inspect` writes. */
const SCORER = "fathom";

/**
 * Writes a run as logs of Inspect (`.eval`, format 2), one per task, with prompts, replies, scores, tokens and times.
 *
 * A repeat is an epoch. A failed call is an error of its sample and has no score. `metadata` of a sample has its id, the hash of
 * its prompt, its origin, and what its score needs, so that `fathom import` reads all of them back.
 *
 * @param folder It is created if it is missing.
 * @throws {RangeError} If the run's study or one of its files has changed, or a log exceeds 2 GiB unpacked.
 */
export async function writeInspectLogs(run: ScoredRun, folder: string): Promise<{
  /** Their paths, one per task. */
  readonly paths: readonly string[];
  /** The number of failed calls, which are errors of their samples. */
  readonly failed: number;
  /** The number of samples without a prompt, because the sample that is made now is not the one that was asked. */
  readonly lost: number;
}> {
  // Prompt and depth need the same sample.
  const opened = rememberLast(await openStudy(run.manifest.study, run));
  await mkdir(folder, { recursive: true });
  const [paths, counts]: [string[], LogCounts] = [[], { failed: 0, lost: 0 }];
  for (const [task, replies] of Map.groupBy(run.replies, (reply) => reply.task)) {
    const { name, ...log } = describeLog(run, task, replies);
    const path = join(folder, name);
    await writeZip(path, logFiles(log, { run, replies, opened, counts }));
    paths.push(path);
  }
  return { paths, ...counts };
}

interface LogCounts {
  failed: number;
  lost: number;
}

/** Returns a name for an entry of the archive and a file. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._=-]+/gu, "_");
}

function sampleId({ task, length, index }: RunRecord): string {
  return `${fileName(task)}-${length}-${index}`;
}

/** Describes a log, and names its file as Inspect does. */
function describeLog(
  { manifest }: ScoredRun,
  task: string,
  replies: readonly ScoredReply[],
): { readonly name: string; readonly start: Fields; readonly end: Fields } {
  const { name, model, settings, started, fathom, materials, template, tasks } = manifest;
  const { suite, options } = tasks[task]!;
  const ids = [...new Set(replies.map(({ record }) => sampleId(record)))];
  const idOf = (...parts: readonly string[]): string =>
    hashOf([JSON.stringify([name, model, started, ...parts])]).slice(0, 22);
  const times = replies.map(({ record }) => record.time).sort();
  const epochs = replies.reduce((most, { record }) => Math.max(most, record.repeat ?? 0), 0) + 1;
  const [created, id] = [secondsOf(dateOf(started)), idOf("task", task)];
  const { temperature, topP, seed } = settings;
  const config = Object.fromEntries(
    Object.entries({ temperature, "top_p": topP, seed }).filter(([, value]) => typeof value === "number"),
  );
  const about = {
    version: FATHOM_VERSION,
    run: name,
    origin: manifest.origin,
    settings,
    template: template.name,
    materials,
    scored: scoredPart(replies),
  };
  const spec = {
    "eval_id": idOf("eval", task),
    "run_id": idOf("run"),
    created,
    task,
    "task_id": id,
    "task_version": suite,
    "task_args": options,
    tags: [...new Set(replies.map(originOf))],
    dataset: { name: suite, samples: ids.length, "sample_ids": ids, shuffled: false },
    model: `${NO_PROVIDER}${model}`,
    "model_generate_config": config,
    config: { epochs, "log_samples": true },
    packages: { fathom },
    metadata: { fathom: about },
    scorers: [{ name: SCORER, options: {}, metrics: [{ name: "inspect_ai/mean" }, { name: "inspect_ai/stderr" }] }],
  };
  const completed = replies.filter(({ failed }) => !failed).length;
  return {
    name: `${created.replace(/[:+.]/g, "-")}_${fileName(task).replaceAll("_", "-")}_${id}.eval`,
    start: { version: 2, eval: spec, plan: { name: "plan", steps: [{ solver: "generate", params: {} }], config } },
    end: {
      results: { "total_samples": replies.length, "completed_samples": completed, scores: [resultOf(replies)] },
      stats: { "started_at": secondsOf(dateOf(times[0]!)), "completed_at": secondsOf(dateOf(times.at(-1)!)) },
    },
  };
}

/** Reads a time of a record; one that is none, in a file from elsewhere, counts as 1970. */
function dateOf(time: string): Date {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** Returns a time as Inspect writes it, in whole seconds. */
function secondsOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "+00:00");
}

function originOf({ record }: ScoredReply): string {
  return replyOrigin(record, record.reply);
}

/** Returns mean and standard error over samples; the score of a sample is the mean of its epochs, as Inspect reduces them. */
function resultOf(replies: readonly ScoredReply[]): object {
  const scored = replies.filter(({ value }) => value !== null);
  const bySample = Map.groupBy(scored, ({ record }) => sampleId(record)).values();
  const values = Array.from(bySample, (same) => mean(same.map(({ value }) => value!)));
  const deviation = values.length < 2 ? 0 : simpleStatistics.sampleStandardDeviation(values);
  const metrics = {
    mean: values.length === 0 ? 0 : mean(values),
    stderr: values.length < 2 ? 0 : deviation / Math.sqrt(values.length),
  };
  const entries = Object.entries(metrics).map(([name, value]) => [name, { name, value, params: {} }] as const);
  return {
    name: SCORER,
    scorer: SCORER,
    params: {},
    "scored_samples": scored.length,
    "unscored_samples": replies.length - scored.length,
    metrics: Object.fromEntries(entries),
  };
}

/** Returns the entries of a log in Inspect's order; samples are made one at a time. */
function* logFiles({ start, end }: Omit<ReturnType<typeof describeLog>, "name">, content: {
  readonly run: ScoredRun;
  readonly replies: readonly ScoredReply[];
  readonly opened: OpenStudy;
  readonly counts: LogCounts;
}): Generator<readonly [string, string]> {
  const { run, replies, opened, counts } = content;
  const { depthOf } = openPlacer(run, opened);
  const summaries: object[] = [];
  for (const reply of replies) {
    const { sample, isSame } = remakeSample(reply.record, { ...opened, template: run.manifest.template });
    if (!isSame) counts.lost++;
    if (reply.failed) counts.failed++;
    const made = sampleFields(reply, { sample: isSame ? sample : undefined, depth: depthOf(reply), run });
    yield [`samples/${made.id}_epoch_${made.epoch}.json`, JSON.stringify(made)];
    summaries.push(summaryOf(made));
  }
  yield ["summaries.json", JSON.stringify(summaries)];
  const { version, ...known } = start;
  yield ["header.json", JSON.stringify({ version, status: "success", ...known, ...end })];
}

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "max_tokens",
  "content_filter": "content_filter",
  "tool_call": "tool_calls",
  unknown: "unknown",
};

/** A prompt as logs have it. */
type Input = string | readonly { readonly role: string; readonly content: string }[];

interface InspectSample extends Fields {
  readonly id: string;
  readonly epoch: number;
  readonly input: Input;
  readonly messages: readonly object[];
  readonly metadata: Fields;
}

function sampleFields(
  reply: ScoredReply,
  { sample, depth, run: { manifest, benchmarks } }: {
    readonly sample: Sample | undefined;
    readonly depth: number | null;
    readonly run: ScoredRun;
  },
): InspectSample {
  const { record, cluster } = reply;
  const { reply: answer, references, distractors, paths, model } = record;
  const { input, answerPrefix } = inputOf(sample, manifest.template);
  const asked = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const isAnswer = answer.kind === "answer";
  const cause = isAnswer ? "" : `${answer.failure}: ${answer.message}`;
  const message = isAnswer ? { role: "assistant", content: answer.text, source: "generate", model } : undefined;
  const scorer = findScorer(record.scoring, benchmarks);
  const seconds = answer.latencyMs / 1000;
  const ended = dateOf(record.time);
  const usage = isAnswer ? usageOf(answer) : {};
  return {
    id: sampleId(record),
    epoch: (record.repeat ?? 0) + 1,
    input,
    target: references,
    messages: [...asked.map((each) => ({ ...each, source: "input" })), ...(message === undefined ? [] : [message])],
    output: {
      model: isAnswer ? answer.servedModel ?? model : model,
      choices: isAnswer ? [{ message, "stop_reason": STOP_REASONS[answer.finishReason] }] : [],
      completion: isAnswer ? answer.text : "",
      ...defined(usage),
      ...(seconds > 0 ? { time: seconds } : {}),
    },
    scores: reply.value === null ? {} : { [SCORER]: scoreFields(reply) },
    metadata: {
      task: record.task,
      "max_length": record.length,
      index: record.index,
      scoring: scorer.contains ?? scorer.name,
      scorer: scorer.name,
      suite: record.suite,
      sample: record.sample,
      sha256: record.sha256,
      origin: originOf(reply),
      "answer_prefix": answerPrefix,
      "prompt_tokens": record.promptTokens,
      seed: record.seed,
      ...defined({ distractors, paths, cluster, depth: record.depth, "target_depth": depth ?? undefined }),
      ...(isAnswer ? {} : { failure: answer.failure }),
    },
    "model_usage": usage.usage === undefined ? {} : { [model]: usage.usage },
    "started_at": secondsOf(new Date(ended.getTime() - answer.latencyMs)),
    "completed_at": ended.toISOString(),
    "total_time": seconds,
    "working_time": seconds,
    uuid: hashOf([record.sample, String(record.repeat ?? 0), record.time]).slice(0, 22),
    ...(isAnswer ? {} : { error: { message: cause, traceback: cause, "traceback_ansi": cause } }),
  };
}

/** Returns the prompt as it was sent, with the answer prefix at the end of its last message; empty if it is not known. */
function inputOf(
  sample: Sample | undefined,
  template: ScoredRun["manifest"]["template"],
): { readonly input: Input; readonly answerPrefix: string } {
  if (sample === undefined) return { input: "", answerPrefix: "" };
  const { answerPrefix = "", ...prompt } = sample.prompt;
  const isBare = template.before + template.after === "";
  if (!isBare) return { input: joinMessages(withoutSystem(prompt), template) + answerPrefix, answerPrefix };
  const messages = messageFields(prompt.messages);
  const last = messages.pop()!;
  messages.push({ ...last, content: last.content + answerPrefix });
  return { input: messages.length === 1 ? messages[0]!.content : messages, answerPrefix };
}

/** Returns the counts as Inspect has them: its `input_tokens` leave out those that came from the cache. */
function usageOf({ promptTokens, completionTokens, reasoningTokens, cachedTokens }: Partial<Answer>): {
  readonly usage?: object;
} {
  if (promptTokens === undefined && completionTokens === undefined) return {};
  const [prompt, output] = [promptTokens ?? 0, completionTokens ?? 0];
  const read = cachedTokens && Math.min(cachedTokens, prompt);
  const more = defined({ "reasoning_tokens": reasoningTokens, "input_tokens_cache_read": read });
  return {
    usage: { "input_tokens": prompt - (read ?? 0), "output_tokens": output, "total_tokens": prompt + output, ...more },
  };
}

function scoreFields({ value, score, scored }: ScoredReply): object {
  return { value, answer: score?.answer ?? "", explanation: score?.why ?? "", metadata: defined({ scored }) };
}

/** Characters of a text in a summary, as in Inspect's. */
const MAX_SUMMARY_CHARS = 1000;

function summaryOf({ input, messages, metadata, output: _, error: __, ...sample }: InspectSample): object {
  const { distractors: ___, paths: ____, ...short } = metadata;
  const cut = (text: string): string => text.slice(0, MAX_SUMMARY_CHARS);
  return {
    ...sample,
    input: typeof input === "string" ? cut(input) : input.map(({ role, content }) => ({ role, content: cut(content) })),
    metadata: short,
    completed: true,
    "message_count": messages.length,
    ...defined({ error: metadata["failure"] }),
  };
}
