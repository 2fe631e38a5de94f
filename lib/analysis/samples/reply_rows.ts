import type { ExplainedRecord } from "../failures/explain_run.ts";
import { placeReplies, type PlaceRepliesOptions } from "../depths/place_replies.ts";
import { explainRun } from "../failures/explain_run.ts";
import type { ScoredRun } from "../failures/scored_run.ts";

/** One reply as a flat row, for a spreadsheet or a data frame. */
export interface ReplyRow extends Readonly<Record<string, string | number | null>> {
  /** The sample's id: its whole recipe. */
  readonly sample: string;
  /** SHA-256 of the prompt. */
  readonly sha256: string;
  /** The model's name. */
  readonly model: string;
  /** `measured` or `simulated`. */
  readonly origin: string;
  /** The task's name. */
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The number of the sample. */
  readonly index: number;
  /** Tokens of the prompt. */
  readonly promptTokens: number;
  /** The share of the context before the target, in [0, 1]; `null` where there is no one target. */
  readonly depth: number | null;
  /** The benchmark's own score, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly score: number | null;
  /** The score that also counts what is wrong in the reply, in [0, 1]. */
  readonly strict: number | null;
  /** Why the score is what it is; for a failed call, what was said. */
  readonly why: string;
  /** The primary way of failing; `null` where the reply is right or could not be explained. */
  readonly failure: string | null;
  /** Why the model stopped writing; `null` where the call failed. */
  readonly finish: string | null;
  /** From the last request to its reply, in milliseconds. */
  readonly latencyMs: number;
  /** What was wanted, parted by a bar. */
  readonly wanted: string;
  /** What came, whole. */
  readonly reply: string;
}

/**
 * Lays out the replies of a run as flat rows: place, score, reason, way of failing and the reply itself.
 *
 * @param run The run.
 * @param options What it was made of, where that is open already.
 * @returns A row a reply, in the order of the run.
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { simulatedModel } from "@/lib/models/mod.ts";
 * import { checkStudy, runStudy } from "@/lib/runs/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const run = await runStudy(study, { name: "try", model: simulatedModel("mute"), folder });
 * const [row] = await replyRows(run);
 * equal(row?.failure, "empty");
 * equal(row?.score, 0);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function replyRows(run: ScoredRun, options: PlaceRepliesOptions = {}): Promise<ReplyRow[]> {
  const { replies } = await explainRun(run, options);
  const placed = await placeReplies(run, options);
  const depths = new Map(placed.replies.map(({ record, depth }) => [record, depth]));
  return replies.map((reply) => toRow(reply, depths.get(reply.record) ?? null));
}

function toRow({ record, value, score, strict, modes }: ExplainedRecord, depth: number | null): ReplyRow {
  const { sample, sha256, model, origin, task, length, index, promptTokens, references, reply } = record;
  const failed = reply.kind === "failure";
  return {
    ...{ sample, sha256, model, origin, task, length, index, promptTokens, depth },
    score: value,
    strict: strict?.value ?? null,
    why: failed ? `${reply.failure}: ${reply.message}` : score?.why ?? "",
    failure: modes[0]?.class ?? null,
    finish: failed ? null : reply.finishReason,
    latencyMs: reply.latencyMs,
    wanted: references.join(" | "),
    reply: failed ? "" : reply.text,
  };
}
