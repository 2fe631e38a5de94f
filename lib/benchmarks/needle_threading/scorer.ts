import { sum } from "@/lib/base/mod.ts";
import WORDING from "./wording.json" with { type: "json" };
import type { Regrader } from "@/lib/benchmarks/benchmark.ts";
import { jsonList, userPrompt } from "@/lib/generators/mod.ts";
import { parseJson } from "@/lib/models/mod.ts";
import { type Answerable, type Grading, nothingToScore, type Score, type Scorer } from "@/lib/scorers/mod.ts";

/** Scores values at their places; steps on the way have partial credit. */
export const valuesInOrder: Scorer = {
  name: "values in order",
  about: "the share of values in their right places; values beyond the number asked for are ignored",
  shape: "UUID",
  grade: (reply, item) => gradeValues(reply, item, { inOrder: true }),
};

export const valuesInAnyOrder: Scorer = {
  name: "values in any order",
  about: "the share of values named, in any order; values beyond the number asked for are ignored",
  shape: "UUID",
  grade: (reply, item) => gradeValues(reply, item, { inOrder: false }),
};

/** Scores by the paper's code: each entry's first characters are compared with the value, and nothing is repaired. */
export const valuesAsPrinted: Scorer = {
  name: "values as printed",
  about: "the share of values that an entry of the reply begins with, in order, as the paper's code compares them",
  shape: "UUID",
  grade(reply, { references, paths }): Grading {
    const score = printedMatch(reply, references);
    return { score, penalised: score, ...threadProgress(reply, paths) };
  },
};

/**
 * Scores a reply as the code on the repository's page does: the reply, or each entry of a list, is cut to the length of the value
 * and compared. That code parses the reply as a Python literal and stops at any other; here such a reply is compared unparsed.
 */
