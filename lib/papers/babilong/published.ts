import { mean, sum } from "@/lib/base/mod.ts";
import { BABILONG_MEAN } from "@/lib/benchmarks/babilong/babilong.ts";
import { STORY_KINDS } from "@/lib/benchmarks/babilong/story.ts";
import {
  column,
  type CsvColumn,
  normalReach,
  openRows,
  type Row,
  type ScoreRow,
  type ScoreWithInterval,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";

const count = (name: string): CsvColumn<number> => ({
  name,
  wanted: "a whole number",
  read: (cell) => /^\d+$/.test(cell) ? Number(cell) : undefined,
});

/** The columns of `data/published/babilong_replies.csv`. */
const COUNTS = {
  model: column.text("model"),
  /** Whether the prompt has the authors' instruction, examples and form of the answer, or none of them. */
  prompt: column.choice("prompt", ["full", "none"]),
  task: column.choice("task", STORY_KINDS),
  /** Context length in tokens as the authors name it: 0 for 0k, 16000 for 16k. */
  length: count("length"),
  /** Replies, those of failed calls included. */
  n: count("n"),
  /** Failed calls, which the authors score as wrong replies. */
  failed: count("failed"),
  /** Right replies by the authors' code. */
  original: count("original"),
  /** Right replies without its faults. */
  corrected: count("corrected"),
  /** Replies that only one of both accepts: the corrected score, and the original one. */
  gained: count("gained"),
  lost: count("lost"),
  /** Replies whose score each correction alone changes. */
  question: count("question"),
  answer: count("answer"),
  sentence: count("sentence"),
  words: count("words"),
  /** Replies to questions that name their answer. */
  asked: count("asked"),
};

/** The recorded replies of a model to a task at a length, counted. */
export type BabilongCounts = Row<typeof COUNTS>;

/**
 * Reads the counts of the authors' recorded replies: Gemini 3 Flash (preview) of 2026, and Phi-3-mini-128k-instruct.
 *
 * @throws {Error} If the file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openBabilongCounts(): Promise<readonly BabilongCounts[]> {
  return await openRows("babilong_replies.csv", COUNTS);
}

/** The scorers that counts hold. */
export type BabilongScoring = "original" | "corrected";

/**
 * Returns the accuracy of a model by task and length in percent, with Wilson's 95% interval. By the original score failed calls are
 * wrong replies, as the authors have them; by the corrected one they are in no score.
 */
export function accuracyRows(
  counts: readonly BabilongCounts[],
  { model, prompt = "full", scoring = "original" }: {
    readonly model: string;
    readonly prompt?: BabilongCounts["prompt"];
    readonly scoring?: BabilongScoring;
  },
): readonly (ScoreRow & ScoreWithInterval)[] {
  return counts.filter((row) => row.model === model && row.prompt === prompt).map((row) => {
    const failed = scoring === "original" ? 0 : row.failed;
    const n = row.n - failed;
    const { low, high } = wilsonInterval(row[scoring], n);
    const score = { score: 100 * row[scoring] / n, low: 100 * low, high: 100 * high };
    return { task: row.task, length: row.length, n, ...score, failed, noAnswer: 0 };
  });
}

/** Averages accuracies over the five tasks at each length, lengths rising; the interval is that of a mean of five proportions. */
export function meanRows(rows: readonly (ScoreRow & ScoreWithInterval)[]): readonly (ScoreRow & ScoreWithInterval)[] {
  const lengths = [...Map.groupBy(rows, ({ length }) => length)].sort(([left], [right]) => left - right);
  return lengths.map(([length, ofLength]) => {
    const score = mean(ofLength, (row) => row.score);
    const variance = mean(ofLength, (row) => row.score * (100 - row.score) / row.n) / ofLength.length;
    const reach = normalReach(0.95) * Math.sqrt(variance);
    const n = sum(ofLength, (row) => row.n);
    return { task: BABILONG_MEAN, length, n, score, low: score - reach, high: score + reach, failed: 0, noAnswer: 0 };
  });
}

/** The models of the recorded replies, with the tokens that each takes. */
export const BABILONG_MODELS = {
  gemini: { model: "google/gemini-3-flash-preview", window: 1_048_576 },
  phi: { model: "microsoft/Phi-3-mini-128k-instruct", window: 131_072 },
} as const;

/** Formats a length as the authors name it, in thousands of tokens. */
export function lengthName(length: number): string {
  return length === 1_000_000 ? "1M" : `${length / 1000}K`;
}
