import type { Answerable, Grading, Score, Scorer } from "@/lib/scorers/mod.ts";

/** Options for {@linkcode valueMatch}. */
export interface ValueMatchOptions {
  /**
   * Whether each value must stand in its place; if not, each counts once, wherever it stands.
   *
   * @default {true}
   */
  readonly inOrder?: boolean;
}

/** The score of a reply that should give values, with what it is made of. */
export interface ValueScore extends Score {
  /** How the values were found in the reply; `none` where it cannot be read. */
  readonly form: ValueForm;
  /** How many answers the reply gives; those beyond the number of references do not count. */
  readonly given: number;
  /** Whether each reference is found, in their order. */
  readonly found: readonly boolean[];
  /** The share of references among the answers that count, whatever their order, in [0, 1]; `null` without references. */
  readonly inAnyOrder: number | null;
  /** The share found where the reply is in the asked form, over all that it gives; 0 in another form. */
  readonly asAsked: number | null;
}

/**
 * Scores a reply as Needle Threading does: as many of its first answers as there are references count, by exact match.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, "Evaluation". The paper has a language model rewrite replies before they are
 * matched; here values are read by rule, and `parseByModel` does it as the paper.
 *
 * @param reply What a model wrote.
 * @param references The right values, in the order asked for.
 * @param options Whether order matters.
 * @returns The share of references found, in [0, 1]; 0 and `no answer` for an empty reply; `null` without references.
 *
 * @example The third answer of a reply that should give two does not count
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const [a, b] = ["0e7bbda8-78e4-8982-dbec-b7b4a4c0c665", "cdf6c32a-f0c7-4198-24ed-3d4bf0959271"];
 * equal(valueMatch(JSON.stringify([a, b]), [a, b]).value, 1);
 * const score = valueMatch(`I found ${b}, ${b} and ${a}.`, [a, b]);
 * equal(score.value, 0.5);
 * deepEqual(score.found, [false, true]);
 * ```
 */
export function valueMatch(
  reply: string,
  references: readonly string[],
  options: ValueMatchOptions = {},
): ValueScore {
  const { inOrder = true } = options;
  const { form, values } = readValueReply(reply);
  const counted = values.slice(0, references.length);
  const among = new Set(counted);
  const found = references.map((reference, at) => inOrder ? counted[at] === reference : among.has(reference));
  const wanted = references.length;
  const right = found.filter(Boolean).length;
  const details = { form, given: values.length, found };
  const answer = form === "none" ? reply.trim() : counted.join(", ");
  if (wanted === 0) {
    const why = "nothing to score: there are no references";
    return { value: null, answer, why, ...details, inAnyOrder: null, asAsked: null };
  }
  return {
    value: right / wanted,
    answer,
    why: explain({ answer, form, right, wanted, given: values.length }),
    ...details,
    inAnyOrder: references.filter((reference) => among.has(reference)).length / wanted,
    asAsked: form === "asked" ? right / Math.max(wanted, values.length) : 0,
  };
}

const FORMS: Readonly<Record<ValueForm, string>> = {
  asked: "as asked",
  json: "from JSON in the reply",
  text: "from the reply's text",
  none: "",
};

function explain(
  { answer, form, right, wanted, given }: {
    readonly answer: string;
    readonly form: ValueForm;
    readonly right: number;
    readonly wanted: number;
    readonly given: number;
  },
): string {
  if (answer === "" && form === "none") return "no answer";
  if (form === "none") return `unparsable: no value found, ${wanted} wanted`;
  const extra = given > wanted ? `; ${given - wanted} more not counted` : "";
  return `found ${right} of ${wanted}, read ${FORMS[form]}${extra}`;
}

/**
 * How values were found in a reply.
 *
 * - `asked`: the reply is a value alone, with or without quotation marks, or a JSON list of texts, and nothing else.
 * - `json`: values stand in JSON, in a code fence or among other text, in an object, or in lists in lists.
 * - `text`: values were found as UUIDs in plain text.
 * - `none`: there is no value.
 */
