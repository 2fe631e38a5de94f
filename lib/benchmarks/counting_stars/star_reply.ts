import { type Fields, isFields } from "@/lib/base/mod.ts";
import { parseJson } from "@/lib/models/mod.ts";
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

export interface StarEntry {
  /** `null` if the entry is no number. */
  readonly number: number | null;
  /** The only number in an entry that is a string, such as `"3"`. */
  readonly numberInText: number | null;
}

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

/** The key and the start of its list, with any marks between them. */
const ORIGINAL_START = new RegExp(`(?:${KEYS.join("|")})[^\\p{L}\\p{N}[\\]{}]*\\[`, "u");

/**
 * Reads a reply as the reference's own scorer does: fences and the word `json` are removed; the rest must be JSON, or broken
 * JSON, with a list under its key. Sums are not read: the reference asks for none.
 *
 * The reference repairs broken JSON with a library; here a pattern finds the list, which ends at its first word, as the
 * library takes the rest for a text. Of 22,830 drawn malformed replies that the reference scores, 6% get other cells:
 * quotation marks that are doubled, halved or escaped, numbers such as `7e`, and a key that comes twice.
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
  const list = parsed === undefined ? findList(bare, anyKey) : listIn(parsed, anyKey);
  if (!Array.isArray(list) || list.slice(0, most).some((entry) => typeof entry === "object" && entry !== null)) {
    return { form: "none", entries: [] };
  }
  // To Python, true is the number 1.
  const entries = list.map((entry) => toEntry(typeof entry === "boolean" ? Number(entry) : entry));
  return { form: isFenced || parsed === undefined ? "repaired" : "json", entries };
}

/** Parses as Python's `json.loads` does: NaN and infinities are accepted. */
function parsePython(text: string): unknown {
  return parseJson(text) ?? parseJson(text.replace(STRING_OR_NAME, (token) => NAMES[token] ?? token));
}

// An unclosed string runs to the end, so that no mark in it is tried as a start.
const STRING_OR_NAME = /"(?:[^"\\]|\\.)*"?|-?Infinity|NaN/gs;
/** None of these is a right count; the space separates tokens. */
const NAMES: Readonly<Record<string, string>> = { "NaN": " null", "Infinity": " 1e999", "-Infinity": " -1e999" };

function listIn(value: unknown, anyKey: boolean): unknown {
  if (!isFields(value)) return undefined;
  if (anyKey) return Object.values(value).find(Array.isArray);
  return KEYS.map((key) => Object.hasOwn(value, key) ? value[key] : undefined).find((field) => field !== undefined);
}

/** Finds the list of the first object in broken JSON; none if a list or an object follows it, as the library then lists both. */
function findList(text: string, anyKey: boolean): readonly unknown[] | undefined {
  const start = (anyKey ? /\[/ : ORIGINAL_START).exec(text);
  const opening = text.indexOf("{");
  if (start === null || opening < 0 || opening > start.index) return undefined;
  const rest = text.slice(start.index + start[0].length);
  const listEnd = rest.indexOf("]");
  const end = listEnd < 0 ? -1 : rest.indexOf("}", listEnd);
  return end >= 0 && /[[{]/.test(rest.slice(end)) ? undefined : readBroken(rest);
}

// The tokens of broken JSON: a quoted string (closed or not), a word, characters of numbers, or a bracket.
const BROKEN = /"(?:[^"\\]|\\.)*"?|'[^']*'?|“[^”]*”?|\p{L}+|[-\d.][-\d.eE/]*|[[\]{}]/gu;
const VALUES: Readonly<Record<string, unknown>> = { "true": true, "false": false, "null": null };

function readBroken(text: string): readonly unknown[] {
  const entries: unknown[] = [];
  for (const [token] of text.matchAll(BROKEN)) {
    const word = token.toLowerCase();
    if (token === "]" || token === "}") break;
    // A list or an object inside.
    if (token === "[" || token === "{") return [...entries, []];
    if (Object.hasOwn(VALUES, word)) entries.push(VALUES[word]);
    else if (/^\p{L}/u.test(token)) return [...entries, token];
    else if (token !== "-" && token !== "...") entries.push(readNumber(token) ?? token);
  }
  return entries;
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

function scanFirstList(text: string): StarEntry[] {
  // Lists without brackets in them; the last may be cut off.
  for (const match of text.matchAll(/\[([^[\]]*)\]?/g)) {
    const entries = scanList(match[1]!, 0);
    if (entries.some(({ number }) => number !== null)) return entries;
  }
  return [];
}