function printedMatch(reply: string, references: readonly string[]): Score {
  const text = reply.trim();
  const quoted = Array.from(text.matchAll(/(["'])(.*?)\1/gs), ({ 2: inside = "" }) => inside);
  const isList = /^[[(]/.test(text);
  const entries = isList ? quoted : [/^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text];
  const counted = references.map((reference, at) => (entries[at] ?? "").slice(0, reference.length));
  const answer = counted.filter((entry) => entry !== "").join(", ");
  if (references.length === 0) return nothingToScore(answer);
  const right = references.filter((reference, at) => counted[at] === reference).length;
  const why = answer === "" ? "no answer" : `${right} of ${references.length} begin with their value`;
  return { value: right / references.length, answer, why };
}

function gradeValues(
  reply: string,
  { references, paths }: Answerable,
  options: { readonly inOrder: boolean },
): Grading {
  const score = valueMatch(reply, references, options);
  const { asAsked, answer, why, form } = score;
  const penalised = { value: asAsked, answer, why };
  return { score, penalised, ...threadProgress(reply, paths), unparsable: form === "none" && answer !== "" };
}

export interface ValueScore extends Score {
  /** The form of the values in the reply; `none` if it cannot be parsed. */
  readonly form: ValueForm;
  /** The share of right values among all of a reply in the requested form; 0 in another form. */
  readonly asAsked: number | null;
}

/**
 * Scores a reply as Needle Threading does: its first answers, one per reference, are compared by exact match.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, "Evaluation". The paper has a language model rewrite replies before they are
 * matched; here values are parsed by rule, and the extractor works as in the paper. Without `inOrder` each value counts once, at
 * any place.
 */
export function valueMatch(
  reply: string,
  references: readonly string[],
  { inOrder = true }: { readonly inOrder?: boolean } = {},
): ValueScore {
  const { form, values } = readValueReply(reply);
  const counted = values.slice(0, references.length);
  const answer = form === "none" ? reply.trim() : counted.join(", ");
  const wanted = references.length;
  const found = references.map((reference, at) => inOrder ? counted[at] === reference : counted.includes(reference));
  if (wanted === 0) return { ...nothingToScore(answer), form, asAsked: null };
  const right = found.filter(Boolean).length;
  const given = values.length;
  const extra = given > wanted ? `; ${given - wanted} more not counted` : "";
  const missing = answer === "" ? "no answer" : `unparsable: no value found, ${wanted} wanted`;
  const why = form === "none" ? missing : `found ${right} of ${wanted}, read ${FORMS[form]}${extra}`;
  const asAsked = form === "asked" ? right / Math.max(wanted, given) : 0;
  return { value: right / wanted, answer, why, form, asAsked };
}

const FORMS = { asked: "as asked", json: "from JSON in the reply", text: "from the reply's text" } as const;

/**
 * The form of the values in a reply.
 *
 * - `asked`: the reply is a value alone, with or without quotation marks, or a JSON list of texts, and nothing else.
 * - `json`: values are in JSON, in a code fence or among other text, in an object, or in nested lists.
 * - `text`: values were found as UUIDs in plain text.
 * - `none`: there is no value.
 */
export type ValueForm = "asked" | "json" | "text" | "none";

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const ONE_UUID = new RegExp(`^(["']?)(${UUID})\\1$`);
const UUIDS = new RegExp(`(?<![0-9a-fA-F-])${UUID}(?![0-9a-fA-F-])`, "g");
/** Between a key and its value, in JSON or prose: a colon, an equals sign or an arrow. */
const LINK = /^["'`*_\s]{0,6}(?::|=>?|[-–—]+>|→)["'`*_\s]{0,6}$/;

/**
 * Parses the values of a reply by rule, without errors; nothing in the reply is evaluated.
 *
 * A reply in another form than requested is parsed from each piece of JSON in it: an object gives the values of its fields,
 * nested lists all their entries. If no JSON has a UUID, each UUID of the text counts, except the key of another: of `a: b` and
 * `a -> b` the last counts.
 */
export function readValueReply(reply: string): { readonly form: ValueForm; readonly values: readonly string[] } {
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

/** Whether an entry of a list is a text that is a value or has none in it. */
function isPlain(entry: unknown): entry is string {
  return typeof entry === "string" && (!holdsUuid(entry) || ONE_UUID.test(entry.trim()));
}

function holdsUuid(text: string): boolean {
  return text.search(UUIDS) >= 0;
}

/** Returns the answers in a text of JSON; a text without a UUID takes the place of an answer. */
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

/** The limit of brackets that do not start JSON; each is followed to its end, so the limit keeps the time linear. */
const MAX_FAILURES = 20;

/** Finds the JSON objects and lists in a text, outermost ones, in order. */
function findJson(text: string): unknown[] {
  const fragments: unknown[] = [];
  const bracket = /[[{]/g;
  let failures = 0;
  for (let found = bracket.exec(text); found !== null && failures < MAX_FAILURES; found = bracket.exec(text)) {
    const end = endOfBracket(text, found.index);
    const value = end < 0 ? undefined : parseJson(text.slice(found.index, end));
    if (value === undefined) failures++;
    else {
      fragments.push(value);
      bracket.lastIndex = end;
    }
  }
  return fragments;
}

/** The place after the closing bracket, or -1; brackets in quotation marks do not count. */
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

/** Fields of objects such as `{"key": …, "value": …}` that repeat the question. */
const NAMING_FIELDS: ReadonlySet<string> = new Set(["key", "keys", "start", "id"]);

/** The texts in a value; without recursion, as lists can be nested a million deep. */
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

/** Scores how far a reply follows each thread, if there are any: the mean share of steps, such as 1/4 for the first of four. */
function threadProgress(reply: string, paths: Answerable["paths"]): Pick<Grading, "partial"> {
  if (paths === undefined) return {};
  const { values } = readValueReply(reply);
  const steps = paths.map((path, thread) => path.indexOf(values[thread] ?? "") + 1);
  const answer = values.slice(0, paths.length).join(", ");
  if (paths.length === 0) return { partial: nothingToScore(answer, "there are no threads") };
  const value = sum(steps, (count, thread) => count / paths[thread]!.length) / paths.length;
  const why = paths.map((path, thread) => `${steps[thread]} of ${path.length}`).join(", ");
  return { partial: { value, answer, why: `steps followed: ${why}` } };
}

const EXTRACTED: readonly Scorer[] = [valuesInOrder, valuesInAnyOrder];

/**
 * Rewrites a reply as a list of values by a model before they are matched, as the paper does with Gemini 1.5 Flash.
 *
 * Roberts, Han and Albanie, arXiv 2411.05000, "Evaluation". The request is in Fathom's wording, as the paper's is not public. The
 * reply comes last in it, so that its instructions can change its own values only. There is room for twice the expected values.
 */
export const VALUE_EXTRACTOR: Regrader = {
  name: "extractor",
  scorers: EXTRACTED,
  caption:
    "Mean scores of the replies as the rules read them, and as a model rewrote them. Alike: both score the same. " +
    "No answer: the model's call failed, and the reply is scored by the rules.",
  prompt: (reply) => reply.trim() === "" ? null : userPrompt(`${WORDING.extract}\n\nAnswer:\n${reply}`),
  answerRoom: ({ references }) => answerRoom(2 * references.length),
  grade: (answer, { record }): Grading => EXTRACTED.find(({ name }) => name === record.scoring)!.grade(answer, record),
  wanted: "a list of values",
  otherwise: "by the rules",
  isAlike: (byRules, byModel) => byRules === byModel,
  agree: (reply) => jsonList(readValueReply(reply).values),
};

/** Returns the tokens for an answer of some values: 100 for one, as in the paper's code. */
export function answerRoom(values: number): number {
  return 60 + 40 * values;
}