export type ValueForm = "asked" | "json" | "text" | "none";

/** A reply that should give values, read. */
interface ValueReply {
  /** How they were found. */
  readonly form: ValueForm;
  /** What the reply gives as answers, in its order. */
  readonly values: readonly string[];
}

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const ONE_UUID = new RegExp(`^(["']?)(${UUID})\\1$`);
const UUIDS = new RegExp(`(?<![0-9a-fA-F-])${UUID}(?![0-9a-fA-F-])`, "g");
/** What stands between a key and its value, in JSON and in prose: a colon, a sign of equality or an arrow. */
const LINK = /^["'`*_\s]{0,6}(?::|=>?|[-–—]+>|→)["'`*_\s]{0,6}$/;

/**
 * Reads the values that a reply gives, by rule: nothing of it is evaluated, and it never fails.
 *
 * A reply that is not as asked is read from the JSON in it, one fragment after the other: an object gives the values of its
 * fields, and lists in lists what lies in them. Where no JSON holds a UUID, every UUID of the text counts, but those that
 * stand as the key of another: of `a: b` and `a -> b` the last.
 *
 * @param reply What a model wrote.
 * @returns Its answers, and how they were found.
 *
 * @example A thread told step by step ends in its answer
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * const [a, b, c] = ["1a", "2b", "3c"].map((end) => `0e7bbda8-78e4-8982-dbec-b7b4a4c0c6${end}`);
 * deepEqual(readValueReply(`${a} -> ${b} -> ${c}`), { form: "text", values: [c] });
 * deepEqual(readValueReply(`{"${a}": "${b}"}`), { form: "json", values: [b] });
 * ```
 */
export function readValueReply(reply: string): ValueReply {
  const text = reply.trim();
  const alone = ONE_UUID.exec(text);
  if (alone) return { form: "asked", values: [alone[2]!] };
  const parsed = parseJson(text);
  if (Array.isArray(parsed) && parsed.length > 0 && parsed.every(isPlain)) {
    return { form: "asked", values: parsed.map((entry) => entry.trim()) };
  }
  const fragments = parsed === undefined ? findJson(text) : [parsed];
  const inJson = fragments.map(flatten).filter((entries) => entries.some(holdsUuid)).flat();
  if (inJson.length > 0) return { form: "json", values: inJson.flatMap(readEntry) };
  const values = findUuids(text);
  return { form: values.length > 0 ? "text" : "none", values };
}

/** Whether an entry of a list is a text that is a value, or holds none. */
function isPlain(entry: unknown): entry is string {
  return typeof entry === "string" && (!holdsUuid(entry) || ONE_UUID.test(entry.trim()));
}

function holdsUuid(text: string): boolean {
  return text.search(UUIDS) >= 0;
}

/** Reads a text in JSON; one that holds no UUID takes the place of an answer all the same. */
function readEntry(entry: string): string[] {
  const values = findUuids(entry);
  return values.length > 0 ? values : [entry.trim()];
}

function findUuids(text: string): string[] {
  const found = [...text.matchAll(UUIDS)];
  const isKey = (at: number): boolean => {
    const [match, next] = [found[at]!, found[at + 1]];
    return next !== undefined && LINK.test(text.slice(match.index + match[0].length, next.index).slice(0, 20));
  };
  return found.filter((_, at) => !isKey(at)).map(([uuid]) => uuid);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Brackets that may turn out to begin no JSON; each is followed as far as it goes, so that a bound keeps time in proportion. */
const MOST_FAILURES = 20;

/** Finds the JSON objects and lists in a text, outermost ones, in order. */
function findJson(text: string): unknown[] {
  const fragments: unknown[] = [];
  let failures = 0;
  let at = indexOfBracket(text, 0);
  while (at >= 0 && failures < MOST_FAILURES) {
    const end = endOfBracket(text, at);
    const value = end < 0 ? undefined : parseJson(text.slice(at, end));
    if (value === undefined) failures++;
    else fragments.push(value);
    at = indexOfBracket(text, value === undefined ? at + 1 : end);
  }
  return fragments;
}

function indexOfBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "[" || text[at] === "{") return at;
  return -1;
}

