/** What a session of a run did. */
export interface RunSummary {
  /** Samples of the plan. */
  readonly total: number;
  /** Samples that have an answer, from this session or an earlier one. */
  readonly answered: number;
  /** Samples whose call failed. */
  readonly failed: number;
  /** Calls recorded in this session. */
  readonly asked: number;
  /** Prompt tokens of those calls. */
  readonly promptTokens: number;
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean;
  /** Samples that could not be made, each with the reason. */
  readonly notMade: readonly string[];
}
