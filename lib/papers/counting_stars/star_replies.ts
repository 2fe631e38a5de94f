import { meanOf, type StarPanel, THIRDS } from "./published.ts";
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
  /** The lowest number of replies behind a column. */
  readonly samples: number;
}

/**
 * Makes one matrix per task of a run's replies: a cell is a star's mean score over the samples of a length. Other benchmarks and
 * failed calls are skipped.
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

/** The faults of replies, each counted at most once per reply. */
const FAULTS: Readonly<Record<StarFault, (score: StarScore) => boolean>> = {
  /** No list could be read; the reference's scorer needs its key too. */
  unreadable: ({ form }) => form === "none",
  /** The list is not in clean JSON, or without its key if lists are read leniently. */
  repaired: ({ form }) => form === "repaired" || form === "bare list",
  /** The right counts are not in the order of the text. */
  unordered: ({ isInOrder }) => isInOrder === false,
  /** A number is not in the text. */
  inventing: ({ invented }) => invented.length > 0,
  /** A run of at least five numbers in even steps, most of them wrong. */
  running: ({ run }) => run !== null,
  /** A third of the stars or more is missing at the end. */
  tailless: ({ lostTail, cells }) => 3 * lostTail >= cells.length,
  /** If a sum was asked for: counts were not found. */
  notFound: ({ cause }) => cause === "not found",
  /** Counts were found but not listed. */
  notRemembered: ({ cause }) => cause === "not remembered",
  /** The list is right and the sum is not. */
  summedWrongly: ({ cause }) => cause === "summed wrongly",
  /** The sum is wrong, and the cause unclear. */
  unclear: ({ cause }) => cause === "unclear",
};

/** A fault of a reply. */
export type StarFault =
  | "unreadable"
  | "repaired"
  | "unordered"
  | "inventing"
  | "running"
  | "tailless"
  | "notFound"
  | "notRemembered"
  | "summedWrongly"
  | "unclear";

/** The number of replies to one task, and of those with each fault. */
export type StarErrors = Readonly<Record<StarFault | "replies", number>> & { readonly task: string };

/** Counts faults in a run's replies by task; other benchmarks and failed calls are skipped. */
export function starErrors(replies: readonly StarAnswer[]): StarErrors[] {
  const tasks = Map.groupBy(scoreStars(replies), ({ record }) => record.task);
  return Array.from(tasks, ([task, ofTask]) => {
    const counts = Object.entries(FAULTS).map(([fault, has]) => [
      fault,
      ofTask.filter(({ score }) => has(score)).length,
    ]);
    return { task, replies: ofTask.length, ...Object.fromEntries(counts) as Record<StarFault, number> };
  });
}

/** A record with the scored part of its reply, and the score. */
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
    const text = scoredAnswer(answer);
    return [{ record, text, score: starScore(text, references, { distractors, hasSum, scorer, anyKey }) }];
  });
}

/** Replies of a simulated reader, by the true cause of a wrong sum and the cause that the score finds. */
export interface SumCauseRow {
  readonly known: SumCause;
  readonly found: SumCause;
  /** Replies. */
  readonly replies: number;
}

/**
 * Checks whether a list and its sum show why the sum is wrong, with a simulated reader whose mistakes are known. A reader that
 * makes two kinds of mistakes at once is known as `unclear`, since its reply cannot show a single cause.
 *
 * @param samples Samples that ask for a list and its sum.
 * @param profile The reader, such as `poor-at-sums`.
 */
export function sumCauses(samples: readonly Sample[], profile: Profile): SumCauseRow[] {
  const rows = samples.map(({ prompt, references, distractors = [] }) => {
    const { text, mistakes } = readAs(joinPrompt(prompt), { profile, readers: [STAR_READER] });
    const { cause } = starScore(text, references, { distractors, hasSum: true });
    return { known: knownCause(mistakes), found: cause! };
  });
  const pairs = Map.groupBy(rows, ({ known, found }) => `${known}/${found}`);
  return Array.from(pairs.values(), (same) => ({ ...same[0]!, replies: same.length }));
}

function knownCause(mistakes: readonly Mistake[]): SumCause {
  const causes = new Set(
    mistakes.map(({ kind }): SumCause =>
      kind === "unlisted" ? "not remembered" : kind === "misadded" ? "summed wrongly" : "not found"
    ),
  );
  return causes.size > 1 ? "unclear" : [...causes][0] ?? "nothing";
}

/** Where a matrix loses stars; shares are in [0, 1], and `null` if nothing is lost. */
export interface ErrorPlaces {
  readonly model: string;
  /** Stars lost over all cells; a cell of 0.5 loses half a star. */
  readonly errors: number;
  /** The share of errors in the first third of the stars. */
  readonly first: number | null;
  /** The share in the middle third. */
  readonly middle: number | null;
  /** The share in the last third. */
  readonly last: number | null;
  /** The third with the most errors; `null` if two have the same. */
  readonly most: "first" | "middle" | "last" | null;
  /** The star that is lost most often, from 1. */
  readonly worstStar: number | null;
  /** That star's share of all errors. */
  readonly worstShare: number | null;
}

/**
 * Locates the lost stars of a matrix in the text. Star i of M is in third floor(3 (i - 1) / M), so thirds differ by at most one
 * star.
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
  const thirds = [0, 0, 0] as [number, number, number];
  lost.forEach((loss, star) => thirds[Math.floor(3 * star / stars)]! += loss / errors);
  const [first, middle, last] = thirds;
  const leading = THIRDS.filter((_, third) => Math.max(...thirds) - thirds[third]! < 1e-9);
  const worst = lost.indexOf(Math.max(...lost));
  return {
    ...{ model, errors, first, middle, last },
    most: leading.length === 1 ? leading[0]! : null,
    worstStar: worst + 1,
    worstShare: lost[worst]! / errors,
  };
}
