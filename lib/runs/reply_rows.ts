import { type ExplainedRecord, explainRun, type ScoredRun } from "./failures.ts";
import { placeReplies, type PlaceRepliesOptions } from "./place_replies.ts";
import type { ScoredReply } from "@/lib/models/mod.ts";

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
  readonly penalised: number | null;
  /** Why the score is what it is; for a failed call, what was said. */
  readonly why: string;
  /** The primary way of failing; `null` where the reply is right or could not be explained. */
  readonly failure: string | null;
  /** Why the model stopped writing; `null` where the call failed. */
  readonly finish: string | null;
  /** From the last request to its reply, in milliseconds. */
  readonly latencyMs: number;
  /** What was wanted, separated by |. */
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
 * import { simulatedModel } from "@/lib/runs/mod.ts";
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

function toRow({ record, value, score, penalised, modes }: ExplainedRecord, depth: number | null): ReplyRow {
  const { sample, sha256, model, origin, task, length, index, promptTokens, references, reply } = record;
  const failed = reply.kind === "failure";
  return {
    ...{ sample, sha256, model, origin, task, length, index, promptTokens, depth },
    score: value,
    penalised: penalised?.value ?? null,
    why: failed ? `${reply.failure}: ${reply.message}` : score?.why ?? "",
    failure: modes[0]?.class ?? null,
    finish: failed ? null : reply.finishReason,
    latencyMs: reply.latencyMs,
    wanted: references.join(" | "),
    reply: failed ? "" : reply.text,
  };
}

/** What a cell of a CSV file can hold; `null` is an empty cell. */
export type CsvValue = string | number | null;

/**
 * Writes rows as CSV (RFC 4180): a header of field names, commas, line ends of CR and LF, quotes where a text needs them.
 *
 * A text that a spreadsheet would take for a formula, as it begins with `=`, `+`, `-`, `@`, a tab or a carriage return, gets an
 * apostrophe before it: what a model replied is not to be run by whoever opens the file (OWASP, "CSV Injection"). Numbers stay
 * as they are.
 *
 * @param rows The rows; at least one. Every row has the fields of the first.
 * @returns The text of the file.
 * @throws {RangeError} If there are no rows, or one has other fields.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(csvText([{ reply: 'a "b", c', score: -1 }, { reply: "=1+1", score: null }]), 'reply,score\r\n"a ""b"", c",-1\r\n\'=1+1,\r\n');
 * ```
 */
export function csvText(rows: readonly Readonly<Record<string, CsvValue>>[]): string {
  const [first] = rows;
  if (first === undefined) {
    throw new RangeError("Cannot write CSV as there must be at least one row: current value is 0");
  }
  const fields = Object.keys(first);
  const lines = rows.map((row) => {
    if (Object.keys(row).join() !== fields.join()) {
      throw new RangeError(
        `Cannot write CSV as every row must have the fields ${fields.join(", ")}: current value is ${
          Object.keys(row).join(", ")
        }`,
      );
    }
    return fields.map((field) => cellText(row[field]!)).join(",");
  });
  return [fields.map(cellText).join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

function cellText(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The replies of two runs to the same texts. */
export interface SharedReplies {
  /** Replies of the first run to samples that the second was asked as well, text for text. */
  readonly first: readonly ScoredReply[];
  /** Those of the second run. */
  readonly second: readonly ScoredReply[];
  /** Samples of the same task, length and number whose text differs, as the runs differ in seed, tokenizer, template or suite. */
  readonly changed: number;
  /** Samples that only one of the runs was asked. */
  readonly alone: number;
}

/**
 * Keeps of two runs the replies to the same texts, so that they can be compared pair by pair.
 *
 * The same task, length and number is not yet the same sample: the hash of the text decides.
 *
 * @param first The replies of one run.
 * @param second Those of the other.
 * @returns The replies to shared texts, each in its order, and how many were left out and why.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { ScoredReply } from "@/lib/models/mod.ts";
 *
 * const of = (index: number, sha256: string) => ({ task: "vt", length: 4096, record: { index, sha256 } }) as ScoredReply;
 * const { first, changed, alone } = sharedReplies([of(0, "a"), of(1, "b"), of(2, "c")], [of(0, "a"), of(1, "x")]);
 * deepEqual([first.length, changed, alone], [1, 1, 1]);
 * ```
 */
export function sharedReplies(first: readonly ScoredReply[], second: readonly ScoredReply[]): SharedReplies {
  const [left, right] = [hashesOf(first), hashesOf(second)];
  const isShared = (reply: ScoredReply): boolean =>
    left.get(placeOf(reply)) === right.get(placeOf(reply)) && left.has(placeOf(reply));
  const shared = first.filter(isShared);
  const common = first.filter((reply) => right.has(placeOf(reply))).length;
  return {
    first: shared,
    second: second.filter(isShared),
    changed: common - shared.length,
    alone: first.length + second.length - 2 * common,
  };
}

function hashesOf(replies: readonly ScoredReply[]): ReadonlyMap<string, string> {
  return new Map(replies.map((reply) => [placeOf(reply), reply.record.sha256]));
}

function placeOf({ task, length, record }: ScoredReply): string {
  return JSON.stringify([task, length, record.index]);
}