/** Gives the place after the bracket that closes one, or -1; brackets in quotation marks do not count. */
function endOfBracket(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === "\\") at++;
    else if (!isQuoted && "[{".includes(character)) depth++;
    else if (!isQuoted && "]}".includes(character)) depth--;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** Fields of objects such as `{"key": …, "value": …}` that name what was asked and do not answer it. */
const NAMING_FIELDS: ReadonlySet<string> = new Set(["key", "keys", "start", "id"]);

/** Gives the texts that lie in a value, without recursion, as lists can be nested a million deep. */
function flatten(value: unknown): string[] {
  const texts: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) {
      texts.push(String(next));
      continue;
    }
    const inside = Array.isArray(next)
      ? next
      : Object.entries(next).filter(([field]) => !NAMING_FIELDS.has(field.toLowerCase())).map(([, each]) => each);
    for (let at = inside.length - 1; at >= 0; at--) left.push(inside[at]);
  }
  return texts;
}

/** How far along its threads a reply got. */
export interface ThreadScore extends Score {
  /** How many steps of each thread lead to the answer given for it; 0 where the answer is not on the thread. */
  readonly steps: readonly number[];
}

/**
 * Scores how far along each thread a reply got: partial credit beside the exact match.
 *
 * @param reply What a model wrote; it is read as `valueMatch` reads it.
 * @param paths The values of each thread in the order of its steps, the wanted one last.
 * @returns The mean share of steps followed, in [0, 1]: 1 where every thread's last value is given, 1/4 where that of the
 *   first of four steps is; `null` where there are no threads.
 *
 * @example Lost after the second of three steps
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * const path = ["1a", "2b", "3c"].map((end) => `0e7bbda8-78e4-8982-dbec-b7b4a4c0c6${end}`);
 * equal(threadProgress(path[1]!, [path]).value, 2 / 3);
 * deepEqual(threadProgress("I cannot tell.", [path]).steps, [0]);
 * ```
 */
export function threadProgress(reply: string, paths: readonly (readonly string[])[]): ThreadScore {
  const { values } = readValueReply(reply);
  const steps = paths.map((path, thread) => path.indexOf(values[thread] ?? "") + 1);
  const answer = values.slice(0, paths.length).join(", ");
  if (paths.length === 0) return { value: null, answer, why: "nothing to score: there are no threads", steps };
  const value = steps.reduce((sum, count, thread) => sum + count / paths[thread]!.length, 0) / paths.length;
  const why = paths.map((path, thread) => `${steps[thread]} of ${path.length}`).join(", ");
  return { value, answer, why: `steps followed: ${why}`, steps };
}

/** Values each of which has its place, and the credit for steps on the way to them. */
export const valuesInOrder: Scorer = {
  name: "values in order",
  about: "the share of the values that stand in their places; the first as many as are asked for count",
  grade: (reply, item) => gradeValues(reply, item, { inOrder: true }),
};

/** Values in any order. */
export const valuesInAnyOrder: Scorer = {
  name: "values in any order",
  about: "the share of the values that are named; the first as many as are asked for count",
  grade: (reply, item) => gradeValues(reply, item, { inOrder: false }),
};

function gradeValues(reply: string, { references, paths }: Answerable, options: ValueMatchOptions): Grading {
  const score = valueMatch(reply, references, options);
  const { asAsked, answer, why, form } = score;
  const partial = paths === undefined ? {} : { partial: threadProgress(reply, paths) };
  return {
    score,
    penalised: { value: asAsked, answer, why },
    ...partial,
    unparsable: form === "none" && answer !== "",
  };
}
