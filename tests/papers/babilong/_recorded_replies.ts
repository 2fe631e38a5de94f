import { BABILONG_FIXES, type BabilongFix, givenAnswers } from "@/lib/benchmarks/babilong/scorer.ts";
import type { BabilongCounts } from "@/lib/papers/babilong/published.ts";
import { type CsvColumn, csvFormatRow, readRows } from "@/lib/statistics/mod.ts";

/** The message that the authors' files hold where a call of the batch failed. */
const FAILED_CALL = "No batch response candidates.";

/** A recorded reply of the authors' files. */
export interface BabilongReply {
  readonly target: string;
  readonly reply: string;
  readonly question: string;
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
  const names = Object.keys(rows[0]!) as (keyof BabilongCounts)[];
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((fields) => `${csvFormatRow(fields)}\n`)
    .join("");
}
