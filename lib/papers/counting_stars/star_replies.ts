import { meanOf, type StarPanel } from "./published.ts";
import { STAR_READER, type StarScore, starScore, type SumCause } from "@/lib/benchmarks/counting_stars/mod.ts";
import type { Sample } from "@/lib/generators/mod.ts";
import {
  type AnsweredReply,
  joinPrompt,
  type Mistake,
  type Profile,
  readAs,
  type RunRecord,
  scoredAnswer,
} from "@/lib/models/mod.ts";

/** A reply of a run, with the part of it that is scored. */
export interface StarAnswer extends Pick<AnsweredReply, "scored" | "first"> {
  readonly record: RunRecord;
}

/** The matrix of one task of a run. */
export interface RunStarPanel extends StarPanel {
  readonly task: string;
  /** The fewest replies behind any column. */
  readonly samples: number;
}

/**
 * Makes one matrix per task of a run's replies: a cell is a star's mean score over the samples of a length.
 *
 * @param replies The replies, each read as far as it is scored; other benchmarks and failed calls are skipped.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { RunRecord } from "@/lib/models/mod.ts";
 *
 * const base = { task: "counting_stars_search_en", model: "m", length: 4096, scoring: "stars", references: ["3", "5"] };
 * const of = (text: string) => ({ record: { ...base, reply: { kind: "answer", text } } as unknown as RunRecord });
 * const replies = ['{"little_penguin": [3, 5]}', '{"little_penguin": [3]}'].map(of);
 * deepEqual(starPanels(replies)[0]?.columns, [{ length: 4096, cells: [1, 0.5] }]);
 * ```
 */
export function starPanels(replies: readonly StarAnswer[]): RunStarPanel[] {
  const tasks = Map.groupBy(scoreStars(replies), ({ record }) => record.task);
  return Array.from(tasks, ([task, ofTask]) => {
    const lengths = Map.groupBy(ofTask, ({ record }) => record.length);
    const columns = Array.from(lengths, ([length, ofLength]) => ({
      length,
      cells: ofLength[0]!.score.cells.map((_, star) => meanOf(ofLength.map(({ score }) => score.cells[star]!))),
    })).sort((left, right) => left.length - right.length);
    const samples = Math.min(...Array.from(lengths.values(), (ofLength) => ofLength.length));
    return { task, model: ofTask[0]!.record.model, samples, columns };
  });
}

/** What went wrong in the replies to one task. */
export interface StarErrors {
  readonly task: string;
  /** Replies scored. */
  readonly replies: number;
  /** Replies in which no list could be read; the reference's scorer needs its key too. */
  readonly unreadable: number;
  /** Replies whose list is not in clean JSON, or without its key if lists are read leniently. */
  readonly repaired: number;
  /** Replies whose right counts are not in the order of the text. */
  readonly unordered: number;
  /** Replies with a number that is not in the text. */
  readonly inventing: number;
  /** Replies with a run of at least five numbers in even steps, most of them wrong. */
  readonly running: number;
  /** Replies that miss a third of the stars or more at the end. */
  readonly tailless: number;
  /** If a sum was asked for: replies in which counts were not found. */
  readonly notFound: number;
  /** Replies in which counts were found but not listed. */
  readonly notRemembered: number;
  /** Replies whose list is right and whose sum is not. */
  readonly summedWrongly: number;
  /** Replies with a wrong sum of unclear cause. */
  readonly unclear: number;
}

/**
 * Counts what went wrong in a run's replies, by task, each read as far as it is scored; other benchmarks and failed calls are
 * skipped.
 */
export function starErrors(replies: readonly StarAnswer[]): StarErrors[] {
  const tasks = Map.groupBy(scoreStars(replies), ({ record }) => record.task);
  return Array.from(tasks, ([task, ofTask]): StarErrors => {
    const count = (isSuch: (score: StarScore) => boolean): number => ofTask.filter(({ score }) => isSuch(score)).length;
    return {
      task,
      replies: ofTask.length,
      unreadable: count(({ form }) => form === "none"),
      repaired: count(({ form }) => form === "repaired" || form === "bare list"),
      unordered: count(({ isInOrder }) => isInOrder === false),
      inventing: count(({ invented }) => invented.length > 0),
      running: count(({ run }) => run !== null),
      tailless: count(({ lostTail, cells: stars }) => 3 * lostTail >= stars.length),
      notFound: count(({ cause }) => cause === "not found"),
      notRemembered: count(({ cause }) => cause === "not remembered"),
      summedWrongly: count(({ cause }) => cause === "summed wrongly"),
      unclear: count(({ cause }) => cause === "unclear"),
    };
  });
}

/** A record with the part of its reply that is scored, and the score. */
export interface ScoredStars {
  readonly record: RunRecord;
  readonly text: string;
  readonly score: StarScore;
}

