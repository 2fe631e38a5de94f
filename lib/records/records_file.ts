import type { FileHandle } from "node:fs/promises";
import { quoteText } from "@/lib/base/mod.ts";
import { type Chunks, openLocked, readChunks, readLines, type TornEnd } from "./line_files.ts";
import { findMisfit, v, wholeNumber } from "@/lib/studies/mod.ts";
import { isReplyOrigin } from "@/lib/models/mod.ts";
import { placeKey, type RunRecord } from "./record.ts";
import type { RecordsFile } from "./run_folders.ts";

const TEXT = v.string("a text");
const NUMBER = v.pipe(v.number("a number"), v.finite("a number"));
const COUNT = wholeNumber(0);
const TEXTS = v.array(TEXT, "a list of texts");
const WANTED_REASONS = "a list of reasons with failure, message, times and waitedMs";
const RESENT = v.object({ failure: TEXT, message: TEXT, times: NUMBER, waitedMs: NUMBER }, WANTED_REASONS);

const CALL = {
  latencyMs: NUMBER,
  attempts: COUNT,
  resent: v.optional(v.array(RESENT, WANTED_REASONS)),
  adapted: v.optional(TEXTS),
  server: v.optional(TEXT),
};

const { entries: READ_AND_WRITTEN } = v.partial(v.object({
  thinking: TEXT,
  servedModel: TEXT,
  fingerprint: TEXT,
  promptTokens: NUMBER,
  cachedTokens: NUMBER,
  completionTokens: NUMBER,
  firstTokenMs: NUMBER,
}));

const FAILED_CALL = v.object({ kind: v.literal("failure"), failure: TEXT, message: TEXT, ...CALL });

const REPLY = v.variant("kind", [
  v.object({ kind: v.literal("answer"), text: TEXT, finishReason: TEXT, ...CALL, ...READ_AND_WRITTEN }),
  FAILED_CALL,
], "answer or failure");

const WEIGHED_ANSWER = v.object({
  text: TEXT,
  parts: v.array(v.tuple([COUNT, COUNT], "two numbers of characters"), "a list of parts"),
  tokens: v.array(v.tuple([TEXT, v.nullable(NUMBER)], "a text and its log-probability"), "a list of tokens"),
});

const LIKELIHOOD = v.variant("kind", [
  v.object({
    kind: v.literal("likelihood"),
    way: TEXT,
    answers: v.array(WEIGHED_ANSWER, "a list of answers"),
    latencyMs: NUMBER,
    calls: COUNT,
    promptTokens: v.optional(NUMBER),
    cachedTokens: v.optional(NUMBER),
  }),
  FAILED_CALL,
], "likelihood or failure");

/** Fields that older records, or those of some tasks, do not have. */
const { entries: IF_ANY } = v.partial(v.object({
  repeat: COUNT,
  cutTokens: COUNT,
  nominal: COUNT,
  depth: NUMBER,
  cluster: TEXT,
  question: TEXT,
  targetDepth: NUMBER,
  distractors: TEXTS,
  paths: v.array(v.unknown()),
  origin: v.custom(isReplyOrigin, "measured, simulated or unknown"),
  fathom: TEXT,
  batch: TEXT,
  likelihood: LIKELIHOOD,
}));

const RECORD = v.object({
  sample: TEXT,
  sha256: TEXT,
  suite: TEXT,
  task: TEXT,
  length: COUNT,
  index: COUNT,
  seed: TEXT,
  promptTokens: NUMBER,
  references: TEXTS,
  scoring: TEXT,
  model: TEXT,
  reply: REPLY,
  settings: v.record(v.string(), v.unknown(), "an object"),
  ...IF_ANY,
});

/** Returns the record on a line, or why it is none: the type of each field is checked, as files can come from elsewhere. */
function parseRecord(line: string): RunRecord | string {
  try {
    const value: unknown = JSON.parse(line);
    return findMisfit(RECORD, value) ?? value as RunRecord;
  } catch {
    return `it must be JSON: current value is ${quoteText(line, 60)}`;
  }
}

