import { type Model, parseByModel } from "@/lib/models/mod.ts";
import { watchReplies } from "./_hopeless.ts";
import { appendParsed, readParsed, replyHash } from "./_parsed_file.ts";
import type { RunRecord } from "./record.ts";
import { checkRunName } from "./run_name.ts";
import { RUNS_FOLDER } from "./runs_folder.ts";
import { type ScoredReply, scoreRecords } from "./score_records.ts";

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
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { type RunRecord, scoreRecords } from "@/lib/runs/mod.ts";
 *
 * const value = "0e7bbda8-78e4-8982-dbec-b7b4a4c0c665";
 * const reply = { kind: "answer", text: `It is ${value}.`, finishReason: "stop", latencyMs: 9, attempts: 1 };
 * const record = { references: [value], scoring: "values in order", reply } as unknown as RunRecord;
 * const [parsed] = await parseReplies(scoreRecords([record]), { parser: simulatedModel("ideal") });
 * equal(parsed?.value, 1);
 * equal(parsed?.strict?.value, 1);
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
