/** How far a run has come. */
export interface RunProgress {
  /** Samples that are dealt with, in this session or an earlier one, failures included. */
  readonly done: number;
  /** Samples of the plan. */
  readonly total: number;
  /** Samples among `done` that have no answer. */
  readonly failed: number;
  /** Calls recorded in this session. */
  readonly asked: number;
  /** Prompt tokens of those calls. */
  readonly tokens: number;
  /** Time since this session began, in milliseconds. */
  readonly elapsedMs: number;
  /** Time that is left, in milliseconds, by the pace of the last calls; `null` before the first. */
  readonly leftMs: number | null;
  /** Whether no more will come. */
  readonly isOver: boolean;
}
