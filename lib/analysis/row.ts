/** Where numbers come from; stands on every figure and table. */
export type Origin = "published" | "measured" | "simulated";

/** The score of one task (or of a mean of tasks) at one length. */
export interface ScoreRow {
  /** The task's name, or the name of a group of tasks. */
  readonly task: string;
  /** Context length in tokens, answer room included. */
  readonly length: number;
  /** Samples scored. */
  readonly n: number;
  /** The mean score in percent, in [0, 100]; `null` where nothing could be scored. */
  readonly score: number | null;
  /** The low end of the 95% interval of the mean, in percent; `null` where there is none. */
  readonly low: number | null;
  /** The high end of the 95% interval of the mean, in percent; `null` where there is none. */
  readonly high: number | null;
  /** Calls that failed; they are not in `n`. */
  readonly failed: number;
  /** Replies that were empty; they are in `n` and score 0. */
  readonly noAnswer: number;
}