/** What a file of records holds. */
export interface FileContents {
  readonly records: readonly RunRecord[];
  /** The lines that hold no record, each with its problem. */
  readonly broken: readonly { readonly problem: string; readonly text: string }[];
  /** The end, if its line break is missing. */
  readonly torn: TornEnd | undefined;
}

/** Reads the records of a file, and its lines that hold none. */
export async function readContents(chunks: Chunks): Promise<FileContents> {
  const records: RunRecord[] = [];
  const broken: FileContents["broken"][number][] = [];
  let torn: TornEnd | undefined;
  for await (const { text, number, start, isEnded } of readLines(chunks)) {
    const record = parseRecord(text);
    const isRecord = typeof record !== "string";
    if (!isEnded) torn = { wholeBytes: start, isWhole: isRecord };
    if (isRecord) records.push(record);
    else broken.push({ problem: isEnded ? `line ${number}: ${record}` : `line ${number} was cut short`, text });
  }
  return { records, broken, torn };
}

/** Describes a torn end for the user. */
export function explainTornEnd(torn: TornEnd | undefined, path: string): readonly string[] {
  if (torn?.isWhole !== false) return [];
  return [`The last line of "${path}" was cut short: it is left out, and its sample counts as not asked`];
}

/** The records of a run so far. */
export interface KnownRecords {
  /** The answer of each sample, or its last failure, by {@linkcode placeKey}. */
  readonly latest: Map<string, RunRecord>;
  /** The samples that were recorded from a batch, by the id of the batch. */
  readonly batches: Map<string, Set<string>>;
}

/** Returns the records of a run that was not asked yet. */
export function noRecords(): KnownRecords {
  return { latest: new Map(), batches: new Map() };
}

/** Notes a record; an answer is never replaced. */
export function noteRecord({ latest, batches }: KnownRecords, record: RunRecord): void {
  const key = placeKey(record);
  if (record.batch !== undefined) batches.getOrInsertComputed(record.batch, () => new Set<string>()).add(key);
  if (latest.get(key)?.reply.kind !== "answer") latest.set(key, record);
}

/**
 * Notes the records of a file.
 *
 * @returns The end of the file, if its line break is missing.
 * @throws {SyntaxError} If a line before the last holds no record.
 */
export async function noteRecords(known: KnownRecords, chunks: Chunks, path: string): Promise<TornEnd | undefined> {
  const { records, broken, torn } = await readContents(chunks);
  const [first] = torn?.isWhole === false ? broken.slice(0, -1) : broken;
  if (first !== undefined) {
    throw new SyntaxError(
      `Cannot read "${path}" as each line must be a record: ${first.problem}; \`fathom verify\` lists all that is wrong, and with --repair puts such lines into a file of their own`,
    );
  }
  for (const record of records) noteRecord(known, record);
  return torn;
}

/** Reads the records of a run's files; the notes name those whose last line was cut short. */
export async function readKnown(
  files: readonly RecordsFile[],
): Promise<KnownRecords & { readonly notes: readonly string[] }> {
  const known = noRecords();
  const notes: string[] = [];
  for (const { path, read } of files) notes.push(...explainTornEnd(await noteRecords(known, read(), path), path));
  return { ...known, notes };
}

/** Opens a file of records for appending and notes the records in it; `undefined` if there is no file and none is created. */
export async function findRecords(
  path: string,
  { isNew, known }: { readonly isNew: boolean; readonly known: KnownRecords },
): Promise<{ readonly file: FileHandle; readonly torn: TornEnd | undefined } | undefined> {
  const file = await openLocked(path, isNew);
  if (file === undefined) return undefined;
  try {
    return { file, torn: await noteRecords(known, readChunks(file), path) };
  } catch (error) {
    await file.close();
    throw error;
  }
}
