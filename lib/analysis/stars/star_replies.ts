import type { RunRecord } from "@/lib/runs/mod.ts";
import { type StarScore, starScore } from "@/lib/scorers/mod.ts";
import { meanOf, type StarPanel } from "./star_panel.ts";

/** A matrix of a run, with the task it is of. */
export interface RunStarPanel extends StarPanel {
  /** The task's name. */
  readonly task: string;
  /** Replies behind each column, the fewest of all. */
  readonly samples: number;
}

/**
 * Makes matrices of a run's records: a cell is the mean score of a star over the samples of a length.
 *
 * @param records The records; those of other benchmarks and failed calls are left out.
 * @returns One matrix for each task that asks for a list, in the order in which they come.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/runs/mod.ts";
 *
 * const base = { task: "counting_stars_search_en", model: "m", length: 4096, scoring: "stars", references: ["3", "5"] };
 * const records = ['{"little_penguin": [3, 5]}', '{"little_penguin": [3]}'].map((text) => ({ ...base, reply: { kind: "answer", text } }));
 * deepEqual(starPanels(records as unknown as RunRecord[])[0]?.columns, [{ length: 4096, cells: [1, 0.5] }]);
 * ```
 */
export function starPanels(records: readonly RunRecord[]): RunStarPanel[] {
  const tasks = Map.groupBy(scoreStars(records), ({ record }) => record.task);
  return Array.from(tasks, ([task, replies]) => {
    const lengths = Map.groupBy(replies, ({ record }) => record.length);
    const columns = Array.from(lengths, ([length, ofLength]) => ({
      length,
      cells: ofLength[0]!.score.cells.map((_, star) => meanOf(ofLength.map(({ score }) => score.cells[star]!))),
    })).sort((left, right) => left.length - right.length);
    const samples = Math.min(...Array.from(lengths.values(), (ofLength) => ofLength.length));
    return { task, model: replies[0]!.record.model, samples, columns };
  });
}

/** What went wrong in the replies to one task. */
export interface StarErrors {
  /** The task's name. */
  readonly task: string;
  /** Replies scored. */
  readonly replies: number;
  /** Replies in which no list could be read; to the reference's scorer, a list without its key is none. */
  readonly unreadable: number;
  /** Replies whose list had to be found beside clean JSON, or without its key where lists are read leniently. */
  readonly repaired: number;
  /** Replies whose right counts are not in the order of the text. */
  readonly unordered: number;
  /** Replies with a number that the text does not hold. */
  readonly inventing: number;
  /** Replies with a run of at least five numbers in even steps, most of them wrong. */
  readonly running: number;
  /** Replies that miss a third of the stars or more without a break at the end. */
  readonly tailless: number;
  /** Where a sum was asked for: replies in which counts were not found. */
  readonly notFound: number;
  /** Replies in which counts were found and not listed. */
  readonly notRemembered: number;
  /** Replies whose list is right and whose sum is not. */
  readonly summedWrongly: number;
  /** Replies of which that cannot be told. */
  readonly unclear: number;
}

/**
 * Counts what went wrong in a run's replies to Counting-Stars, by task.
 *
 * @param records The records; those of other benchmarks and failed calls are left out.
 * @returns A row for each task, in the order in which they come.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import type { RunRecord } from "@/lib/runs/mod.ts";
 *
 * const base = { task: "counting_stars_search_en", length: 4096, scoring: "stars", references: ["3", "5", "9"] };
 * const records = ['{"little_penguin": [3]}', "I see none."].map((text) => ({ ...base, reply: { kind: "answer", text } }));
 * const [row] = starErrors(records as unknown as RunRecord[]);
 * equal(row?.unreadable, 1);
 * equal(row?.tailless, 2);
 * ```
 */
export function starErrors(records: readonly RunRecord[]): StarErrors[] {
  const tasks = Map.groupBy(scoreStars(records), ({ record }) => record.task);
  return Array.from(tasks, ([task, replies]): StarErrors => {
    const count = (isSuch: (score: StarScore) => boolean): number =>
      replies.filter(({ score }) => isSuch(score)).length;
    return {
      task,
      replies: replies.length,
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

interface ScoredStars {
  readonly record: RunRecord;
  readonly score: StarScore;
}

function scoreStars(records: readonly RunRecord[]): ScoredStars[] {
  return records.flatMap((record) => {
    const { scoring, reply, references, distractors = [] } = record;
    const parts = /^(?<lenient>lenient )?stars(?<sum> and sum)?$/.exec(scoring)?.groups;
    if (reply.kind === "failure" || parts === undefined) return [];
    const scorer = parts["lenient"] === undefined ? "original" : "lenient";
    const options = { distractors, hasSum: parts["sum"] !== undefined, scorer } as const;
    return [{ record, score: starScore(reply.text, references, options) }];
  });
}
