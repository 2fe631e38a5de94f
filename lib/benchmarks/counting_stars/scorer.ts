import { mean, sum } from "@/lib/base/mod.ts";
import { findNumbers, readOriginalReply, readStarReply, type StarForm, type StarReply } from "./star_reply.ts";
import { type Grading, nothingToScore, type Score, type Scorer, stripText } from "@/lib/scorers/mod.ts";

/** The ways to read a list of counts, by the scorers' names in records. */
const WAYS = {
  "stars": { how: "read as the reference reads lists", scorer: "original", anyKey: false },
  "lenient stars": { how: "whatever its form", scorer: "lenient", anyKey: false },
  "stars of others": { how: "under whatever key", scorer: "original", anyKey: true },
} as const;

/** The scorers of a list of counts, and of a list with its sum, in each of these ways. */
const LISTS = Object.entries(WAYS).flatMap(([way, { how, ...options }]) => [
  listScorer(way, how, options),
  listScorer(`${way} and sum`, how, { ...options, hasSum: true }),
]);

/** Returns the scorer of lists with a name in records. */
export function starListScorer(name: keyof typeof WAYS | `${keyof typeof WAYS} and sum`): Scorer {
  return LISTS.find((scorer) => scorer.name === name)!;
}

/** Returns the sum's name if the last reference is not the sum of the others, as when a count or the sum is left out. */
function lacksSum(references: readonly string[]): string | null {
  const counts = references.map(Number);
  const stated = counts.pop();
  return sum(counts) === stated ? null : "a count, or their sum,";
}

function listScorer(name: string, how: string, options: StarScoreOptions): Scorer {
  return {
    name,
    about: `the share of counts in the list, ${options.hasSum ? "and of their sum, " : ""}${how}`,
    shape: "number",
    parts: options.hasSum
      ? { names: ["a count", "the sum"], several: "first", lacks: lacksSum }
      : { names: ["a count"], several: "last" },
    grade(reply, { references, distractors = [] }): Grading {
      const score = starScore(reply, references, { ...options, distractors });
      const { f1, answer, why, form } = score;
      return { score, penalised: { value: f1, answer, why }, unparsable: form === "none" && answer !== "" };
    },
  };
}

/** Scores the sum alone: JSON with a total, or a text with one number. */
export const starSum: Scorer = {
  name: "sum",
  about: "1 if the sum is right",
  shape: "number",
  parts: { names: ["the sum"] },
  grade(reply, { references: [wanted] }): Grading {
    const numbers = findNumbers(reply);
    const total = readStarReply(reply).total ?? (numbers.length === 1 ? numbers[0]! : null);
    const answer = total === null ? stripText(reply) : String(total);
    const isRight = total === Number(wanted);
    const given = isRight ? `the sum ${total} is right` : `the sum is ${wanted}, not ${total}`;
    const missing = answer === "" ? "no answer" : "no sum could be read";
    const scored = { value: isRight ? 1 : 0, answer, why: total === null ? missing : given };
    const score = wanted === undefined ? nothingToScore(answer) : scored;
    return { score, penalised: score, unparsable: total === null && answer !== "" };
  },
};

/** Options for {@linkcode starScore}. */
interface StarScoreOptions {
  /** The wrong count that the text gives for each reference; an empty string if it gives none. */
  readonly distractors?: readonly string[];
  /** Whether the last reference is the sum of the others, which is worth as much as one count. */
  readonly hasSum?: boolean;
  /** The parser of the reply: the reference's (default), or a lenient one that counts numbers in any form. */
  readonly scorer?: "original" | "lenient";
  /** Whether the scorer `original` takes the first list of the reply, whatever its key; for a knob that changes who counts. */
  readonly anyKey?: boolean;
}

export interface StarScore extends Score {
  /** The score of each count, in the order of the text: 1 or 0, and with distractors also 0.5 and 0.25. */
  readonly cells: readonly number[];
  readonly form: StarForm;
  /** F1 of the distinct numbers in the uncut list, in [0, 1]: wrong numbers cost too. */
  readonly f1: number | null;
}

