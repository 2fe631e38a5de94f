import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { defined, explainFileError, openRegular, quoteText, readRegular, shownJson } from "@/lib/base/mod.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";
import { parseLine } from "@/lib/benchmarks/ruler/ruler_files.ts";
import type { Fact, Message, Prompt, Sample } from "@/lib/generators/mod.ts";
import {
  decideReply,
  type Fields,
  fieldsOf,
  judgeServerError,
  type ModelSettings,
  type Reading,
  type Reply,
  type ReplyOrigin,
  type ReplyParts,
  shorten,
} from "@/lib/models/mod.ts";
import { readLines, type RunFolderOptions, type RunRecord, type ScoredPart } from "@/lib/records/mod.ts";
import type { BenchmarkOptions, RunManifest } from "@/lib/studies/mod.ts";

/** One reply in another program's files. */
export interface ForeignReply extends Pick<Sample, "task" | "length" | "references"> {
  /** The sample's id and the hash of its prompt, if Fathom made it; the id counts if the prompt has that hash. */
  readonly made?: Pick<Sample, "id" | "sha256"> | undefined;
  /** Number of the sample in its task and length; by default its place among the replies. */
  readonly index?: number | undefined;
  /** Repeat of the sample, from 0. */
  readonly repeat?: number | undefined;
  readonly prompt: Prompt | null;
  readonly distractors?: readonly string[] | undefined;
  readonly paths?: Sample["paths"] | undefined;
  readonly depth?: number | undefined;
  /** The place of the target, if the file records it: a share of the context, in [0, 1]. */
  readonly targetDepth?: number | undefined;
  readonly cluster?: string | undefined;
  readonly facts?: readonly Fact[] | undefined;
  readonly reply: Reply;
  /** Origin of this reply, if the file records it per reply. */
  readonly origin?: ReplyOrigin | undefined;
  readonly time?: string | undefined;
  /** Name of the scorer that computes the other program's score, if it is not the task's own. */
  readonly scoring?: string | undefined;
  /** The other program's score, in [0, 1]. */
  readonly theirs?: number | undefined;
}

/** A run as another program's files describe it. */
export interface ForeignRun {
  /** The program, with its version if recorded. */
  readonly from: string;
  readonly model: string;
  /** Origin of the replies that record none; `unknown` unless the files prove that a real model answered. */
  readonly origin: ReplyOrigin;
  readonly settings: ModelSettings;
  readonly files: readonly string[];
  /** Facts that the files do not contain, each in a few words. */
  readonly unknown: readonly string[];
  /** Files that were skipped, with the reason. */
  readonly notes: readonly string[];
  /** The other program's mean score of each task, in percent, if it has none of each reply. */
  readonly theirMeans?: Readonly<Record<string, number>>;
  /** The scored part of the replies, for the comparison of scores. Default: whole. */
  readonly scored?: ScoredPart | undefined;
  /** The replies in groups; a group holds whole tasks and lengths. */
  readonly replies: Iterable<readonly ForeignReply[]> | AsyncIterable<readonly ForeignReply[]>;
}

/** Options for {@linkcode importRun}. */
export interface ImportRunOptions extends RunFolderOptions, BenchmarkOptions {
  /** Name of the new run; by default the model's name. */
  readonly name?: string | undefined;
  /** The model's name, if the files lack it. */
  readonly model?: string | undefined;
  /** The task of all replies, if the files lack it. */
  readonly task?: string | undefined;
  /** The length in tokens that the samples were made for, if the files lack it. */
  readonly length?: number | undefined;
  /** Marks around the thinking of the model, each an opening and a closing one. */
  readonly thinkingMarks?: Reading["marks"];
  /** File or folder of the samples of kvpress, whose output does not contain them. */
  readonly samplesFile?: string | undefined;
}

/** Values that the user gives because the files lack them. */
export interface ForeignOptions extends ImportRunOptions {
  readonly canScore: (task: string) => boolean;
}

/** The files at a path: a single file, or those of a folder. */
export interface FoundFiles {
  readonly paths: readonly string[];
  readonly isFolder: boolean;
  /** The fields of the first line, for a single file of JSON lines. */
  readonly fields?: Fields;
}

