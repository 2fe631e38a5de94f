import { FRAMING_WORDS } from "./reply_words.ts";
import type { AnswerPattern, AnswerRule, AnswerShape, Scorer } from "./scorer.ts";

/** The start of the text that ends a first answer. */
export type AnswerEnd =
  | "a new question"
  | "a new passage"
  | "an instruction"
  | "a repeated line"
  | "the list again"
  | "a blank line"
  | "the next line"
  | "the next sentence"
  | "more text";

/** The first answer of a reply. */
export interface FirstAnswer {
  /** The answer without its surroundings; the whole reply if nothing follows the answer. */
  readonly text: string;
  /** The text after the answer. */
  readonly rest: string;
  /** The start of the rest; `null` if there is none. */
  readonly endedBy: AnswerEnd | null;
}

/**
 * Finds the first answer of a reply, before the model starts to ramble.
 *
 * A model that was not trained to stop writes until its output budget ends: the question again, a new question and its answer,
 * the next passage, its list once more. Only the text before that is scored and classified.
 *
 * A scorer's `extract` finds the answer. Without it, the answer ends at the first of: a new question or passage, an instruction,
 * a repeated line, items again after the number asked for, and a blank line. If the answers are items (numbers, UUIDs, variables,
 * words of a list), a line without a new one ends it as well, and so does the end of a sentence after an item that opens the
 * reply. Openings do not end: a reply must give an item or, in plain text, more than a line that ends in a colon or announces
 * an answer. A question at the start of the reply is skipped.
 *
 * @param reply The reply of a model.
 * @param references The right answers. Only their form and number matter, so a wrong answer ends where a right one would.
 * @param rule The scorer's declaration of answers; by default their form is inferred from the references.
 */
export function firstAnswer(reply: string, references: readonly string[], rule: AnswerRule = {}): FirstAnswer {
  const extracted = rule.extract?.(reply);
  if (typeof extracted === "string") {
    const end = reply.lastIndexOf(extracted) + extracted.length;
    const rest = reply.slice(end);
    return { text: extracted, rest, endedBy: rest.trim() === "" ? null : "more text" };
  }
  // Without an answer of the scorer's form, the scorer judges the whole reply.
  if (extracted === null) return { text: reply, rest: "", endedBy: null };
  const form = formOf(references, rule);
  const progress: Progress = { lines: new Set(), items: new Set(), given: 0, last: "", hasContent: false, open: 0 };
  let start = -1;
  let isApart = false;
  for (const { 0: text, index: at } of reply.matchAll(LINES)) {
    if (text.trim() === "") {
      isApart = true;
      continue;
    }
    let begins = at;
    let endedBy: AnswerEnd | null = null;
    if (start >= 0) endedBy = findEnd(text, { progress, form, isApart });
    else {
      const opening = findOpening(text);
      if (opening < 0) continue;
      begins = start = at + opening;
    }
    const line = reply.slice(begins, at + text.length);
    const end = endedBy === null ? findEndInside(line, { progress, form }) : { at: 0, endedBy };
    if (end !== null) {
      const stop = begins + end.at;
      return { text: reply.slice(start, stop).trim(), rest: reply.slice(stop), endedBy: end.endedBy };
    }
    note(line, { progress, form });
    isApart = false;
  }
  if (start < 0 && reply.trim() !== "") return { text: "", rest: reply, endedBy: "a new question" };
  const isWhole = reply.slice(0, Math.max(0, start)).trim() === "";
  return { text: isWhole ? reply : reply.slice(start).trim(), rest: "", endedBy: null };
}

/** The lines of a reply, with the line breaks of any system. */
const LINES = /(?<=^|\n|\r(?!\n))[^\r\n]*/g;

/** The answer so far; lines and items are normalised. */
interface Progress {
  readonly lines: Set<string>;
  readonly items: Set<string>;
  given: number;
  last: string;
  /** Whether a line was more than an announcement. */
  hasContent: boolean;
  /** Open brackets and code blocks. */
  open: number;
}

