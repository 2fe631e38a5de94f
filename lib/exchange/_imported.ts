import { basename } from "node:path";
import { readLines } from "@/lib/records/mod.ts";
import type { Fact, Prompt, Sample } from "@/lib/generators/mod.ts";
import {
  explainFileError,
  type FinishReason,
  type ModelSettings,
  openRegular,
  readRegular,
  type Reply,
  type ReplyOrigin,
} from "@/lib/models/mod.ts";

/** One reply as the file of another program has it. */
export interface ForeignReply
  extends Pick<Sample, "task" | "length" | "references">, Partial<Pick<Sample, "distractors" | "paths" | "depth">> {
  /** Its number in its task and length; its place among them where the file does not say. */
  readonly index?: number;
  /** Which time it was asked, from 0. */
  readonly repeat?: number;
  /** What was asked; `null` where the file does not have it. */
  readonly prompt: Prompt | null;
  readonly facts?: readonly Fact[];
  readonly reply: Reply;
  /** Where it comes from, where the file says so of each reply. */
  readonly origin?: ReplyOrigin;
  /** When it came, in ISO 8601. */
  readonly time?: string;
  /** The name of the scorer that gives the program's own score, where the task's own is another. */
  readonly scoring?: string;
  /** The score that the file has of it, in [0, 1]. */
  readonly theirs?: number;
}

/** What other programs' files tell of a run. */
export interface ForeignRun {
  /** The program, with its version where the files tell it. */
  readonly from: string;
  /** The model's name. */
  readonly model: string;
  /** Where replies come from whose origin is not said one by one; `unknown` where nothing shows that a real model answered. */
  readonly origin: ReplyOrigin;
  /** What they tell of how it was asked. */
  readonly settings: ModelSettings;
  /** The files that were read. */
  readonly files: readonly string[];
  /** What they cannot tell, each in a few words. */
  readonly unknown: readonly string[];
  /** What was passed over, and why. */
  readonly notes: readonly string[];
  /** The replies, some files at a time; all those of a task and length come together. */
  readonly replies: AsyncIterable<readonly ForeignReply[]>;
}

/** What the user says of the files, where they do not say it. */
export interface ForeignOptions {
  /** The model's name. */
  readonly model?: string | undefined;
  /** The task that all lines are of. */
  readonly task?: string | undefined;
  /** The length that they were made for, in tokens. */
  readonly length?: number | undefined;
  /** Whether replies to a task can be scored. */
  readonly canScore: (task: string) => boolean;
}

/** What a task may be called whose name becomes that of a folder: the source of a regular expression. */
export const TASK_NAME = String.raw`[\p{L}\p{N}][\p{L}\p{N}._ =-]{0,199}`;

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** Where something is in a file, for errors: `line 3`, or `sample "7"`. */
export interface FilePlace {
  readonly path: string;
  readonly where?: string;
}

/** Says which place of which file is not what was wanted. */
export function refuse({ path, where }: FilePlace, wanted: string, value: unknown): SyntaxError {
  const text = typeof value === "bigint" || value === undefined ? "none" : JSON.stringify(value) ?? "none";
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new SyntaxError(
    `Cannot import "${path}" as ${wanted}${where === undefined ? "" : ` in ${where}`}: current value is ${shown}`,
  );
}

/** Reads a file of one JSON object a line, with the number of each line, from 1. */
export async function* readJsonLines(
  path: string,
): AsyncGenerator<{ readonly place: FilePlace; readonly row: Fields }> {
  using file = await openFile(path);
  for await (const { text, number } of readLines(file)) {
    const place = { path, where: `line ${number}` };
    if (text.trim() !== "") yield { place, row: parseObject(number === 1 ? text.replace(/^\uFEFF/, "") : text, place) };
  }
}

/** Reads a JSON object. Python writes numbers that are none, such as NaN, which are nothing here. */
export function parseObject(text: string, place: FilePlace): Fields {
  const value = parseJson(text) ??
    parseJson(text.replaceAll(TEXT_OR_NO_NUMBER, (part) => part[0] === '"' ? part : "null"));
  if (isFields(value)) return value;
  throw refuse(place, "there must be a whole JSON object", text);
}

