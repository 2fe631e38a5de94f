import { type ExplainedRecord, openExplainer, openPlacer } from "@/lib/reports/mod.ts";
import { type OpenedOptions, openStudy, rememberLast } from "@/lib/studies/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { replyOrigin } from "@/lib/models/mod.ts";

/** One reply as a flat row, for a spreadsheet or a data frame. */
export interface ReplyRow extends Readonly<Record<string, string | number | null>> {
  /** The run's name. */
  readonly run: string;
  /** The sample's id: its whole recipe. */
  readonly sample: string;
  /** SHA-256 of the prompt. */
  readonly sha256: string;
  readonly model: string;
  /** `measured`, `simulated` or `unknown`. */
  readonly origin: string;
  /** The suite and its version, such as `ruler-2`. */
  readonly suite: string;
  readonly task: string;
  /** The token budget. */
  readonly length: number;
  /** The number of the sample. */
  readonly index: number;
  /** The question or text that the sample shares with others; its own id where it is independent of all others. */
  readonly cluster: string;
  /** Which time the sample was asked, from 0. */
  readonly repeat: number;
  /** Tokens of the prompt, as the samples are counted. */
  readonly promptTokens: number;
  /** Tokens of the prompt in the model's own, as its server counted them; `null` where it did not say. */
  readonly nativePromptTokens: number | null;
  /** Tokens of the reply in the model's own; `null` where the server did not say. */
  readonly nativeAnswerTokens: number | null;
  /** The share of the context before the target, in [0, 1]; `null` without a single target. */
  readonly depth: number | null;
  /** The benchmark's own score, in [0, 1]; `null` where the call failed or there was nothing to score. */
  readonly score: number | null;
  /** The score that also counts what is wrong in the reply, in [0, 1]. */
  readonly penalised: number | null;
  /** What is scored: `whole` or `first`, the first answer alone; `null` where the call failed. */
  readonly scored: string | null;
  /** The score of the whole reply, in [0, 1], where that of its first answer is `score`; otherwise `null`. */
  readonly whole: number | null;
  /** Why the score is what it is; for a failed call, what was said. */
  readonly why: string;
  /** The primary failure class; `null` where the reply is right or could not be explained. */
  readonly failure: string | null;
  /** Why the model stopped writing; `null` where the call failed. */
  readonly finish: string | null;
  /** From the last request to its reply, in milliseconds. */
  readonly latencyMs: number;
  /** The references, separated by |. */
  readonly wanted: string;
  /** How many of the prompt's tokens the server read, where it cut it; otherwise `null`. */
  readonly promptCut: number | null;
  /** The first answer of the reply; the same where nothing follows it. */
  readonly firstAnswer: string;
  /** The whole reply. */
  readonly reply: string;
  /** Everything that shaped the replies of the run, as a JSON object: address, temperature, output budget, …. */
  readonly settings: string;
}

/**
 * Lays out the replies of a run as flat rows: place, score, reason, failure class and the reply itself.
 *
 * @throws {RangeError} If a task or a file of the run's study is not what it should be.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { checkStudy, simulatedModel } from "@/lib/studies/mod.ts";
 * import { runStudy } from "@/lib/asking/mod.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const study = checkStudy({ tasks: ["niah_single_1"], lengths: [512], samples: 2 });
 * const [row] = await replyRows(await runStudy(study, { name: "try", model: simulatedModel("mute"), folder }));
 * equal(row?.failure, "empty");
 * equal(row?.score, 0);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function replyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<ReplyRow[]> {
  return [...await openReplyRows(run, options)];
}

/** Gives the rows of {@linkcode replyRows} one at a time, so that not all have to be held. */
export async function openReplyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<Iterable<ReplyRow>> {
  return makeRows(run, { opened: options.opened ?? await openStudy(run.manifest.study, run) });
}

function* makeRows(run: ScoredRun, options: Required<OpenedOptions>): Generator<ReplyRow> {
  // Failure and depth need the same sample.
  const opened = rememberLast(options.opened);
  const [{ explain }, { depthOf }] = [openExplainer(run, { opened }), openPlacer(run, opened)];
  const { name, settings } = run.manifest;
  const ofRun = { name, settings: JSON.stringify(settings) };
  for (const reply of run.replies) yield toRow(explain(reply), { ...ofRun, depth: depthOf(reply) });
}

function toRow(
  explained: ExplainedRecord,
  { name, settings, depth }: { readonly name: string; readonly settings: string; readonly depth: number | null },
): ReplyRow {
  const { record, value, score, penalised, modes, scored, whole, first, promptCut } = explained;
  const { sample, sha256, model, origin, suite, task, length, index, repeat = 0, promptTokens, references, reply } =
    record;
  const failed = reply.kind === "failure";
  return {
    ...{ run: name, sample, sha256, model, origin: replyOrigin({ origin }, reply), suite, task, length, index },
    cluster: explained.cluster ?? sample,
    ...{ repeat, promptTokens },
    nativePromptTokens: failed ? null : reply.promptTokens ?? null,
    nativeAnswerTokens: failed ? null : reply.completionTokens ?? null,
    depth,
    score: value,
    penalised: penalised?.value ?? null,
    scored: scored ?? null,
    whole: whole?.value ?? null,
    why: failed ? `${reply.failure}: ${reply.message}` : score?.why ?? "",
    failure: modes[0]?.class ?? null,
    finish: failed ? null : reply.finishReason,
    latencyMs: reply.latencyMs,
    wanted: references.join(" | "),
    promptCut: promptCut?.counted ?? null,
    firstAnswer: first?.text ?? "",
    reply: failed ? "" : reply.text,
    settings,
  };
}

/** A cell of a CSV file; `null` is empty. */
export type CsvValue = string | number | null;

/**
 * Writes rows as CSV (RFC 4180), with a header of field names.
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe before it, so that opening the file never runs what a
 * model replied (OWASP, "CSV Injection").
 *
 * @param rows At least one; every row has the fields of the first.
 * @throws {RangeError} If there are no rows, or one has other fields.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * equal(csvText([{ reply: 'a "b", c', score: -1 }, { reply: "=1+1", score: null }]), 'reply,score\r\n"a ""b"", c",-1\r\n\'=1+1,\r\n');
 * ```
 */
export function csvText(rows: readonly CsvRow[]): string {
  return [...csvLines(rows)].join("");
}

/** A row of a CSV file, by field. */
export type CsvRow = Readonly<Record<string, CsvValue>>;

/** Writes rows as {@linkcode csvText} does, line by line, so that no text has to hold all of them. */
export function* csvLines(rows: Iterable<CsvRow>): Generator<string> {
  const lineOf = openCsv();
  let isEmpty = true;
  for (const row of rows) {
    isEmpty = false;
    yield* lineOf(row);
  }
  if (isEmpty) throw new RangeError("Cannot write CSV as there must be at least one row: current value is 0");
}

/** Makes a function that writes one row after another, the header before the first. */
export function openCsv(): (row: CsvRow) => readonly string[] {
  let fields: readonly string[] | undefined;
  return (row) => {
    const head = fields === undefined ? [`${Object.keys(row).map(cellText).join(",")}\r\n`] : [];
    fields ??= Object.keys(row);
    if (Object.keys(row).join() !== fields.join()) {
      throw new RangeError(
        `Cannot write CSV as every row must have the fields ${fields.join(", ")}: current value is ${
          Object.keys(row).join(", ")
        }`,
      );
    }
    return [...head, `${fields.map((field) => cellText(row[field]!)).join(",")}\r\n`];
  };
}

function cellText(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
