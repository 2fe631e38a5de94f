import { BABILONG_FIXES, type BabilongFix, givenAnswers } from "@/lib/benchmarks/babilong/scorer.ts";
import { type CsvColumn, csvFormatRow, readRows } from "@/lib/statistics/mod.ts";

/** The message that the authors' files hold where a call of the batch failed. */
const FAILED_CALL = "No batch response candidates.";

/** A recorded reply of the authors' files. */
export interface BabilongReply {
  readonly target: string;
  readonly reply: string;
  readonly question: string;
}

/** The counts that `data/published/babilong.csv` has beside both scores. */
const COUNTS = ["gained", "lost", "question", "answer", "sentence", "words", "asked"] as const;

/** The replies of a model to a task at a length, counted. */
export interface BabilongCounts extends Readonly<Record<typeof COUNTS[number], number>> {
  readonly model: string;
  /** `full` with the authors' instruction, examples and form of the answer, `none` without them. */
  readonly prompt: string;
  readonly task: string;
  readonly length: number;
  /** Replies, those of failed calls included. */
  readonly n: number;
  readonly failed: number;
  /** Right replies by the authors' score, and without its faults. */
  readonly original: number;
  readonly corrected: number;
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

const HEADER = ["suite,task,knobs,length,depth,model,n,score,origin,source,failed", ...COUNTS].join();
const SOURCE = "github.com/booydar/babilong at 7a6efee, babilong_evals";

/** Writes counts as `data/published/babilong.csv`: failed calls are wrong replies of the original score, and none of the corrected. */
export function writeCounts(rows: readonly BabilongCounts[]): string {
  const lines = rows.flatMap((row) =>
    (["original", "corrected"] as const).map((scoring) => {
      const [n, counts] = scoring === "original"
        ? [row.n, COUNTS.map(() => null)]
        : [row.n - row.failed, COUNTS.map((name) => row[name])];
      const score = Number((100 * row[scoring] / n).toFixed(4));
      const knobs = `prompt=${row.prompt}; scoring=${scoring}`;
      const place = ["BABILong", `babilong_${row.task}`, knobs, row.length, null, row.model];
      return [...place, n, score, "published", SOURCE, row.failed, ...counts];
    })
  );
  return [HEADER, ...lines.map(csvFormatRow)].map((line) => `${line}\n`).join("");
}
