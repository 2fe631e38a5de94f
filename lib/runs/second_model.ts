import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { checkRunName, RUNS_FOLDER } from "./manifest.ts";
import { watchReplies } from "./run_plan.ts";
import { scoreRecords } from "./score_records.ts";
import { parseByModel } from "@/lib/benchmarks/needle_threading/mod.ts";
import { judgeRecall, type RecallVerdict } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import type { Model, Reply, RunRecord, ScoredReply } from "@/lib/models/mod.ts";

/** Options for {@linkcode judgeReplies}. */
export interface JudgeRepliesOptions {
  /** The model that judges; the paper's is GPT-4 Turbo. */
  readonly judge: Model;
  /** A file of verdicts as JSON lines: what it has a grade for is not asked again, and each new verdict is added to it. */
  readonly file?: string;
  /**
   * Calls under way at a time. Range: 1 to 256.
   *
   * @default {8}
   */
  readonly concurrency?: number;
  /** Told after each verdict how many there are. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Ends the judging early; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A reply with what the judge said of it. */
export interface JudgedReply extends ScoredReply {
  /** The verdict; `null` where there was no reply to judge. */
  readonly verdict: RecallVerdict | null;
}

/**
 * Has a model grade the replies of a prompt-dependence run from 1 to 5, as the paper does, in place of the rubric.
 *
 * A verdict that cannot be read is asked for once more; the reply then stays unscored, which is no grade and stays out of every mean.
 * Failed calls are not judged; empty replies are. Equal replies to one question are judged once.
 *
 * @param replies Scored replies; those of other tasks are left out.
 * @param options The judge, and where verdicts are kept.
 * @returns The replies in the same order, with the judge's grade over 5 as their score and its text as the reason.
 * @throws {RangeError} If the concurrency is outside its range, or the judge cannot be asked at all: its first 3 calls failed for
 *   want of a connection, a valid key or a known model. After 10 such failures in a row later, all that is left stays unscored.
 *
 * @example A judge that says nothing leaves the reply unscored
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 * import { scoreRecords } from "@/lib/runs/mod.ts";
 *
 * const reply = { kind: "answer", text: "A patent.", finishReason: "stop", latencyMs: 9, attempts: 1 };
 * const record = { references: ["It got a patent.", "What did it get?"], scoring: "recall rubric", reply } as unknown as RunRecord;
 * const [judged] = await judgeReplies(scoreRecords([record]), { judge: simulatedModel("mute") });
 * deepEqual([judged?.value, judged?.verdict?.asked], [null, 2]);
 * ```
 */
export async function judgeReplies(
  replies: readonly ScoredReply[],
  options: JudgeRepliesOptions,
): Promise<readonly JudgedReply[]> {
  const { concurrency = 8, onProgress } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    throw new RangeError(
      `Cannot judge the replies as concurrency must be a whole number from 1 to 256: current value is ${concurrency}`,
    );
  }
  const asked = replies.filter(({ record }) => record.scoring === "recall rubric");
  const judgeOne = await openJudge(options);
  const judged: JudgedReply[] = [];
  const work = asked.entries();
  let done = 0;
  let isStopped = false;
  const workOn = async (): Promise<void> => {
    for (const [at, scored] of work) {
      if (isStopped) return;
      try {
        judged[at] = withVerdict(scored, await judgeOne(scored));
      } catch (error) {
        isStopped = true;
        throw error;
      }
      onProgress?.({ done: ++done, total: asked.length });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workOn));
  return judged;
}

/**
 * Names the file of a run that keeps what a judge said of it.
 *
 * @param run The run's name.
 * @param judge The judge's name.
 * @param folder Where the runs are.
 * @returns The path.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(verdictFile("first", "org/gpt 4", "runs"), "runs/first/verdicts-org-gpt-4.jsonl");
 * ```
 */
export function verdictFile(run: string, judge: string, folder: string = RUNS_FOLDER): string {
  return `${folder}/${checkRunName(run)}/verdicts-${judge.replaceAll(/[^A-Za-z0-9._-]+/g, "-")}.jsonl`;
}

