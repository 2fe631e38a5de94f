import {
  BABILONG_FIXES,
  BABILONG_MEAN,
  type BabilongFix,
  givenAnswers,
  STORY_KINDS,
} from "@/lib/benchmarks/babilong/mod.ts";
import {
  column,
  type CsvColumn,
  csvFormatRow,
  normalReach,
  openRows,
  readRows,
  type Row,
  type ScoreRow,
  type ScoreWithInterval,
  wilsonInterval,
} from "@/lib/statistics/mod.ts";

/** The message that the authors' files hold where a call of the batch failed. */
const FAILED_CALL = "No batch response candidates.";

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

/** A recorded reply of the authors' files. */
export interface BabilongReply {
  readonly target: string;
  readonly reply: string;
  readonly question: string;
}

/**
 * Reads the counts of the authors' recorded replies: Gemini 3 Flash (preview) of 2026, and Phi-3-mini-128k-instruct.
 *
 * @throws {Error} If the file is missing.
 * @throws {SyntaxError} If a cell has an unexpected value; the message names file, line and column.
 */
export async function openBabilongCounts(): Promise<readonly BabilongCounts[]> {
  return await openRows("babilong_replies.csv", COUNTS);
}

/** Counts the replies of a cell by both scorers, and those that each correction alone changes. */
export function countReplies(
  replies: readonly BabilongReply[],
): Omit<BabilongCounts, "model" | "prompt" | "task" | "length"> {
  const answered = replies.filter(({ reply }) => reply !== FAILED_CALL);
  const isRight = (item: BabilongReply, fixes: readonly BabilongFix[]): boolean => {
    const given = givenAnswers(item.reply, item, fixes) ?? [];
    return given.length === 1 && given[0] === item.target.toLowerCase();
  };
  const scored = answered.map((item) => ({
    original: isRight(item, []),
    corrected: isRight(item, BABILONG_FIXES),
    alone: BABILONG_FIXES.filter((fix) => isRight(item, [fix]) !== isRight(item, [])),
  }));
  const sizeOf = (wanted: (each: typeof scored[number]) => boolean): number => scored.filter(wanted).length;
  const alone = BABILONG_FIXES.map((fix) => [fix, sizeOf((each) => each.alone.includes(fix))]);
  return {
    n: replies.length,
    failed: replies.length - answered.length,
    original: sizeOf(({ original }) => original),
    corrected: sizeOf(({ corrected }) => corrected),
    gained: sizeOf(({ original, corrected }) => corrected && !original),
    lost: sizeOf(({ original, corrected }) => original && !corrected),
    ...Object.fromEntries(alone) as Record<BabilongFix, number>,
    asked: replies.filter(({ question, target }) => question.toLowerCase().includes(target.toLowerCase())).length,
  };
}

/** A column of the authors' files, whose replies can be empty. */
const anyText = (name: string): CsvColumn<string> => ({ name, wanted: "a text", read: (cell) => cell });

/** Reads a file of the authors' `babilong_evals`, such as `qa1_16k_….csv`. */
export function readReplies(text: string, file: string): readonly BabilongReply[] {
  const columns = { target: anyText("target"), reply: anyText("output"), question: anyText("question") };
  return readRows(text, { file, columns });
}

/** Writes counts as the lines of `data/published/babilong_replies.csv`. */
export function writeCounts(rows: readonly BabilongCounts[]): string {
  const names = Object.keys(COUNTS) as (keyof BabilongCounts)[];
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((fields) => `${csvFormatRow(fields)}\n`)
    .join("");
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
    const mean = (value: (row: typeof ofLength[number]) => number): number =>
      ofLength.reduce((sum, row) => sum + value(row), 0) / ofLength.length;
    const score = mean((row) => row.score);
    const variance = mean((row) => row.score * (100 - row.score) / row.n) / ofLength.length;
    const reach = normalReach(0.95) * Math.sqrt(variance);
    const n = ofLength.reduce((sum, row) => sum + row.n, 0);
    return { task: BABILONG_MEAN, length, n, score, low: score - reach, high: score + reach, failed: 0, noAnswer: 0 };
  });
}