/** A program whose files can be imported. */
export interface Importer {
  /** Returns the files that the importer reads; empty if none are the program's. */
  recognises(found: FoundFiles): readonly string[];
  read(paths: readonly string[], options: ForeignOptions): ForeignRun | Promise<ForeignRun>;
}

export interface MadeRun {
  readonly manifest: RunManifest;
  readonly records: readonly RunRecord[];
  readonly notes: readonly string[];
}

/** Regular expression source of the task names that are safe as folder names. */
export const TASK_NAME = String.raw`[\p{L}\p{N}][\p{L}\p{N}._ =-]{0,199}`;

export function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOrNone(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** A place in a file, for errors: `line 3` or `sample "7"`. */
export interface FilePlace {
  readonly path: string;
  readonly where?: string;
}

/** Makes the error for a value of a file that is not what was expected. */
export function refuse({ path, where }: FilePlace, expected: string, value: unknown): SyntaxError {
  const place = where === undefined ? "" : ` in ${quoteText(where, 100)}`;
  return new SyntaxError(`Cannot import "${path}" as ${expected}${place}: current value is ${shownJson(value)}`);
}

/** Reads a file with one JSON object per line; blank lines are skipped. */
export async function* readJsonLines(
  path: string,
): AsyncGenerator<{ readonly place: FilePlace; readonly row: Fields }> {
  await using file = await openRegular(path).catch((error) => {
    throw cannotRead(path, error);
  });
  for await (const { text, number } of readLines(file)) {
    const place = { path, where: `line ${number}` };
    if (text.trim() !== "") yield { place, row: parseObject(number === 1 ? text.replace(/^\uFEFF/, "") : text, place) };
  }
}

/** Parses a JSON object. Python's `NaN` and `Infinity` are read as `null`. */
export function parseObject(text: string, place: FilePlace): Fields {
  // UTF-16 has zero bytes.
  const expected = text.includes("\0") ? "its text must be UTF-8" : "there must be a whole JSON object";
  return parseLine(text, (_, value) => refuse(place, expected, value));
}

export async function readObject(path: string): Promise<Fields> {
  return parseBytes(await readBytes(path), { path });
}

export function parseBytes(bytes: Uint8Array, place: FilePlace): Fields {
  return parseObject(decodeText(bytes, place), place);
}

/** Decodes UTF-8; a byte order mark is left out. */
export function decodeText(bytes: Uint8Array, place: FilePlace): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse(place, "its text must be UTF-8 of less than 512 MiB", `${bytes.length} bytes`);
  }
}

export async function readBytes(path: string): Promise<Uint8Array> {
  return await readRegular(path).catch((error) => {
    throw cannotRead(path, error);
  });
}

function cannotRead(path: string, error: unknown): RangeError {
  return new RangeError(`Cannot import "${path}" as it must be a readable file: ${explainFileError(error)}`);
}

export function readText(fields: Fields, name: string, place: FilePlace): string {
  const value = fields[name];
  if (typeof value === "string") return value;
  throw refuse(place, `"${name}" must be a text`, value);
}

export function readTexts(value: unknown, field: string, place: FilePlace): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw refuse(place, `"${field}" must be a list of texts`, value);
}

/** Limit of a sample's number, so that no file can create millions of empty lines. */
const MAX_INDEX = 1_000_000;

/** Reads the number of a sample or of a repeat; `undefined` if there is none, or a name instead. */
export function readIndex(value: unknown, place: FilePlace): number | undefined {
  if (value === undefined || typeof value === "string") return undefined;
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < MAX_INDEX) return Number(value);
  throw refuse(place, `the number of a sample must be whole, from 0 to ${MAX_INDEX - 1}`, value);
}

/** Names of RULER's tasks in other programs, without `ruler_`. */
const RULER_TASKS: Readonly<Record<string, string>> = {
  "qa_squad": "qa_1",
  "qa_hotpot": "qa_2",
  "qa_hotpotqa": "qa_2",
};

/** Returns Fathom's name of a task that another program calls after RULER's, such as `ruler_qa_squad`. */
export function plainTask(name: string): string {
  const bare = name.replace(/^ruler_/, "");
  return RULER_TASKS[bare] ?? bare;
}

/** Returns the first value that is a length in tokens, such as that of `--length`. */
export function readLength(values: readonly unknown[], place: FilePlace): number {
  const given = values.filter((value) => typeof value === "number" && !Number.isNaN(value)) as number[];
  const length = given.find((value) => Number.isInteger(value) && value >= 1 && value <= 2_000_000);
  if (length !== undefined) return length;
  throw refuse(place, "--length must give the length of the samples, from 1 to 2000000 tokens,", given[0]);
}

