import {
  type ChatTemplate,
  type FactRole,
  PLAIN_TEMPLATE,
  type Role,
  type Sample,
  textsAround,
  turnsOf,
} from "@/lib/generators/mod.ts";
import type { FailureMode } from "@/lib/statistics/failures/mod.ts";

/** A part of a prompt: a message, text of the chat template around it, or the start of the answer. Joined, they are what was sent. */
export interface PromptPart {
  readonly role: Role | "template" | "answer prefix";
  readonly text: string;
  /** Marked stretches in the order of the text; they do not overlap. */
  readonly marks: readonly PromptMark[];
  /** The stretches that a shortened prompt keeps, in order; empty if it leaves the part out. */
  readonly kept: readonly Stretch[];
}

/** A stretch of a text, in UTF-16 code units: from a start to before an end. */
export type Stretch = readonly [from: number, to: number];

/** A marked stretch: in a planted fact, a reference, or a wrong answer that was given. */
export type PromptMark = readonly [from: number, to: number, kind: FactRole | "answer" | "given"];

/** The most stretches of each kind that a shortened part shows; noise is never shown for its own sake. */
const MAX_KEPT = { target: 40, given: 12, distractor: 12, answer: 12, example: 4, noise: 0 } as const;

/** The most references and wrong answers that are marked in a part outside of facts. */
const MAX_VALUES = 2000;

/** Characters of values that are marked: the letters A to D are everywhere, and a long one is a text that was planted. */
const [MIN_CHARS, MAX_CHARS] = [3, 1000];

/**
 * Marks the planted facts of a prompt, the references and the wrong answers that were given.
 *
 * A fact is marked where it was planted; references and wrong answers of 3 to 1,000 characters everywhere, in any case.
 */
export function markPrompt(sample: Sample, options: {
  /** The template of the run. Default: none. */
  readonly template?: ChatTemplate;
  /** The failures of the reply, whose wrong answers are marked. Default: none. */
  readonly modes?: readonly Pick<FailureMode, "evidence">[];
  /** Characters that a shortened prompt keeps on each side of a marked stretch. Range: 0 up. Default: 160. */
  readonly characters?: number;
} = {}): PromptPart[] {
  const { template = PLAIN_TEMPLATE, modes = [], characters = 160 } = options;
  const { prompt, references } = sample;
  const given = modes.flatMap(({ evidence }) => evidence.map((each) => each.given));
  const values = { answer: finderOf(references), given: finderOf(given) };
  const facts = sample.facts.filter(({ depth }) => depth !== null);
  const turns = turnsOf(prompt);
  let next = 0;
  const around = textsAround(prompt, template);
  const parts = around.flatMap((text, at): Pick<PromptPart, "role" | "text">[] => {
    const message = prompt.messages[at];
    return [{ role: "template", text }, ...(message === undefined ? [] : [message])];
  });
  parts.push({ role: "answer prefix", text: prompt.answerPrefix ?? "" });
  const last = parts.length - 3;
  return parts.filter(({ text }) => text !== "").map((part): PromptPart => {
    const { role, text } = part;
    const isTurn = role === "user" || role === "assistant";
    const marks: PromptMark[] = [];
    let end = 0;
    while (isTurn && next < facts.length) {
      const { text: planted, role: kind } = facts[next]!;
      // Facts are in the order of the prompt; searching after the previous one skips quotations in the instructions.
      const at = findWhole(text, planted, end);
      if (at < 0) break;
      marks.push(...markValues(text, [end, at], values));
      end = at + planted.length;
      marks.push(...markValues(text, [at, end], { kind, ...values }));
      next++;
    }
    marks.push(...markValues(text, [end, text.length], values));
    // The instructions are in the first message, and the question in the last; text between messages is left out with them.
    const hasEnds = isTurn
      ? part === turns[0] || part === turns.at(-1)
      : part === parts[0] || parts.indexOf(part) > last;
    const bounds: Stretch[] = isTurn ? [[0, 0], [text.length, text.length]] : [[0, text.length]];
    return { role, text, marks, kept: keptOf(text.length, { marks, ends: hasEnds ? bounds : [], characters }) };
  });
}

/** Returns a pattern that finds any of some values as whole words; nothing if there are none. */
function finderOf(values: readonly string[]): RegExp {
  const wanted = [...new Set(values.map((value) => value.trim()))].filter(({ length }) =>
    length >= MIN_CHARS && length <= MAX_CHARS
  );
  if (wanted.length === 0) return /(?!)/g;
  // The longest value at a place wins.
  const longest = wanted.toSorted((left, right) => right.length - left.length).map(RegExp.escape);
  return new RegExp(`(?<![A-Za-z0-9])(?:${longest.join("|")})(?![A-Za-z0-9])`, "giu");
}

/** Marks the values in a stretch of a text, and the rest of it if it is part of a fact. */
function markValues(
  text: string,
  [from, to]: Stretch,
  { kind, answer, given }: Readonly<Record<"answer" | "given", RegExp>> & { readonly kind?: FactRole },
): PromptMark[] {
  const stretch = text.slice(from, to);
  const find = (pattern: RegExp, value: "answer" | "given"): PromptMark[] =>
    [...stretch.matchAll(pattern).take(MAX_VALUES)].map((
      { 0: found, index },
    ) => [from + index, from + index + found.length, value]);
  const found = [...find(answer, "answer"), ...find(given, "given")].sort(([left], [right]) => left - right);
  const marks: PromptMark[] = [];
  let at = from;
  for (const mark of found) {
    // An answer that is both wanted and given is marked once.
    if (mark[0] < at) continue;
    if (kind !== undefined && mark[0] > at) marks.push([at, mark[0], kind]);
    marks.push(mark);
    at = mark[1];
  }
  if (kind !== undefined && to > at) marks.push([at, to, kind]);
  return marks;
}

/** Chooses the stretches of a text around its marks, and those at its ends. */
function keptOf(
  length: number,
  { marks, ends, characters }: Pick<PromptPart, "marks"> & {
    readonly ends: readonly Stretch[];
    readonly characters: number;
  },
): Stretch[] {
  const left: Record<PromptMark[2], number> = { ...MAX_KEPT };
  const shown = marks.filter(([, , kind]) => left[kind]-- > 0);
  const wanted = [...shown, ...ends].map(([from, to]) => [from - characters, to + characters] as const)
    .sort(([one], [other]) => one - other);
  const kept: [number, number][] = [];
  for (const [from, to] of wanted) {
    const [start, end] = [Math.max(0, from), Math.min(length, to)];
    const last = kept.at(-1);
    // A gap shorter than the words that would replace it stays.
    if (last !== undefined && start <= last[1] + 40) last[1] = Math.max(last[1], end);
    else kept.push([start, end]);
  }
  return kept;
}

/** Finds a text that is not the beginning of a longer word, such as the word apple among apples; else its first occurrence. */
export function findWhole(prompt: string, text: string, from: number): number {
  const first = prompt.indexOf(text, from);
  const isPart = (at: number): boolean => /^[A-Za-z]{2}/.test(prompt.slice(at + text.length - 1, at + text.length + 1));
  let at = first;
  while (at >= 0 && isPart(at)) at = prompt.indexOf(text, at + 1);
  return at < 0 ? first : at;
}