/**
 * Scores a list of counts as Counting-Stars does: the list is cut to the number of references, repeats are dropped, and each
 * reference is looked up in the rest, at any place.
 *
 * Counting-Stars (nick7nlp/Counting-Stars at 32e16f2). If the text also gives a wrong count: 1 if only the right one is in
 * the list, 0.5 if both are, 0.25 if only the wrong one. Entries that are not numbers take a place and are not right.
 *
 * The scorer `original` gives the reference's cells of JSON, and nearly always those of broken JSON ({@linkcode readOriginalReply}).
 * Only it is comparable with published numbers, so it is the default. Of `[15颗, 117颗, 42颗]` it reads 15, as the reference's
 * repair does. A reply that stops the reference with an error (no key, a bare list, nested lists) has no score there; here
 * it scores 0 with the form `none`. Two such replies are scored: a key in the other language, and broken JSON without a fence in
 * English, which is repaired as in Chinese.
 *
 * The scorer `lenient` is Fathom's. It also reads bare lists, nested lists, full-width digits, numbers with units or in quotation
 * marks and, if there is no list at all, the numbers of the text.
 *
 * @param reply The reply of a model.
 * @param references The right counts, in the order of the text; with `hasSum` followed by their sum.
 * @returns The mean of the cells, in [0, 1]; `null` if there are no references.
 */
export function starScore(
  reply: string,
  references: readonly string[],
  { distractors = [], hasSum = false, scorer = "original", anyKey = false }: StarScoreOptions = {},
): StarScore {
  const counts = (hasSum ? references.slice(0, -1) : references).map(Number);
  const wrongs = counts.map((_, at) => distractors[at] ? Number(distractors[at]) : null);
  const { form, entries } = scorer === "lenient"
    ? readLeniently(reply)
    : readOriginalReply(reply, counts.length, { anyKey });
  const cells = scoreCells(entries.slice(0, counts.length).map(({ number }) => number), counts, wrongs);
  const numbers = entries.flatMap(({ number }) => number === null ? [] : [number]);
  const total = hasSum ? readStarReply(reply).total : null;
  const isRight = hasSum && total === Number(references.at(-1));
  const all = [...cells, ...(hasSum ? [isRight ? 1 : 0] : [])];
  const sum = total === null ? "the sum is missing" : `the sum ${total} is ${isRight ? "right" : "wrong"}`;
  const answer = numbers.length === 0 ? stripText(reply) : numbers.join(", ");
  const found = explain({ form, cells }, entries.length, hasSum ? sum : null);
  const why = answer === "" ? "no answer" : found;
  const score = all.length === 0 ? nothingToScore(answer) : { value: mean(all), answer, why };
  return { ...score, cells, form, f1: f1Of(numbers, counts) };
}

/** Numbers, with `null` where there is none. */
type Numbers = readonly (number | null)[];

function f1Of(numbers: readonly number[], counts: readonly number[]): number | null {
  const different = new Set(numbers);
  const found = counts.filter((count) => different.has(count)).length;
  return counts.length === 0 ? null : 2 * found / (different.size + counts.length);
}

/** Parses the numbers of a reply in any form: as strings in the list, or without a list. */
function readLeniently(reply: string): Pick<StarReply, "form" | "entries"> {
  const { form, entries } = readStarReply(reply);
  if (form === "none") {
    return { form, entries: findNumbers(reply).map((number) => ({ number, numberInText: null })) };
  }
  return { form, entries: entries.map((entry) => ({ ...entry, number: entry.number ?? entry.numberInText })) };
}

function explain({ form, cells }: Pick<StarScore, "form" | "cells">, given: number, sum: string | null): string {
  const found = cells.filter((cell) => cell === 1).length;
  if (form === "none" && found === 0) return "no list of counts could be read";
  const tempted = cells.filter((cell) => cell > 0 && cell < 1).length;
  const missing = cells.flatMap((cell, star) => cell === 0 ? [star + 1] : []);
  return [
    `found ${found} of ${cells.length} counts in a list of ${given}`,
    ...(tempted > 0 ? [`with the wrong count: ${tempted}`] : []),
    ...(missing.length > 0 ? [`missing: ${shorten(missing)}`] : []),
    ...(sum === null ? [] : [sum]),
  ].join("; ");
}

/** Lists star numbers, consecutive ones as a range. */
function shorten(stars: readonly number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < stars.length;) {
    let end = at;
    while (stars[end + 1] === stars[end]! + 1) end++;
    ranges.push(end > at ? `${stars[at]} to ${stars[end]}` : `${stars[at]}`);
    at = end + 1;
  }
  return ranges.join(", ");
}

function scoreCells(list: Numbers, counts: readonly number[], wrongs: Numbers): number[] {
  const given = new Set(list);
  return counts.map((count, at) => {
    const wrong = wrongs[at] ?? null;
    const isTempted = wrong !== null && given.has(wrong);
    if (given.has(count)) return isTempted ? 0.5 : 1;
    return isTempted ? 0.25 : 0;
  });
}