/** A text, which is kept, or what Python writes for a number that is none. */
const TEXT_OR_NO_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a file whole. */
export async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readRegular(path);
  } catch (error) {
    throw new RangeError(`Cannot import "${path}" as it must be a file that can be read: ${explainFileError(error)}`);
  }
}

async function openFile(path: string): Promise<Deno.FsFile> {
  try {
    return await openRegular(path);
  } catch (error) {
    throw new RangeError(`Cannot import "${path}" as it must be a file that can be read: ${explainFileError(error)}`);
  }
}

/** Reads a list of texts, or one text. */
export function readReferences(
  value: unknown,
  { field, ...place }: FilePlace & { readonly field: string },
): readonly string[] {
  if (typeof value === "string") return [value];
  if (isTexts(value)) return value;
  throw refuse(place, `"${field}" must be a list of texts`, value);
}

/** The most that a number of a sample may be, so that no file makes a million empty lines. */
const MOST_INDEX = 1_000_000;

/** Reads the number of a sample; `undefined` where there is none. */
export function readIndex(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < MOST_INDEX
    ? value as number
    : undefined;
}

/** Reads the length of a sample, as the first of some fields that says one, or else as the user said. */
export function readLength(
  values: readonly unknown[],
  { length, ...place }: FilePlace & Pick<ForeignOptions, "length">,
): number {
  const said = [...values, length].find((value) => Number.isSafeInteger(value) && (value as number) >= 1);
  if (said !== undefined) return said as number;
  throw refuse(
    place,
    "--length must say for which length, in tokens, the samples were made, as nothing does",
    undefined,
  );
}

/** Makes the answer of a record; what a file does not tell is left out. */
export function answerOf(
  text: string,
  told:
    & { readonly finishReason?: FinishReason; readonly promptTokens?: unknown; readonly completionTokens?: unknown }
    & {
      readonly seconds?: unknown;
    } = {},
): Reply {
  const { finishReason = "unknown", promptTokens, completionTokens, seconds } = told;
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
  return {
    kind: "answer",
    text,
    finishReason,
    ...(isCount(promptTokens) ? { promptTokens } : {}),
    ...(isCount(completionTokens) ? { completionTokens } : {}),
    latencyMs: typeof seconds === "number" && seconds > 0 ? Math.round(1000 * seconds) : 0,
    attempts: 1,
  };
}

/** The one model of some files, or the user's name for it. */
export function oneModel(
  found: readonly string[],
  { path, model }: { readonly path: string } & Pick<ForeignOptions, "model">,
): string {
  if (model !== undefined) return model;
  const names = [...new Set(found)];
  if (names.length === 1) return names[0]!;
  throw new RangeError(
    names.length === 0
      ? `Cannot import "${path}" as --model must name the model, as no file does: current value is none`
      : `Cannot import "${path}" as its files must be of one model, or --model must name it; import their folders one by one: current value is ${
        names.join(", ")
      }`,
  );
}

/** Reads the settings that are plain values; whatever else a file has, such as keys and headers, is left out. */
export function pickSettings(fields: Fields, names: Readonly<Record<string, string>>): ModelSettings {
  const picked = Object.entries(names).flatMap(([name, kept]): [string, string | number | boolean][] => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[kept, value]] : [];
  });
  return Object.fromEntries(picked);
}

/** An address without user, password and query, which can hold keys. */
export function shownAddress(address: unknown): string | undefined {
  const url = typeof address === "string" ? URL.parse(address) : null;
  return url === null ? undefined : `${url.protocol}//${url.host}${url.pathname}`;
}

/** Lists the files below a folder, sorted; hidden ones and links are left out. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = await Promise.all(
    entries.filter(({ name }) => !name.startsWith(".")).map(({ name, isDirectory, isFile }) =>
      isDirectory ? filesBelow(`${folder}/${name}`) : isFile ? [`${folder}/${name}`] : []
    ),
  );
  return found.flat().sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
}

/** Says which files were passed over, as nobody knows how to score them. */
export function passedOver(paths: readonly string[], task: string): string {
  return `${
    paths.map((path) => basename(path)).join(", ")
  }: passed over, as no task that can be scored is called ${task}`;
}
