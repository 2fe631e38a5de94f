import { extname } from "node:path";
import { gatherTexts, writePieces } from "@/lib/base/mod.ts";
import { type ExplainedRecord, openExplainer, openPlacer } from "@/lib/reports/mod.ts";
import { type OpenedOptions, openStudy, remakeSample, rememberSamples } from "@/lib/studies/mod.ts";
import type { ScoredReply, ScoredRun } from "@/lib/records/mod.ts";
import { type Answer, replyOrigin } from "@/lib/models/mod.ts";
import { csvFormatRow } from "@/lib/statistics/mod.ts";

/** One reply as a flat row, for a spreadsheet or a data frame; docs/data.md describes each column. */
export type ReplyRow =
  & Readonly<Record<"run" | "sample" | "sha256" | "model" | "origin" | "suite" | "task" | "cluster", string>>
  & Readonly<Record<"question" | "why" | "wanted" | "firstAnswer" | "reply" | "settings", string>>
  & Readonly<Record<"length" | "index" | "repeat" | "promptTokens" | "latencyMs", number>>
  & Readonly<Record<"nativePromptTokens" | "nativeAnswerTokens" | "promptCut", number | null>>
  & Readonly<Record<"depth" | "score" | "penalised" | "whole", number | null>>
  & Readonly<Record<"scored" | "failure" | "finish", string | null>>;

function replyRow(
  { record, ...source }: ExplainedRecord,
  { run, settings, depth, question }: Pick<ReplyRow, "run" | "settings" | "depth" | "question">,
): ReplyRow {
  const { reply } = record;
  const answer: Partial<Answer> = reply.kind === "failure" ? {} : reply;
  return {
    run,
    sample: record.sample,
    sha256: record.sha256,
    model: record.model,
    origin: replyOrigin(record, reply),
    suite: record.suite,
    task: record.task,
    length: record.length,
    index: record.index,
    cluster: source.cluster ?? record.sample,
    repeat: record.repeat ?? 0,
    promptTokens: record.promptTokens,
    nativePromptTokens: answer.promptTokens ?? null,
    nativeAnswerTokens: answer.completionTokens ?? null,
    depth,
    score: source.value,
    penalised: source.penalised?.value ?? null,
    scored: source.scored ?? null,
    whole: source.whole?.value ?? null,
    why: reply.kind === "failure" ? `${reply.failure}: ${reply.message}` : source.score?.why ?? "",
    failure: source.modes[0]?.class ?? null,
    finish: answer.finishReason ?? null,
    latencyMs: reply.latencyMs,
    question,
    wanted: record.references.join(" | "),
    promptCut: source.promptCut?.counted ?? null,
    firstAnswer: source.first?.text ?? "",
    reply: answer.text ?? "",
    settings,
  };
}

/** Returns the replies of a run as flat rows; throws a `RangeError` if its study or one of its files has changed. */
export async function replyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<ReplyRow[]> {
  return [...await openReplyRows(run, options)];
}

/** Returns the rows of {@linkcode replyRows} lazily. */
export async function openReplyRows(run: ScoredRun, options: OpenedOptions = {}): Promise<Iterable<ReplyRow>> {
  // Failure and depth need the same sample.
  const opened = rememberSamples(options.opened ?? await openStudy(run.manifest.study, run), 0);
  const [{ explain }, { depthOf }] = [openExplainer(run, { opened }), openPlacer(run, opened)];
  const { name, settings, template } = run.manifest;
  const shared = { run: name, settings: JSON.stringify(settings) };
  const questionOf = ({ record }: ScoredReply): string => {
    if (record.question !== undefined) return record.question;
    // Of an older record.
    const { sample, isSame } = remakeSample(record, { ...opened, template });
    return isSame ? sample.question : "";
  };
  return Iterator.from(run.replies).map((reply) =>
    replyRow(explain(reply), { ...shared, depth: depthOf(reply), question: questionOf(reply) })
  );
}

/** A row of a table; `null` is a missing value. */
export type TableRow = Readonly<Record<string, string | number | null>>;

/**
 * Returns a function that formats rows of the same fields as CSV (RFC 4180), the first with a header; others are refused. A text that a
 * spreadsheet would run as a formula gets a leading apostrophe (OWASP, "CSV Injection").
 */
export function openCsv(): (row: TableRow) => string {
  let fields: readonly string[] | undefined;
  const lineOf = (values: readonly TableRow[string][]): string => `${csvFormatRow(values.map(cellText))}\r\n`;
  return (row) => {
    const own = Object.keys(row);
    const head = fields === undefined ? lineOf(own) : "";
    fields ??= own;
    if (own.join() === fields.join()) return head + lineOf(Object.values(row));
    const wanted = `every row must have the fields ${fields.join(", ")}`;
    throw new RangeError(`Cannot write CSV as ${wanted}: current value is ${own.join(", ")}`);
  };
}

function cellText(value: TableRow[string]): TableRow[string] {
  return typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

const FORMATS: Readonly<Record<string, () => (row: TableRow) => string>> = {
  ".csv": openCsv,
  ".jsonl": () => jsonLine,
};

/** The endings of row files. */
export const ROW_FILES: readonly string[] = Object.keys(FORMATS);

/** Formats a row as a line of JSON. */
export function jsonLine(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

/**
 * Writes rows to a file in the format of its ending: `.csv` or `.jsonl` (one object per line). Creates missing folders.
 *
 * @param rows At least one; in CSV every row has the fields of the first. They are not held in memory.
 * @returns The number of rows.
 * @throws {RangeError} If there are no rows or the path has another ending; nothing is written then.
 */
export async function writeRows(rows: Iterable<object> | AsyncIterable<object>, path: string): Promise<number> {
  const format = FORMATS[extname(path).toLowerCase()];
  if (format === undefined) {
    const wanted = `the file name must end in ${ROW_FILES.join(", ")}`;
    throw new RangeError(`Cannot write the rows as ${wanted}: current value is "${path}"`);
  }
  const lineOf = format();
  let count = 0;
  const counted = async function* (): AsyncGenerator<object> {
    for await (const row of rows) {
      count++;
      yield row;
    }
    if (count === 0) throw new RangeError("Cannot write the rows as there must be at least one: current value is 0");
  };
  await writePieces(gatherTexts(counted(), (row) => lineOf(row as TableRow)), path);
  return count;
}