/** Makes a function that judges a reply, or finds its verdict in the file, and stops asking a judge that is gone. */
async function openJudge(
  { judge, file, signal }: JudgeRepliesOptions,
): Promise<(scored: ScoredReply) => Promise<RecallVerdict | null>> {
  const known = file === undefined ? new Map<string, RecallVerdict>() : await readVerdicts(file, judge.name);
  const watch = watchReplies(judge.name);
  let gone: string | null = null;
  const watched = {
    ...judge,
    async ask(...asked: Parameters<Model["ask"]>): Promise<Reply> {
      const reply = await judge.ask(...asked);
      const error = watch.note(reply);
      // At the start it is the judge's name, address or key that is wrong; later what is left stays unscored.
      if (error instanceof RangeError) throw error;
      gone = error?.message ?? gone;
      return reply;
    },
  };
  const ask = async (judged: string, texts: Parameters<typeof judgeRecall>[1]): Promise<RecallVerdict> => {
    if (gone !== null) return { grade: null, text: "", asked: 0, unscored: gone, origin: judge.origin };
    const verdict = await judgeRecall(watched, texts, signal);
    if (file !== undefined) await appendVerdict(file, { judge: judge.name, judged, ...verdict });
    return verdict;
  };
  const underWay = new Map<string, Promise<RecallVerdict>>();
  return async ({ record: { reply, references: [needle = "", question = ""] } }) => {
    if (reply.kind === "failure") return null;
    const judged = judgedHash([needle, question, reply.text]);
    const earlier = known.get(judged);
    if (earlier !== undefined && earlier.grade !== null) return earlier;
    const verdict = underWay.get(judged) ?? ask(judged, { reply: reply.text, needle, question });
    underWay.set(judged, verdict);
    return await verdict;
  };
}

function withVerdict(scored: ScoredReply, verdict: RecallVerdict | null): JudgedReply {
  if (verdict === null) return { ...scored, verdict };
  const { grade, text, unscored } = verdict;
  const answer = scored.score?.answer ?? "";
  const why = unscored ?? text;
  return {
    ...scored,
    value: grade === null ? null : grade / 5,
    score: { value: grade === null ? null : grade / 5, answer, why },
    penalised: { value: grade === null ? null : (grade - 1) / 4, answer, why },
    verdict,
  };
}

/** A verdict as a line of its file. */
interface VerdictLine extends RecallVerdict {
  /** The judge's name. */
  readonly judge: string;
  /** SHA-256 of what was judged: needle, question and reply. */
  readonly judged: string;
}

/** Hashes what is judged. */
function judgedHash(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

/** Reads the verdicts of a judge; a line that is none is passed over, and its reply is judged again. */
async function readVerdicts(path: string, judge: string): Promise<ReadonlyMap<string, VerdictLine>> {
  const lines = await readJsonLines(path, readVerdictLine);
  return new Map(lines.filter((line) => line.judge === judge).map((line) => [line.judged, line]));
}

/** Adds a verdict to its file. */
function appendVerdict(path: string, line: VerdictLine): Promise<void> {
  return appendJsonLine(path, line);
}

function readVerdictLine(value: unknown): VerdictLine | null {
  const line = value as Partial<VerdictLine> | null;
  const isGrade = line?.grade === null || [1, 2, 3, 4, 5].includes(line?.grade as number);
  const isVerdict = isGrade && typeof line?.judged === "string" && typeof line.judge === "string";
  return isVerdict ? { text: "", asked: 1, unscored: null, origin: "measured", ...line } as VerdictLine : null;
}

/**
 * Reads a file of JSON lines that is kept beside a run; none where there is no file.
 *
 * A line that a crash cut short is ended, so that what is added stands on a line of its own; its own content is passed over.
 */
async function readJsonLines<T>(path: string, read: (value: unknown) => T | null): Promise<T[]> {
  const text = await readText(path);
  if (text !== "" && !text.endsWith("\n")) await Deno.writeTextFile(path, "\n", { append: true });
  return text.split("\n").flatMap((line) => {
    const value = parse(line);
    return value === undefined ? [] : read(value) ?? [];
  });
}

/** Adds a line to such a file, which is made where there is none. */
async function appendJsonLine(path: string, value: unknown): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `${JSON.stringify(value)}\n`, { append: true });
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Tells where a judge's grades come from; one verdict of the simulated reader is enough to call all of them simulated.
 *
 * @param judge Who was asked.
 * @param judged What it said.
 * @returns `simulated` where the judge is known to be, or a verdict says so.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(judgeOrigin({ origin: "measured" }, []), "measured");
 * ```
 */
export function judgeOrigin(
  judge: Pick<Model, "origin">,
  judged: readonly Pick<JudgedReply, "verdict">[],
): Model["origin"] {
  return judged.some(({ verdict }) => verdict?.origin === "simulated") ? "simulated" : judge.origin;
}

/** Options for {@linkcode parseReplies}. */
export interface ParseRepliesOptions {
  /** The model that rewrites replies; the paper's is Gemini 1.5 Flash. */
  readonly parser: Model;
  /** A file of what it made of replies, as JSON lines: what is there is not asked again, and each new one is added. */
  readonly file?: string;
  /**
   * Calls under way at a time. Range: 1 to 256.
   *
   * @default {8}
   */
  readonly concurrency?: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/** A reply scored after a model rewrote it. */
export interface ParsedScore extends ScoredReply {
  /** Why it was not rewritten, so that it is scored as it is; `null` where it was, or there was nothing to rewrite. */
  readonly unparsed: string | null;
}

/**
 * Scores replies to Needle Threading as the paper does: a model first rewrites each as a list of values.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, "Evaluation". The request is Fathom's own, as the paper's is not public. Failed
 * calls of the run and empty replies are not sent; where the parser's call fails, the reply is scored as it is.
 *
 * @param replies Scored replies; those of other benchmarks are left out.
 * @param options Who rewrites, and where that is kept.
 * @returns The replies in the same order, scored anew.
 * @throws {RangeError} If the concurrency is outside its range, or the parser cannot be asked at all.
 *
 * @example The simulated reader rewrites by rule
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/runs/mod.ts";
 * import type { RunRecord } from "@/lib/models/mod.ts";
 * import { scoreRecords } from "@/lib/runs/mod.ts";
 *
 * const value = "0e7bbda8-78e4-8982-dbec-b7b4a4c0c665";
 * const reply = { kind: "answer", text: `It is ${value}.`, finishReason: "stop", latencyMs: 9, attempts: 1 };
 * const record = { references: [value], scoring: "values in order", reply } as unknown as RunRecord;
 * const [parsed] = await parseReplies(scoreRecords([record]), { parser: simulatedModel("ideal") });
 * equal(parsed?.value, 1);
 * equal(parsed?.penalised?.value, 1);
 * ```
 */
