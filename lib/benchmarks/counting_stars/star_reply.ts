import { type Repaired, repairJson } from "./json_repair.ts";
import { type Fields, isFields, parseJson } from "@/lib/models/mod.ts";
import { stripText } from "@/lib/scorers/mod.ts";

/**
 * The form of a list of counts in a reply.
 *
 * - `json`: the reply is JSON and has the list under its key.
 * - `repaired`: the key and its list are in a code fence, among other text, or in broken JSON.
 * - `bare list`: the list has no key; only the lenient scorer reads it.
 * - `none`: there is no list, or none that the reference can score.
 */
export type StarForm = "json" | "repaired" | "bare list" | "none";

/** One entry of a list. */
export interface StarEntry {
  /** `null` if the entry is no number. */
  readonly number: number | null;
  /** The only number in an entry that is a string, such as `"3"`. */
  readonly numberInText: number | null;
}

/** A parsed reply. */
export interface StarReply {
  readonly form: StarForm;
  readonly entries: readonly StarEntry[];
  /** The sum in the reply; `null` if it has none. */
  readonly total: number | null;
}

const KEYS = ["小企鹅", "little_penguin"];
const TOTAL_KEYS = ["总数", "total"];
const QUOTES = "[\"'`“”‘’「」]?";
const LIST_START = new RegExp(`${QUOTES}(?:${KEYS.join("|")})${QUOTES}\\s*[:=]\\s*\\[`, "i");
const TOTAL = new RegExp(`${QUOTES}(?:${TOTAL_KEYS.join("|")})${QUOTES}\\s*[:=]\\s*${QUOTES}(-?\\d+(?:\\.\\d+)?)`, "i");

/**
 * Reads a reply as the reference's own scorer does: fences and the word `json` are removed; the rest, as JSON or as repaired by
 * json_repair 0.25.2, must be an object with a list under its key. Sums are not read: the reference asks for none.
 *
 * Two things are wider than there: the key of either language counts, and English replies without a fence are repaired as
 * Chinese ones are (the reference stops with an error).
 *
 * @param most The number of entries that are scored; the reference stops if one of them is a list or an object.
 * @param options.anyKey Whether the first list of the object is taken, whatever its key.
 */
export function readOriginalReply(
  reply: string,
  most: number,
  { anyKey = false }: { readonly anyKey?: boolean } = {},
): Omit<StarReply, "total"> {
  const isFenced = reply.includes("```");
  const bare = isFenced ? stripText(reply.replaceAll("```", "").replaceAll("json", "")) : reply;
  const parsed = parsePython(bare);
  const value = parsed === undefined ? repairJson(bare) : parsed;
  const list = anyKey
    ? fieldsOf(value).find(Array.isArray)
    : KEYS.map((key) => fieldOf(value, key)).find((field) => field !== undefined);
  if (!Array.isArray(list) || list.slice(0, most).some((entry) => typeof entry === "object" && entry !== null)) {
    return { form: "none", entries: [] };
  }
  // To Python, true is the number 1.
  const entries = list.map((entry) => toEntry(typeof entry === "boolean" ? Number(entry) : entry));
  return { form: isFenced || parsed === undefined ? "repaired" : "json", entries };
}

/** Parses as Python's `json.loads` does: NaN and infinities are accepted, whole numbers of over 4,300 digits refused. */
function parsePython(text: string): unknown {
  const value = parseJson(text) ?? parseJson(text.replace(STRING_OR_NAME, (token) => NAMES[token] ?? token));
  const numbers = value === undefined || !/(?<!\d)\d{4301}/.test(text)
    ? []
    : text.replace(STRING, "").match(NUMBER) ?? [];
  // Python does not repair after that error.
  return numbers.some((number) => /^-?\d{4301,}$/.test(number)) ? null : value;
}

// An unclosed string runs to the end, so that no mark in it is tried as a start.
const STRING = /"(?:[^"\\]|\\.)*"?/gs;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;
const STRING_OR_NAME = /"(?:[^"\\]|\\.)*"?|-?Infinity|NaN/gs;
/** None of these is a right count; the space separates tokens. */
const NAMES: Readonly<Record<string, string>> = { "NaN": " null", "Infinity": " 1e999", "-Infinity": " -1e999" };

function fieldOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return (value as ReadonlyMap<string, Repaired>).get(key);
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function fieldsOf(value: unknown): readonly unknown[] {
  if (value instanceof Map) return [...value.values()];
  return isFields(value) ? Object.values(value) : [];
}