function note(line: string, { progress, form }: { readonly progress: Progress; readonly form: Form }): void {
  progress.lines.add(spell(line));
  const items = form.find?.(line) ?? [];
  for (const { text } of items) progress.items.add(text);
  progress.given += items.length;
  progress.last = line;
  progress.hasContent ||= !isAnnouncement(line);
  if (line.includes("```")) progress.open = progress.open === 0 ? 1 : 0;
  else progress.open = Math.max(0, progress.open + count(line, /[[{]/g) - count(line, /[\]}]/g));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function spell(line: string): string {
  return line.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

interface Form {
  /** Finds the items of a text, normalised; `null` if an answer is plain text. */
  readonly find: ((text: string) => Item[]) | null;
  readonly asked: number;
}

interface Item {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

// The lookbehind lets a run of letters be tried from its start only, which keeps the search linear.
const UUID = /(?<![0-9a-f])(?:[0-9a-f]{4,}(?:-[0-9a-f]+)+|[0-9a-f]*\d[0-9a-f]{7,})/gi;

/**
 * A single word between the marks or numbers of a list.
 *
 * The lookbehind starts at a word's first letter only, which keeps the search linear.
 */
const LISTED_WORD =
  /(?=\p{L})(?<=(?:^|[,;:、，\n•*]|\.\.|\d[.)])[ \t"“*]*)\p{L}[\p{L}\p{M}'’-]*(?=[ \t"”*]*(?:$|[,;、，.\n]|\d))/gu;

function formOf(references: readonly string[], rule: AnswerRule): Form {
  const asked = new Set(references.map((reference) => reference.toLowerCase())).size;
  const finder = (pattern: RegExp, least: number) => (text: string): Item[] =>
    findItems(text, pattern).filter((item) => item.text.length >= least);
  // Half an item counts, so that an answer without its last digits ends where a whole one would.
  const least = Math.ceil(references.reduce((least, { length }) => Math.min(least, length), Infinity) / 2);
  const shape = shapeOf(references, rule);
  if (typeof shape === "object") return { find: finder(findAll(shape), 1), asked };
  switch (shape) {
    case "number":
      return { find: finder(/\d+/g, least), asked };
    case "UUID":
      return { find: finder(UUID, 8), asked };
    case "variable":
      // The answer is the variable that is assigned, not the one it is assigned from.
      return { find: finder(/(?=[A-Z])(?<![A-Za-z0-9]|=[ \t]*)(?!VAR\b)[A-Z]{3,}(?![A-Za-z0-9])/g, least), asked };
    case "word":
    case "word pair":
      if (asked < 2) break;
      return { find: (text) => findItems(text, LISTED_WORD).filter((word) => !FRAMING_WORDS.has(word.text)), asked };
  }
  return { find: null, asked: 1 };
}

function findItems(text: string, pattern: RegExp): Item[] {
  return Array.from(text.matchAll(pattern), ({ 0: item, index }) => {
    return { text: item.toLowerCase(), at: index, end: index + item.length };
  });
}

// Marks before a word; \W would match Chinese characters.
const MARKS = "^[^\\p{L}\\p{N}]*";

const QUESTION = new RegExp(
  `${MARKS}(?:(?:new |next )?questions?(?: \\d+)?|q\\d*|问题|問題|问)[^\\p{L}\\p{N}]{0,3}[:：]`,
  "iu",
);
const ANSWER = new RegExp(
  `${MARKS}(?:(?:the )?(?:final |correct )?answers?(?: \\d+)?|a|答案|回答|答)[^\\p{L}\\p{N}]{0,3}[:：]`,
  "iu",
);
const PASSAGE = new RegExp(
  [
    "^\\s*(?:#{1,6}\\s|[-=*_]{3,}\\s*$|<[/|!]?[a-z]|\\[/?INST\\])",
    `${MARKS}(?:document|passage|context|text|example|article|chapter|section|user|human|assistant|system|instructions?|input|references?|文档|文章|用户|助手)(?: [\\dIVX]+)?\\s*[:：]`,
  ].join("|"),
  "iu",
);
const INSTRUCTION = new RegExp(
  `${MARKS}(?:(?:do not|don't|please|only (?:give|output)|answer (?:the|this|each)|memorize|below is|(?:the )?following (?:are|is)|read the|(?:some|a) special magic|(?:find|list|write|complete|use|choose|select) (?:all|the|a|each|one)|extract|you (?:are|will be) (?:given|asked)|i will quiz)\\b|现在请问|请|不要|以下是|下面是|阅读)`,
  "iu",
);
/** A whole question, from one of its words to its mark. */
const ASKED = new RegExp(
  [
    `${MARKS}(?:(?:and|so|but|in|on|at|by|for|to|of|from|with) )*(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|would|will|should)\\b[^?.!\\n]*\\?`,
    // The first such word is kept: to try the others as well would take quadratic time.
    "^(?=(?<lead>[^。？！\\n]*?(?:什么|哪|谁|多少|几|怎|为何|吗)))\\k<lead>[^。？！\\n]*[？?]",
  ].join("|"),
  "iu",
);

/** Returns the place where an answer can begin in a line, after questions and the word "Answer:"; -1 if nothing is left. */
function findOpening(line: string): number {
  let left = line;
  for (;;) {
    const mark = QUESTION.exec(left) ?? ANSWER.exec(left) ?? ASKED.exec(left);
    if (mark === null) break;
    left = left.slice(mark[0].length);
  }
  // A question that was cut before its mark is no answer.
  if (QUESTION.test(line) && !/[?？]/.test(line)) return -1;
  return /[\p{L}\p{N}]/u.test(left) ? line.length - left.trimStart().length : -1;
}

interface Place {
  readonly progress: Progress;
  readonly form: Form;
}

/** Returns the reason for which an answer ends before a line; `null` if the line is part of it. */
function findEnd(line: string, { progress, form, isApart }: Place & { readonly isApart: boolean }): AnswerEnd | null {
  if (QUESTION.test(line)) return "a new question";
  if (PASSAGE.test(line)) return "a new passage";
  if (progress.lines.has(spell(line)) && spell(line) !== "") return "a repeated line";
  const isHeld = form.find === null ? progress.hasContent && !isLead(progress.last) : progress.given > 0;
  if (isHeld || !isAnnouncement(progress.last)) {
    if (ASKED.test(line)) return "a new question";
    if (INSTRUCTION.test(line)) return "an instruction";
  }
  if (!isHeld || progress.open > 0 || continuesList(line, { progress, form, isApart })) return null;
  if (isApart) return "a blank line";
  return form.find !== null || ANSWER.test(line) ? "the next line" : null;
}

/** Whether a line announces the next one. */
function isLead(line: string): boolean {
  const at = Math.max(line.lastIndexOf(":"), line.lastIndexOf("："));
  return at >= 0 && !/[\p{L}\p{N}]/u.test(line.slice(at));
}

const ANNOUNCED = new RegExp(
  `${MARKS}(?:(?:sure|certainly|of course|okay|ok|here (?:is|are)|let me|let's|to (?:find|answer|determine|identify)|i (?:will|have|can|need|found)|i'll|based on|according to|after|looking|step|first)\\b|好的|当然|根据|首先)`,
  "iu",
);

/** Whether a line can be all announcement: it leads to the next line, or begins as such lines do. */
export function isAnnouncement(line: string): boolean {
  return isLead(line) || ANNOUNCED.test(line);
}

/** Whether a line continues the list of the line before. */
function continuesList(line: string, { progress, form, isApart }: Place & { readonly isApart: boolean }): boolean {
  if (/[,，、]\s*$/.test(progress.last)) return true;
  const [before, now] = [listMark(progress.last), listMark(line)];
  if (now !== null && before !== null && (now === before || Number(now) === Number(before) + 1)) return true;
  if (now === "1" && isLead(progress.last)) return true;
  if (form.find === null || form.asked < 2) return false;
  const added = form.find(line).filter(({ text }) => !progress.items.has(text)).length;
  const words = count(line, /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu);
  const isShort = words <= added + 2;
  const isWanting = progress.items.size < form.asked && !isApart;
  return added > 0 && (isShort || isWanting) || isShort && isWanting;
}

/** Returns the bullet or number at the start of a line of a list. */
function listMark(line: string): string | null {
  const [, number, bullet] = /^\s*(?:\(?(\d{1,3})[.)、]|([-*•+]))\s*\S/.exec(line) ?? [];
  return number ?? bullet ?? null;
}

/** Finds the end of an answer within its next line, and the reason. */
function findEndInside(
  line: string,
  { progress, form: { find, asked } }: Place,
): { readonly at: number; readonly endedBy: AnswerEnd } | null {
  const found = find?.(line) ?? [];
  const ends: { readonly at: number; readonly endedBy: AnswerEnd }[] = [];
  const question = /(?<=[.!?。！？…"”)\s])(?:Question|问题)\s*[:：]/.exec(line);
  if (question !== null && question.index > 0) ends.push({ at: question.index, endedBy: "a new question" });
  const given = new Set<string>();
  const again = found.findIndex(({ text }, place) => {
    const isAgain = progress.given + place >= asked && (progress.items.has(text) || given.has(text));
    given.add(text);
    return isAgain;
  });
  if (again >= 0) ends.push({ at: found[again - 1]?.end ?? 0, endedBy: "the list again" });
  const [first] = found;
  // An item that opens the reply continues the answer prefix, so its sentence is the answer.
  if (asked === 1 && progress.last === "" && first !== undefined && !/[\p{L}\p{N}]/u.test(line.slice(0, first.at))) {
    const stop = /[.!?。！？]["”')*]*(?=\s+\S)/.exec(line.slice(first.end));
    if (stop !== null) ends.push({ at: first.end + stop.index + stop[0].length, endedBy: "the next sentence" });
  }
  return ends.toSorted((left, right) => left.at - right.at)[0] ?? null;
}

/** The shapes that references can show, each with what all of them must match; the first that fits is taken. */
const SHAPES: readonly (readonly [Exclude<AnswerShape, "text" | AnswerPattern>, RegExp])[] = [
  ["number", /^\d+$/],
  ["UUID", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ["variable", /^[A-Z]{3,}$/],
  ["code", /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]{4,}$/],
  ["word pair", /^\p{L}+(?:['’-]\p{L}+)*-\p{L}+$/u],
  ["word", /^\p{L}+(?:['’-]\p{L}+)*$/u],
];

/**
 * Returns the shape that a scorer declares or, without one, the narrowest shape that all references have.
 */
export function shapeOf(references: readonly string[], { shape }: Pick<Scorer, "shape"> = {}): AnswerShape {
  if (shape !== undefined) return shape;
  const fits = (pattern: RegExp): boolean => references.every((reference) => pattern.test(reference));
  return references.length === 0 ? "text" : SHAPES.find(([, pattern]) => fits(pattern))?.[0] ?? "text";
}

/** Returns a copy of a pattern that finds all matches. */
export function findAll({ pattern }: AnswerPattern): RegExp {
  return new RegExp(pattern.source, [...new Set([...pattern.flags, "g"])].join("").replace("y", ""));
}