export async function parseReplies(
  replies: readonly ScoredReply[],
  options: ParseRepliesOptions,
): Promise<ParsedScore[]> {
  const { parser, file, concurrency = 8, signal } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    throw new RangeError(
      `Cannot parse the replies as concurrency must be a whole number from 1 to 256: current value is ${concurrency}`,
    );
  }
  const records = replies.map(({ record }) => record).filter(({ scoring }) => scoring.startsWith("values "));
  const known = file === undefined ? new Map<string, string>() : await readParsed(file, parser.name);
  const watch = watchReplies(parser.name);
  const parsed: ParsedScore[] = [];
  let stop: Error | undefined;
  const parseOne = async (record: RunRecord): Promise<ParsedScore> => {
    const { reply, references } = record;
    if (reply.kind === "failure" || reply.text.trim() === "") return scoreText(record, null);
    const hash = replyHash(reply.text);
    const earlier = known.get(hash);
    if (earlier !== undefined) return scoreText(record, earlier);
    const count = references.length;
    const { text, failure } = await parseByModel(reply.text, { model: parser, count, ...(signal ? { signal } : {}) });
    stop ??= watch.note(failure ?? reply);
    if (failure !== null) return { ...scoreText(record, null), unparsed: failure.message };
    known.set(hash, text);
    if (file !== undefined) await appendParsed(file, { parser: parser.name, reply: hash, text });
    return scoreText(record, text);
  };
  const work = records.entries();
  const workOn = async (): Promise<void> => {
    for (const [at, record] of work) {
      if (stop !== undefined) throw stop;
      parsed[at] = await parseOne(record);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workOn));
  if (stop !== undefined) throw stop;
  return parsed;
}

function scoreText(record: RunRecord, text: string | null): ParsedScore {
  const { reply } = record;
  const rewritten = text === null || reply.kind === "failure" ? record : { ...record, reply: { ...reply, text } };
  return { ...scoreRecords([rewritten])[0]!, record, unparsed: null };
}

/**
 * Names the file of a run that keeps what a parser made of its replies.
 *
 * @param run The run's name.
 * @param parser The parser's name.
 * @param folder Where the runs are.
 * @returns The path.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(parsedFile("first", "org/flash 1.5", "runs"), "runs/first/parsed-org-flash-1.5.jsonl");
 * ```
 */
export function parsedFile(run: string, parser: string, folder: string = RUNS_FOLDER): string {
  return `${folder}/${checkRunName(run)}/parsed-${parser.replaceAll(/[^A-Za-z0-9._-]+/g, "-")}.jsonl`;
}

/** What a model made of a reply, as a line of its file. */
interface ParsedLine {
  /** The parser's name. */
  readonly parser: string;
  /** SHA-256 of the reply. */
  readonly reply: string;
  /** The reply rewritten. */
  readonly text: string;
}

/** Hashes a reply. */
function replyHash(reply: string): string {
  return createHash("sha256").update(reply).digest("hex");
}

/** Reads what a parser made of replies, by their hash; a line that is none is passed over. */
async function readParsed(path: string, parser: string): Promise<Map<string, string>> {
  const lines = await readJsonLines(path, readParsedLine);
  return new Map(lines.filter((line) => line.parser === parser).map(({ reply, text }) => [reply, text]));
}

/** Adds a line to the file. */
function appendParsed(path: string, line: ParsedLine): Promise<void> {
  return appendJsonLine(path, line);
}

function readParsedLine(value: unknown): ParsedLine | null {
  const line = value as Partial<ParsedLine> | null;
  const fields = [line?.parser, line?.reply, line?.text];
  return fields.every((field) => typeof field === "string") ? line as ParsedLine : null;
}
