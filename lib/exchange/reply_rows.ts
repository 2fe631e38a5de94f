import { type ExplainedRecord, openExplainer, openPlacer } from "@/lib/reports/mod.ts";
import { type OpenedOptions, openStudy, rememberLast, type RunManifest } from "@/lib/studies/mod.ts";
import type { ScoredRun } from "@/lib/records/mod.ts";
import { type Answer, replyOrigin } from "@/lib/models/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

/** A reply with the values of its run and place, from which a row is made. */
export interface RowSource extends ExplainedRecord {
  readonly manifest: RunManifest;
  /** The manifest's settings as JSON. */
  readonly settings: string;
  /** Share of the context before the target, in [0, 1]. */
  readonly depth: number | null;
  /** The reply; none for a failed call. */
  readonly answer: Partial<Answer>;
}

/** The columns of a table of replies, in their order. */
export const REPLY_COLUMNS = {
  /** The run's name. */
  run: ({ manifest }: RowSource): string => manifest.name,
  /** The sample's id, which is its recipe. */
  sample: ({ record }: RowSource): string => record.sample,
  /** SHA-256 of the prompt. */
  sha256: ({ record }: RowSource): string => record.sha256,
  model: ({ record }: RowSource): string => record.model,
  /** `measured`, `simulated` or `unknown`. */
  origin: ({ record }: RowSource): string => replyOrigin(record, record.reply),
  /** The suite and its version, such as `ruler-2`. */
  suite: ({ record }: RowSource): string => record.suite,
  task: ({ record }: RowSource): string => record.task,
  /** The token budget. */
  length: ({ record }: RowSource): number => record.length,
  /** Number of the sample. */
  index: ({ record }: RowSource): number => record.index,
  /** The question or text that the sample shares with others; the sample's own id if it is independent. */
  cluster: ({ cluster, record }: RowSource): string => cluster ?? record.sample,
  /** Repeat of the sample, from 0. */
  repeat: ({ record }: RowSource): number => record.repeat ?? 0,
  /** Tokens of the prompt, as the study counts. */
  promptTokens: ({ record }: RowSource): number => record.promptTokens,
  /** Tokens of the prompt, as the server counted; `null` if it did not. */
  nativePromptTokens: ({ answer }: RowSource): number | null => answer.promptTokens ?? null,
  /** Tokens of the reply, as the server counted; `null` if it did not. */
  nativeAnswerTokens: ({ answer }: RowSource): number | null => answer.completionTokens ?? null,
  /** Share of the context before the target, in [0, 1]; `null` without a single target. */
  depth: ({ depth }: RowSource): number | null => depth,
  /** The benchmark's score, in [0, 1]; `null` if the call failed or there was nothing to score. */
  score: ({ value }: RowSource): number | null => value,
  /** The score with deductions for wrong values in the reply, in [0, 1]. */
  penalised: ({ penalised }: RowSource): number | null => penalised?.value ?? null,
  /** The scored part: `whole`, or `first` for the first answer; `null` if the call failed. */
  scored: ({ scored }: RowSource): string | null => scored ?? null,
  /** The score of the whole reply, in [0, 1], if `score` is that of its first answer; otherwise `null`. */
  whole: ({ whole }: RowSource): number | null => whole?.value ?? null,
  /** The reason for the score; for a failed call, the error. */
  why: ({ record: { reply }, score }: RowSource): string =>
    reply.kind === "failure" ? `${reply.failure}: ${reply.message}` : score?.why ?? "",
  /** The primary failure class; `null` if the reply is right or unexplained. */
  failure: ({ modes }: RowSource): string | null => modes[0]?.class ?? null,
  /** Why the model stopped; `null` if the call failed. */
  finish: ({ answer }: RowSource): string | null => answer.finishReason ?? null,
  /** Time from the last request to its reply, in milliseconds. */
  latencyMs: ({ record }: RowSource): number => record.reply.latencyMs,
  /** The references, separated by |. */
  wanted: ({ record }: RowSource): string => record.references.join(" | "),
  /** Tokens of the prompt that the server read, if it cut the prompt; otherwise `null`. */
  promptCut: ({ promptCut }: RowSource): number | null => promptCut?.counted ?? null,
  /** The reply's first answer, or the whole reply if nothing follows it. */
  firstAnswer: ({ first }: RowSource): string => first?.text ?? "",
  /** The whole reply. */
  reply: ({ answer }: RowSource): string => answer.text ?? "",
  /** Address, temperature, output budget and other settings of the run, as a JSON object. */
  settings: ({ settings }: RowSource): string => settings,
} satisfies Record<string, (source: RowSource) => string | number | null>;

/** One reply as a flat row, for a spreadsheet or a data frame. */
export type ReplyRow = { readonly [Column in keyof typeof REPLY_COLUMNS]: ReturnType<typeof REPLY_COLUMNS[Column]> };

/**
 * Returns the replies of a run as flat rows: place, score, reason, failure class and text.
 *
 * @throws {RangeError} If the run's study or one of its files has changed.
 */
export async function replyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<ReplyRow[]> {
  return [...await openReplyRows(run, options)];
}

/** Returns the rows of {@linkcode replyRows} lazily. */
export async function openReplyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<Iterable<ReplyRow>> {
  // Failure and depth need the same sample.
  const opened = rememberLast(options.opened ?? await openStudy(run.manifest.study, run));
  const [{ explain }, { depthOf }] = [openExplainer(run, { opened }), openPlacer(run, opened)];
  const { manifest } = run;
  const settings = JSON.stringify(manifest.settings);
  return Iterator.from(run.replies).map((reply) => {
    const { reply: answer } = reply.record;
    const source = {
      ...{ ...explain(reply), manifest, settings, depth: depthOf(reply) },
      answer: answer.kind === "failure" ? {} : answer,
    };
    return Object.fromEntries(Object.entries(REPLY_COLUMNS).map(([name, read]) => [name, read(source)])) as ReplyRow;
  });
}

/** A cell of a CSV file; `null` is empty. */
export type CsvValue = string | number | null;

/** A row of a CSV file, by field. */
export type CsvRow = Readonly<Record<string, CsvValue>>;

/**
 * Formats rows as CSV (RFC 4180), with a header of field names.
 *
 * A text that a spreadsheet would run as a formula gets a leading apostrophe, so that opening the file never runs a model's reply
 * (OWASP, "CSV Injection").
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

/** Formats rows as {@linkcode csvText} does, lazily. */
export function* csvLines(rows: Iterable<CsvRow>): Generator<string> {
  const lineOf = openCsv();
  let isEmpty = true;
  for (const row of rows) {
    isEmpty = false;
    yield lineOf(row);
  }
  if (isEmpty) throw new RangeError("Cannot write CSV as there must be at least one row: current value is 0");
}

/** Returns a function that formats one row after another, the first with the header. */
export function openCsv(): (row: CsvRow) => string {
  let fields: readonly string[] | undefined;
  const lineOf = (values: readonly CsvValue[]): string => `${csvFormatRow(values.map(cellText))}\r\n`;
  return (row) => {
    const own = Object.keys(row);
    const head = fields === undefined ? lineOf(own) : "";
    fields ??= own;
    if (own.join() === fields.join()) return head + lineOf(Object.values(row));
    throw new RangeError(
      `Cannot write CSV as every row must have the fields ${fields.join(", ")}: current value is ${own.join(", ")}`,
    );
  };
}

function cellText(value: CsvValue): CsvValue {
  return typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}
