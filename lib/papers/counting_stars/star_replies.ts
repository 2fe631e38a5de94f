import { mean, sum } from "@/lib/base/mod.ts";
import { THIRDS } from "./star_panels.ts";
import type { StarFigureOptions, StarPanel } from "./published.ts";
import { type StarScore, starScore, starScorerOptions } from "@/lib/benchmarks/counting_stars/scorer.ts";
import { type Table, table } from "@/lib/figures/mod.ts";
import { type AnsweredReply, type RunRecord, scoredAnswer } from "@/lib/records/mod.ts";

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
      cells: ofLength[0]!.score.cells.map((_, star) => mean(ofLength.map(({ score }) => score.cells[star]!))),
    })).sort((left, right) => left.length - right.length);
    const samples = Math.min(...Array.from(lengths.values(), (ofLength) => ofLength.length));
    return { task, model: ofTask[0]!.record.model, samples, columns };
  });
}

/** The faults of replies, each counted at most once per reply, with their columns in {@linkcode starErrorTable}. */
const FAULTS = {
  /** No list could be read; the reference's scorer needs its key too. */
  unreadable: { label: "No list", has: ({ form }) => form === "none" },
  /** The list is not in clean JSON, or without its key if lists are read leniently. */
  repaired: { label: "List repaired", has: ({ form }) => form === "repaired" || form === "bare list" },
  /** The right counts are not in the order of the text. */
  unordered: { label: "Out of order", has: ({ isInOrder }) => isInOrder === false },
  inventing: { label: "Invented", has: ({ invented }) => invented.length > 0 },
  /** A run of at least five numbers in even steps, most of them wrong. */
  running: { label: "Runs", has: ({ run }) => run !== null },
  /** A third of the stars or more is missing at the end. */
  tailless: { label: "Tail lost", has: ({ lostTail, cells }) => 3 * lostTail >= cells.length },
  /** If a sum was asked for: counts were not found. */
  notFound: { label: "Not found", has: ({ cause }) => cause === "not found" },
  /** Counts were found but not listed. */
  notRemembered: { label: "Not listed", has: ({ cause }) => cause === "not remembered" },
  /** The list is right and the sum is not. */
  summedWrongly: { label: "Added wrongly", has: ({ cause }) => cause === "summed wrongly" },
  /** The sum is wrong, and the cause unclear. */
  unclear: { label: "Unclear", has: ({ cause }) => cause === "unclear" },
} as const satisfies Readonly<Record<string, { label: string; has: (score: StarScore) => boolean }>>;

/** A kind of error in a reply. */
export type StarFault = keyof typeof FAULTS;

const FAULT_NAMES = Object.keys(FAULTS) as readonly StarFault[];

/** The number of replies to one task, and of those with each fault. */
export type StarErrors = Readonly<Record<StarFault | "replies", number>> & { readonly task: string };

/** Counts faults in a run's replies by task; other benchmarks and failed calls are skipped. */
export function starErrors(replies: readonly StarAnswer[]): StarErrors[] {
  const tasks = Map.groupBy(scoreStars(replies), ({ record }) => record.task);
  return Array.from(tasks, ([task, ofTask]) => {
    const counts = FAULT_NAMES.map((fault) => [fault, ofTask.filter(({ score }) => FAULTS[fault].has(score)).length]);
    return { task, replies: ofTask.length, ...Object.fromEntries(counts) as Record<StarFault, number> };
  });
}

/** Returns the faults of a run's replies by task. */
export function starErrorTable(errors: readonly StarErrors[], options: StarFigureOptions): Table {
  return table(errors, {
    ...options,
    caption:
      "Replies with each fault. A run is five or more made-up numbers in even steps; a lost tail is a third of the stars or " +
      "more. The last four are about sums: counts not found, found but not listed, or added wrongly; unclear if list and sum " +
      "are both wrong and disagree.",
    columns: [
      { field: "task", label: "Task" },
      { field: "replies", label: "Replies" },
      ...FAULT_NAMES.map((field) => ({ field, label: FAULTS[field].label })),
    ],
  });
}

/** A record with the scored part of its reply, and the score. */
interface ScoredStars {
  readonly record: RunRecord;
  readonly text: string;
  readonly score: StarScore;
}

/** Scores a run's replies to Counting-Stars as their tasks do; other benchmarks and failed calls are left out. */
function scoreStars(replies: readonly StarAnswer[]): ScoredStars[] {
  return replies.flatMap((answer) => {
    const { record } = answer;
    const { scoring, reply, references, distractors = [] } = record;
    const options = starScorerOptions(scoring);
    if (reply.kind === "failure" || options === undefined) return [];
    const text = scoredAnswer(answer);
    return [{ record, text, score: starScore(text, references, { ...options, distractors }) }];
  });
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
  const errors = sum(lost);
  if (errors === 0) {
    return { model, errors, first: null, middle: null, last: null, most: null, worstStar: null, worstShare: null };
  }
  const thirds = [0, 0, 0] as [number, number, number];
  lost.forEach((loss, star) => thirds[Math.floor(3 * star / stars)]! += loss / errors);
  const [first, middle, last] = thirds;
  const leading = THIRDS.filter((_, third) => Math.max(...thirds) - thirds[third]! < 1e-9);
  const worst = lost.indexOf(Math.max(...lost));
  return {
    model,
    errors,
    first,
    middle,
    last,
    most: leading.length === 1 ? leading[0]! : null,
    worstStar: worst + 1,
    worstShare: lost[worst]! / errors,
  };
}

function percentOf(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

/** Returns the errors of matrices by third of the text, with the star that is lost most often. */
export function errorPlacesTable(places: readonly ErrorPlaces[], options: StarFigureOptions): Table {
  const rows = places.map((row) => ({
    ...row,
    first: percentOf(row.first),
    middle: percentOf(row.middle),
    last: percentOf(row.last),
    worstShare: percentOf(row.worstShare),
  }));
  return table(rows, {
    ...options,
    caption:
      "Errors in stars, their shares by third of the text, and the star that is lost most with its share of them.",
    columns: [
      { field: "model", label: "Matrix" },
      { field: "errors", label: "Errors" },
      { field: "first", label: "First third (%)", digits: 0 },
      { field: "middle", label: "Middle (%)", digits: 0 },
      { field: "last", label: "Last (%)", digits: 0 },
      { field: "worstStar", label: "Worst star" },
      { field: "worstShare", label: "its share (%)", digits: 0 },
    ],
  });
}