/** Parses as much of a reply as possible, without errors and in linear time. */
export function readStarReply(reply: string): StarReply {
  const text = toHalfWidthMarks(reply);
  const isFenced = text.includes("```");
  const bare = (isFenced ? text.replaceAll("```", "").replaceAll("json", "") : text).trim();
  const value = parseJson(bare);
  const fields = isFields(value) ? value : {};
  const list = KEYS.map((key) => fields[key]).find(Array.isArray);
  const total = readTotal(bare, fields);
  if (list) return { form: isFenced ? "repaired" : "json", entries: flatten(list).map(toEntry), total };
  if (Array.isArray(value)) return { form: "bare list", entries: flatten(value).map(toEntry), total };
  const start = LIST_START.exec(bare);
  if (start) return { form: "repaired", entries: scanList(bare, start.index + start[0].length), total };
  const entries = scanFirstList(bare);
  return { form: entries.length > 0 ? "bare list" : "none", entries, total };
}

/** Finds every whole number in a reply. */
export function findNumbers(reply: string): number[] {
  const numbers = toHalfWidthDigits(reply).match(/\d+(?:\.\d+)*/g) ?? [];
  return numbers.filter((number) => !number.includes(".")).map(Number);
}

/** Converts full-width marks to ASCII, but not digits, which are no numbers to the reference. */
function toHalfWidthMarks(text: string): string {
  return text.replaceAll("、", ",").replace(/[\uff01-\uff0f\uff1a-\uff5e]/g, toAscii);
}

function toHalfWidthDigits(text: string): string {
  return text.replace(/[\uff0e\uff10-\uff19]/g, toAscii);
}

function toAscii(mark: string): string {
  return String.fromCharCode(mark.charCodeAt(0) - 0xfee0);
}

function readTotal(text: string, fields: Fields): number | null {
  const parsed = TOTAL_KEYS.map((key) => fields[key]).find((value) => typeof value === "number");
  if (typeof parsed === "number") return parsed;
  const match = TOTAL.exec(toHalfWidthDigits(text));
  return match ? Number(match[1]) : null;
}

/** Flattens a list without recursion, because lists can be nested a million deep. */
function flatten(list: readonly unknown[]): unknown[] {
  const flat: unknown[] = [];
  const left: unknown[] = [list];
  while (left.length > 0) {
    const next = left.pop();
    if (!Array.isArray(next)) flat.push(next);
    else for (let at = next.length - 1; at >= 0; at--) left.push(next[at]);
  }
  return flat;
}

function toEntry(value: unknown): StarEntry {
  if (typeof value === "number") return { number: value, numberInText: null };
  return { number: null, numberInText: typeof value === "string" ? readText(value) : null };
}

function readText(text: string): number | null {
  const numbers = findNumbers(text);
  return numbers.length === 1 ? numbers[0]! : null;
}

// The tokens of a list: a comment, a bracket, a quoted string (closed or not), or a run of other characters.
const TOKEN = /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|[[\]{}()]|"(?:[^"\\]|\\.)*"?|[^\s,:;[\]{}()"]+/g;
const COMMENT = /^\/[/*]/;

/** Reads entries up to the end of the list, or of the text if the list is cut off. */
function scanList(text: string, start: number): StarEntry[] {
  const entries: StarEntry[] = [];
  let depth = 1;
  for (const [token] of text.slice(start).matchAll(TOKEN)) {
    if (COMMENT.test(token)) continue;
    if ("[{(".includes(token)) depth++;
    else if ("]})".includes(token)) depth--;
    else {
      const number = readNumber(token);
      entries.push({ number, numberInText: number === null ? readText(token) : null });
    }
    if (depth === 0) break;
  }
  return entries;
}

/** Parses a number with any suffix: the reference's repair takes `3★`, `3.` and `+3` for 3. */
function readNumber(token: string): number | null {
  const run = /^[-+]?\d[-+\d.eE/]*/.exec(token)?.[0].replace(/(?<![-+.eE/])[-+.eE/]+$/, "") ?? "";
  return /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(run) ? Number(run) : null;
}

/** Reads the first list with a number in it. */
function scanFirstList(text: string): StarEntry[] {
  // Lists without brackets in them; the last may be cut off.
  for (const match of text.matchAll(/\[([^[\]]*)\]?/g)) {
    const entries = scanList(match[1]!, 0);
    if (entries.some(({ number }) => number !== null)) return entries;
  }
  return [];
}
