import { type Fields, quoteText, shownJson } from "@/lib/base/mod.ts";
import { parseLine } from "@/lib/benchmarks/ruler/ruler_files.ts";
import type { ModelSettings } from "@/lib/models/mod.ts";

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

export function refuse({ path, where }: FilePlace, expected: string, value: unknown): SyntaxError {
  const place = where === undefined ? "" : ` in ${quoteText(where, 100)}`;
  return new SyntaxError(`Cannot import "${path}" as ${expected}${place}: current value is ${shownJson(value)}`);
}

/** Parses a JSON object. Python's `NaN` and `Infinity` are read as `null`. */
export function parseObject(text: string, place: FilePlace): Fields {
  // UTF-16 has zero bytes.
  const expected = text.includes("\0") ? "its text must be UTF-8" : "there must be a whole JSON object";
  return parseLine(text, (_, value) => refuse(place, expected, value));
}

export function refuseRun(what: string, expected: string, value: unknown): RangeError {
  return new RangeError(`Cannot import ${what} as ${expected}: current value is ${value}`);
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

export function readLength(values: readonly unknown[], place: FilePlace): number {
  const given = values.filter((value) => typeof value === "number" && !Number.isNaN(value)) as number[];
  const length = given.find((value) => Number.isInteger(value) && value >= 1 && value <= 2_000_000);
  if (length !== undefined) return length;
  throw refuse(place, "--length must give the length of the samples, from 1 to 2000000 tokens,", given[0]);
}

/**
 * Copies the named settings that are plain values. Other fields, such as keys and headers, are dropped.
 *
 * @param names Each is a name, and after a space that in records, by default its own in camel case.
 */
export function pickSettings(fields: Fields, names: readonly string[]): ModelSettings {
  const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const picked = names.map((each) => each.split(" ")).map(([name, kept]) => [kept ?? camelCase(name!), fields[name!]]);
  return Object.fromEntries(picked.filter(([, value]) => ["string", "number", "boolean"].includes(typeof value)));
}