/** Scores a run's replies to Counting-Stars as their tasks do; other benchmarks and failed calls are left out. */
export function scoreStars(replies: readonly StarAnswer[]): ScoredStars[] {
  return replies.flatMap((answer) => {
    const { record } = answer;
    const { scoring, reply, references, distractors = [] } = record;
    const parts = /^(?<lenient>lenient )?stars(?<others> of others)?(?<sum> and sum)?$/.exec(scoring)?.groups;
    if (reply.kind === "failure" || parts === undefined) return [];
    const scorer = parts["lenient"] === undefined ? "original" : "lenient";
    const [hasSum, anyKey] = [parts["sum"] !== undefined, parts["others"] !== undefined];
    const options = { distractors, hasSum, scorer, anyKey } as const;
    const text = scoredAnswer(answer);
    return [{ record, text, score: starScore(text, references, options) }];
  });
}

/** How often replies with a known cause of a wrong sum were assigned a cause. */
export interface SumCauseRow {
  /** What the simulated reader did. */
  readonly known: SumCause;
  /** The cause that its reply shows. */
  readonly told: SumCause;
  /** Replies. */
  readonly replies: number;
}

/**
 * Checks whether a list and a sum show why the sum is wrong, on a simulated reader that says what it did.
 *
 * A reader that makes two kinds of mistakes at once is known as `unclear`: its reply cannot show a single cause.
 *
 * @param samples Samples that ask for a list and its sum.
 * @param profile Who reads, such as `poor-at-sums`.
 * @returns A row for each pair of known and told cause, in order of first appearance.
 */
export function sumCauses(samples: readonly Sample[], profile: Profile): SumCauseRow[] {
  const rows = samples.map(({ prompt, references, distractors = [] }) => {
    const { text, mistakes } = readAs(joinPrompt(prompt), { profile, readers: [STAR_READER] });
    const { cause } = starScore(text, references, { distractors, hasSum: true });
    return { known: knownCause(mistakes), told: cause! };
  });
  const pairs = Map.groupBy(rows, ({ known, told }) => `${known}/${told}`);
  return Array.from(pairs.values(), (same) => ({ ...same[0]!, replies: same.length }));
}

function knownCause(mistakes: readonly Mistake[]): SumCause {
  const isUnlisted = mistakes.some(({ kind }) => kind === "unlisted");
  const isMisadded = mistakes.some(({ kind }) => kind === "misadded");
  const isLost = mistakes.some(({ kind }) => kind !== "unlisted" && kind !== "misadded");
  const causes: SumCause[] = [
    ...(isLost ? ["not found" as const] : []),
    ...(isUnlisted ? ["not remembered" as const] : []),
    ...(isMisadded ? ["summed wrongly" as const] : []),
  ];
  return causes.length > 1 ? "unclear" : causes[0] ?? "nothing";
}

/** Where a matrix loses stars. */
export interface ErrorPlaces {
  readonly model: string;
  /** Stars lost over all cells; a cell of 0.5 loses half a star. */
  readonly errors: number;
  /** The share of errors in the first third of the stars, in [0, 1]; `null` if nothing is lost. */
  readonly first: number | null;
  /** The share in the middle third. */
  readonly middle: number | null;
  /** The share in the last third. */
  readonly last: number | null;
  /** The third that loses most; `null` if nothing is lost or two lose the same. */
  readonly most: "first" | "middle" | "last" | null;
  /** The star that is lost most often, from 1; `null` if nothing is lost. */
  readonly worstStar: number | null;
  /** That star's share of all errors, in [0, 1]. */
  readonly worstShare: number | null;
}

/**
 * Says where in the text the stars of a matrix are lost.
 *
 * Star i of M is in third floor(3 (i - 1) / M), so thirds differ by one star at most.
 *
 * @example A model that loses the tail
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { last, most, worstStar } = errorPlaces({ model: "m", columns: [{ length: 4000, cells: [1, 1, 0.5, 1, 1, 0] }] });
 * equal(last, 2 / 3);
 * equal(most, "last");
 * equal(worstStar, 6);
 * ```
 */
export function errorPlaces({ model, columns }: StarPanel): ErrorPlaces {
  const stars = columns[0]?.cells.length ?? 0;
  const lost = Array.from(
    { length: stars },
    (_, star) => columns.reduce((sum, { cells }) => sum + 1 - cells[star]!, 0),
  );
  const errors = lost.reduce((sum, loss) => sum + loss, 0);
  if (errors === 0) {
    return { model, errors, first: null, middle: null, last: null, most: null, worstStar: null, worstShare: null };
  }
  const thirds = [0, 0, 0];
  lost.forEach((loss, star) => thirds[Math.floor(3 * star / stars)]! += loss / errors);
  const greatest = Math.max(...thirds);
  const leading = thirds.flatMap((share, third) => greatest - share < 1e-9 ? [third] : []);
  const worst = lost.indexOf(Math.max(...lost));
  return {
    model,
    errors,
    first: thirds[0]!,
    middle: thirds[1]!,
    last: thirds[2]!,
    most: leading.length === 1 ? THIRDS[leading[0]!]! : null,
    worstStar: worst + 1,
    worstShare: lost[worst]! / errors,
  };
}

const THIRDS = ["first", "middle", "last"] as const;
