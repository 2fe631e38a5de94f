import { judgeRecall, type Model, type RecallVerdict, type Reply } from "@/lib/models/mod.ts";
import { watchReplies } from "./_hopeless.ts";
import { appendVerdict, judgedHash, readVerdicts } from "./_verdict_file.ts";
import { checkRunName } from "./run_name.ts";
import { RUNS_FOLDER } from "./runs_folder.ts";
import type { ScoredReply } from "./score_records.ts";

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
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { type RunRecord, scoreRecords } from "@/lib/runs/mod.ts";
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
    strict: { value: grade === null ? null : (grade - 1) / 4, answer, why },
    verdict,
  };
}