/**
 * Makes the prompt of a list of messages, which other programs do not always alternate: neighbours of one role are joined, and a
 * last message of the assistant becomes the answer prefix. Returns `null` if there is no text.
 */
export function foreignPrompt(messages: readonly Message[]): Prompt | null {
  const joined: Message[] = [];
  for (const { role, text } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) joined[joined.length - 1] = { role, text: `${last.text}\n\n${text}` };
    else joined.push({ role, text });
  }
  const answerPrefix = joined.at(-1)?.role === "assistant" ? joined.pop()!.text : undefined;
  if (joined.every(({ text }) => text === "")) return null;
  return { messages: joined, ...defined({ answerPrefix }) };
}

/** Returns the text of a message's content: a text, or the texts of its parts. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOrNone(content) ?? "";
  return content.map((part) => textOrNone(fieldsOf(part)["text"]) ?? "").join("");
}

export interface WrittenReply extends Pick<ReplyParts, "thinking" | "counts"> {
  readonly text: unknown;
  readonly field: string;
  /** Why the reply ended, if the program records it. */
  readonly reason?: unknown;
  /** The error of a failed call: a text. */
  readonly error?: unknown;
  readonly seconds?: unknown;
}

/** Decides what a reply of another program is, as one that was asked here: an answer, or a failed call. */
export function readReply({ text, field, error, seconds, reason, ...parts }: WrittenReply, place: FilePlace): Reply {
  const latencyMs = typeof seconds === "number" && seconds > 0 ? Math.round(1000 * seconds) : 0;
  const facts = { latencyMs, attempts: 1 };
  const cause = textOrNone(error) || (text === null ? "the file has no reply" : "");
  if (cause !== "") {
    const { isUnexplained, failure } = judgeServerError({ status: 400, body: cause });
    return { kind: "failure", failure: isUnexplained ? "server" : failure, message: shorten(cause), ...facts };
  }
  if (typeof text !== "string") throw refuse(place, `"${field}" must be a text`, text);
  const outcome = decideReply({ ...parts, text, reason }, { isRecorded: reason === undefined });
  if (outcome.kind === "answer") return { kind: "answer", ...outcome.answer, ...facts };
  return { kind: "failure", failure: outcome.failure, message: outcome.message, ...facts };
}

/** Returns the user's name for the model, or the one model that the files name. */
export function oneModel(found: readonly string[], path: string, model: string | undefined): string {
  const names = [...new Set(model === undefined ? found : [model])];
  if (names.length === 1) return names[0]!;
  throw new RangeError(
    `Cannot import "${path}" as its files must be of one model, or --model must name it: current value is ${
      names.join(", ") || "none"
    }`,
  );
}

/** Copies the named settings that are plain values. Other fields, such as keys and headers, are dropped. */
export function pickSettings(fields: Fields, names: Readonly<Record<string, string>>): ModelSettings {
  const picked = Object.entries(names).flatMap(([name, kept]): [string, string | number | boolean][] => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[kept, value]] : [];
  });
  return Object.fromEntries(picked);
}

/** Lists the files below a folder, sorted; hidden files and links are skipped. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.filter(({ name }) => !name.startsWith(".")).map((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
    }),
  );
  return found.flat().sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}

/** Notes that files are skipped because their task cannot be scored. */
export function skippedNote(paths: readonly string[], task: string): string {
  return `${paths.map((path) => basename(path)).join(", ")}: skipped, as no task with a scorer is called ${task}`;
}

/** Reads the id and the hash of a sample that Fathom made; `undefined` without either. */
export function readMade({ sample, sha256 }: Fields): ForeignReply["made"] {
  return typeof sample === "string" && typeof sha256 === "string" ? { id: sample, sha256 } : undefined;
}

/** Reads the name of a scorer that the benchmarks have; `undefined` for any other value. */
export function readScoring(name: unknown, { benchmarks }: BenchmarkOptions): string | undefined {
  const scorers = listFamilies(benchmarks).flatMap((family) => family.scorers);
  return scorers.some((scorer) => scorer.name === name) ? name as string : undefined;
}
